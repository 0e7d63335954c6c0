import { A, D, DD, DT, T as TAU, TT } from './term-bank.ts';

/** Molar properties of one homogeneous state. SI: K, Pa, mol/m3, J/mol, J/(mol K), m/s. */
export interface CaloricState {
  T: number;
  p: number;
  /** Molar density, mol/m3. */
  rho: number;
  /** Compressibility factor p/(rho R T). */
  z: number;
  u: number;
  h: number;
  s: number;
  /** Molar Gibbs energy. */
  g: number;
  cv: number;
  cp: number;
  /** Speed of sound, m/s. */
  w: number;
  /** Joule-Thomson coefficient (dT/dp)_h, K/Pa. */
  jouleThomson: number;
  /** (dp/dT)_rho, Pa/K. */
  dpdT: number;
  /** (dp/drho)_T, J/mol. */
  dpdrho: number;
  /** Isentropic exponent w^2 M rho / p. */
  kappa: number;
}

export function newCaloricState(): CaloricState {
  const n = Number.NaN;
  return {
    T: n,
    p: n,
    rho: n,
    z: n,
    u: n,
    h: n,
    s: n,
    g: n,
    cv: n,
    cp: n,
    w: n,
    jouleThomson: n,
    dpdT: n,
    dpdrho: n,
    kappa: n,
  };
}

/**
 * Properties from alpha = alpha0 + alphar (Span, Multiparameter Equations of State, 2000, Table 3.10):
 * p = rho R T (1 + delta alphar_delta), h/RT = 1 + tau (alpha0_tau + alphar_tau) + delta alphar_delta,
 * s/R = tau alpha_tau - alpha, cv/R = -tau^2 alpha_tautau, cp = cv + T (dp/dT)^2 / (rho^2 dp/drho), w^2 = cp/cv dp/drho / M.
 * @param res scaled residual derivatives in the order of `TermBank`
 * @param a0 ideal part alpha0, with t0 = tau alpha0_tau and tt0 = tau^2 alpha0_tautau
 * @param M molar mass, kg/mol
 */
export function fillCaloric(
  R: number,
  M: number,
  T: number,
  rho: number,
  res: Float64Array,
  a0: number,
  t0: number,
  tt0: number,
  out: CaloricState,
): void {
  const z = 1 + res[D]!;
  const RT = R * T;
  const tau1 = t0 + res[TAU]!;
  out.T = T;
  out.rho = rho;
  out.z = z;
  out.p = rho * RT * z;
  out.dpdrho = RT * (1 + 2 * res[D]! + res[DD]!);
  out.dpdT = rho * R * (1 + res[D]! - res[DT]!);
  out.u = RT * tau1;
  out.h = RT * (tau1 + z);
  out.s = R * (tau1 - a0 - res[A]!);
  out.g = out.h - T * out.s;
  out.cv = -R * (tt0 + res[TT]!);
  out.cp = out.cv + (T * out.dpdT * out.dpdT) / (rho * rho * out.dpdrho);
  const w2 = ((out.cp / out.cv) * out.dpdrho) / M;
  out.w = Math.sqrt(w2);
  out.kappa = (w2 * M * rho) / out.p;
  out.jouleThomson = ((T * out.dpdT) / (rho * out.dpdrho) - 1) / (rho * out.cp);
}
