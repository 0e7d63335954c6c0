/**
 * Dipole term of PCP-SAFT, third-order perturbation theory in Pade form, A/(R T) = A2/(1 - A3/A2):
 *   A2 = -pi N_A/V sum_ij n_i n_j (q_i q_j/sigma_ij^3) J2_ij,   q = mu^2/(4 pi eps0 m k T),
 *   A3 = -4/3 pi^2 (N_A/V)^2 sum_ijk n_i n_j n_k (q_i q_j q_k/(sigma_ij sigma_ik sigma_jk)) J3_ijk,
 * with J2_ij = sum_n (a_n + b_n eps_ij/(k T)) eta^n, J3_ijk = sum_n c_n eta^n, coefficients quadratic in (m - 1)/m, m the geometric mean of the segment
 * numbers and at most 2, eps_ij = sqrt(eps_i eps_j) without k_ij. J. Gross, J. Vrabec, AIChE J. 52 (2006) 1194, doi:10.1002/aic.10683.
 *
 * It guarantees value and derivatives over V, Z3 = eta V, T and the mole numbers of the dipolar components, also where none of them is present.
 */
import type { PcSaftPure } from './pcsaft-pure.ts';
import { AVOGADRO } from './structural-variables.ts';

const A = [
  [0.3043504, 0.9534641, -1.161008],
  [-0.1358588, -1.8396383, 4.5258607],
  [1.4493329, 2.013118, 0.9751222],
  [0.3556977, -7.3724958, -12.281038],
  [-2.0653308, 8.2374135, 5.9397575],
] as const;
const B = [
  [0.2187939, -0.5873164, 3.4869576],
  [-1.1896431, 1.2489132, -14.915974],
  [1.1626889, -0.508528, 15.372022],
  [0, 0, 0],
  [0, 0, 0],
] as const;
const C = [
  [-0.0646774, -0.9520876, -0.6260979],
  [0.1975882, 2.9924258, 1.2924686],
  [-0.8087562, -2.3802636, 1.6542783],
  [0.6902849, -0.2701261, -3.4396744],
  [0, 0, 0],
] as const;
const POWERS = 5;
/** mu^2/(4 pi eps0 k) of one square debye [K m3]: 1e-49 J m3 over Boltzmann's constant. */
const SQUARE_DEBYE = 1e-49 / 1.380649e-23;
const LARGEST_M = 2;
/** Size of A2 below which the curvature of the Pade form is nil to working precision and its factors would overflow. */
const SMALLEST = 1e-200;

/** Directions of the derivatives: V, Z3, T, then the dipolar components in the order of `components`. */
export const DIPOLE_V = 0;
export const DIPOLE_Z3 = 1;
export const DIPOLE_T = 2;
export const DIPOLE_N = 3;

/** Series in eta with its slope and curvature. */
interface Series {
  f: number;
  e: number;
  ee: number;
}

export class DipoleTerm {
  /** Components with a dipole moment, in mixture order. */
  readonly components: readonly number[];
  readonly directions: number;
  value = 0;
  readonly gradient: Float64Array;
  /** Row-major over directions. */
  readonly hessian: Float64Array;
  private readonly size: number;
  /** Pair and triple coefficients of the series, [(i * size + j) * POWERS + n] and [((i * size + j) * size + k) * POWERS + n]. */
  private readonly a: Float64Array;
  private readonly b: Float64Array;
  private readonly c: Float64Array;
  private readonly x: Float64Array;
  private readonly g2: Float64Array;
  private readonly h2: Float64Array;
  private readonly g3: Float64Array;
  private readonly h3: Float64Array;
  private readonly series: Series = { f: 0, e: 0, ee: 0 };
  private readonly coefficients = new Float64Array(POWERS);
  private readonly slopes = new Float64Array(POWERS);

