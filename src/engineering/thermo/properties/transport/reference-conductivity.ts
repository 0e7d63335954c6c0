/**
 * Thermal-conductivity correlations of pure fluids: dilute gas, residual part and critical enhancement. T in K, rho in
 * mol/m3, result in W/(m K).
 */
import { type CaloricState, newCaloricState } from '../../models/helmholtz/caloric.ts';
import type { ReferenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { D, DD } from '../../models/helmholtz/term-bank.ts';
import type { ConductivityData, DiluteConductivity, OlchowySengers, ResidualConductivity } from './reference-data.ts';
import { friendDense, friendDilute } from './reference-viscosity.ts';

const BOLTZMANN = 1.3806488e-23;
const state: CaloricState = newCaloricState();

/** @param viscosity viscosity of the state; @param dilute viscosity of the dilute gas at T, both Pa s */
export function correlationConductivity(
  data: ConductivityData,
  fluid: ReferenceFluid,
  T: number,
  rho: number,
  viscosity: number,
  dilute: number,
): number {
  const critical =
    'hardcoded' in data.critical
      ? ammoniaCritical(T, rho * fluid.M)
      : olchowySengers(data.critical, fluid, T, rho, viscosity);
  const background = backgroundConductivity(data, fluid, T, rho, dilute);
  return background.dilute + background.residual + critical;
}

/** The conductivity without critical enhancement: dilute gas and residual part. `dilute` as above. */
export function backgroundConductivity(
  data: ConductivityData,
  fluid: ReferenceFluid,
  T: number,
  rho: number,
  dilute: number,
): { readonly dilute: number; readonly residual: number } {
  return {
    dilute: diluteConductivity(data.dilute, fluid, T, dilute),
    residual: residual(data.residual, fluid, T, rho),
  };
}

function diluteConductivity(data: DiluteConductivity, fluid: ReferenceFluid, T: number, viscosity: number): number {
  if ('hardcoded' in data)
    return data.hardcoded === 'Ethane' ? ethaneDilute(fluid, T, viscosity) : carbonDioxideDilute(T);
  if (data.type === 'ratio_of_polynomials') {
    const t = T / data.T_reducing;
    return powers(data.A, data.n, t) / powers(data.B, data.m, t);
  }
  // A_0 eta0 with eta0 in uPa s, then powers of tau (Lemmon and Jacobsen, Int. J. Thermophys. 25, 21 (2004)).
  let sum = data.A[0]! * viscosity * 1e6;
  for (let k = 1; k < data.A.length; k++) sum += data.A[k]! * (fluid.Tr / T) ** data.t[k]!;
  return sum;
}

function residual(data: ResidualConductivity, fluid: ReferenceFluid, T: number, rho: number): number {
  let sum = 0;
  if (data.type === 'polynomial') {
    const tau = data.T_reducing / T;
    const delta = (rho * fluid.M) / data.rhomass_reducing;
    for (let k = 0; k < data.B.length; k++) sum += data.B[k]! * tau ** data.t[k]! * delta ** data.d[k]!;
    return sum;
  }
  const tau = fluid.Tr / T;
  const delta = rho / fluid.rhor;
  for (let k = 0; k < data.A.length; k++)
    sum += data.A[k]! * tau ** data.t[k]! * delta ** data.d[k]! * Math.exp(-data.gamma[k]! * delta ** data.l[k]!);
  return sum;
}

/**
 * Critical enhancement after Olchowy and Sengers, simplified (Int. J. Thermophys. 10, 417 (1989)), with the correlation
 * length from the susceptibility above that at the reference temperature; zero where the difference is not positive.
 */
function olchowySengers(c: OlchowySengers, fluid: ReferenceFluid, T: number, rho: number, viscosity: number): number {
  const reference = c.T_ref ?? 1.5 * fluid.Tr;
  const scale = (fluid.data.reducing.p * rho) / (fluid.rhor * fluid.rhor);
  const r = fluid.residual(reference, rho);
  const referenceSlope = fluid.R * reference * (1 + 2 * r[D]! + r[DD]!);
  fluid.properties(T, rho, state);
  const chi = scale * (1 / state.dpdrho - reference / (T * referenceSlope));
  if (!(chi > 10 * Number.EPSILON)) return 0;
  const zeta = c.zeta0 * (chi / c.GAMMA) ** ((c.nu ?? 0.63) / c.gamma);
  const y = zeta * c.qD;
  const delta = rho / fluid.rhor;
  const { cp, cv } = state;
  const omega = (2 / Math.PI) * (((cp - cv) / cp) * Math.atan(y) + (cv / cp) * y);
  const omega0 = (2 / Math.PI) * (1 - Math.exp(-1 / (1 / y + (y * y) / (3 * delta * delta))));
  return ((rho * cp * c.R0 * BOLTZMANN * T) / (6 * Math.PI * viscosity * zeta)) * (omega - omega0);
}

/** -tau^2 alpha0_tautau = cv_ideal/R enters both correlations of Friend et al. */
function ethaneDilute(fluid: ReferenceFluid, T: number, viscosity: number): number {
  const f = 1.7104147 - (0.6936482 * 245) / T;
  return 0.276505e-3 * (viscosity * 1e6) * (3.75 - f * (fluid.ideal(T).tt + 1.5));
}

/** CO2: M. L. Huber, E. A. Sykioti, M. J. Assael, R. A. Perkins, J. Phys. Chem. Ref. Data 45, 013102 (2016), equation 3. */
function carbonDioxideDilute(T: number): number {
  const tau = 304.1282 / T;
  return 1e-3 / (Math.sqrt(tau) * (0.0151874307 + tau * (0.028067404 + tau * (0.022856419 - tau * 0.0074162421))));
}

/** Ammonia: R. Tufeu, D. Y. Ivanov, Y. Garrabos, B. Le Neindre, Ber. Bunsenges. Phys. Chem. 88, 422 (1984). rho in kg/m3. */
function ammoniaCritical(T: number, rho: number): number {
  const Tc = 405.4;
  const rhoc = 235;
  // The enhancement diverges on the critical isotherm; 1e-5 from it is as near as the correlation was fitted.
  const t = Math.max(Math.abs((T - Tc) / Tc), 1e-5);
  const viscosity = (2.6 + 1.6 * t) * 1e-5;
  const dpdT = (2.18 - 0.12 / Math.exp(17.8 * t)) * 1e5;
  const isochore =
    ((1.2 * BOLTZMANN * T * T * dpdT * dpdT) / (6 * Math.PI * viscosity * 1.34e-10 * t ** -0.63 * (1 + Math.sqrt(t)))) *
    0.423e-8 *
    t ** -1.24 *
    (1 + Math.sqrt(t) / 0.7);
  const peak = isochore * Math.exp(-36 * t * t);
  const x = 0.61 * rhoc + 16.5 * Math.log(t);
  const x2 = x * x;
  if (rho < 0.6 * rhoc) return ((peak * x2) / (x2 + (0.36 * rhoc) ** 2)) * (rho / (0.6 * rhoc)) ** 2;
  return (peak * x2) / (x2 + (rho - 0.96 * rhoc) ** 2);
}

const G_METHANE = [
  0.41250137, -0.14390912, 0.10366993, 0.40287464, -0.24903524, -0.12953131, 0.06575776, 0.02566628, -0.03716526,
  -0.38798341, 0.03533815,
];

/**
 * Methane: D. G. Friend, J. F. Ely, H. Ingham, J. Phys. Chem. Ref. Data 18, 583 (1989); uses its own viscosity correlation.
 * Close to the critical point (both reduced distances below 0.03) the susceptibility follows its scaled form, elsewhere
 * the equation of state.
 */
export function methaneConductivity(fluid: ReferenceFluid, T: number, rho: number): number {
  const delta = rho / 10139;
  const tau = 190.55 / T;
  const reducedT = T / 174;
  const dilute = friendDilute(10.5, reducedT);
  const viscosity = dilute + friendDense(12.149, G_METHANE, tau, delta);
  const internal = 1.45885 - 0.4377162 / reducedT;
  const gas = 0.51828 * dilute * (3.75 - internal * (fluid.ideal(T).tt + 1.5));
  // Reduced saturated-vapour density in the gas below Tc, 1 elsewhere.
  const saturated = T < fluid.Tc && rho < fluid.rhoc ? fluid.estimate(T).rhoV / fluid.rhoc : 1;
  const dense =
    6.29638 *
    (2.4149207 * delta +
      0.55166331 * delta ** 3 +
      (-0.52837734 + 0.073809553 * tau) * delta ** 4 +
      (0.24465507 - 0.047613626 * tau) * delta ** 5 +
      (1.5554612 * delta * delta) / saturated);
  fluid.properties(T, rho, state);
  const dT = 1 - 1 / tau;
  const dRho = 1 - delta;
  const chi =
    Math.abs(dT) < 0.03 && Math.abs(dRho) < 0.03
      ? scaledSusceptibility(dT, Math.abs(dRho))
      : (0.28631 * delta * tau * fluid.R * T) / state.dpdrho;
  const damping = Math.exp(-2.646 * Math.sqrt(Math.abs(dT)) - 2.678 * dRho * dRho + 0.637 * dRho);
  const rise = state.dpdT / (rho * fluid.R);
  const critical = (91.855 / (viscosity * tau * tau)) * rise * rise * chi ** 0.4681 * damping;
  return 1e-3 * (gas + dense + critical);
}

/** Equations 23 and 26 of Friend et al. (1989). */
function scaledSusceptibility(dT: number, dRho: number): number {
  if (dRho < 1e-16) return 0.0801 * Math.abs(dT) ** -1.19;
  const z = dRho ** (-1 / 0.355);
  const omega = -1.401 * dT * z;
  const base = 1 - 6.098 * dT * z;
  const theta = base > 0 ? 1 + 0.287 * base ** 0.71 : 1;
  return (0.1133 * dRho ** -3.352 * theta ** 0.732) / (theta + omega * (theta + 0.535));
}

function powers(a: readonly number[], t: readonly number[], x: number): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * x ** t[k]!;
  return sum;
}
