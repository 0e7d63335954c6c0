/**
 * Van der Waals one-fluid mixing rule with constant kij:
 *   a = sum_ij x_i x_j sqrt(a_i a_j) (1 - kij),   b = sum_i x_i b_i.
 */
import type { MixingRule, MixingState, PureAttraction } from './mixing-rule.ts';

/** `kij` is symmetric, row-major n*n, dimensionless. */
export function vanDerWaalsMixing(pure: PureAttraction, b: Float64Array, kij: Float64Array): MixingRule {
  return new VanDerWaalsMixing(pure, b, kij);
}

class VanDerWaalsMixing implements MixingRule {
  readonly state: MixingState;
  private readonly n: number;
  private readonly pure: PureAttraction;
  private readonly b: Float64Array;
  /** 1 - kij, row-major. */
  private readonly share: Float64Array;
  /** sqrt(a_i) and its temperature derivatives. */
  private readonly root: Float64Array;
  private readonly root_T: Float64Array;
  private readonly root_TT: Float64Array;
  /** sum_j (1 - kij) x_j sqrt(a_j), and its terms without 1 - kij. */
  private readonly sum: Float64Array;
  private readonly term: Float64Array;
  private derivativesAt = Number.NaN;
  private pairsAt = Number.NaN;

  constructor(pure: PureAttraction, b: Float64Array, kij: Float64Array) {
    const n = b.length;
    this.n = n;
    this.pure = pure;
    this.b = b;
    this.share = Float64Array.from(kij, (k) => 1 - k);
    this.root = new Float64Array(n);
    this.root_T = new Float64Array(n);
    this.root_TT = new Float64Array(n);
    this.sum = new Float64Array(n);
    this.term = new Float64Array(n);
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
    const { n, state, pure, root, sum, term, share, b } = this;
    if (pure.update(T)) for (let i = 0; i < n; i++) root[i] = Math.sqrt(pure.a[i]!);
    const { Di } = state;
    let B = 0;
    for (let i = 0; i < n; i++) {
      term[i] = x[i]! * root[i]!;
      B += x[i]! * b[i]!;
    }
    let D = 0;
    for (let i = 0, row = 0; i < n; i++, row += n) {
      let total = 0;
      for (let j = 0; j < n; j++) total += share[row + j]! * term[j]!;
      sum[i] = total;
      Di[i] = 2 * root[i]! * total;
      D += term[i]! * total;
    }
    state.D = D;
    state.B = B;
    if (order > 0) this.evaluateTemperatureDerivatives(T, x);
    if (order === 2 && this.pairsAt !== T) this.updatePairs(T);
  }

  private evaluateTemperatureDerivatives(T: number, x: Float64Array): void {
    const { n, state, pure, root, root_T, root_TT, sum, term, share } = this;
    if (this.derivativesAt !== T) {
      this.derivativesAt = T;
      for (let i = 0; i < n; i++) {
        const inverse = 1 / root[i]!;
        root_T[i] = 0.5 * pure.a_T[i]! * inverse;
        root_TT[i] = (0.5 * pure.a_TT[i]! - root_T[i]! * root_T[i]!) * inverse;
      }
    }
    const { DiT } = state;
    for (let i = 0; i < n; i++) term[i] = x[i]! * root_T[i]!;
    let D_T = 0;
    let D_TT = 0;
    for (let i = 0, row = 0; i < n; i++, row += n) {
      let total = 0;
      for (let j = 0; j < n; j++) total += share[row + j]! * term[j]!;
      DiT[i] = 2 * (root_T[i]! * sum[i]! + root[i]! * total);
      D_T += term[i]! * sum[i]!;
      D_TT += x[i]! * root_TT[i]! * sum[i]! + term[i]! * total;
    }
    // D = sum_i x_i root_i sum_i, symmetric in both factors.
    state.D_T = 2 * D_T;
    state.D_TT = 2 * D_TT;
  }

  /** d2D/dn_i dn_j = 2 a_ij. */
  private updatePairs(T: number): void {
    const { n, root, share, state } = this;
    const { Dij } = state;
    this.pairsAt = T;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        const value = 2 * share[i * n + j]! * root[i]! * root[j]!;
        Dij[i * n + j] = value;
        Dij[j * n + i] = value;
      }
  }
}
