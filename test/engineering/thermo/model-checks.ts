/**
 * Checks that any EquationOfState must pass, whatever its equations: analytic derivatives against central differences,
 * Gibbs-Duhem, symmetry, and agreement between the fugacity and the residual view. Used by the tests of every model.
 */
import {
  type Branch,
  createLnPhiDerivatives,
  createResidual,
  type EquationOfState,
} from '../../../src/engineering/thermo/model.ts';

export interface ModelCheck {
  readonly what: string;
  /** Largest deviation, relative to the size named by the check. */
  readonly error: number;
  readonly tolerance: number;
}

/** All checks at one state; a test asserts that every `error` is at most `tolerance`. */
export function modelChecks(eos: EquationOfState, T: number, p: number, x: Float64Array, branch: Branch): ModelCheck[] {
  const { n } = eos;
  const rt = eos.gasConstant * T;
  const d = createLnPhiDerivatives(n);
  const res = createResidual();
  const rho = eos.lnPhiDerivatives(T, p, x, branch, d);
  eos.residual(T, rho, x, res);
  const checks: ModelCheck[] = [];
  const add = (what: string, error: number, tolerance: number) => checks.push({ what, error, tolerance });

  const lnPhi = new Float64Array(n);
  const rho2 = eos.lnPhi(T, p, x, branch, lnPhi);
  add(
    'lnPhi and lnPhiDerivatives agree',
    worst(n, (i) => lnPhi[i]! - d.lnPhi[i]!),
    1e-10,
  );
  add(
    'density, lnPhi and lnPhiDerivatives give one density',
    Math.max(rel(rho, rho2), rel(rho, eos.density(T, p, x, branch))),
    1e-12,
  );
  add('residual pressure is the pressure asked for', Math.abs(res.p - p) / Math.max(p, rho * res.dpdrho), 1e-9);

  const plus = new Float64Array(n);
  const minus = new Float64Array(n);
  const hT = 1e-4 * T;
  eos.lnPhi(T + hT, p, x, branch, plus);
  eos.lnPhi(T - hT, p, x, branch, minus);
  const sizeT = 1e-3 + worst(n, (i) => T * d.dT[i]!);
  add('d lnPhi/dT', worst(n, (i) => T * (d.dT[i]! - (plus[i]! - minus[i]!) / (2 * hT))) / sizeT, 1e-5);
  const hp = 1e-4 * p;
  eos.lnPhi(T, p + hp, x, branch, plus);
  eos.lnPhi(T, p - hp, x, branch, minus);
  const sizeP = 1e-3 + worst(n, (i) => p * d.dp[i]!);
  add('d lnPhi/dp', worst(n, (i) => p * (d.dp[i]! - (plus[i]! - minus[i]!) / (2 * hp))) / sizeP, 1e-5);

  const sizeN = 1e-2 + worst(n * n, (k) => d.dn[k]!);
  let dn = 0;
  const shifted = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    // Moving mole number j by h, renormalised: the derivative in mole numbers at n = 1.
    const h = 1e-5 * Math.max(x[j]!, 1e-2);
    const up = x[j]! >= h ? h : 0;
    for (let i = 0; i < n; i++) shifted[i] = (x[i]! + (i === j ? h : 0)) / (1 + h);
    eos.lnPhi(T, p, shifted, branch, plus);
    if (up === 0) continue;
    for (let i = 0; i < n; i++) shifted[i] = (x[i]! - (i === j ? h : 0)) / (1 - h);
    eos.lnPhi(T, p, shifted, branch, minus);
    for (let i = 0; i < n; i++) dn = Math.max(dn, Math.abs(d.dn[i * n + j]! - (plus[i]! - minus[i]!) / (2 * h)));
  }
  add('n d lnPhi/dn', dn / sizeN, 1e-5);
  let asymmetry = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) asymmetry = Math.max(asymmetry, Math.abs(d.dn[i * n + j]! - d.dn[j * n + i]!));
  add('n d lnPhi/dn is symmetric', asymmetry / sizeN, 1e-9);

  const z = p / (rho * rt);
  add('Gibbs-Duhem in composition', worst(n, (j) => sum(n, (i) => x[i]! * d.dn[i * n + j]!)) / sizeN, 1e-8);
  add(
    'Gibbs-Duhem in pressure: sum x d lnPhi/dp = (Z - 1)/p',
    Math.abs(sum(n, (i) => x[i]! * d.dp[i]!) * p - (z - 1)),
    1e-8,
  );
  const hRes = res.u + rt * (z - 1);
  add(
    'Gibbs-Helmholtz: sum x d lnPhi/dT = -H_res/(R T2)',
    Math.abs(sum(n, (i) => x[i]! * d.dT[i]!) * T + hRes / rt),
    1e-7 * (1 + Math.abs(hRes / rt)),
  );
  add(
    'Euler: sum x lnPhi = a + Z - 1 - ln Z',
    Math.abs(sum(n, (i) => x[i]! * d.lnPhi[i]!) - (res.a / rt + z - 1 - Math.log(z))),
    1e-9 * (1 + Math.abs(res.a / rt)),
  );
  add('A = U - T S', Math.abs(res.a - (res.u - T * res.s)) / (rt + Math.abs(res.a)), 1e-10);

  const up = createResidual();
  const down = createResidual();
  eos.residual(T + hT, rho, x, up);
  eos.residual(T - hT, rho, x, down);
  add('S = -dA/dT', rel(res.s, -(up.a - down.a) / (2 * hT), 1e-3 * eos.gasConstant), 1e-5);
  add('Cv = dU/dT', rel(res.cv, (up.u - down.u) / (2 * hT), 1e-2 * eos.gasConstant), 1e-4);
  add('dp/dT', rel(res.dpdT, (up.p - down.p) / (2 * hT), rho * eos.gasConstant), 1e-5);
  const hr = 1e-5 * rho;
  eos.residual(T, rho + hr, x, up);
  eos.residual(T, rho - hr, x, down);
  add('dp/drho', rel(res.dpdrho, (up.p - down.p) / (2 * hr), rt), 1e-5);
  add('p = rho2 dA/drho', rel(res.p - rho * rt, (rho * rho * (up.a - down.a)) / (2 * hr), rho * rt), 1e-5);
  return checks;
}

/** The checks that fail, as readable lines; an empty list means the model passed. */
export function failures(checks: readonly ModelCheck[]): string[] {
  return checks
    .filter((c) => !(c.error <= c.tolerance))
    .map((c) => `${c.what}: ${c.error.toExponential(2)} > ${c.tolerance}`);
}

function worst(n: number, value: (i: number) => number): number {
  let max = 0;
  for (let i = 0; i < n; i++) max = Math.max(max, Math.abs(value(i)));
  return max;
}

function sum(n: number, value: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < n; i++) total += value(i);
  return total;
}

function rel(a: number, b: number, floor = 0): number {
  return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), floor);
}
