/**
 * Association strength of PC-SAFT, Delta_kl = N_A sigma_ij^3 kappa_ij g_ij (exp(eps_ij/T) - 1), as a function of T, zeta_2 and zeta_3.
 * Cross values: eps_ij = (eps_i + eps_j)/2, kappa_ij = sqrt(kappa_i kappa_j) (2 sqrt(sigma_i sigma_j)/(sigma_i + sigma_j))^3
 * (J. P. Wolbach, S. I. Sandler, Ind. Eng. Chem. Res. 37 (1998) 2917; Gross and Sadowski 2002).
 */
import { canBond, type SiteType } from '../association/association-sites.ts';
import { AssociationTerm, refuseStrongBond, STRONGEST_BOND } from '../association/association-term.ts';
import { contactValue, createContactValue } from './contact-value.ts';
import type { MixtureSums } from './mixture-sums.ts';
import type { PcSaftPure } from './pcsaft-pure.ts';
import { AVOGADRO } from './structural-variables.ts';

/** Positions of zeta_2 and zeta_3 among the structural variables of the association term. */
export const ZETA2 = 0;
export const ZETA3 = 1;

export class PcSaftAssociation {
  readonly term: AssociationTerm;
  private readonly sums: MixtureSums;
  private readonly volume: Float64Array;
  private readonly energy: Float64Array;
  private readonly g = createContactValue();

  constructor(pure: readonly PcSaftPure[], sites: readonly SiteType[], sums: MixtureSums) {
    const size = sites.length;
    this.term = new AssociationTerm(sites, 2);
    this.sums = sums;
    this.volume = new Float64Array(size * size);
    this.energy = new Float64Array(size * size);
    for (let k = 0; k < size; k++)
      for (let l = 0; l < size; l++) {
        if (!canBond(sites[k]!, sites[l]!)) continue;
        const a = pure[sites[k]!.component]!;
        const b = pure[sites[l]!.component]!;
        // sigma_ij^3 cancels against the ratio in kappa_ij.
        this.volume[k * size + l] = AVOGADRO * Math.sqrt(a.kappa * b.kappa) * (a.sigma * b.sigma) ** 1.5;
        this.energy[k * size + l] = 0.5 * (a.energy + b.energy);
      }
  }

  /** Fills the term's Delta at T and the reduced densities, then evaluates it at V, x. */
  evaluate(T: number, V: number, x: Float64Array, zeta2: number, zeta3: number, order: 0 | 1 | 2): void {
    const { term, g, volume, energy, sums } = this;
    const { sites, size } = term;
    const { d, d_T, d_TT } = sums;
    for (let k = 0; k < size; k++)
      for (let l = 0; l <= k; l++) {
        const at = k * size + l;
        if (volume[at] === 0) continue;
        const a = sites[k]!.component;
        const b = sites[l]!.component;
        const total = d[a]! + d[b]!;
        const q = (d[a]! * d[b]!) / total;
        contactValue(zeta2 * q, zeta3, g);
        const y = energy[at]! / T;
        if (y > STRONGEST_BOND) refuseStrongBond(y, T);
        const exp = Math.exp(y);
        const e = volume[at]! * Math.expm1(y);
        const other = l * size + k;
        set(term.delta, at, other, e * g.g);
        set(term.delta_s[ZETA2]!, at, other, e * q * g.u);
        set(term.delta_s[ZETA3]!, at, other, e * g.z);
        set(term.delta_ss[ZETA2 * 2 + ZETA2]!, at, other, e * q * q * g.uu);
        set(term.delta_ss[ZETA2 * 2 + ZETA3]!, at, other, e * q * g.uz);
        set(term.delta_ss[ZETA3 * 2 + ZETA3]!, at, other, e * g.zz);
        if (order < 2) continue;
        const e1 = (-volume[at]! * exp * y) / T;
        const e2 = (volume[at]! * exp * y * (y + 2)) / (T * T);
        // q = d_a d_b/(d_a + d_b), so 1/q = 1/d_a + 1/d_b.
        const ra = d_T[a]! / (d[a]! * d[a]!);
        const rb = d_T[b]! / (d[b]! * d[b]!);
        const q1 = q * q * (ra + rb);
        const q2 =
          (2 * q1 * q1) / q +
          q *
            q *
            (d_TT[a]! / (d[a]! * d[a]!) -
              (2 * d_T[a]! * ra) / d[a]! +
              d_TT[b]! / (d[b]! * d[b]!) -
              (2 * d_T[b]! * rb) / d[b]!);
        const u1 = zeta2 * q1;
        const u2 = zeta2 * q2;
        set(term.delta_T, at, other, e1 * g.g + e * u1 * g.u);
        set(term.delta_TT, at, other, e2 * g.g + 2 * e1 * u1 * g.u + e * (u1 * u1 * g.uu + u2 * g.u));
        set(term.delta_sT[ZETA2]!, at, other, e1 * q * g.u + e * (q1 * g.u + q * u1 * g.uu));
        set(term.delta_sT[ZETA3]!, at, other, e1 * g.z + e * u1 * g.uz);
      }
    term.evaluate(V, x, order);
  }
}

function set(matrix: Float64Array, at: number, other: number, value: number): void {
  matrix[at] = value;
  matrix[other] = value;
}
