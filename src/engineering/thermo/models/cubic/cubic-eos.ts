/**
 * The cubic core: p = R T/(v - b) - a(T, x)/((v + d1 b)(v + d2 b)) with any mixing rule.
 *
 * It guarantees analytic derivatives in T, p and mole numbers from the residual Helmholtz energy
 *   F = A_res/(R T) = -n ln(1 - B/V) - D/(R T) f(V, B),   f = ln((V + d1 B)/(V + d2 B)) / (B (d1 - d2)),
 * after M. L. Michelsen and J. M. Mollerup, Thermodynamic Models: Fundamentals and Computational Aspects, 2nd ed. (2007),
 * chapter 3. Alpha functions, mixing rule and constants are parameters (srk.ts, peng-robinson.ts).
 */
import type { Component } from '../../components/component.ts';
import type {
  Branch,
  EquationOfState,
  LnPhiDerivatives,
  MissingPair,
  ModelId,
  Residual,
  Validity,
} from '../../model.ts';
import { cubicRoots } from './cubic-root.ts';
import type { MixingRule } from './mixing-rule.ts';

export interface CubicParameters {
  readonly id: ModelId;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  readonly delta1: number;
  readonly delta2: number;
  readonly mixing: MixingRule;
  /** Volume shift c_i [m3/mol] of the reported density. */
  readonly shift: Float64Array;
  readonly missingPairs: readonly MissingPair[];
}

export class CubicEquationOfState implements EquationOfState {
  readonly id: ModelId;
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  readonly missingPairs: readonly MissingPair[];
  private readonly d1: number;
  private readonly d2: number;
  private readonly mixing: MixingRule;
  private readonly shift: Float64Array;
  private readonly roots = new Float64Array(3);
  private readonly pi: Float64Array;

  constructor(parameters: CubicParameters) {
    this.id = parameters.id;
    this.n = parameters.components.length;
    this.components = parameters.components;
    this.validity = parameters.validity;
    this.gasConstant = parameters.gasConstant;
    this.missingPairs = parameters.missingPairs;
    this.d1 = parameters.delta1;
    this.d2 = parameters.delta2;
    this.mixing = parameters.mixing;
    this.shift = parameters.shift;
    this.pi = new Float64Array(this.n);
  }

  density(T: number, p: number, x: Float64Array, branch: Branch): number {
    this.mixing.evaluate(T, x, 0);
    return p / (this.compressibility(T, p, branch) * this.gasConstant * T);
  }

  /** Z of the branch for the mixing state in force; NaN when there is no root above the covolume. */
  private compressibility(T: number, p: number, branch: Branch): number {
    if (!(p > 0) || !(T > 0)) return Number.NaN;
    const { d1, d2, roots } = this;
    const { D, B: b } = this.mixing.state;
    const rt = this.gasConstant * T;
    const A = (D * p) / (rt * rt);
    const B = (b * p) / rt;
    const sum = d1 + d2;
    const product = d1 * d2;
    const count = cubicRoots(
      (sum - 1) * B - 1,
      A + product * B * B - sum * B * (B + 1),
      -(A * B + product * B * B * (B + 1)),
      roots,
    );
    const high = roots[count - 1]!;
    if (!(high > B)) return Number.NaN;
    if (count === 1) return high;
    const low = roots[0]! > B ? roots[0]! : roots[1]! > B ? roots[1]! : high;
    if (branch === 'vapour') return high;
    if (branch === 'liquid' || low === high) return low;
    // Residual Gibbs energy over RT: Z - 1 - ln(Z - B) - A L / B.
    const q = A / (B * (d1 - d2));
    const gHigh = high - Math.log(high - B) - q * Math.log((high + d1 * B) / (high + d2 * B));
    const gLow = low - Math.log(low - B) - q * Math.log((low + d1 * B) / (low + d2 * B));
    return gLow < gHigh ? low : high;
  }

  lnPhi(T: number, p: number, x: Float64Array, branch: Branch, lnPhi: Float64Array): number {
    const { n, d1, d2, mixing } = this;
    mixing.evaluate(T, x, 0);
    const Z = this.compressibility(T, p, branch);
    const { D, Di, B: b, Bi } = mixing.state;
    const rt = this.gasConstant * T;
    const B = (b * p) / rt;
    const L = Math.log((Z + d1 * B) / (Z + d2 * B)) / (d1 - d2);
    const common = -Math.log(Z - B);
    const onDi = -L / (b * rt);
    const onBi = (Z - 1 - D * onDi) / b;
    for (let i = 0; i < n; i++) lnPhi[i] = common + Bi[i]! * onBi + Di[i]! * onDi;
    return p / (Z * rt);
  }

