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
  private readonly kij: Float64Array;
  /** 2 a_ij and its temperature derivatives, row-major. */
  private readonly a2: Float64Array;
  private readonly a2_T: Float64Array;
  private readonly a2_TT: Float64Array;
  private readonly root: Float64Array;
  private readonly root_T: Float64Array;
  private readonly root_TT: Float64Array;
  private derivativesAt = Number.NaN;

  constructor(pure: PureAttraction, b: Float64Array, kij: Float64Array) {
    const n = b.length;
    this.n = n;
    this.pure = pure;
    this.b = b;
    this.kij = kij;
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
      Dij: this.a2,
      B: 0,
      Bi: b,
      Bij: undefined,
    };
  }

  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void {
    if (this.pure.update(T)) this.updatePairs();
    const { n, state, a2, b } = this;
    const { Di } = state;
    let D = 0;
    let B = 0;
    for (let i = 0, row = 0; i < n; i++, row += n) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += a2[row + j]! * x[j]!;
      Di[i] = sum;
      D += x[i]! * sum;
      B += x[i]! * b[i]!;
    }
    state.D = 0.5 * D;
    state.B = B;
    if (order > 0) this.evaluateTemperatureDerivatives(T, x);
  }

  private evaluateTemperatureDerivatives(T: number, x: Float64Array): void {
    if (this.derivativesAt !== T) this.updatePairDerivatives(T);
    const { n, state, a2_T, a2_TT } = this;
    const { DiT } = state;
    let D_T = 0;
    let D_TT = 0;
    for (let i = 0, row = 0; i < n; i++, row += n) {
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
    state.D_T = 0.5 * D_T;
    state.D_TT = 0.5 * D_TT;
  }

  private updatePairs(): void {
    const { n, pure, root, a2, kij } = this;
    for (let i = 0; i < n; i++) root[i] = Math.sqrt(pure.a[i]!);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        const value = 2 * (1 - kij[i * n + j]!) * root[i]! * root[j]!;
        a2[i * n + j] = value;
        a2[j * n + i] = value;
      }
  }

  private updatePairDerivatives(T: number): void {
    const { n, pure, root: r, root_T: r1, root_TT: r2, a2_T, a2_TT, kij } = this;
    this.derivativesAt = T;
    for (let i = 0; i < n; i++) {
      const a1 = pure.a_T[i]!;
      r1[i] = (0.5 * a1) / r[i]!;
      r2[i] = (0.5 * pure.a_TT[i]! - r1[i]! * r1[i]!) / r[i]!;
    }
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        const factor = 2 * (1 - kij[i * n + j]!);
        const first = factor * (r1[i]! * r[j]! + r[i]! * r1[j]!);
        const second = factor * (r2[i]! * r[j]! + 2 * r1[i]! * r1[j]! + r[i]! * r2[j]!);
        a2_T[i * n + j] = first;
        a2_T[j * n + i] = first;
        a2_TT[i * n + j] = second;
        a2_TT[j * n + i] = second;
      }
  }
}
