/**
 * The excess Gibbs energy of the universal mixing rules: the Staverman-Guggenheim term and the residual term of UNIFAC, without the
 * Flory-Huggins term (Voutsas, Magoulas, Tassios 2004):
 *   g_SG  = 5 sum_i n_i q_i ln(q_i R/(r_i Q)),   R = sum n r,   Q = sum n q;
 *   g_res = F(U) - sum_i n_i F(u_i),   F(U) = -sum_k U_k ln(sum_m U_m psi_mk / sum_m U_m),   U_k = Q_k sum_i n_i nu_ki.
 * A. Fredenslund, R. L. Jones, J. M. Prausnitz, AIChE J. 21 (1975) 1086.
 */
import type { Component } from '../../components/component.ts';
import type { MissingPair } from '../../model.ts';
import { boltzmann, createExcessGibbs, type ExcessGibbs, type ExcessGibbsModel } from '../cubic/excess-gibbs-mixing.ts';
import { type GroupInteraction, groupInteraction, type UnifacGroup, unifacGroups } from './unifac-parameters.ts';

const REFERENCE_T = 298.15;
/** z/2 with the coordination number z = 10. */
const HALF_COORDINATION = 5;

export class UnifacExcess implements ExcessGibbsModel {
  readonly state: ExcessGibbs;
  readonly missingPairs: readonly MissingPair[];
  private readonly n: number;
  /** Groups in the mixture. */
  private readonly size: number;
  private readonly r: Float64Array;
  private readonly q: Float64Array;
  private readonly shape: Float64Array;
  /** u_ik = nu_ki Q_k, [i * size + k]. */
  private readonly u: Float64Array;
  private readonly interactions: readonly GroupInteraction[];
  /** psi_mk and temperature derivatives, [m * size + k]. */
  private readonly psi: Float64Array;
  private readonly psi_T: Float64Array;
  private readonly psi_TT: Float64Array;
  /** F(u_i) and temperature derivatives. */
  private readonly pure: Float64Array;
  private readonly pure_T: Float64Array;
  private readonly pure_TT: Float64Array;
  private readonly U: Float64Array;
  private readonly S: Float64Array;
  private readonly S_T: Float64Array;
  private readonly S_TT: Float64Array;
  private readonly F = { value: 0, T: 0, TT: 0 };
  private readonly Fp: Float64Array;
  private readonly FpT: Float64Array;
  private readonly Fpq: Float64Array;
  private readonly row: Float64Array;
  private current = Number.NaN;

  /** Throws 'missing-data' as unifacGroups. */
  constructor(components: readonly Component[]) {
    const n = components.length;
    const counts = components.map(unifacGroups);
    const groups: UnifacGroup[] = [...new Set(counts.flatMap((list) => list.map(({ group }) => group)))];
    const size = groups.length;
    this.n = n;
    this.size = size;
    this.r = new Float64Array(n);
    this.q = new Float64Array(n);
    this.u = new Float64Array(n * size);
    counts.forEach((list, i) => {
      for (const { group, count } of list) {
        this.r[i] = this.r[i]! + count * group.R;
        this.q[i] = this.q[i]! + count * group.Q;
        this.u[i * size + groups.indexOf(group)] = count * group.Q;
      }
    });
    this.shape = Float64Array.from(this.q, (q, i) => Math.log(q / this.r[i]!));
    const missing = new Set<string>();
    this.interactions = groups.flatMap((a) =>
      groups.map((b) => {
        const found = groupInteraction(a.main, b.main);
        if (found === undefined) missing.add(`${a.main}|${b.main}`);
        return found ?? { a: 0, b: 0, c: 0 };
      }),
    );
    this.missingPairs = pairsWith(counts, missing);
    this.state = createExcessGibbs(n);
    this.psi = new Float64Array(size * size);
    this.psi_T = new Float64Array(size * size);
    this.psi_TT = new Float64Array(size * size);
    this.pure = new Float64Array(n);
    this.pure_T = new Float64Array(n);
    this.pure_TT = new Float64Array(n);
    this.U = new Float64Array(size);
    this.S = new Float64Array(size);
    this.S_T = new Float64Array(size);
    this.S_TT = new Float64Array(size);
    this.Fp = new Float64Array(size);
    this.FpT = new Float64Array(size);
    this.Fpq = new Float64Array(size * size);
    this.row = new Float64Array(size);
  }

  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void {
    if (T !== this.current) this.updateTemperature(T);
    const { n, size, u, U, state, pure, pure_T, pure_TT, F, Fp, FpT } = this;
    for (let k = 0; k < size; k++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += x[i]! * u[i * size + k]!;
      U[k] = sum;
    }
    this.evaluateGroups(order);
    state.value = F.value;
    state.T = F.T;
    state.TT = F.TT;
    for (let i = 0; i < n; i++) {
      state.value -= x[i]! * pure[i]!;
      state.T -= x[i]! * pure_T[i]!;
      state.TT -= x[i]! * pure_TT[i]!;
      let sum = -pure[i]!;
      let slope = -pure_T[i]!;
      for (let k = 0; k < size; k++) {
        sum += u[i * size + k]! * Fp[k]!;
        slope += u[i * size + k]! * FpT[k]!;
      }
      state.n[i] = sum;
      state.nT[i] = slope;
    }
    if (order === 2) this.fillSeconds();
    this.addStavermanGuggenheim(x, order);
  }

