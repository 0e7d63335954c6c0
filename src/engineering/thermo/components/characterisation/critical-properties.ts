/**
 * Critical properties, acentric factor and molar mass of petroleum fractions from the normal boiling point Tb and the specific gravity SG (60 F/60 F). Three sets of
 * correlations; each refuses inputs outside the range it was fitted to, widened by what its authors or the API Technical Data Book call acceptable extrapolation.
 * Inside, the equations carry the units that they were published in (Rankine, psia, ft3/lbmol); in and out it is SI.
 */
import { EngineError } from '../../errors.ts';

export type CriticalMethod = 'twu' | 'riazi-daubert' | 'kesler-lee';

export interface CriticalProperties {
  /** [K] */
  readonly Tc: number;
  /** [Pa] */
  readonly pc: number;
  /** [m3/mol]; NaN where the method has none (Kesler and Lee). */
  readonly vc: number;
  /** [kg/mol] */
  readonly molarMass: number;
}

const RANKINE = 1.8;
const PSI = 6894.757293168;
const CUBIC_FOOT_PER_POUND_MOLE = 0.028316846592 / 453.59237;

/** Watson characterisation factor Kw = (1.8 Tb)^(1/3) / SG, Tb in K: about 13 for paraffins, 10 for aromatics. */
export function watsonFactor(Tb: number, SG: number): number {
  return Math.cbrt(RANKINE * Tb) / SG;
}

/** By the method named. Throws as the method does. */
export function criticalProperties(method: CriticalMethod, Tb: number, SG: number): CriticalProperties {
  switch (method) {
    case 'twu':
      return twu(Tb, SG);
    case 'riazi-daubert':
      return riaziDaubert(Tb, SG);
    case 'kesler-lee':
      return keslerLee(Tb, SG);
  }
}

/**
 * Perturbation expansion about the n-alkane of equal boiling point. Tb 190 to 990 K, SG 0.45 to 1.3. Throws 'outside-range', and 'not-converged' for the molar mass of the alkane.
 * C. H. Twu, Fluid Phase Equilib. 16 (1984) 137, doi:10.1016/0378-3812(84)85027-X.
 */
export function twu(Tb: number, SG: number): CriticalProperties {
  within('normal boiling point', Tb, 190, 990, 'K');
  within('specific gravity', SG, 0.45, 1.3, '-');
  const T = RANKINE * Tb;
  const root = Math.sqrt(T);
  const Tc0 = T / (0.533272 + 0.191017e-3 * T + 0.779681e-7 * T ** 2 - 0.284376e-10 * T ** 3 + 0.959468e28 / T ** 13);
  const alpha = 1 - T / Tc0;
  const vc0 = (1 - (0.419869 - 0.505839 * alpha - 1.56436 * alpha ** 3 - 9481.7 * alpha ** 14)) ** -8;
  const SG0 = 0.843593 - 0.128624 * alpha - 3.36159 * alpha ** 3 - 13749.5 * alpha ** 12;
  const pc0 =
    (3.83354 + 1.19629 * Math.sqrt(alpha) + 34.8888 * alpha + 36.1952 * alpha ** 2 + 104.193 * alpha ** 4) ** 2;
  const lnM0 = twuAlkaneLnMolarMass(T, Tc0);

  const dT = Math.exp(5 * (SG0 - SG)) - 1;
  const fT = dT * (-0.362456 / root + (0.0398285 - 0.948125 / root) * dT);
  const Tc = Tc0 * perturbation(fT);
  const dV = Math.exp(4 * (SG0 ** 2 - SG ** 2)) - 1;
  const fV = dV * (0.46659 / root + (-0.182421 + 3.01721 / root) * dV);
  const vc = vc0 * perturbation(fV);
  const dP = Math.exp(0.5 * (SG0 - SG)) - 1;
  const fP = dP * (2.53262 - 46.1955 / root - 0.00127885 * T + (-11.4277 + 252.14 / root + 0.00230535 * T) * dP);
  const pc = pc0 * (Tc / Tc0) * (vc0 / vc) * perturbation(fP);
  const fM = dT * (Math.abs(0.012342 - 0.328086 / root) + (-0.0175691 + 0.193168 / root) * dT);
  return {
    Tc: Tc / RANKINE,
    pc: pc * PSI,
    vc: vc * CUBIC_FOOT_PER_POUND_MOLE,
    molarMass: Math.exp(lnM0 * perturbation(fM)) * 1e-3,
  };
}

function perturbation(f: number): number {
  return ((1 + 2 * f) / (1 - 2 * f)) ** 2;
}

