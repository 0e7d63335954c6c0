import { GERG } from './gerg2008-data.ts';

/**
 * Reducing functions of GERG-2008 (Kunz and Wagner 2012, eqs. 16 and 17) with mole-number derivatives:
 * Y(x) = sum x_i^2 Y_i + sum_{i<j} 2 x_i x_j beta gamma (x_i + x_j)/(beta^2 x_i + x_j) Y_ij,
 * Y = T_r with Y_ij = sqrt(Tc_i Tc_j), and Y = 1/rho_r with Y_ij = (1/8)(rhoc_i^-1/3 + rhoc_j^-1/3)^3.
 *
 * Both are homogeneous of degree 2 in x, so with Y_i = dY/dx_i (all x free) the mole-number derivatives at n = 1 are
 * n dY/dn_i = Y_i - 2Y and n^2 d2Y/dn_i dn_j = Y_ij - 2 Y_i - 2 Y_j + 6 Y.
 */
export class GergReducing {
  readonly n: number;
  /** Reducing temperature [K] and molar volume 1/rho_r [m3/mol]. */
  T = 0;
  v = 0;
  /** n dY/dn_i. */
  readonly Tn: Float64Array;
  readonly vn: Float64Array;
  /** n^2 d2Y/dn_i dn_j, row-major. */
  readonly Tnn: Float64Array;
  readonly vnn: Float64Array;
  private readonly x: Float64Array;
  private level = -1;
  private readonly Tc: Float64Array;
  private readonly vc: Float64Array;
  /** Pair (i, j) with i < j: row-major; 2 beta gamma Y_ij, beta^2 seen from i. */
  private readonly Tpair: Float64Array;
  private readonly Tbeta: Float64Array;
  private readonly vpair: Float64Array;
  private readonly vbeta: Float64Array;
  private readonly f = new Float64Array(6);

  /** @param indices positions of the components in the GERG-2008 list */
  constructor(indices: readonly number[]) {
    const n = indices.length;
    this.n = n;
    this.Tn = new Float64Array(n);
    this.vn = new Float64Array(n);
    this.Tnn = new Float64Array(n * n);
    this.vnn = new Float64Array(n * n);
    this.x = new Float64Array(n).fill(Number.NaN);
    const pure = indices.map((k) => GERG.components[k]!);
    this.Tc = Float64Array.from(pure, (c) => c.Tc_K);
    this.vc = Float64Array.from(pure, (c) => 1e-3 / c.rhoc_mol_L);
    this.Tpair = new Float64Array(n * n);
    this.Tbeta = new Float64Array(n * n);
    this.vpair = new Float64Array(n * n);
    this.vbeta = new Float64Array(n * n);
    const binary = new Map(GERG.binary.map((b) => [`${b.i}|${b.j}`, b]));
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++) {
        const straight = binary.get(`${pure[i]!.name}|${pure[j]!.name}`);
        const b = straight ?? binary.get(`${pure[j]!.name}|${pure[i]!.name}`);
        if (b === undefined) throw new Error(`GERG-2008 data lack the pair ${pure[i]!.name}, ${pure[j]!.name}`);
        // beta_ji = 1/beta_ij, gamma_ji = gamma_ij
        const betaT = straight === undefined ? 1 / b.betaT : b.betaT;
        const betaV = straight === undefined ? 1 / b.betaV : b.betaV;
        const at = i * n + j;
        this.Tpair[at] = 2 * betaT * b.gammaT * Math.sqrt(this.Tc[i]! * this.Tc[j]!);
        this.Tbeta[at] = betaT * betaT;
        this.vpair[at] = 2 * betaV * b.gammaV * 0.125 * (Math.cbrt(this.vc[i]!) + Math.cbrt(this.vc[j]!)) ** 3;
        this.vbeta[at] = betaV * betaV;
      }
  }

  /** Brings T, v and the derivatives up to `order` to composition x; free when x has not changed. */
  update(x: Float64Array, order: 0 | 1 | 2): void {
    let same = this.level >= order;
    for (let i = 0; same && i < this.n; i++) same = x[i] === this.x[i];
    if (same) return;
    this.x.set(x);
    this.level = order;
    this.T = this.fill(x, order, this.Tc, this.Tpair, this.Tbeta, this.Tn, this.Tnn);
    this.v = this.fill(x, order, this.vc, this.vpair, this.vbeta, this.vn, this.vnn);
  }

  private fill(
    x: Float64Array,
    order: 0 | 1 | 2,
    pure: Float64Array,
    pair: Float64Array,
    beta2: Float64Array,
    first: Float64Array,
    second: Float64Array,
  ): number {
    const n = this.n;
    const f = this.f;
    let y = 0;
    for (let i = 0; i < n; i++) {
      y += x[i]! * x[i]! * pure[i]!;
      first[i] = 2 * x[i]! * pure[i]!;
      second[i * n + i] = 2 * pure[i]!;
    }
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++) {
        const at = i * n + j;
        const c = pair[at]!;
        ratio(x[i]!, x[j]!, beta2[at]!, order, f);
        y += c * f[0]!;
        if (order === 0) continue;
        first[i]! += c * f[1]!;
        first[j]! += c * f[2]!;
        if (order === 1) continue;
        second[i * n + i]! += c * f[3]!;
        second[j * n + j]! += c * f[4]!;
        second[at] = c * f[5]!;
      }
    if (order === 2)
      for (let i = 0; i < n; i++)
        for (let j = i; j < n; j++) {
          const value = second[i * n + j]! - 2 * first[i]! - 2 * first[j]! + 6 * y;
          second[i * n + j] = value;
          second[j * n + i] = value;
        }
    if (order >= 1) for (let i = 0; i < n; i++) first[i]! -= 2 * y;
    return y;
  }
}

/** f = a b (a + b)/(k a + b) and f_a, f_b, f_aa, f_bb, f_ab. Where a = b = 0 the second derivatives are those of a = b. */
function ratio(a: number, b: number, k: number, order: 0 | 1 | 2, f: Float64Array): void {
  const q = k * a + b;
  if (q === 0) {
    f.fill(0);
    if (order === 2) {
      ratio(1, 1, k, 2, f);
      f[0] = 0;
      f[1] = 0;
      f[2] = 0;
    }
    return;
  }
  const value = (a * b * (a + b)) / q;
  f[0] = value;
  if (order === 0) return;
  const fa = (b * (2 * a + b) - k * value) / q;
  const fb = (a * (a + 2 * b) - value) / q;
  f[1] = fa;
  f[2] = fb;
  if (order === 1) return;
  f[3] = (2 * b - 2 * k * fa) / q;
  f[4] = (2 * a - 2 * fb) / q;
  f[5] = (2 * a + 2 * b - k * fb - fa) / q;
}
