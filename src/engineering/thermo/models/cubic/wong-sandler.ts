/**
 * The Helmholtz energy of a cubic with the mixing rules of Wong and Sandler. With s = N - d,
 *   B = N b = q/s,   q = sum_ij n_i n_j (b - a/(R T))_ij,   d = N a/(b R T) = sum_i n_i a_i/(b_i R T) - g/C,
 *   (b - a/(R T))_ij = ((b_i - a_i/(R T)) + (b_j - a_j/(R T)))/2 (1 - k_ij),   C = ln((1 + d1)/(1 + d2))/(d1 - d2),
 *   A_res/(R T) = -N ln(1 - B/V) - d ln((1 + d1 B/V)/(1 + d2 B/V))/(d1 - d2),
 * where g is the excess Gibbs energy over R T of an activity model at low pressure, which the rules take for the excess Helmholtz energy at infinite pressure;
 * they keep the second virial coefficient quadratic in composition.
 * D. S. H. Wong, S. I. Sandler, AIChE J. 38 (1992) 671, doi:10.1002/aic.690380505.
 *
 * It guarantees analytic first and second derivatives in T, V and mole numbers, and a covolume between half the smallest and twice the largest of the
 * components. Near the Boyle temperature of a component q and s vanish at different temperatures and the rules have no covolume: 'outside-range' then.
 */
import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';
import type { HelmholtzModel, HelmholtzState, ModelId, Validity } from '../../model.ts';
import type { ExcessGibbsModel } from './excess-gibbs-mixing.ts';
import type { PureAttraction } from './mixing-rule.ts';

/** Share of the covolume limit that the density solver may try. */
const PACKING = 1 - 1e-9;
/** Bounds of the mixture covolume over the smallest and the largest of the components. */
const LEAST = 0.5;
const MOST = 2;

export interface WongSandlerParameters {
  readonly id: ModelId;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  readonly delta1: number;
  readonly delta2: number;
  readonly attraction: PureAttraction;
  readonly b: Float64Array;
  readonly shift: Float64Array;
  readonly excess: ExcessGibbsModel;
  /** Row-major, symmetric, zero on the diagonal. */
  readonly kij: Float64Array;
}

export class WongSandlerModel implements HelmholtzModel {
  readonly id: ModelId;
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  private readonly p: WongSandlerParameters;
  private readonly C: number;
  private readonly least: number;
  private readonly most: number;
  /** b - a/(R T) of the components and a/(b R T), with temperature derivatives. */
  private readonly virial: Float64Array;
  private readonly virial_T: Float64Array;
  private readonly virial_TT: Float64Array;
  private readonly alpha: Float64Array;
  private readonly alpha_T: Float64Array;
  private readonly alpha_TT: Float64Array;
  private B = 0;
  private B_T = 0;
  private B_TT = 0;
  private d = 0;
  private d_T = 0;
  private d_TT = 0;
  private readonly Bi: Float64Array;
  private readonly BiT: Float64Array;
  private readonly Bij: Float64Array;
  private readonly di: Float64Array;
  private readonly diT: Float64Array;
  private readonly qi: Float64Array;
  private readonly qiT: Float64Array;
  private readonly lastX: Float64Array;
  private lastT = Number.NaN;
  private lastOrder = -1;
  private temperature = Number.NaN;

  constructor(parameters: WongSandlerParameters) {
    const { components, delta1, delta2, b } = parameters;
    const n = components.length;
    this.p = parameters;
    this.id = parameters.id;
    this.n = n;
    this.components = components;
    this.validity = parameters.validity;
    this.gasConstant = parameters.gasConstant;
    this.C = Math.log((1 + delta1) / (1 + delta2)) / (delta1 - delta2);
    this.least = LEAST * Math.min(...b);
    this.most = MOST * Math.max(...b);
    this.virial = new Float64Array(n);
    this.virial_T = new Float64Array(n);
    this.virial_TT = new Float64Array(n);
    this.alpha = new Float64Array(n);
    this.alpha_T = new Float64Array(n);
    this.alpha_TT = new Float64Array(n);
    this.Bi = new Float64Array(n);
    this.BiT = new Float64Array(n);
    this.Bij = new Float64Array(n * n);
    this.di = new Float64Array(n);
    this.diT = new Float64Array(n);
    this.qi = new Float64Array(n);
    this.qiT = new Float64Array(n);
    this.lastX = new Float64Array(n);
  }

  maxDensity(T: number, x: Float64Array): number {
    this.mix(T, x, 0);
    return PACKING / this.B;
  }

