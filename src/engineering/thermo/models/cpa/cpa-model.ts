/**
 * The Helmholtz energy of SRK-CPA: the SRK cubic plus Wertheim association with the simplified contact value,
 *   A_res/(R T) = -n ln(1 - B/V) - D/(R T) ln(1 + B/V)/B + Q,   Delta_kl = g D_kl(T),   g = 1/(1 - 1.9 eta),   eta = B/(4 V),
 *   D_kl = b_ij beta_ij (exp(epsilon_ij/(R T)) - 1)   (CR-1),   D_kl = sqrt(D_ii D_jj)   (ECR).
 * G. M. Kontogeorgis et al., Ind. Eng. Chem. Res. 35 (1996) 4310, doi:10.1021/ie9600203; simplified contact value: Kontogeorgis
 * et al., Fluid Phase Equilib. 158-160 (1999) 201, doi:10.1016/S0378-3812(99)00060-6. Analytic first and second derivatives.
 */
import type { Component } from '../../components/component.ts';
import type { HelmholtzModel, HelmholtzState, MissingPair, Validity } from '../../model.ts';
import { canBond } from '../association/association-sites.ts';
import { type AssociationTerm, refuseStrongBond, STRONGEST_BOND } from '../association/association-term.ts';
import type { MixingRule } from '../cubic/mixing-rule.ts';
import type { CpaCross, CpaPure } from './cpa-parameters.ts';

/** 1.9/4 in g = 1/(1 - 0.475 B/V). */
const CONTACT = 0.475;
/** Share of the covolume limit that the density solver may try. */
const PACKING = 1 - 1e-9;

export interface CpaModelParameters {
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  readonly mixing: MixingRule;
  readonly pure: readonly CpaPure[];
  /** Row-major over components; undefined on the diagonal. */
  readonly cross: readonly (CpaCross | undefined)[];
  readonly association: AssociationTerm | undefined;
  readonly missingPairs: readonly MissingPair[];
  readonly shift: (T: number, x: Float64Array) => number;
}

export class CpaModel implements HelmholtzModel {
  readonly id = 'CPA';
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  readonly missingPairs: readonly MissingPair[];
  private readonly p: CpaModelParameters;
  /** D_kl(T) and derivatives over site types. */
  private readonly strength: Float64Array;
  private readonly strength_T: Float64Array;
  private readonly strength_TT: Float64Array;
  private strengthAt = Number.NaN;
  private readonly lastX: Float64Array;
  private lastT = Number.NaN;
  private lastOrder = -1;

  constructor(parameters: CpaModelParameters) {
    const { components, association } = parameters;
    this.p = parameters;
    this.n = components.length;
    this.components = components;
    this.validity = parameters.validity;
    this.gasConstant = parameters.gasConstant;
    this.missingPairs = parameters.missingPairs;
    this.lastX = new Float64Array(this.n);
    const size = association?.size ?? 0;
    this.strength = new Float64Array(size * size);
    this.strength_T = new Float64Array(size * size);
    this.strength_TT = new Float64Array(size * size);
    if (association !== undefined) {
      // Delta is linear in g: d Delta/dg is the strength itself.
      association.delta_s[0]!.fill(0);
      association.delta_ss[0]!.fill(0);
    }
  }

  maxDensity(T: number, x: Float64Array): number {
    this.mix(T, x, 0);
    return PACKING / this.p.mixing.state.B;
  }

  volumeShift(T: number, x: Float64Array): number {
    return this.p.shift(T, x);
  }

