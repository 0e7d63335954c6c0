/**
 * Viscosity correlations of pure fluids as a sum of a dilute-gas part, the initial density dependence (Rainwater-Friend)
 * and a part for the dense fluid. T in K, rho in mol/m3, result in Pa s.
 */
import { type CaloricState, newCaloricState } from '../../models/helmholtz/caloric.ts';
import type { ReferenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import type { BatschinskiHildebrand, FrictionTheory, ViscosityData } from './reference-data.ts';

const AVOGADRO = 6.02214129e23;
const state: CaloricState = newCaloricState();

export function correlationViscosity(data: ViscosityData, fluid: ReferenceFluid, T: number, rho: number): number {
  const dilute = diluteViscosity(data, T);
  return dilute + initialDensity(data, T, rho, dilute) + dense(data, fluid, T, rho);
}

/** Viscosity of the dilute gas [Pa s]. */
export function diluteViscosity(data: ViscosityData, T: number): number {
  const { dilute } = data;
  if ('hardcoded' in dilute) return dilute.hardcoded === 'Ethane' ? ethaneDilute(T) : carbonDioxideDilute(T);
  switch (dilute.type) {
    case 'powers_of_Tr':
      return powers(dilute.a, dilute.t, T / dilute.T_reducing);
    case 'collision_integral': {
      const sigma = data.sigma_eta * 1e9;
      const ln = Math.log(T / data.epsilon_over_k);
      return (
        (dilute.C * Math.sqrt(dilute.molar_mass * 1e3 * T)) / (sigma * sigma * Math.exp(powers(dilute.a, dilute.t, ln)))
      );
    }
    case 'collision_integral_powers_of_Tstar':
      return (dilute.C * Math.sqrt(T)) / powers(dilute.a, dilute.t, T / dilute.T_reducing);
  }
}

function initialDensity(data: ViscosityData, T: number, rho: number, dilute: number): number {
  if (data.initial_density === undefined) return 0;
  const { b, t } = data.initial_density;
  return dilute * AVOGADRO * data.sigma_eta ** 3 * powers(b, t, T / data.epsilon_over_k) * rho;
}

function dense(data: ViscosityData, fluid: ReferenceFluid, T: number, rho: number): number {
  const part = data.higher_order;
  if ('hardcoded' in part) {
    switch (part.hardcoded) {
      case 'Ethane':
        return ethaneDense(T, rho);
      case 'Hydrogen':
        return hydrogenDense(T, rho * fluid.M);
      case 'CarbonDioxideLaeseckeJPCRD2017':
        return carbonDioxideDense(fluid, T, rho * fluid.M);
    }
  }
  return part.type === 'friction_theory' ? frictionTheory(part, fluid, T, rho) : batschinskiHildebrand(part, T, rho);
}

/** sum a delta^d1 tau^t1 exp(gamma delta^l) + sum f delta^d2 tau^t2 (1/(delta0 - delta) - 1/delta0). */
function batschinskiHildebrand(c: BatschinskiHildebrand, T: number, rho: number): number {
  const tau = c.T_reduce / T;
  const delta = rho / c.rhomolar_reduce;
  let sum = 0;
  for (let k = 0; k < c.a.length; k++)
    sum += c.a[k]! * delta ** c.d1[k]! * tau ** c.t1[k]! * Math.exp(c.gamma[k]! * delta ** c.l[k]!);
  let free = 0;
  for (let k = 0; k < c.f.length; k++) free += c.f[k]! * delta ** c.d2[k]! * tau ** c.t2[k]!;
  if (free === 0) return sum; // Fluids without free-volume term: delta0 is a filler there.
  const delta0 = powers(c.g, c.h, tau) / powers(c.p, c.q, tau);
  return sum + free * (1 / (delta0 - delta) - 1 / delta0);
}

/**
 * Friction theory (Quinones-Cisneros and Deiters, J. Phys. Chem. B 110, 12820 (2006)): a polynomial in the attractive
 * pressure p - p_r, the repulsive pressure p_r = T dp/dT and the ideal pressure rho R T, in bar.
 */
function frictionTheory(c: FrictionTheory, fluid: ReferenceFluid, T: number, rho: number): number {
  const tau = c.T_reduce / T;
  const psi1 = Math.exp(tau) - c.c1;
  const psi2 = Math.exp(tau * tau) - c.c2;
  const k = (a: readonly number[] | undefined, n: number) =>
    a === undefined ? 0 : (a[0]! + a[1]! * psi1 + a[2]! * psi2) * tau ** n;
  fluid.properties(T, rho, state);
  const ideal = (rho * fluid.R * T) / 1e5;
  const repulsive = (T * state.dpdT) / 1e5;
  const attractive = state.p / 1e5 - repulsive;
  const excess = repulsive - ideal;
  return (
    k(c.Ai, 1) * ideal +
    k(c.Aa, c.Na) * attractive +
    k(c.Ar, c.Nr) * excess +
    k(c.Aaa, c.Naa) * attractive * attractive +
    k(c.Arr, c.Nrr) * repulsive * repulsive +
    (c.Arr === undefined ? k(c.Adrdr, c.Nrr) * excess * excess : 0) +
    k(c.Aii, c.Nii ?? 0) * ideal * ideal
  );
}

/** Collision-integral series of Friend, Ely and Ingham (1989, 1991), common to methane and ethane. */
const OMEGA = [
  -3.0328138281, 16.918880086, -37.189364917, 41.288861858, -24.61592114, 8.9488430959, -1.8739245042, 0.2096610139,
  -9.6570437074e-3,
];
const R_FRIEND = [1, 1, 2, 2, 2, 3, 3, 4, 4, 1, 1];
const S_FRIEND = [0, 1, 0, 1, 1.5, 0, 2, 0, 1, 0, 1];

/** Dilute-gas viscosity factor * sqrt(T*) * sum C_i T*^((i-1)/3 - 1) [uPa s]. */
export function friendDilute(factor: number, reducedT: number): number {
  let omega = 0;
  for (let i = 0; i < OMEGA.length; i++) omega += OMEGA[i]! * reducedT ** (i / 3 - 1);
  return factor * Math.sqrt(reducedT) * omega;
}

/** Dense-fluid part factor * sum(1..9) g delta^r tau^s / (1 + sum(10..11)) [uPa s]. */
export function friendDense(factor: number, g: readonly number[], tau: number, delta: number): number {
  let over = 0;
  let under = 1;
  for (let i = 0; i < g.length; i++) {
    const term = g[i]! * delta ** R_FRIEND[i]! * tau ** S_FRIEND[i]!;
    if (i < 9) over += term;
    else under += term;
  }
  return (factor * over) / under;
}

/** Ethane: D. G. Friend, H. Ingham, J. F. Ely, J. Phys. Chem. Ref. Data 20, 275 (1991). */
function ethaneDilute(T: number): number {
  return 1e-6 * friendDilute(12.0085, T / 245);
}

const G_ETHANE = [
  0.47177003, -0.23950311, 0.39808301, -0.27343335, 0.3519226, -0.21101308, -0.00478579, 0.07378129, -0.030435255,
  -0.30435286, 0.001215675,
];

function ethaneDense(T: number, rho: number): number {
  return 1e-6 * friendDense(15.977, G_ETHANE, 305.33 / T, rho / 6870);
}

/** Hydrogen: C. D. Muzny, M. L. Huber, A. F. Kazakov, J. Chem. Eng. Data 58, 969 (2013). rho in kg/m3. */
function hydrogenDense(T: number, rho: number): number {
  const t = T / 33.145;
  const r = rho * 0.011;
  const r2 = r * r;
  return (
    6.43449673e-6 *
    r2 *
    Math.exp(
      4.56334068e-2 * t + 2.32797868e-1 / t + (9.5832612e-1 * r2) / (1.27941189e-1 + t) + 3.63576595e-1 * r2 ** 3,
    )
  );
}

/** CO2: A. Laesecke, C. D. Muzny, J. Phys. Chem. Ref. Data 46, 013107 (2017), equations 4 and 8. rho in kg/m3. */
function carbonDioxideDilute(T: number): number {
  const third = Math.cbrt(T);
  const under =
    1749.35489318835 -
    369.069300007128 * Math.sqrt(third) +
    5423856.34887691 * Math.exp(-2.21283852168356 * third) +
    (-269503.247933569 + 73145.021531826 * third) / Math.exp(third) +
    5.34368649509278 * Math.sqrt(T);
  return (1.0055e-3 * Math.sqrt(T)) / under;
}

function carbonDioxideDense(fluid: ReferenceFluid, T: number, rho: number): number {
  const Tt = 216.592;
  const rhoTripleLiquid = 1178.53;
  const scale = (rhoTripleLiquid ** (2 / 3) * Math.sqrt(fluid.R * Tt)) / (fluid.M ** (1 / 6) * Math.cbrt(AVOGADRO));
  const t = T / Tt;
  const r = rho / rhoTripleLiquid;
  return scale * (0.360603235428487 * t * r ** 3 + (r * r + r ** 8.06282737481277) / (t - 0.121550806591497));
}

function powers(a: readonly number[], t: readonly number[], x: number): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * x ** t[k]!;
  return sum;
}
