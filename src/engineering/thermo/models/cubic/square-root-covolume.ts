/**
 * Covolume of the universal mixing rules: n B = sum n_i n_j b_ij with sqrt(b_ij) = (sqrt(b_i) + sqrt(b_j))/2, and its derivatives at
 * n = 1 (E. Voutsas, K. Magoulas, D. Tassios, Ind. Eng. Chem. Res. 43 (2004) 6238).
 */
import type { MixingRule, MixingState } from './mixing-rule.ts';

export class SquareRootCovolume {
  B = 0;
  readonly Bi: Float64Array;
  readonly Bij: Float64Array;
  private readonly n: number;
  private readonly pairs: Float64Array;

  constructor(b: Float64Array) {
    const n = b.length;
    this.n = n;
    this.Bi = new Float64Array(n);
    this.Bij = new Float64Array(n * n);
    this.pairs = Float64Array.from({ length: n * n }, (_, at) => {
      const mean = 0.5 * (Math.sqrt(b[Math.floor(at / n)]!) + Math.sqrt(b[at % n]!));
      return mean * mean;
    });
  }

  evaluate(x: Float64Array, order: 0 | 1 | 2): void {
    const { n, pairs, Bi, Bij } = this;
    let B = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += x[j]! * pairs[i * n + j]!;
      Bi[i] = 2 * sum;
      B += x[i]! * sum;
    }
    this.B = B;
    for (let i = 0; i < n; i++) Bi[i] = Bi[i]! - B;
    if (order < 2) return;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) Bij[i * n + j] = 2 * pairs[i * n + j]! - Bi[i]! - Bi[j]!;
  }
}

/** The rule with its attraction kept and its covolume replaced. */
export function withSquareRootCovolume(rule: MixingRule, b: Float64Array): MixingRule {
  const covolume = new SquareRootCovolume(b);
  const state: MixingState = { ...rule.state, B: 0, Bi: covolume.Bi, Bij: covolume.Bij };
  return {
    state,
    evaluate(T, x, order) {
      rule.evaluate(T, x, order);
      covolume.evaluate(x, order);
      state.D = rule.state.D;
      state.D_T = rule.state.D_T;
      state.D_TT = rule.state.D_TT;
      state.B = covolume.B;
    },
  };
}