  constructor(pure: readonly PcSaftPure[]) {
    this.components = pure.flatMap((c, i) => (c.dipole > 0 ? [i] : []));
    const polar = this.components.map((i) => pure[i]!);
    const size = polar.length;
    this.size = size;
    this.directions = DIPOLE_N + size;
    const width = this.directions;
    this.gradient = new Float64Array(width);
    this.hessian = new Float64Array(width * width);
    this.g2 = new Float64Array(width);
    this.h2 = new Float64Array(width * width);
    this.g3 = new Float64Array(width);
    this.h3 = new Float64Array(width * width);
    this.x = new Float64Array(size);
    this.a = new Float64Array(size * size * POWERS);
    this.b = new Float64Array(size * size * POWERS);
    this.c = new Float64Array(size * size * size * POWERS);
    const q = polar.map(({ dipole, m }) => (SQUARE_DEBYE * dipole * dipole) / m);
    const sigma = (i: number, j: number) => 0.5 * (polar[i]!.sigma + polar[j]!.sigma);
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) {
        const pair = (-Math.PI * AVOGADRO * q[i]! * q[j]!) / sigma(i, j) ** 3;
        const m = Math.min(LARGEST_M, Math.sqrt(polar[i]!.m * polar[j]!.m));
        const eps = Math.sqrt(polar[i]!.eps * polar[j]!.eps);
        for (let n = 0; n < POWERS; n++) {
          this.a[(i * size + j) * POWERS + n] = pair * coefficient(A[n]!, m);
          this.b[(i * size + j) * POWERS + n] = pair * eps * coefficient(B[n]!, m);
        }
        for (let k = 0; k < size; k++) {
          const triple =
            (-(4 / 3) * (Math.PI * AVOGADRO) ** 2 * q[i]! * q[j]! * q[k]!) / (sigma(i, j) * sigma(i, k) * sigma(j, k));
          const mean = Math.min(LARGEST_M, Math.cbrt(polar[i]!.m * polar[j]!.m * polar[k]!.m));
          for (let n = 0; n < POWERS; n++)
            this.c[((i * size + j) * size + k) * POWERS + n] = triple * coefficient(C[n]!, mean);
        }
      }
  }

  /** Fills value, gradient and Hessian at T [K], molar volume [m3/mol], mole fractions and packing fraction. */
  evaluate(T: number, v: number, mixture: Float64Array, eta: number): void {
    const { size, x, components, g2, h2, g3, h3, gradient, hessian, directions: width } = this;
    for (let i = 0; i < size; i++) x[i] = mixture[components[i]!]!;
    const second = this.pairs(T, v, eta);
    const third = this.triples(T, v, eta);
    const alive = Math.abs(second) > SMALLEST;
    const r = alive ? third / second : 0;
    const k = 1 / (1 - r);
    const f2 = (1 - 2 * r) * k * k;
    const f3 = k * k;
    const curvature = alive ? (2 * k * k * k) / second : 0;
    this.value = second * k;
    for (let p = 0; p < width; p++) {
      gradient[p] = f2 * g2[p]! + f3 * g3[p]!;
      // F_22 : F_23 : F_33 = r^2 : -r : 1
      const mixed = r * g2[p]! - g3[p]!;
      for (let q = 0; q < width; q++) {
        const at = p * width + q;
        hessian[at] = f2 * h2[at]! + f3 * h3[at]! + curvature * mixed * (r * g2[q]! - g3[q]!);
      }
    }
  }

  /** A2 with derivatives into g2, h2. */
  private pairs(T: number, v: number, eta: number): number {
    const { size, x, a, b, coefficients, slopes, series, g2, h2, directions: width } = this;
    const scale = 1 / (T * T * v);
    let value = 0;
    coefficients.fill(0);
    slopes.fill(0);
    for (let i = 0; i < size; i++) {
      let row = 0;
      let row_e = 0;
      let row_T = 0;
      for (let j = 0; j < size; j++) {
        const at = (i * size + j) * POWERS;
        let f = 0;
        let fe = 0;
        let fT = 0;
        for (let n = POWERS - 1; n >= 0; n--) {
          const c = a[at + n]! + b[at + n]! / T;
          fe = fe * eta + f;
          f = f * eta + c;
          fT = fT * eta - b[at + n]! / (T * T);
          coefficients[n] = coefficients[n]! + x[i]! * x[j]! * c;
          slopes[n] = slopes[n]! + (x[i]! * x[j]! * b[at + n]!) / T;
        }
        h2[(DIPOLE_N + i) * width + DIPOLE_N + j] = 2 * scale * f;
        row += x[j]! * f;
        row_e += x[j]! * fe;
        row_T += x[j]! * fT;
      }
      g2[DIPOLE_N + i] = 2 * scale * row;
      this.fillMixed(h2, DIPOLE_N + i, DIPOLE_V, (-2 * scale * (row + eta * row_e)) / v);
      this.fillMixed(h2, DIPOLE_N + i, DIPOLE_Z3, (2 * scale * row_e) / v);
      this.fillMixed(h2, DIPOLE_N + i, DIPOLE_T, 2 * scale * (row_T - (2 * row) / T));
    }
    sum(coefficients, eta, series);
    const { f, e, ee } = series;
    value = scale * f;
    // Slopes of T^-2 (alpha + beta/T): the part in 1/T^3 falls one power faster.
    sum(slopes, eta, series);
    const T1 = -(2 * f + series.f) / T;
    const T2 = (6 * f + 6 * series.f) / (T * T);
    const eT = -(2 * e + series.e) / T;
    this.fillState(g2, h2, v, eta, scale, 1, f, e, ee, T1, T2, eT);
    return value;
  }

  /** A3 with derivatives into g3, h3. */
  private triples(T: number, v: number, eta: number): number {
    const { size, x, c, coefficients, series, g3, h3, directions: width } = this;
    const scale = 1 / (T * T * T * v * v);
    coefficients.fill(0);
    for (let i = 0; i < size; i++) {
      let row = 0;
      let row_e = 0;
      for (let j = 0; j < size; j++) {
        let pair = 0;
        let pair_e = 0;
        for (let k = 0; k < size; k++) {
          const at = ((i * size + j) * size + k) * POWERS;
          let f = 0;
          let fe = 0;
          for (let n = POWERS - 1; n >= 0; n--) {
            fe = fe * eta + f;
            f = f * eta + c[at + n]!;
            coefficients[n] = coefficients[n]! + x[i]! * x[j]! * x[k]! * c[at + n]!;
          }
          pair += x[k]! * f;
          pair_e += x[k]! * fe;
        }
        h3[(DIPOLE_N + i) * width + DIPOLE_N + j] = 6 * scale * pair;
        row += x[j]! * pair;
        row_e += x[j]! * pair_e;
      }
      g3[DIPOLE_N + i] = 3 * scale * row;
      this.fillMixed(h3, DIPOLE_N + i, DIPOLE_V, (-3 * scale * (2 * row + eta * row_e)) / v);
      this.fillMixed(h3, DIPOLE_N + i, DIPOLE_Z3, (3 * scale * row_e) / v);
      this.fillMixed(h3, DIPOLE_N + i, DIPOLE_T, (-9 * scale * row) / T);
    }
    sum(coefficients, eta, series);
    const { f, e, ee } = series;
    this.fillState(g3, h3, v, eta, scale, 2, f, e, ee, (-3 * f) / T, (12 * f) / (T * T), (-3 * e) / T);
    return scale * f;
  }

  /** Derivatives of scale f(eta, T), scale falling as v^-power, eta = Z3/v: f in T at constant eta is `T1`, `T2`, mixed with eta `eT`. */
  private fillState(
    g: Float64Array,
    h: Float64Array,
    v: number,
    eta: number,
    scale: number,
    power: number,
    f: number,
    e: number,
    ee: number,
    T1: number,
    T2: number,
    eT: number,
  ): void {
    const width = this.directions;
    g[DIPOLE_V] = (-scale * (power * f + eta * e)) / v;
    g[DIPOLE_Z3] = (scale * e) / v;
    g[DIPOLE_T] = scale * T1;
    h[DIPOLE_V * width + DIPOLE_V] =
      (scale * (power * (power + 1) * f + 2 * (power + 1) * eta * e + eta * eta * ee)) / (v * v);
    this.fillMixed(h, DIPOLE_V, DIPOLE_Z3, (-scale * ((power + 1) * e + eta * ee)) / (v * v));
    h[DIPOLE_Z3 * width + DIPOLE_Z3] = (scale * ee) / (v * v);
    this.fillMixed(h, DIPOLE_V, DIPOLE_T, (-scale * (power * T1 + eta * eT)) / v);
    this.fillMixed(h, DIPOLE_Z3, DIPOLE_T, (scale * eT) / v);
    h[DIPOLE_T * width + DIPOLE_T] = scale * T2;
  }

  private fillMixed(h: Float64Array, p: number, q: number, value: number): void {
    h[p * this.directions + q] = value;
    h[q * this.directions + p] = value;
  }
}

function coefficient([c0, c1, c2]: readonly [number, number, number], m: number): number {
  return c0 + ((m - 1) / m) * (c1 + ((m - 2) / m) * c2);
}

function sum(coefficients: Float64Array, eta: number, out: Series): void {
  let f = 0;
  let e = 0;
  let ee = 0;
  for (let n = POWERS - 1; n >= 0; n--) {
    ee = ee * eta + 2 * e;
    e = e * eta + f;
    f = f * eta + coefficients[n]!;
  }
  out.f = f;
  out.e = e;
  out.ee = ee;
}
