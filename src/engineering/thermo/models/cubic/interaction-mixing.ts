/**
 * Van der Waals one-fluid mixing with kij that may depend on temperature and, pair by pair, on composition:
 *   a n^2 = sum_ij n_i n_j sqrt(a_i a_j) (1 - k_ij),   k_ij = (n_i k_i(j) + n_j k_j(i)) / (n_i + n_j) + t_ij(T),   B = sum n_i b_i,
 * with t = s T, s/T or s (T/273.15 - 1). The composition dependence is that of A. Z. Panagiotopoulos and R. C. Reid, ACS Symp. Ser.
 * 300 (1986) 571, doi:10.1021/bk-1986-0300.ch028, in pair fractions, which keeps the rule homogeneous; it shares the known weakness that a component split in
 * two equal halves gives another answer (M. L. Michelsen, H. Kistenmacher, Fluid Phase Equilib. 58 (1990) 229).
 */
import type { MixingRule, MixingState, PureAttraction } from './mixing-rule.ts';

export interface PairInteraction {
  readonly i: number;
  readonly j: number;
  /** k weighted by n_i and by n_j; equal when the pair does not depend on composition. */
  readonly ki: number;
  readonly kj: number;
  /** Slope of the temperature term and its form. */
  readonly slope: number;
  readonly form: 'linear' | 'inverse' | 'reduced';
}

/** Pairs that are not listed have k = 0. `b` in m3/mol. */
export function interactionMixing(
  pure: PureAttraction,
  b: Float64Array,
  pairs: readonly PairInteraction[],
): MixingRule {
  return new InteractionMixing(pure, b, pairs);
}

class InteractionMixing implements MixingRule {
  readonly state: MixingState;
  private readonly n: number;
  private readonly pure: PureAttraction;
  private readonly b: Float64Array;
  private readonly pairs: readonly PairInteraction[];
  private readonly uneven: readonly PairInteraction[];
  /** 2 a_ij with the part of k that does not depend on composition, and derivatives. */
  private readonly a2: Float64Array;
  private readonly a2_T: Float64Array;
  private readonly a2_TT: Float64Array;
  private readonly root: Float64Array;
  private readonly root_T: Float64Array;
  private readonly root_TT: Float64Array;
  private current = Number.NaN;