/** theta = ln M of the n-alkane boiling at T [R]: Tb = exp(5.71419 + 2.71579 theta - 0.28659 theta^2 - 39.8544/theta - 0.122488/theta^2) - 24.7522 theta + 35.3155 theta^2. */
function twuAlkaneLnMolarMass(T: number, Tc0: number): number {
  let theta = Math.log(T / (10.44 - 0.0052 * T));
  if (!Number.isFinite(theta)) theta = Math.log(Tc0);
  for (let k = 0; k < 60; k++) {
    const e = Math.exp(5.71419 + 2.71579 * theta - 0.28659 * theta ** 2 - 39.8544 / theta - 0.122488 / theta ** 2);
    const f = e - 24.7522 * theta + 35.3155 * theta ** 2 - T;
    const slope =
      e * (2.71579 - 0.57318 * theta + 39.8544 / theta ** 2 + 0.244976 / theta ** 3) - 24.7522 + 70.631 * theta;
    const step = f / slope;
    theta -= Math.max(-0.5, Math.min(0.5, step));
    if (Math.abs(step) < 1e-13 * theta) return theta;
  }
  throw new EngineError({
    kind: 'not-converged',
    algorithm: 'molar mass of the reference alkane',
    iterations: 60,
    residual: Number.NaN,
  });
}

/**
 * Two-parameter correlations with exponential terms. Tb 300 to 620 K (molar mass 70 to 300 g/mol), accepted up to 730 K; SG 0.55 to 1.1. Throws 'outside-range'.
 * M. R. Riazi, T. E. Daubert, Ind. Eng. Chem. Res. 26 (1987) 755, doi:10.1021/ie00064a023; molar mass in the form of API Technical Data Book procedure 2B2.1.
 */
export function riaziDaubert(Tb: number, SG: number): CriticalProperties {
  within('normal boiling point', Tb, 300, 730, 'K');
  within('specific gravity', SG, 0.55, 1.1, '-');
  const T = RANKINE * Tb;
  const of = (a: number, b: number, c: number, d: number, e: number, f: number) =>
    a * T ** b * SG ** c * Math.exp(d * T + e * SG + f * T * SG);
  const molarMass =
    42.965 * Tb ** 1.26007 * SG ** 4.98308 * Math.exp(2.097e-4 * Tb - 7.78712 * SG + 2.08476e-3 * Tb * SG) * 1e-3;
  return {
    Tc: of(10.6443, 0.81067, 0.53691, -5.1747e-4, -0.54444, 3.5995e-4) / RANKINE,
    pc: of(6.162e6, -0.4844, 4.0846, -4.725e-3, -4.8014, 3.1939e-3) * PSI,
    // Published per pound.
    vc: of(6.233e-4, 0.7506, -1.2028, -1.4679e-3, -0.26404, 1.095e-3) * CUBIC_FOOT_PER_POUND_MOLE * molarMass * 1e3,
    molarMass,
  };
}

/**
 * Tb 280 to 920 K, SG 0.5 to 1.2, without critical volume. The molar mass, meant for up to 500 g/mol, is 2 to 8 % high for pure paraffins and aromatics. Throws 'outside-range'.
 * M. G. Kesler, B. I. Lee, Hydrocarbon Processing 55 (1976) 153.
 */
export function keslerLee(Tb: number, SG: number): CriticalProperties {
  within('normal boiling point', Tb, 280, 920, 'K');
  within('specific gravity', SG, 0.5, 1.2, '-');
  const T = RANKINE * Tb;
  const Tc = 341.7 + 811 * SG + (0.4244 + 0.1174 * SG) * T + ((0.4669 - 3.2623 * SG) * 1e5) / T;
  const lnPc =
    8.3634 -
    0.0566 / SG -
    (0.24244 + 2.2898 / SG + 0.11857 / SG ** 2) * 1e-3 * T +
    (1.4685 + 3.648 / SG + 0.47227 / SG ** 2) * 1e-7 * T ** 2 -
    (0.42019 + 1.6977 / SG ** 2) * 1e-10 * T ** 3;
  const molarMass =
    -12272.6 +
    9486.4 * SG +
    (4.6523 - 3.3287 * SG) * T +
    ((1 - 0.77084 * SG - 0.02058 * SG ** 2) * (1.3437 - 720.79 / T) * 1e7) / T +
    ((1 - 0.80882 * SG + 0.02226 * SG ** 2) * (1.8828 - 181.98 / T) * 1e12) / T ** 3;
  return { Tc: Tc / RANKINE, pc: Math.exp(lnPc) * PSI, vc: Number.NaN, molarMass: molarMass * 1e-3 };
}

/** Throws 'outside-range'. */
export function within(quantity: string, value: number, min: number, max: number, unit: string): void {
  if (!(value >= min && value <= max))
    throw new EngineError({ kind: 'outside-range', quantity, value, min, max, unit });
}
