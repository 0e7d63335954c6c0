/**
 * The modified NRTL of Huron and Vidal,
 *   g = sum_i n_i sum_j n_j b_j E_ji tau_ji / sum_k n_k b_k E_ki,   E_ji = exp(-alpha_ji tau_ji),
 * with tau_ij = (g_ij + g'_ij T)/T for pairs that have parameters. The other pairs take alpha = 0 and
 *   tau_ji = (g_ji - g_ii)/(R T),   g_ii = -C a_i/b_i,   g_ji = -2 sqrt(b_i b_j)/(b_i + b_j) sqrt(g_ii g_jj) (1 - k_ij),
 * which gives back the van der Waals rule, so one rule serves mixtures of both kinds (Huron and Vidal 1979; K. S. Pedersen, P. L. Christensen,
 * J. A. Shaikh, Phase Behavior of Petroleum Reservoir Fluids, 2nd ed., CRC Press 2015, chapter 4).
 */
import { boltzmann, createExcessGibbs, type ExcessGibbs, type ExcessGibbsModel } from './excess-gibbs-mixing.ts';
import type { PureAttraction } from './mixing-rule.ts';

export interface HuronVidalPair {
  readonly i: number;
  readonly j: number;
  readonly alpha: number;
  /** tau_ij and tau_ji: constant [K] and slope [-]. */
  readonly gij: number;
  readonly gji: number;
  readonly gijT: number;
  readonly gjiT: number;
}

/** `C` is the constant of the infinite-pressure limit; `kij` row-major, read for the pairs that are not listed. */
export function huronVidalNrtl(
  attraction: PureAttraction,
  b: Float64Array,
  kij: Float64Array,
  pairs: readonly HuronVidalPair[],
  C: number,
  gasConstant: number,
): ExcessGibbsModel {
  return new HuronVidalNrtl(attraction, b, kij, pairs, C, gasConstant);
}

class HuronVidalNrtl implements ExcessGibbsModel {
  readonly state: ExcessGibbs;
  private readonly n: number;
  private readonly attraction: PureAttraction;
  private readonly b: Float64Array;
  private readonly kij: Float64Array;
  private readonly fitted: readonly (HuronVidalPair | undefined)[];
  private readonly C: number;
  private readonly R: number;
  /** w_ji = b_j E_ji and v_ji = w_ji tau_ji at [j * n + i], with temperature derivatives. */
  private readonly w: Float64Array;
  private readonly w_T: Float64Array;
  private readonly w_TT: Float64Array;
  private readonly v: Float64Array;
  private readonly v_T: Float64Array;
  private readonly v_TT: Float64Array;
  /** Denominators and ratios per centre i. */
  private readonly c: Float64Array;
  private readonly c_T: Float64Array;
  private readonly r: Float64Array;
  private readonly r_T: Float64Array;
  private current = Number.NaN;

  constructor(
    attraction: PureAttraction,
    b: Float64Array,
    kij: Float64Array,
    pairs: readonly HuronVidalPair[],
    C: number,
    gasConstant: number,
  ) {
    const n = b.length;
    const square = () => new Float64Array(n * n);
    this.n = n;
    this.attraction = attraction;
    this.b = b;
    this.kij = kij;
    this.C = C;
    this.R = gasConstant;
    const fitted = new Array<HuronVidalPair | undefined>(n * n).fill(undefined);
    for (const pair of pairs) {
      fitted[pair.i * n + pair.j] = pair;
      fitted[pair.j * n + pair.i] = {
        ...pair,
        i: pair.j,
        j: pair.i,
        gij: pair.gji,
        gji: pair.gij,
        gijT: pair.gjiT,
        gjiT: pair.gijT,
      };
    }
    this.fitted = fitted;
    this.state = createExcessGibbs(n);
    this.w = square();
    this.w_T = square();
    this.w_TT = square();
    this.v = square();
    this.v_T = square();
    this.v_TT = square();
    this.c = new Float64Array(n);
    this.c_T = new Float64Array(n);
    this.r = new Float64Array(n);
    this.r_T = new Float64Array(n);
  }

  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void {
    if (T !== this.current) this.updateTemperature(T);
    const { n, state, w, w_T, w_TT, v, v_T, v_TT, c, c_T, r, r_T } = this;
    let value = 0;
    let first = 0;
    let second = 0;
    for (let i = 0; i < n; i++) {
      let A = 0;
      let A1 = 0;
      let A2 = 0;
      let C = 0;
      let C1 = 0;
      let C2 = 0;
      for (let j = 0, at = i; j < n; j++, at += n) {
        const xj = x[j]!;
        A += xj * v[at]!;
        C += xj * w[at]!;
        if (order === 0) continue;
        A1 += xj * v_T[at]!;
        A2 += xj * v_TT[at]!;
        C1 += xj * w_T[at]!;
        C2 += xj * w_TT[at]!;
      }
      const ratio = A / C;
      const ratio1 = (A1 - ratio * C1) / C;
      c[i] = C;
      c_T[i] = C1;
      r[i] = ratio;
      r_T[i] = ratio1;
      value += x[i]! * ratio;
      first += x[i]! * ratio1;
      second += (x[i]! * (A2 - 2 * ratio1 * C1 - ratio * C2)) / C;
    }
    state.value = value;
    state.T = first;
    state.TT = second;
    for (let k = 0; k < n; k++) {
      let sum = r[k]!;
      let slope = r_T[k]!;
      for (let i = 0; i < n; i++) {
        const at = k * n + i;
        const part = (v[at]! - r[i]! * w[at]!) / c[i]!;
        sum += x[i]! * part;
        slope += (x[i]! * (v_T[at]! - r_T[i]! * w[at]! - r[i]! * w_T[at]! - part * c_T[i]!)) / c[i]!;
      }
      state.n[k] = sum;
      state.nT[k] = slope;
    }
    if (order === 2) this.fillSeconds(x);
  }