  constructor(pure: PureAttraction, b: Float64Array, pairs: readonly PairInteraction[]) {
    const n = b.length;
    this.n = n;
    this.pure = pure;
    this.b = b;
    this.pairs = pairs;
    this.uneven = pairs.filter((pair) => pair.ki !== pair.kj);
    this.a2 = new Float64Array(n * n);
    this.a2_T = new Float64Array(n * n);
    this.a2_TT = new Float64Array(n * n);
    this.root = new Float64Array(n);
    this.root_T = new Float64Array(n);
    this.root_TT = new Float64Array(n);
    this.state = {
      D: 0,
      D_T: 0,
      D_TT: 0,
      Di: new Float64Array(n),
      DiT: new Float64Array(n),
      Dij: new Float64Array(n * n),
      B: 0,
      Bi: b,
      Bij: undefined,
    };
  }

  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void {
    if (T !== this.current) this.updatePairs(T);
    const { n, state, a2, a2_T, a2_TT, b } = this;
    const { Di, DiT } = state;
    let D = 0;
    let D_T = 0;
    let D_TT = 0;
    let B = 0;
    for (let i = 0, row = 0; i < n; i++, row += n) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += a2[row + j]! * x[j]!;
      Di[i] = sum;
      D += x[i]! * sum;
      B += x[i]! * b[i]!;
      if (order === 0) continue;
      let first = 0;
      let second = 0;
      for (let j = 0; j < n; j++) {
        first += a2_T[row + j]! * x[j]!;
        second += a2_TT[row + j]! * x[j]!;
      }
      DiT[i] = first;
      D_T += x[i]! * first;
      D_TT += x[i]! * second;
    }
    state.D = 0.5 * D;
    state.D_T = 0.5 * D_T;
    state.D_TT = 0.5 * D_TT;
    state.B = B;
    if (order === 2) state.Dij.set(a2);
    for (const pair of this.uneven) this.addComposition(pair, x, order);
  }

  /** Subtracts 2 sqrt(a_i a_j) h with h = n_i n_j (n_i ki + n_j kj)/(n_i + n_j) and its derivatives. */
  private addComposition({ i, j, ki, kj }: PairInteraction, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, state, root: r, root_T: r1, root_TT: r2 } = this;
    const { Di, DiT, Dij } = state;
    const total = x[i]! + x[j]!;
    const u = total > 0 ? x[i]! / total : 0.5;
    const w = 1 - u;
    const k = u * ki + w * kj;
    const s = 2 * r[i]! * r[j]!;
    const h = x[i]! * x[j]! * k;
    const hi = x[j]! * (k + u * (ki - k));
    const hj = x[i]! * (k + w * (kj - k));
    state.D -= s * h;
    Di[i] = Di[i]! - s * hi;
    Di[j] = Di[j]! - s * hj;
    if (order === 0) return;
    const s1 = 2 * (r1[i]! * r[j]! + r[i]! * r1[j]!);
    const s2 = 2 * (r2[i]! * r[j]! + 2 * r1[i]! * r1[j]! + r[i]! * r2[j]!);
    state.D_T -= s1 * h;
    state.D_TT -= s2 * h;
    DiT[i] = DiT[i]! - s1 * hi;
    DiT[j] = DiT[j]! - s1 * hj;
    if (order === 1) return;
    const hij = k + w * (kj - k) + u * (ki - k) - u * w * (ki + kj - 2 * k);
    Dij[i * n + i] = Dij[i * n + i]! - s * 2 * w * w * (ki - k);
    Dij[j * n + j] = Dij[j * n + j]! - s * 2 * u * u * (kj - k);
    Dij[i * n + j] = Dij[i * n + j]! - s * hij;
    Dij[j * n + i] = Dij[i * n + j]!;
  }

  private updatePairs(T: number): void {
    const { n, pure, root: r, root_T: r1, root_TT: r2, a2, a2_T, a2_TT } = this;
    this.current = T;
    pure.update(T);
    for (let i = 0; i < n; i++) {
      r[i] = Math.sqrt(pure.a[i]!);
      r1[i] = (0.5 * pure.a_T[i]!) / r[i]!;
      r2[i] = (0.5 * pure.a_TT[i]! - r1[i]! * r1[i]!) / r[i]!;
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) this.setPair(i, j, 0, 0, 0);
    for (const { i, j, ki, kj, slope, form } of this.pairs) {
      const t = form === 'linear' ? slope * T : form === 'inverse' ? slope / T : slope * (T / 273.15 - 1);
      const t1 = form === 'linear' ? slope : form === 'inverse' ? -slope / (T * T) : slope / 273.15;
      const t2 = form === 'inverse' ? (2 * slope) / (T * T * T) : 0;
      const k = (ki === kj ? ki : 0) + t;
      this.setPair(i, j, k, t1, t2);
      a2[j * n + i] = a2[i * n + j]!;
      a2_T[j * n + i] = a2_T[i * n + j]!;
      a2_TT[j * n + i] = a2_TT[i * n + j]!;
    }
  }

  private setPair(i: number, j: number, k: number, k1: number, k2: number): void {
    const { n, root: r, root_T: r1, root_TT: r2 } = this;
    const s = r[i]! * r[j]!;
    const s1 = r1[i]! * r[j]! + r[i]! * r1[j]!;
    const s2 = r2[i]! * r[j]! + 2 * r1[i]! * r1[j]! + r[i]! * r2[j]!;
    this.a2[i * n + j] = 2 * s * (1 - k);
    this.a2_T[i * n + j] = 2 * (s1 * (1 - k) - s * k1);
    this.a2_TT[i * n + j] = 2 * (s2 * (1 - k) - 2 * s1 * k1 - s * k2);
  }
}