  volumeShift(_T: number, x: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.n; i++) sum += x[i]! * this.p.shift[i]!;
    return sum;
  }

  evaluate(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void {
    this.mix(T, x, order === 2 ? 2 : 0);
    const { n, B, d, Bi, di } = this;
    const { delta1, delta2 } = this.p;
    const beta = B * rho;
    const q1 = 1 + delta1 * beta;
    const q2 = 1 + delta2 * beta;
    const L = Math.log(q1 / q2) / (delta1 - delta2);
    const L1 = 1 / (q1 * q2);
    const L2 = -(delta1 * q2 + delta2 * q1) * L1 * L1;
    const H = -Math.log1p(-beta);
    const H1 = 1 / (1 - beta);
    const H2 = H1 * H1;
    const F1 = H1 - d * L1;
    const F2 = H2 - d * L2;
    out.a = H - d * L;
    out.a_rho = F1 * B;
    out.a_rhorho = F2 * B * B;
    if (order === 0) return;
    for (let i = 0; i < n; i++) out.mu[i] = H + F1 * Bi[i]! * rho - di[i]! * L;
    if (order === 1) return;
    const { B_T, B_TT, d_T, d_TT, BiT, Bij, diT } = this;
    const dnn = this.p.excess.state.nn;
    const t = B_T * rho;
    out.a_T = F1 * t - d_T * L;
    out.a_TT = F2 * t * t + F1 * B_TT * rho - 2 * d_T * L1 * t - d_TT * L;
    out.a_Trho = (F2 * t - d_T * L1) * B + F1 * B_T;
    for (let i = 0; i < n; i++) {
      const u = Bi[i]! * rho;
      out.mu_T[i] = H1 * t + F2 * u * t + F1 * BiT[i]! * rho - L1 * (d_T * u + di[i]! * t) - diT[i]! * L;
      out.mu_rho[i] = H1 * B + F2 * B * u + F1 * Bi[i]! - di[i]! * L1 * B;
      for (let j = 0; j <= i; j++) {
        const w = Bi[j]! * rho;
        const value =
          H1 * (u + w) +
          F2 * u * w +
          F1 * Bij[i * n + j]! * rho -
          L1 * (di[i]! * w + di[j]! * u) +
          (dnn[i * n + j]! * L) / this.C;
        out.mu_n[i * n + j] = value;
        out.mu_n[j * n + i] = value;
      }
    }
  }

  /** Mixing state at T, x; kept while neither changes, as in the iterations of the density solver. */
  private mix(T: number, x: Float64Array, order: 0 | 2): void {
    const { n, lastX } = this;
    let same = T === this.lastT && this.lastOrder >= order;
    for (let i = 0; same && i < n; i++) same = x[i] === lastX[i];
    if (same) return;
    this.lastT = Number.NaN;
    if (T !== this.temperature) this.updateTemperature(T);
    this.p.excess.evaluate(T, x, order);
    this.mixAt(T, x, order);
    lastX.set(x);
    this.lastT = T;
    this.lastOrder = order;
  }

  private mixAt(T: number, x: Float64Array, order: 0 | 2): void {
    const { n, C, virial, virial_T, virial_TT, alpha, alpha_T, alpha_TT, Bi, BiT, Bij, di, diT, qi, qiT } = this;
    const { kij, excess } = this.p;
    const g = excess.state;
    let q = 0;
    let q_T = 0;
    let q_TT = 0;
    let d = -g.value / C;
    let d_T = -g.T / C;
    let d_TT = -g.TT / C;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      let first = 0;
      let second = 0;
      for (let j = 0; j < n; j++) {
        const weight = x[j]! * (1 - kij[i * n + j]!);
        sum += weight * (virial[i]! + virial[j]!);
        first += weight * (virial_T[i]! + virial_T[j]!);
        second += weight * (virial_TT[i]! + virial_TT[j]!);
      }
      // (b - a/RT)_ij carries a half, the derivative of the double sum a two.
      qi[i] = sum;
      qiT[i] = first;
      q += 0.5 * x[i]! * sum;
      q_T += 0.5 * x[i]! * first;
      q_TT += 0.5 * x[i]! * second;
      d += x[i]! * alpha[i]!;
      d_T += x[i]! * alpha_T[i]!;
      d_TT += x[i]! * alpha_TT[i]!;
      di[i] = alpha[i]! - g.n[i]! / C;
      diT[i] = alpha_T[i]! - g.nT[i]! / C;
    }
    const s = 1 - d;
    const B = q / s;
    if (!(B >= this.least && B <= this.most)) this.refuse(T);
    this.B = B;
    this.d = d;
    for (let i = 0; i < n; i++) Bi[i] = (qi[i]! - B * (1 - di[i]!)) / s;
    if (order === 0) return;
    const B_T = (q_T + B * d_T) / s;
    this.d_T = d_T;
    this.d_TT = d_TT;
    this.B_T = B_T;
    this.B_TT = (q_TT + 2 * B_T * d_T + B * d_TT) / s;
    for (let i = 0; i < n; i++) {
      BiT[i] = (qiT[i]! + Bi[i]! * d_T - B_T * (1 - di[i]!) + B * diT[i]!) / s;
      for (let j = 0; j <= i; j++) {
        const qij = (virial[i]! + virial[j]!) * (1 - kij[i * n + j]!);
        const dij = -g.nn[i * n + j]! / C;
        const value = (qij - Bi[i]! * (1 - di[j]!) - Bi[j]! * (1 - di[i]!) + B * dij) / s;
        Bij[i * n + j] = value;
        Bij[j * n + i] = value;
      }
    }
  }

  private updateTemperature(T: number): void {
    const { n, virial, virial_T, virial_TT, alpha, alpha_T, alpha_TT, gasConstant } = this;
    const { attraction, b } = this.p;
    attraction.update(T);
    const { a, a_T, a_TT } = attraction;
    const rt = gasConstant * T;
    for (let i = 0; i < n; i++) {
      const c = a[i]! / rt;
      const c1 = (a_T[i]! - a[i]! / T) / rt;
      const c2 = (a_TT[i]! - (2 * a_T[i]!) / T + (2 * a[i]!) / (T * T)) / rt;
      virial[i] = b[i]! - c;
      virial_T[i] = -c1;
      virial_TT[i] = -c2;
      alpha[i] = c / b[i]!;
      alpha_T[i] = c1 / b[i]!;
      alpha_TT[i] = c2 / b[i]!;
    }
    this.temperature = T;
  }

  private refuse(T: number): never {
    throw new EngineError({
      kind: 'outside-range',
      quantity: 'temperature, at which the Wong-Sandler rules give no covolume,',
      value: T,
      min: this.validity.minT,
      max: this.validity.maxT,
      unit: 'K',
    });
  }
}
