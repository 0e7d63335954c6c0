/**
 * Viscosity (IAPWS R12-08) and thermal conductivity (IAPWS R15-11) of water and steam from T [K] and rho [kg/m3], with the
 * critical enhancement of both. The enhancement needs (drho/dp)_T, cp and cv of the state from the formulation in use.
 * Its reference state at 1.5 Tc is taken from IAPWS-95.
 *
 * Validity: melting line to 1173 K and, by pressure, up to 1 GPa (viscosity) and 785 MPa at 1173 K (conductivity).
 */
import { referenceFluid } from '../helmholtz/reference-fluid.ts';
import { D, DD } from '../helmholtz/term-bank.ts';
import { IF97, PC, RHOC, TC } from './if97-data.ts';

/** What the critical enhancement needs to know of the state: kg/(m3 Pa), J/(kg K). */
export interface WaterDerivatives {
  readonly drhodp: number;
  readonly cp: number;
  readonly cv: number;
}

const NU = 0.63;
const GAMMA = 1.239;
const XI_0 = 0.13; // nm
const CHI_0 = 0.06;
const T_REFERENCE = 1.5;
/** Specific gas constant in R15-11, J/(kg K). */
const R_CONDUCTIVITY = 461.51805;

/** Viscosity [Pa s]; without `drhodp` the critical enhancement is left out, as R12-08 allows for industrial use. */
export function waterViscosity(T: number, rho: number, drhodp?: number): number {
  const t = T / TC;
  const r = rho / RHOC;
  let dilute = 0;
  IF97.viscosity2008.H_ideal.forEach((h, i) => {
    dilute += h / t ** i;
  });
  let sum = 0;
  for (const { I, J, n } of IF97.viscosity2008.H_residual) sum += n * (1 / t - 1) ** I * (r - 1) ** J;
  const base = ((100 * Math.sqrt(t)) / dilute) * Math.exp(r * sum);
  const enhancement = drhodp === undefined ? 1 : Math.exp(0.068 * crossover(correlationLength(T, rho, drhodp)));
  return 1e-6 * base * enhancement;
}

/** Thermal conductivity [W/(m K)] including the critical enhancement. */
export function waterConductivity(T: number, rho: number, at: WaterDerivatives): number {
  const t = T / TC;
  const r = rho / RHOC;
  let dilute = 0;
  IF97.conductivity2011.L_ideal.forEach((l, k) => {
    dilute += l / t ** k;
  });
  let sum = 0;
  for (const { I, J, n } of IF97.conductivity2011.L_residual) sum += n * (1 / t - 1) ** I * (r - 1) ** J;
  const background = (Math.sqrt(t) / dilute) * Math.exp(r * sum);
  const y = correlationLength(T, rho, at.drhodp) / 0.4;
  let critical = 0;
  if (y >= 1.2e-7) {
    const invKappa = at.cv / at.cp;
    const z =
      (2 / (Math.PI * y)) *
      ((1 - invKappa) * Math.atan(y) + invKappa * y - (1 - Math.exp(-1 / (1 / y + (y * y) / (3 * r * r)))));
    const mu = waterViscosity(T, rho, at.drhodp) * 1e6;
    critical = ((177.8514 * r * (at.cp / R_CONDUCTIVITY) * t) / mu) * z;
  }
  return 1e-3 * (background + critical);
}

/** Correlation length xi [nm] from the reduced symmetrised compressibility above that of 1.5 Tc; 0 where it is negative. */
function correlationLength(T: number, rho: number, drhodp: number): number {
  const r = rho / RHOC;
  const zeta = (drhodp * PC) / RHOC;
  const reference = (referenceCompressibility(rho) * PC) / RHOC;
  const chi = r * (zeta - (reference * T_REFERENCE * TC) / T);
  return chi > 0 ? XI_0 * (chi / CHI_0) ** (NU / GAMMA) : 0;
}

/** (drho/dp)_T [kg/(m3 Pa)] at 1.5 Tc by IAPWS-95. */
function referenceCompressibility(rho: number): number {
  const water = referenceFluid('water');
  const T = T_REFERENCE * TC;
  const res = water.residual(T, rho / water.M);
  return water.M / (water.R * T * (1 + 2 * res[D]! + res[DD]!));
}

/** Y(xi) of R12-08 equations 15 to 20; qC = 1/1.9 nm, qD = 1/1.1 nm. */
function crossover(xi: number): number {
  const c = xi / 1.9;
  const d = xi / 1.1;
  if (xi <= 0.3817016416) return 0.2 * c * d ** 5 * (1 - c + c * c - (765 / 504) * d * d);
  const psi = Math.acos(1 / Math.sqrt(1 + d * d));
  const w = Math.sqrt(Math.abs((c - 1) / (c + 1))) * Math.tan(psi / 2);
  const L = c > 1 ? Math.log((1 + w) / (1 - w)) : 2 * Math.atan(Math.abs(w));
  return (
    Math.sin(3 * psi) / 12 -
    Math.sin(2 * psi) / (4 * c) +
    ((1 - 1.25 * c * c) * Math.sin(psi)) / (c * c) -
    ((1 - 1.5 * c * c) * psi - Math.abs(c * c - 1) ** 1.5 * L) / (c * c * c)
  );
}
