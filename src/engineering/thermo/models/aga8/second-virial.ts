import { AGA8 } from './aga8-data.ts';
import { aga8Binary } from './aga8-mixing.ts';

/**
 * Second virial coefficient of AGA8 DETAIL, B = sum_ij x_i x_j B_ij(T) [m3/kmol], with
 * B_ij = (K_i K_j)^1.5 sum(n = 1..18) a_n T^-u_n E_ij^u_n B*_ij,n, E_ij = E*_ij sqrt(E_i E_j), and B*_ij,n the product of
 * G*_ij (G_i + G_j)/2, Q_i Q_j, F_i F_j, S_i S_j, W_i W_j for the flags set in term n.
 */
export class SecondVirial {
  readonly n: number;
  /** B_ij, T dB_ij/dT, T^2 d2B_ij/dT2 at the temperature last set; row-major, symmetric. */
  readonly B: Float64Array;
  readonly B1: Float64Array;
  readonly B2: Float64Array;
  private T = Number.NaN;
  private readonly u: Float64Array;
  private readonly coefficients: Float64Array;
  private readonly power: Float64Array;

  constructor(indices: readonly number[]) {
    const n = indices.length;
    const pure = indices.map((k) => AGA8.components[k]!);
    this.n = n;
    this.B = new Float64Array(n * n);
    this.B1 = new Float64Array(n * n);
    this.B2 = new Float64Array(n * n);
    const terms = AGA8.terms.slice(0, TERMS);
    this.u = Float64Array.from(terms, (term) => term.u);
    this.power = new Float64Array(TERMS);
    this.coefficients = new Float64Array(n * n * TERMS);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const p = pure[i]!;
        const q = pure[j]!;
        const b = i === j ? undefined : aga8Binary(p.name, q.name);
        const E = (b?.E ?? 1) * Math.sqrt(p.E_K * q.E_K);
        const size = (p.K_m3_kmol_1_3 * q.K_m3_kmol_1_3) ** 1.5;
        terms.forEach((term, k) => {
          let star = 1;
          if (term.g === 1) star *= ((b?.G ?? 1) * (p.G + q.G)) / 2;
          if (term.q === 1) star *= p.Q * q.Q;
          if (term.f === 1) star *= p.F * q.F;
          if (term.s === 1) star *= p.S * q.S;
          if (term.w === 1) star *= p.W * q.W;
          this.coefficients[(i * n + j) * TERMS + k] = term.a * E ** term.u * size * star;
        });
      }
  }

  /** Brings B, B1 and B2 to T [K]; free when T has not changed. */
  update(T: number): void {
    if (T === this.T) return;
    this.T = T;
    const { n, u, power, coefficients, B, B1, B2 } = this;
    for (let k = 0; k < TERMS; k++) power[k] = T ** -u[k]!;
    for (let i = 0; i < n; i++)
      for (let j = i; j < n; j++) {
        let b = 0;
        let b1 = 0;
        let b2 = 0;
        const at = (i * n + j) * TERMS;
        for (let k = 0; k < TERMS; k++) {
          const term = coefficients[at + k]! * power[k]!;
          b += term;
          b1 -= u[k]! * term;
          b2 += u[k]! * (u[k]! + 1) * term;
        }
        B[i * n + j] = B[j * n + i] = b;
        B1[i * n + j] = B1[j * n + i] = b1;
        B2[i * n + j] = B2[j * n + i] = b2;
      }
  }
}

const TERMS = 18;
