import { AGA8 } from './aga8-data.ts';

/**
 * Quantities of AGA8 DETAIL that depend on composition alone, with mole-number derivatives:
 * K^5 = (sum x K_i^2.5)^2 + 2 sum x_i x_j (K*_ij^5 - 1)(K_i K_j)^2.5, U^5 likewise with E_i and U*_ij,
 * G = sum x G_i + sum_{i<j} x_i x_j (G*_ij - 1)(G_i + G_j), Q = sum x Q_i, F = sum x_i^2 F_i.
 *
 * Each is kept as a value y with n dy/dn_i and n^2 d2y/dn_i dn_j. A part of degree m in x with Y_i = dY/dx_i (all x free)
 * has n dY/dn_i = Y_i - m Y and n^2 d2Y/dn_i dn_j = Y_ij - m (Y_i + Y_j) + m (m + 1) Y.
 */
export class Aga8Mixing {
  readonly n: number;
  /** K^3 [m3/kmol], ln U, G, Q^2, F. */
  readonly value = new Float64Array(5);
  /** Row k: n d value_k / dn_i. */
  readonly first: Float64Array;
  /** Block k: n^2 d2 value_k / dn_i dn_j, row-major. */
  readonly second: Float64Array;
  private readonly x: Float64Array;
  private level = -1;
  private readonly K25: Float64Array;
  private readonly E25: Float64Array;
  private readonly G: Float64Array;
  private readonly Q: Float64Array;
  private readonly F: Float64Array;
  /** Quadratic forms y = sum_ij x_i x_j M_ij of K^5, U^5 and of the pair part of G. */
  private readonly K5: Float64Array;
  private readonly U5: Float64Array;
  private readonly GG: Float64Array;
  private readonly row: Float64Array;

  /** @param indices positions of the components in the AGA8 list */
  constructor(indices: readonly number[]) {
    const n = indices.length;
    const pure = indices.map((k) => AGA8.components[k]!);
    this.n = n;
    this.first = new Float64Array(5 * n);
    this.second = new Float64Array(5 * n * n);
    this.x = new Float64Array(n).fill(Number.NaN);
    this.row = new Float64Array(n);
    this.K25 = Float64Array.from(pure, (c) => c.K_m3_kmol_1_3 ** 2.5);
    this.E25 = Float64Array.from(pure, (c) => c.E_K ** 2.5);
    this.G = Float64Array.from(pure, (c) => c.G);
    this.Q = Float64Array.from(pure, (c) => c.Q);
    this.F = Float64Array.from(pure, (c) => c.F);
    this.K5 = new Float64Array(n * n);
    this.U5 = new Float64Array(n * n);
    this.GG = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const b = i === j ? undefined : aga8Binary(pure[i]!.name, pure[j]!.name);
        const at = i * n + j;
        this.K5[at] = this.K25[i]! * this.K25[j]! * (b?.K ?? 1) ** 5;
        this.U5[at] = this.E25[i]! * this.E25[j]! * (b?.U ?? 1) ** 5;
        this.GG[at] = 0.5 * ((b?.G ?? 1) - 1) * (this.G[i]! + this.G[j]!);
      }
  }

  /** Brings the values, and derivatives up to `order`, to composition x; free when x has not changed. */
  update(x: Float64Array, order: 0 | 1 | 2): void {
    let same = this.level >= order;
    for (let i = 0; same && i < this.n; i++) same = x[i] === this.x[i];
    if (same) return;
    this.x.set(x);
    this.level = order;
    this.power(0, this.K5, x, 0.6, order);
    this.logarithm(1, this.U5, x, 0.2, order);
    this.linearAndPairs(2, x, order);
    this.square(3, x, order);
    this.hydrogen(4, x, order);
  }

  /** y = sum_ij x_i x_j M_ij; fills `row` with Y_i = 2 sum_j M_ij x_j. */
  private quadratic(M: Float64Array, x: Float64Array): number {
    const { n, row } = this;
    let y = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += M[i * n + j]! * x[j]!;
      row[i] = 2 * sum;
      y += x[i]! * sum;
    }
    return y;
  }

  /** value_k = y^e of a quadratic form y. */
  private power(k: number, M: Float64Array, x: Float64Array, e: number, order: 0 | 1 | 2): void {
    const { n, row, first, second } = this;
    const y = this.quadratic(M, x);
    const value = y ** e;
    this.value[k] = value;
    if (order === 0) return;
    const d1 = (e * value) / y;
    const d2 = ((e - 1) * d1) / y;
    for (let i = 0; i < n; i++) first[k * n + i] = d1 * (row[i]! - 2 * y);
    if (order === 1) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        second[(k * n + i) * n + j] =
          d1 * (2 * M[i * n + j]! - 2 * (row[i]! + row[j]!) + 6 * y) + d2 * (row[i]! - 2 * y) * (row[j]! - 2 * y);
  }

  /** value_k = e ln y of a quadratic form y. */
  private logarithm(k: number, M: Float64Array, x: Float64Array, e: number, order: 0 | 1 | 2): void {
    const { n, row, first, second } = this;
    const y = this.quadratic(M, x);
    this.value[k] = e * Math.log(y);
    if (order === 0) return;
    for (let i = 0; i < n; i++) first[k * n + i] = e * (row[i]! / y - 2);
    if (order === 1) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        second[(k * n + i) * n + j] =
          (e * (2 * M[i * n + j]! - 2 * (row[i]! + row[j]!) + 6 * y)) / y - e * (row[i]! / y - 2) * (row[j]! / y - 2);
  }

  private linearAndPairs(k: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, G, GG, row, first, second } = this;
    const pairs = this.quadratic(GG, x);
    let linear = 0;
    for (let i = 0; i < n; i++) linear += x[i]! * G[i]!;
    this.value[k] = linear + pairs;
    if (order === 0) return;
    for (let i = 0; i < n; i++) first[k * n + i] = G[i]! - linear + row[i]! - 2 * pairs;
    if (order === 1) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        second[(k * n + i) * n + j] =
          2 * linear - G[i]! - G[j]! + 2 * GG[i * n + j]! - 2 * (row[i]! + row[j]!) + 6 * pairs;
  }

  private square(k: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, Q, first, second } = this;
    let q = 0;
    for (let i = 0; i < n; i++) q += x[i]! * Q[i]!;
    this.value[k] = q * q;
    if (order === 0) return;
    for (let i = 0; i < n; i++) first[k * n + i] = 2 * q * (Q[i]! - q);
    if (order === 1) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        second[(k * n + i) * n + j] = 2 * (Q[i]! - q) * (Q[j]! - q) + 2 * q * (2 * q - Q[i]! - Q[j]!);
  }

  private hydrogen(k: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, F, first, second } = this;
    let f = 0;
    for (let i = 0; i < n; i++) f += x[i]! * x[i]! * F[i]!;
    this.value[k] = f;
    if (order === 0) return;
    for (let i = 0; i < n; i++) first[k * n + i] = 2 * (x[i]! * F[i]! - f);
    if (order === 1) return;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        second[(k * n + i) * n + j] = (i === j ? 2 * F[i]! : 0) - 4 * (x[i]! * F[i]! + x[j]! * F[j]!) + 6 * f;
  }
}

type Binary = (typeof AGA8.binary)[number];
const binary = new Map<string, Binary>(
  AGA8.binary.flatMap((b) => [[`${b.i}|${b.j}`, b] as const, [`${b.j}|${b.i}`, b] as const]),
);

/** Binary parameters of a pair; undefined where all are 1. */
export function aga8Binary(i: string, j: string): Binary | undefined {
  return binary.get(`${i}|${j}`);
}
