/**
 * Mixing rules that carry an excess Gibbs energy model into the attraction of a cubic:
 *   D/B = sum_i n_i a_i/b_i + h R T g(T, n),   g = G_E/(R T),   h < 0,
 * with a covolume rule B. Huron-Vidal (infinite-pressure limit): h = -1/C, C = ln((1 + d1)/(1 + d2))/(d1 - d2), B = sum n_i b_i
 * (M.-J. Huron, J. Vidal, Fluid Phase Equilib. 3 (1979) 255, doi:10.1016/0378-3812(79)80001-1). Universal mixing rules: h = -1/0.53 and B
 * quadratic with sqrt(b_ij) = (sqrt(b_i) + sqrt(b_j))/2 (E. Voutsas, K. Magoulas, D. Tassios, Ind. Eng. Chem. Res. 43 (2004) 6238,
 * doi:10.1021/ie049580p).
 */
import { EngineError } from '../../errors.ts';
import type { MixingRule, MixingState, PureAttraction } from './mixing-rule.ts';
import { SquareRootCovolume } from './square-root-covolume.ts';

/** G_E/(R T) at n = 1 and its derivatives in mole numbers and T; constants of the pure components may be left in. */
export interface ExcessGibbs {
  value: number;
  T: number;
  TT: number;
  /** ln gamma_i and its derivatives; nn row-major. */
  readonly n: Float64Array;
  readonly nT: Float64Array;
  readonly nn: Float64Array;
}

export interface ExcessGibbsModel {
  readonly state: ExcessGibbs;
  /** order 0: value and n. 1: and T, TT, nT. 2: all. */
  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void;
}

/** Largest size of the exponent of a Boltzmann factor that is computed: products of factors and their derivatives must stay finite. */
const LARGEST_EXPONENT = 150;
/** Temperature that tells exponents that grow with 1/T from those that grow with T [K]. */
const ORDINARY = 300;

/** Bound that the failure names for the side that is not in question [K]. */
const HIGHEST_T = 10_000;

/** exp(y) of an activity model. Throws 'outside-range' where its derivatives would overflow, at temperatures [K] far outside every use. */
export function boltzmann(y: number, T: number): number {
  const share = Math.abs(y) / LARGEST_EXPONENT;
  if (!(share > 1)) return Math.exp(y);
  throw new EngineError({
    kind: 'outside-range',
    quantity: 'temperature',
    value: T,
    min: T < ORDINARY ? Math.ceil(T * share) : 0,
    max: T < ORDINARY ? HIGHEST_T : Math.floor(T / share),
    unit: 'K',
  });
}

export function createExcessGibbs(size: number): ExcessGibbs {
  return {
    value: 0,
    T: 0,
    TT: 0,
    n: new Float64Array(size),
    nT: new Float64Array(size),
    nn: new Float64Array(size * size),
  };
}

export interface ExcessGibbsMixing {
  readonly attraction: PureAttraction;
  readonly b: Float64Array;
  readonly excess: ExcessGibbsModel;
  /** The factor h of the excess Gibbs energy. */
  readonly factor: number;
  readonly covolume: 'linear' | 'square-root';
  readonly gasConstant: number;
}

export function excessGibbsMixing(parameters: ExcessGibbsMixing): MixingRule {
  return new ExcessGibbsRule(parameters);
}

class ExcessGibbsRule implements MixingRule {
  readonly state: MixingState;
  private readonly p: ExcessGibbsMixing;
  private readonly n: number;
  private readonly quadratic: SquareRootCovolume | undefined;
  /** S = D/B: derivatives in mole numbers and T. */
  private readonly Si: Float64Array;

  constructor(parameters: ExcessGibbsMixing) {
    const { b, covolume } = parameters;
    const n = b.length;
    this.p = parameters;
    this.n = n;
    this.Si = new Float64Array(n);
    this.quadratic = covolume === 'linear' ? undefined : new SquareRootCovolume(b);
    this.state = {
      D: 0,
      D_T: 0,
      D_TT: 0,
      Di: new Float64Array(n),
      DiT: new Float64Array(n),
      Dij: new Float64Array(n * n),
      B: 0,
      Bi: this.quadratic?.Bi ?? b,
      Bij: this.quadratic?.Bij,
    };
  }

  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, state, Si } = this;
    const { attraction, b, excess, factor, gasConstant } = this.p;
    attraction.update(T);
    excess.evaluate(T, x, order);
    this.mixCovolume(x, order);
    const { a, a_T, a_TT } = attraction;
    const g = excess.state;
    const h = factor * gasConstant;
    const { B, Bi, Bij, Di, DiT, Dij } = state;
    let S = h * T * g.value;
    for (let i = 0; i < n; i++) {
      S += (x[i]! * a[i]!) / b[i]!;
      Si[i] = a[i]! / b[i]! + h * T * g.n[i]!;
    }
    state.D = B * S;
    for (let i = 0; i < n; i++) Di[i] = Bi[i]! * S + B * Si[i]!;
    if (order === 0) return;
    let S_T = h * (g.value + T * g.T);
    let S_TT = h * (2 * g.T + T * g.TT);
    for (let i = 0; i < n; i++) {
      S_T += (x[i]! * a_T[i]!) / b[i]!;
      S_TT += (x[i]! * a_TT[i]!) / b[i]!;
    }
    state.D_T = B * S_T;
    state.D_TT = B * S_TT;
    for (let i = 0; i < n; i++) DiT[i] = Bi[i]! * S_T + B * (a_T[i]! / b[i]! + h * (g.n[i]! + T * g.nT[i]!));
    if (order === 1) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let value = Bi[i]! * Si[j]! + Bi[j]! * Si[i]! + B * h * T * g.nn[i * n + j]!;
        if (Bij !== undefined) value += Bij[i * n + j]! * S;
        Dij[i * n + j] = value;
        Dij[j * n + i] = value;
      }
  }

  private mixCovolume(x: Float64Array, order: 0 | 1 | 2): void {
    const { n, state, quadratic } = this;
    if (quadratic !== undefined) {
      quadratic.evaluate(x, order);
      state.B = quadratic.B;
      return;
    }
    let B = 0;
    for (let i = 0; i < n; i++) B += x[i]! * state.Bi[i]!;
    state.B = B;
  }
}