  private fillSeconds(x: Float64Array): void {
    const { n, state, w, v, c, r } = this;
    for (let k = 0; k < n; k++)
      for (let l = 0; l <= k; l++) {
        let sum = (v[l * n + k]! - r[k]! * w[l * n + k]!) / c[k]! + (v[k * n + l]! - r[l]! * w[k * n + l]!) / c[l]!;
        for (let i = 0; i < n; i++) {
          const wk = w[k * n + i]!;
          const wl = w[l * n + i]!;
          sum += (x[i]! * (2 * r[i]! * wk * wl - v[k * n + i]! * wl - v[l * n + i]! * wk)) / (c[i]! * c[i]!);
        }
        state.nn[k * n + l] = sum;
        state.nn[l * n + k] = sum;
      }
  }

  private updateTemperature(T: number): void {
    const { n, attraction, b, kij, fitted, C, R, w, w_T, w_TT, v, v_T, v_TT } = this;
    this.current = Number.NaN;
    attraction.update(T);
    const { a, a_T, a_TT } = attraction;
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) {
        const at = j * n + i;
        let tau = 0;
        let tau1 = 0;
        let tau2 = 0;
        let alpha = 0;
        const pair = fitted[at];
        if (pair !== undefined) {
          alpha = pair.alpha;
          tau = pair.gij / T + pair.gijT;
          tau1 = -pair.gij / (T * T);
          tau2 = (2 * pair.gij) / (T * T * T);
        } else if (i !== j) {
          // G = g_ji - g_ii = C (a_i/b_i - 2 sqrt(a_i a_j)(1 - k)/(b_i + b_j)); tau = G/(R T)
          const s = Math.sqrt(a[i]! * a[j]!);
          const li = a_T[i]! / a[i]!;
          const lj = a_T[j]! / a[j]!;
          const l = 0.5 * (li + lj);
          const s1 = s * l;
          const s2 = s * (l * l + 0.5 * (a_TT[i]! / a[i]! - li * li + a_TT[j]! / a[j]! - lj * lj));
          const cross = (2 * (1 - kij[at]!)) / (b[i]! + b[j]!);
          const G = C * (a[i]! / b[i]! - cross * s);
          const G1 = C * (a_T[i]! / b[i]! - cross * s1);
          const G2 = C * (a_TT[i]! / b[i]! - cross * s2);
          tau = G / (R * T);
          tau1 = (G1 - G / T) / (R * T);
          tau2 = (G2 - (2 * G1) / T + (2 * G) / (T * T)) / (R * T);
        }
        const E = b[j]! * boltzmann(-alpha * tau, T);
        const E1 = -alpha * tau1 * E;
        const E2 = alpha * (alpha * tau1 * tau1 - tau2) * E;
        w[at] = E;
        w_T[at] = E1;
        w_TT[at] = E2;
        v[at] = tau * E;
        v_T[at] = tau1 * E + tau * E1;
        v_TT[at] = tau2 * E + 2 * tau1 * E1 + tau * E2;
      }
    this.current = T;
  }
}
