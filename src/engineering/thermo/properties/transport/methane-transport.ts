/**
 * Viscosity and thermal conductivity of methane, the reference fluid of the corresponding-states methods, by H. J. M. Hanley,
 * R. D. McCarty and W. M. Haynes, Cryogenics 15, 413 (1975):
 *   X = X0(T) + X1(T) rho + F1 dX'(rho, T) + F2 dX''(rho, T), rho in g/cm3
 * where dX'' replaces dX' below methane's freezing point (K. S. Pedersen and Aa. Fredenslund, Chem. Eng. Sci. 42, 182 (1987)), with
 * F1, F2 = (1 +- tanh(T - 91 K))/2, so that the method serves oils whose corresponding methane state would be a solid.
 * The critical enhancement of the conductivity is left out: a mixture has none of that size.
 *
 * Validity: 95 to 500 K, to 500 bar; extrapolated below (60 K) and above, see `methaneDensity`.
 */
import { METHANE } from './methane-mbwr.ts';

interface Coefficients {
  /** X0: powers T^-1, T^-2/3 ... T^5/3. */
  readonly dilute: readonly number[];
  /** X1 = A + B (C - ln(T/F))^2. */
  readonly A: number;
  readonly B: number;
  readonly C: number;
  readonly F: number;
  readonly dense: readonly number[];
  readonly cold: readonly number[];
}

/** In 1e-7 Pa s (micropoise). */
const VISCOSITY: Coefficients = {
  dilute: [
    -2.090975e5, 2.647269e5, -1.472818e5, 4.71674e4, -9.491872e3, 1.219979e3, -9.627993e1, 4.274152, -8.141531e-2,
  ],
  A: 1.696985927,
  B: -0.133372346,
  C: 1.4,
  F: 168,
  dense: [-10.3506, 17.5716, -3019.39, 188.73, 0.0429036, 145.29, 6127.68],
  cold: [-9.74602, 18.0834, -4126.66, 44.6055, 0.976544, 81.8134, 15649.9],
};

/** In mW/(m K). */
const CONDUCTIVITY: Coefficients = {
  dilute: [
    -2.147621e5, 2.190461e5, -8.618097e4, 1.496099e4, -4.73066e2, -2.331178e2, 3.778439e1, -2.320481, 5.311764e-2,
  ],
  A: -0.25276292,
  B: 0.33432859,
  C: 1.12,
  F: 168,
  dense: [-7.04036339907, 12.319512908, -8.8525979933e2, 72.835897919, 0.74421462902, -2.970691454, 2.2209758501e3],
  cold: [-8.55109, 12.5539, -1020.85, 238.394, 1.31563, -72.5759, 1411.6],
};

const FREEZING = 91;
const RHO_C = METHANE.rhoc * METHANE.M * 1e-3;

/** Viscosity [Pa s] at T [K], rho [mol/m3]. */
export const methaneViscosity = (T: number, rho: number): number => 1e-7 * evaluate(VISCOSITY, T, rho);

/** Thermal conductivity [W/(m K)] at T [K], rho [mol/m3], without critical enhancement. */
export const methaneConductivity = (T: number, rho: number): number => 1e-3 * evaluate(CONDUCTIVITY, T, rho);

/** Viscosity [Pa s] of the dilute gas. */
export const methaneDiluteViscosity = (T: number): number => 1e-7 * dilute(VISCOSITY, T);

function evaluate(c: Coefficients, T: number, rhoMolar: number): number {
  const rho = rhoMolar * METHANE.M * 1e-3;
  const log = c.C - Math.log(T / c.F);
  const switchOver = Math.tanh(T - FREEZING);
  return (
    dilute(c, T) +
    (c.A + c.B * log * log) * rho +
    0.5 * (1 + switchOver) * dense(c.dense, T, rho) +
    0.5 * (1 - switchOver) * dense(c.cold, T, rho)
  );
}

function dilute(c: Coefficients, T: number): number {
  const t = Math.cbrt(T);
  let sum = 0;
  for (let k = 8; k >= 0; k--) sum = sum * t + c.dilute[k]!;
  return sum / T;
}

/** exp(j1 + j4/T) [exp(rho^0.1 (j2 + j3/T^1.5) + theta rho^0.5 (j5 + j6/T + j7/T^2)) - 1], theta = (rho - rhoc)/rhoc. */
function dense(j: readonly number[], T: number, rho: number): number {
  const [j1, j2, j3, j4, j5, j6, j7] = j as [number, number, number, number, number, number, number];
  const theta = (rho - RHO_C) / RHO_C;
  const exponent = rho ** 0.1 * (j2 + j3 / (T * Math.sqrt(T))) + theta * Math.sqrt(rho) * (j5 + j6 / T + j7 / (T * T));
  return Math.exp(j1 + j4 / T) * Math.expm1(exponent);
}
