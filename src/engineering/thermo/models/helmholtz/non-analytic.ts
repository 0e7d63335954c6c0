import { A, D, DD, DT, T, TT } from './term-bank.ts';

/** Coefficients of n Delta^b delta psi as printed for IAPWS-95 (Table 2) and CO2 (Span and Wagner 1996, Table 31). */
export interface NonAnalyticTerms {
  readonly n: readonly number[];
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly beta: readonly number[];
  readonly A: readonly number[];
  readonly B: readonly number[];
  readonly C: readonly number[];
  readonly D: readonly number[];
}

/** Distance kept from delta = 1, where powers of (delta - 1)^2 in the derivatives are 0/0 although their limit exists. */
const NEAR = 1e-9;

/**
 * Adds the non-analytic critical-region terms of Span and Wagner to out[at..], scaled as in `TermBank`:
 * sum n Delta^b delta psi, Delta = theta^2 + B ((delta-1)^2)^a, theta = 1 - tau + A ((delta-1)^2)^(1/(2 beta)),
 * psi = exp(-C (delta-1)^2 - D (tau-1)^2).
 * At the critical point itself the second derivatives diverge; within 1e-9 of delta = 1 they are taken at that distance.
 * Source: W. Wagner, A. Pruss, J. Phys. Chem. Ref. Data 31, 387 (2002), eq. 6.6 and Table 6.5.
 */
export function addNonAnalytic(
  terms: NonAnalyticTerms,
  tau: number,
  delta: number,
  out: Float64Array,
  at: number,
): void {
  const away = Math.abs(delta - 1) < NEAR ? (delta < 1 ? -NEAR : NEAR) : delta - 1;
  const square = away * away;
  const ts = tau - 1;
  for (let k = 0; k < terms.n.length; k++) {
    const n = terms.n[k]!;
    const a = terms.a[k]!;
    const b = terms.b[k]!;
    const half = 1 / (2 * terms.beta[k]!);
    const cA = terms.A[k]!;
    const cB = terms.B[k]!;
    const cC = terms.C[k]!;
    const cD = terms.D[k]!;
    const psi = Math.exp(-cC * square - cD * ts * ts);
    if (psi === 0) continue;
    const psiD = -2 * cC * away * psi;
    const psiDD = (2 * cC * square - 1) * 2 * cC * psi;
    const psiT = -2 * cD * ts * psi;
    const psiTT = (2 * cD * ts * ts - 1) * 2 * cD * psi;
    const psiDT = 4 * cC * cD * away * ts * psi;

    const lift = square ** (half - 1); // ((delta-1)^2)^(1/(2 beta) - 1)
    const theta = 1 - tau + cA * lift * square;
    const bump = square ** (a - 2);
    const Delta = theta * theta + cB * bump * square * square;
    // d Delta/d delta = (delta - 1) * slope, and slope' * (delta - 1) written out to stay regular
    const slope = 4 * half * cA * theta * lift + 2 * cB * a * bump * square;
    const DeltaD = away * slope;
    const DeltaDD =
      slope +
      4 * cB * a * (a - 1) * bump * square +
      8 * half * half * cA * cA * lift * lift * square +
      8 * half * (half - 1) * cA * theta * lift;

    const pow = Delta ** b;
    const pow1 = b * Delta ** (b - 1);
    const pow2 = b * (b - 1) * Delta ** (b - 2);
    const powD = pow1 * DeltaD;
    const powDD = pow1 * DeltaDD + pow2 * DeltaD * DeltaD;
    const powT = -2 * theta * pow1;
    const powTT = 2 * pow1 + 4 * theta * theta * pow2;
    const powDT = -4 * half * cA * pow1 * away * lift - 2 * theta * pow2 * DeltaD;

    const inner = psi + delta * psiD;
    out[at + A]! += n * pow * delta * psi;
    out[at + D]! += n * delta * (pow * inner + powD * delta * psi);
    out[at + DD]! += n * delta * delta * (pow * (2 * psiD + delta * psiDD) + 2 * powD * inner + powDD * delta * psi);
    out[at + T]! += n * delta * tau * (powT * psi + pow * psiT);
    out[at + TT]! += n * delta * tau * tau * (powTT * psi + 2 * powT * psiT + pow * psiTT);
    out[at + DT]! +=
      n * delta * tau * (pow * (psiT + delta * psiDT) + delta * powD * psiT + powT * inner + powDT * delta * psi);
  }
}
