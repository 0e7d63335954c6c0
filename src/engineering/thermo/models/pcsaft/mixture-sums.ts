/**
 * The sums over components that PC-SAFT is built on, with derivatives in mole numbers and temperature, per mole of mixture. Kept
 * while neither temperature nor composition changes, as in the iterations of the density solver.
 *
 * Segment diameter d = sigma (1 - 0.12 exp(-3 eps/T)) (S. S. Chen and A. Kreglewski, Ber. Bunsenges. Phys. Chem. 81 (1977) 1048, with
 * the constant of Gross and Sadowski 2001); sigma_ij = (sigma_i + sigma_j)/2, eps_ij = sqrt(eps_i eps_j)(1 - k_ij).
 */
import type { PcSaftPure } from './pcsaft-pure.ts';
import { COUNT, M, MBAR, P1, P2, SPHERE, Z1, Z2, Z3 } from './structural-variables.ts';

const SOFTNESS = 0.12;

export class MixtureSums {
  readonly n: number;
  readonly m: Float64Array;
  /** Segment diameters [m] and temperature derivatives. */
  readonly d: Float64Array;
  readonly d_T: Float64Array;
  readonly d_TT: Float64Array;
  /** Structural variables (V is left to the caller) and their derivatives. */
  readonly w = new Float64Array(COUNT);
  readonly w_T = new Float64Array(COUNT);
  readonly w_TT = new Float64Array(COUNT);
  /** [a * n + i] */
  readonly w_i: Float64Array;
  readonly w_iT: Float64Array;
  /** Second derivatives of P1 and P2 in mole numbers, row-major. */
  readonly p1: Float64Array;
  readonly p2: Float64Array;
  private readonly pure: readonly PcSaftPure[];
  private readonly pair1: Float64Array;
  private readonly pair2: Float64Array;
  /** SPHERE m d^k and temperature derivatives, [k * n + i]. */
  private readonly z: Float64Array;
  private readonly z_T: Float64Array;
  private readonly z_TT: Float64Array;
  private readonly lastX: Float64Array;
  private lastT = Number.NaN;

  constructor(pure: readonly PcSaftPure[], kij: Float64Array) {
    const n = pure.length;
    this.n = n;
    this.pure = pure;
    this.m = Float64Array.from(pure, (c) => c.m);
    this.d = new Float64Array(n);
    this.d_T = new Float64Array(n);
    this.d_TT = new Float64Array(n);
    this.w_i = new Float64Array(COUNT * n);
    this.w_iT = new Float64Array(COUNT * n);
    this.p1 = new Float64Array(n * n);
    this.p2 = new Float64Array(n * n);
    this.pair1 = new Float64Array(n * n);
    this.pair2 = new Float64Array(n * n);
    this.z = new Float64Array(4 * n);
    this.z_T = new Float64Array(4 * n);
    this.z_TT = new Float64Array(4 * n);
    this.lastX = new Float64Array(n).fill(Number.NaN);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const [a, b] = [pure[i]!, pure[j]!];
        const eps = Math.sqrt(a.eps * b.eps) * (1 - kij[i * n + j]!);
        const volume = a.m * b.m * (0.5 * (a.sigma + b.sigma)) ** 3;
        this.pair1[i * n + j] = 2 * volume * eps;
        this.pair2[i * n + j] = 2 * volume * eps * eps;
      }
  }

  update(T: number, x: Float64Array): void {
    const { n, lastX } = this;
    let same = T === this.lastT;
    if (!same) this.updateTemperature(T);
    for (let i = 0; same && i < n; i++) same = x[i] === lastX[i];
    if (same) return;
    this.lastT = T;
    lastX.set(x);
    const { w, w_T, w_TT, w_i, w_iT, z, z_T, z_TT, m, p1, p2 } = this;
    let mean = 0;
    for (let i = 0; i < n; i++) mean += x[i]! * m[i]!;
    w[M] = mean;
    w[MBAR] = mean;
    for (let k = 1; k <= 3; k++) {
      const a = Z1 + k - 1;
      let sum = 0;
      let first = 0;
      let second = 0;
      for (let i = 0; i < n; i++) {
        sum += x[i]! * z[k * n + i]!;
        first += x[i]! * z_T[k * n + i]!;
        second += x[i]! * z_TT[k * n + i]!;
      }
      w[a] = sum;
      w_T[a] = first;
      w_TT[a] = second;
    }
    let sum1 = 0;
    let sum2 = 0;
    for (let i = 0; i < n; i++) {
      let first = 0;
      let second = 0;
      for (let j = 0; j < n; j++) {
        first += x[j]! * p1[i * n + j]!;
        second += x[j]! * p2[i * n + j]!;
      }
      w_i[P1 * n + i] = first;
      w_i[P2 * n + i] = second;
      w_iT[P1 * n + i] = -first / T;
      w_iT[P2 * n + i] = (-2 * second) / T;
      w_i[MBAR * n + i] = m[i]! - mean;
      sum1 += x[i]! * first;
      sum2 += x[i]! * second;
    }
    w[P1] = 0.5 * sum1;
    w[P2] = 0.5 * sum2;
    w_T[P1] = -w[P1]! / T;
    w_T[P2] = (-2 * w[P2]!) / T;
    w_TT[P1] = (2 * w[P1]!) / (T * T);
    w_TT[P2] = (6 * w[P2]!) / (T * T);
  }

  private updateTemperature(T: number): void {
    const { n, pure, d, d_T, d_TT, z, z_T, z_TT, w_i, w_iT, p1, p2, pair1, pair2 } = this;
    for (let i = 0; i < n; i++) {
      const { sigma, eps, m } = pure[i]!;
      const y = (3 * eps) / T;
      const soft = SOFTNESS * sigma * Math.exp(-y);
      const value = sigma - soft;
      const first = (-soft * y) / T;
      const second = (soft * y * (2 - y)) / (T * T);
      d[i] = value;
      d_T[i] = first;
      d_TT[i] = second;
      let power = SPHERE * m;
      for (let k = 1; k <= 3; k++) {
        // power = SPHERE m d^(k-1)
        z[k * n + i] = power * value;
        z_T[k * n + i] = k * power * first;
        z_TT[k * n + i] = k * power * (second + ((k - 1) * first * first) / value);
        power *= value;
      }
      w_i[M * n + i] = m;
      for (const [k, a] of [Z1, Z2, Z3].entries()) {
        w_i[a * n + i] = z[(k + 1) * n + i]!;
        w_iT[a * n + i] = z_T[(k + 1) * n + i]!;
      }
    }
    for (let k = 0; k < n * n; k++) {
      p1[k] = pair1[k]! / T;
      p2[k] = pair2[k]! / (T * T);
    }
  }
}