  lnPhiDerivatives(
    T: number,
    p: number,
    x: Float64Array,
    branch: Branch,
    out: LnPhiDerivatives,
    withComposition = true,
  ): number {
    const { n, d1, d2, mixing, pi } = this;
    mixing.evaluate(T, x, 2);
    const Z = this.compressibility(T, p, branch);
    const { D, D_T, Di, DiT, Dij, B, Bi, Bij } = mixing.state;
    const rt = this.gasConstant * T;
    const V = (Z * rt) / p;

    const free = V - B;
    const q1 = V + d1 * B;
    const q2 = V + d2 * B;
    const q = q1 * q2;
    const f = Math.log(q1 / q2) / (B * (d1 - d2));
    const fV = -1 / q;
    const fVV = (q1 + q2) / (q * q);
    const fB = -(f + V * fV) / B;
    const fBV = -(2 * fV + V * fVV) / B;
    const fBB = -(2 * fB + V * fBV) / B;
    const gV = B / (V * free);
    const gVV = 1 / (V * V) - 1 / (free * free);
    const gB = -1 / free;
    const gBB = gB / free;
    const gBV = 1 / (free * free);

    const lnZ = Math.log(Z);
    const g = Math.log(free / V);
    const pV = -rt * (-gVV - (D * fVV) / rt + 1 / (V * V));
    const pT = p / T + D_T * fV - (D * fV) / T;
    const perRt = 1 / rt;
    const perT = 1 / T;
    const perP = 1 / p;
    const onVolume = -1 / pV;
    for (let i = 0; i < n; i++) {
      const bi = Bi[i]!;
      const attraction = Di[i]! * f + D * fB * bi;
      // dp/dn_i at T, V
      const pn = rt * (1 / V + gV + gBV * bi) + Di[i]! * fV + D * fBV * bi;
      pi[i] = pn;
      const vi = pn * onVolume;
      out.lnPhi[i] = -g - gB * bi - attraction * perRt - lnZ;
      out.dp[i] = vi * perRt - perP;
      out.dT[i] = (attraction * perT - (DiT[i]! * f + D_T * fB * bi) - vi * pT) * perRt + perT;
    }
    if (!withComposition) return 1 / V;
    // dn_ij = 1 + F_ij + pi_i pi_j/(rt pV), with F_ij sorted by what belongs to j.
    const onBij = -gB - (D * fB) / rt;
    const onBB = -gBB - (D * fBB) / rt;
    const onDij = -f / rt;
    const onBD = -fB / rt;
    const volume = 1 / (rt * pV);
    const { dn } = out;
    for (let i = 0, row = 0; i < n; i++, row += n) {
      const bi = Bi[i]!;
      const constant = 1 - gB * bi;
      const onBj = onBB * bi + onBD * Di[i]! - gB;
      const onDj = onBD * bi;
      const onPj = volume * pi[i]!;
      for (let j = 0; j <= i; j++) {
        let value = constant + onBj * Bi[j]! + onDj * Di[j]! + onPj * pi[j]! + onDij * Dij[row + j]!;
        if (Bij !== undefined) value += onBij * Bij[row + j]!;
        dn[row + j] = value;
        dn[j * n + i] = value;
      }
    }
    return 1 / V;
  }

  residual(T: number, rho: number, x: Float64Array, out: Residual): void {
    const { d1, d2, mixing, gasConstant: r } = this;
    mixing.evaluate(T, x, 1);
    const { D, D_T, D_TT, B } = mixing.state;
    const V = 1 / rho;
    const q1 = V + d1 * B;
    const q2 = V + d2 * B;
    const q = q1 * q2;
    const f = Math.log(q1 / q2) / (B * (d1 - d2));
    const free = V - B;
    out.p = (r * T) / free - D / q;
    out.dpdT = r / free - D_T / q;
    // dp/drho = -V^2 dp/dV
    out.dpdrho = V * V * ((r * T) / (free * free) - (D * (q1 + q2)) / (q * q));
    out.a = -r * T * Math.log(free / V) - D * f;
    out.s = r * Math.log(free / V) + D_T * f;
    out.u = (T * D_T - D) * f;
    out.cv = T * D_TT * f;
  }

  volumeShift(_T: number, x: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.n; i++) sum += x[i]! * this.shift[i]!;
    return sum;
  }
}