  evaluate(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void {
    this.mix(T, x, order === 2 ? 2 : 0);
    this.evaluateCubic(T, 1 / rho, order, out);
    if (this.p.association !== undefined) this.addAssociation(T, 1 / rho, x, order, out, this.p.association);
  }

  /** Mixing state at T, x; kept while neither changes, as in the iterations of the density solver. */
  private mix(T: number, x: Float64Array, order: 0 | 2): void {
    const { n, lastX } = this;
    let same = T === this.lastT && this.lastOrder >= order;
    for (let i = 0; same && i < n; i++) same = x[i] === lastX[i];
    if (same) return;
    this.p.mixing.evaluate(T, x, order);
    this.lastT = T;
    this.lastOrder = order;
    lastX.set(x);
  }

  private evaluateCubic(T: number, V: number, order: 0 | 1 | 2, out: HelmholtzState): void {
    const { n } = this;
    const { D, D_T, D_TT, Di, DiT, Dij, B, Bi } = this.p.mixing.state;
    const rt = this.gasConstant * T;
    const free = V - B;
    const q = V * (V + B);
    const q_V = 2 * V + B;
    const f = Math.log1p(B / V) / B;
    const fV = -1 / q;
    const fVV = q_V / (q * q);
    const g = Math.log(free / V);
    const gV = B / (V * free);
    const gVV = 1 / (V * V) - 1 / (free * free);
    const FV = -gV - (D * fV) / rt;
    const FVV = -gVV - (D * fVV) / rt;
    out.a = -g - (D * f) / rt;
    out.a_rho = -FV * V * V;
    out.a_rhorho = V * V * V * (V * FVV + 2 * FV);
    if (order === 0) return;
    const fB = -(f + V * fV) / B;
    const gB = -1 / free;
    for (let i = 0; i < n; i++) out.mu[i] = -g - gB * Bi[i]! - (Di[i]! * f + D * fB * Bi[i]!) / rt;
    if (order === 1) return;
    const fBV = -(2 * fV + V * fVV) / B;
    const fBB = -(2 * fB + V * fBV) / B;
    const gBB = gB / free;
    const gBV = 1 / (free * free);
    out.a_T = (D / T - D_T) * (f / rt);
    out.a_TT = (f / rt) * (-D_TT + (2 * D_T) / T - (2 * D) / (T * T));
    out.a_Trho = -V * V * (D / T - D_T) * (fV / rt);
    for (let i = 0; i < n; i++) {
      const b = Bi[i]!;
      const attraction = Di[i]! * f + D * fB * b;
      out.mu_T[i] = (attraction / T - DiT[i]! * f - D_T * fB * b) / rt;
      out.mu_rho[i] = V * V * (gV + gBV * b + (Di[i]! * fV + D * fBV * b) / rt);
      for (let j = 0; j <= i; j++) {
        const value =
          -gB * (b + Bi[j]!) -
          (gBB + (D * fBB) / rt) * b * Bi[j]! -
          (Dij[i * n + j]! * f + fB * (Di[i]! * Bi[j]! + Di[j]! * b)) / rt;
        out.mu_n[i * n + j] = value;
        out.mu_n[j * n + i] = value;
      }
    }
  }

  private addAssociation(
    T: number,
    V: number,
    x: Float64Array,
    order: 0 | 1 | 2,
    out: HelmholtzState,
    q: AssociationTerm,
  ): void {
    if (T !== this.strengthAt) this.updateStrength(T, q);
    const { strength, strength_T, strength_TT } = this;
    const { B, Bi } = this.p.mixing.state;
    const gap = V - CONTACT * B;
    const g = V / gap;
    const gV = (-CONTACT * B) / (gap * gap);
    const gVV = (2 * CONTACT * B) / (gap * gap * gap);
    for (let k = 0; k < strength.length; k++) {
      q.delta[k] = g * strength[k]!;
      if (order < 2) continue;
      q.delta_T[k] = g * strength_T[k]!;
      q.delta_TT[k] = g * strength_TT[k]!;
    }
    q.evaluate(V, x, order);
    const { gradient, hessian: h, directions: width, T: t } = q;
    const Qg = gradient[1]!;
    const Qgg = h[width + 1]!;
    const FV = gradient[0]! + Qg * gV;
    const FVV = h[0]! + 2 * h[1]! * gV + Qgg * gV * gV + Qg * gVV;
    out.a += q.value;
    out.a_rho -= FV * V * V;
    out.a_rhorho += V * V * V * (V * FVV + 2 * FV);
    if (order === 0) return;
    const gB = (CONTACT * V) / (gap * gap);
    for (let i = 0; i < this.n; i++) out.mu[i] = out.mu[i]! + Qg * gB * Bi[i]!;
    for (let c = 0; c < q.components.length; c++) {
      const i = q.components[c]!;
      out.mu[i] = out.mu[i]! + gradient[t + 1 + c]!;
    }
    if (order === 1) return;
    out.a_T += gradient[t]!;
    out.a_TT += h[t * width + t]!;
    out.a_Trho -= V * V * (h[t * width]! + h[t * width + 1]! * gV);
    this.addAssociationSeconds(V, gap, gV, gB, out, q);
  }

  private addAssociationSeconds(
    V: number,
    gap: number,
    gV: number,
    gB: number,
    out: HelmholtzState,
    q: AssociationTerm,
  ): void {
    const { n } = this;
    const { B, Bi } = this.p.mixing.state;
    const { gradient, hessian: h, directions: width, T: t, components } = q;
    const gBB = (2 * CONTACT * CONTACT * V) / (gap * gap * gap);
    const gBV = (-CONTACT * (V + CONTACT * B)) / (gap * gap * gap);
    const Qg = gradient[1]!;
    const Qgg = h[width + 1]!;
    const onB = (h[1]! + Qgg * gV) * gB + Qg * gBV;
    const onBB = Qgg * gB * gB + Qg * gBB;
    const onBT = h[t * width + 1]! * gB;
    for (let i = 0; i < n; i++) {
      out.mu_rho[i] = out.mu_rho[i]! - V * V * onB * Bi[i]!;
      out.mu_T[i] = out.mu_T[i]! + onBT * Bi[i]!;
      for (let j = 0; j < n; j++) out.mu_n[i * n + j] = out.mu_n[i * n + j]! + onBB * Bi[i]! * Bi[j]!;
    }
    for (let c = 0; c < components.length; c++) {
      const i = components[c]!;
      const row = (t + 1 + c) * width;
      const onG = h[row + 1]!;
      out.mu_rho[i] = out.mu_rho[i]! - V * V * (h[row]! + onG * gV);
      out.mu_T[i] = out.mu_T[i]! + h[row + t]!;
      for (let j = 0; j < n; j++) {
        const value = onG * gB * Bi[j]!;
        out.mu_n[i * n + j] = out.mu_n[i * n + j]! + value;
        out.mu_n[j * n + i] = out.mu_n[j * n + i]! + value;
      }
      for (let d = 0; d < components.length; d++) {
        const at = i * n + components[d]!;
        out.mu_n[at] = out.mu_n[at]! + h[row + t + 1 + d]!;
      }
    }
  }

  private updateStrength(T: number, q: AssociationTerm): void {
    const { pure, cross } = this.p;
    const { n, strength, strength_T, strength_TT } = this;
    this.strengthAt = Number.NaN;
    const { sites, size } = q;
    const own = pure.map((c) => bond(T, c.b, c.volume, c.energy, this.gasConstant));
    for (let k = 0; k < size; k++)
      for (let l = 0; l < size; l++) {
        const i = sites[k]!.component;
        const j = sites[l]!.component;
        const at = k * size + l;
        if (!canBond(sites[k]!, sites[l]!)) continue;
        const pair = cross[i * n + j];
        let s: Bond;
        if (i === j) s = own[i]!;
        else if (pair?.rule === 'CR-1')
          s = bond(T, 0.5 * (pure[i]!.b + pure[j]!.b), pair.volume, pair.energy, this.gasConstant);
        else s = geometricMean(own[i]!, own[j]!);
        strength[at] = s.value;
        strength_T[at] = s.dT;
        strength_TT[at] = s.dTT;
      }
    q.delta_s[0]!.set(strength);
    q.delta_sT[0]!.set(strength_T);
    this.strengthAt = T;
  }
}

interface Bond {
  readonly value: number;
  readonly dT: number;
  readonly dTT: number;
}

/** b beta (exp(e/(R T)) - 1) and its temperature derivatives. */
function bond(T: number, b: number, volume: number, energy: number, r: number): Bond {
  const y = energy / (r * T);
  if (y > STRONGEST_BOND) refuseStrongBond(y, T);
  const scale = b * volume;
  const exp = Math.exp(y);
  return {
    value: scale * Math.expm1(y),
    dT: (-scale * exp * y) / T,
    dTT: (scale * exp * y * (y + 2)) / (T * T),
  };
}

function geometricMean(p: Bond, q: Bond): Bond {
  const value = Math.sqrt(p.value * q.value);
  if (value === 0) return { value: 0, dT: 0, dTT: 0 };
  const lp = p.dT / p.value;
  const lq = q.dT / q.value;
  const first = 0.5 * (lp + lq);
  const second = 0.5 * (p.dTT / p.value - lp * lp + q.dTT / q.value - lq * lq);
  return { value, dT: value * first, dTT: value * (second + first * first) };
}