  private addStavermanGuggenheim(x: Float64Array, order: 0 | 1 | 2): void {
    const { n, r, q, shape, state } = this;
    let R = 0;
    let Q = 0;
    for (let i = 0; i < n; i++) {
      R += x[i]! * r[i]!;
      Q += x[i]! * q[i]!;
    }
    const l = Math.log(R / Q);
    let value = Q * l;
    for (let i = 0; i < n; i++) {
      value += x[i]! * q[i]! * shape[i]!;
      state.n[i] = state.n[i]! + HALF_COORDINATION * (q[i]! * (shape[i]! + l - 1) + (Q * r[i]!) / R);
    }
    state.value += HALF_COORDINATION * value;
    if (order < 2) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        state.nn[i * n + j] =
          state.nn[i * n + j]! +
          HALF_COORDINATION *
            ((q[i]! * r[j]! + q[j]! * r[i]!) / R - (q[i]! * q[j]!) / Q - (Q * r[i]! * r[j]!) / (R * R));
  }

  /** F(U), its derivatives in U and T. */
  private evaluateGroups(order: 0 | 1 | 2): void {
    const { size, U, S, S_T, S_TT, psi, psi_T, psi_TT, F, Fp, FpT, Fpq } = this;
    let total = 0;
    for (let k = 0; k < size; k++) total += U[k]!;
    const l = Math.log(total);
    F.value = total * l;
    F.T = 0;
    F.TT = 0;
    for (let k = 0; k < size; k++) {
      let s = 0;
      let s1 = 0;
      let s2 = 0;
      for (let m = 0, at = k; m < size; m++, at += size) {
        s += U[m]! * psi[at]!;
        s1 += U[m]! * psi_T[at]!;
        s2 += U[m]! * psi_TT[at]!;
      }
      S[k] = s;
      S_T[k] = s1;
      S_TT[k] = s2;
      // A group whose share is zero has ln S finite as long as any other group is present.
      F.value -= U[k]! * Math.log(s);
      F.T -= (U[k]! * s1) / s;
      F.TT -= U[k]! * (s2 / s - (s1 / s) ** 2);
    }
    for (let p = 0; p < size; p++) {
      let sum = l + 1 - Math.log(S[p]!);
      let slope = -S_T[p]! / S[p]!;
      for (let k = 0; k < size; k++) {
        const at = p * size + k;
        sum -= (U[k]! * psi[at]!) / S[k]!;
        slope -= (U[k]! * (psi_T[at]! - (psi[at]! * S_T[k]!) / S[k]!)) / S[k]!;
      }
      Fp[p] = sum;
      FpT[p] = slope;
    }
    if (order < 2) return;
    for (let p = 0; p < size; p++)
      for (let q = 0; q <= p; q++) {
        let sum = 1 / total - psi[q * size + p]! / S[p]! - psi[p * size + q]! / S[q]!;
        for (let k = 0; k < size; k++) sum += (U[k]! * psi[p * size + k]! * psi[q * size + k]!) / (S[k]! * S[k]!);
        Fpq[p * size + q] = sum;
        Fpq[q * size + p] = sum;
      }
  }

  private fillSeconds(): void {
    const { n, size, u, Fpq, row, state } = this;
    for (let j = 0; j < n; j++) {
      for (let p = 0; p < size; p++) {
        let sum = 0;
        for (let q = 0; q < size; q++) sum += Fpq[p * size + q]! * u[j * size + q]!;
        row[p] = sum;
      }
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let p = 0; p < size; p++) sum += u[i * size + p]! * row[p]!;
        state.nn[i * n + j] = sum;
      }
    }
  }

  private updateTemperature(T: number): void {
    const { n, size, interactions, psi, psi_T, psi_TT, u, U, F, pure, pure_T, pure_TT } = this;
    this.current = Number.NaN;
    const t = T - REFERENCE_T;
    for (let k = 0; k < size * size; k++) {
      const { a, b, c } = interactions[k]!;
      const A = a + b * t + c * t * t;
      const A1 = b + 2 * c * t;
      // E = -A/T
      const E1 = A / (T * T) - A1 / T;
      const E2 = (-2 * A) / (T * T * T) + (2 * A1) / (T * T) - (2 * c) / T;
      const value = boltzmann(-A / T, T);
      psi[k] = value;
      psi_T[k] = value * E1;
      psi_TT[k] = value * (E2 + E1 * E1);
    }
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < size; k++) U[k] = u[i * size + k]!;
      this.evaluateGroups(1);
      pure[i] = F.value;
      pure_T[i] = F.T;
      pure_TT[i] = F.TT;
    }
    this.current = T;
  }
}

function pairsWith(
  counts: readonly (readonly { readonly group: UnifacGroup }[])[],
  missing: ReadonlySet<string>,
): MissingPair[] {
  const pairs: MissingPair[] = [];
  for (let i = 0; i < counts.length; i++)
    for (let j = i + 1; j < counts.length; j++)
      if (counts[i]!.some((a) => counts[j]!.some((b) => missing.has(`${a.group.main}|${b.group.main}`))))
        pairs.push({ i, j, parameter: 'UMR-PRU group interaction' });
  return pairs;
}
