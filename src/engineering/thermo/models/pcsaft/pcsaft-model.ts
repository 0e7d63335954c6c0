/**
 * The Helmholtz energy of PC-SAFT, A_res/(R T) = hard spheres - sum n (m - 1) ln g_ii + dispersion + association + dipoles, and its analytic
 * first and second derivatives in T, V and mole numbers (the dipole term: dipole.ts). J. Gross and G. Sadowski, Ind. Eng. Chem. Res. 40 (2001) 1244,
 * doi:10.1021/ie0003887 (chains), and 41 (2002) 5510, doi:10.1021/ie010954d (association).
 */
import type { Component } from '../../components/component.ts';
import { R } from '../../constants.ts';
import type { HelmholtzModel, HelmholtzState, MissingPair, Validity } from '../../model.ts';
import { siteTypes } from '../association/association-sites.ts';
import type { AssociationTerm } from '../association/association-term.ts';
import { contactValue, createContactValue, toLogarithm } from './contact-value.ts';
import { DIPOLE_N, DIPOLE_T, DIPOLE_V, DIPOLE_Z3, DipoleTerm } from './dipole.ts';
import { addDispersion } from './dispersion.ts';
import { addHardSphere } from './hard-sphere.ts';
import { MixtureSums } from './mixture-sums.ts';
import { PcSaftAssociation, ZETA2, ZETA3 } from './pcsaft-association.ts';
import type { PcSaftPure } from './pcsaft-pure.ts';
import {
  addFirst,
  addSecond,
  COUNT,
  clearExpansion,
  createExpansion,
  MBAR,
  P1,
  P2,
  V,
  Z2,
  Z3,
} from './structural-variables.ts';

/** Packing fraction of the densest sphere packing. */
const PACKING = 0.7405;

export class PcSaftModel implements HelmholtzModel {
  readonly id = 'PCSAFT';
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant = R;
  readonly missingPairs: readonly MissingPair[];
  private readonly sums: MixtureSums;
  private readonly association: PcSaftAssociation | undefined;
  private readonly dipoles: DipoleTerm | undefined;
  private readonly e = createExpansion();
  private readonly g = createContactValue();
  /** Sums of the chain and association terms: derivatives in y = zeta_2, z = zeta_3 and explicit T. */
  private readonly s = { y: 0, z: 0, yy: 0, yz: 0, zz: 0, T: 0, TT: 0, yT: 0, zT: 0 };
  /** Terms with an explicit mole number n_i: derivative in n_i and its derivatives in V, Z2, Z3, T. */
  private readonly l: Float64Array;
  private readonly l_V: Float64Array;
  private readonly l_2: Float64Array;
  private readonly l_3: Float64Array;
  private readonly l_T: Float64Array;
  /** Cross derivatives of explicit T with V, Z2, Z3; and Hessian rows contracted with w_i and w_T. */
  private readonly onT = new Float64Array(COUNT);
  private readonly row = new Float64Array(COUNT);

  constructor(
    components: readonly Component[],
    pure: readonly PcSaftPure[],
    kij: Float64Array,
    missingPairs: readonly MissingPair[],
    validity: Validity,
  ) {
    const n = components.length;
    this.n = n;
    this.components = components;
    this.validity = validity;
    this.missingPairs = missingPairs;
    this.sums = new MixtureSums(pure, kij);
    const sites = siteTypes(pure.map((c) => c.scheme));
    this.association = sites.length === 0 ? undefined : new PcSaftAssociation(pure, sites, this.sums);
    this.dipoles = pure.some((c) => c.dipole > 0) ? new DipoleTerm(pure) : undefined;
    this.l = new Float64Array(n);
    this.l_V = new Float64Array(n);
    this.l_2 = new Float64Array(n);
    this.l_3 = new Float64Array(n);
    this.l_T = new Float64Array(n);
  }

  maxDensity(T: number, x: Float64Array): number {
    this.sums.update(T, x);
    return PACKING / this.sums.w[Z3]!;
  }

  evaluate(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void {
    const { sums, e } = this;
    sums.update(T, x);
    const v = 1 / rho;
    sums.w[V] = v;
    clearExpansion(e);
    addHardSphere(sums.w, e);
    addDispersion(sums.w, e);
    this.addChains(v, x, order);
    this.addAssociation(T, v, x, order);
    this.addStructural(v);
    if (this.dipoles !== undefined) this.addDipoles(T, v, x, order, this.dipoles);
    const FV = e.gradient[V]!;
    const FVV = e.hessian[V * COUNT + V]!;
    out.a = e.value;
    out.a_rho = -FV * v * v;
    out.a_rhorho = v * v * v * (v * FVV + 2 * FV);
    if (order > 0) this.fillPotentials(out);
    if (order === 2) this.fillSeconds(v, out);
  }

  private addChains(v: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, sums, g, s, e, l, l_V, l_2, l_3, l_T } = this;
    const { m, d, d_T, d_TT, w } = sums;
    const zeta2 = w[Z2]! / v;
    const zeta3 = w[Z3]! / v;
    s.y = s.z = s.yy = s.yz = s.zz = s.T = s.TT = s.yT = s.zT = 0;
    for (let i = 0; i < n; i++) {
      const bonds = 1 - m[i]!;
      const weight = x[i]! * bonds;
      const q = 0.5 * d[i]!;
      contactValue(zeta2 * q, zeta3, g);
      toLogarithm(g);
      e.value += weight * g.g;
      s.y += weight * q * g.u;
      s.z += weight * g.z;
      s.yy += weight * q * q * g.uu;
      s.yz += weight * q * g.uz;
      s.zz += weight * g.zz;
      l[i] = bonds * g.g;
      if (order < 2) continue;
      const u1 = 0.5 * zeta2 * d_T[i]!;
      const u2 = 0.5 * zeta2 * d_TT[i]!;
      s.T += weight * u1 * g.u;
      s.TT += weight * (u1 * u1 * g.uu + u2 * g.u);
      s.yT += weight * (0.5 * d_T[i]! * g.u + q * u1 * g.uu);
      s.zT += weight * u1 * g.uz;
      l_2[i] = (bonds * q * g.u) / v;
      l_3[i] = (bonds * g.z) / v;
      l_V[i] = -(zeta2 * l_2[i]! + zeta3 * l_3[i]!);
      l_T[i] = bonds * u1 * g.u;
    }
  }

  private addAssociation(T: number, v: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { association, sums, s, e, l, l_V, l_2, l_3, l_T } = this;
    if (association === undefined) return;
    const zeta2 = sums.w[Z2]! / v;
    const zeta3 = sums.w[Z3]! / v;
    association.evaluate(T, v, x, zeta2, zeta3, order);
    const { value, gradient, hessian: h, directions: width, T: t, components } = association.term;
    const y = 1 + ZETA2;
    const z = 1 + ZETA3;
    e.value += value;
    addFirst(e, V, gradient[0]!);
    addSecond(e, V, V, h[0]! - (2 * (zeta2 * h[y]! + zeta3 * h[z]!)) / v);
    addSecond(e, V, Z2, h[y]! / v);
    addSecond(e, V, Z3, h[z]! / v);
    s.y += gradient[y]!;
    s.z += gradient[z]!;
    s.yy += h[y * width + y]!;
    s.yz += h[y * width + z]!;
    s.zz += h[z * width + z]!;
    if (order === 0) return;
    for (let c = 0; c < components.length; c++) {
      const i = components[c]!;
      const row = (t + 1 + c) * width;
      l[i] = l[i]! + gradient[t + 1 + c]!;
      if (order === 1) continue;
      const onY = h[row + y]! / v;
      const onZ = h[row + z]! / v;
      l_2[i] = l_2[i]! + onY;
      l_3[i] = l_3[i]! + onZ;
      l_V[i] = l_V[i]! + h[row]! - zeta2 * onY - zeta3 * onZ;
      l_T[i] = l_T[i]! + h[row + t]!;
    }
    if (order === 1) return;
    s.T += gradient[t]!;
    s.TT += h[t * width + t]!;
    s.yT += h[t * width + y]!;
    s.zT += h[t * width + z]!;
  }

  /** Carries derivatives in zeta_2 = Z2/V and zeta_3 = Z3/V over to V, Z2 and Z3. */
  private addStructural(v: number): void {
    const { s, e, onT, sums } = this;
    const y = sums.w[Z2]! / v;
    const z = sums.w[Z3]! / v;
    addFirst(e, V, -(y * s.y + z * s.z) / v);
    addFirst(e, Z2, s.y / v);
    addFirst(e, Z3, s.z / v);
    const v2 = v * v;
    addSecond(e, V, V, (2 * (y * s.y + z * s.z) + y * y * s.yy + 2 * y * z * s.yz + z * z * s.zz) / v2);
    addSecond(e, V, Z2, -(s.y + y * s.yy + z * s.yz) / v2);
    addSecond(e, V, Z3, -(s.z + y * s.yz + z * s.zz) / v2);
    addSecond(e, Z2, Z2, s.yy / v2);
    addSecond(e, Z2, Z3, s.yz / v2);
    addSecond(e, Z3, Z3, s.zz / v2);
    onT[V] = -(y * s.yT + z * s.zT) / v;
    onT[Z2] = s.yT / v;
    onT[Z3] = s.zT / v;
    const term = this.association?.term;
    if (term !== undefined) onT[V] = onT[V]! + term.hessian[term.T * term.directions]!;
  }

  private addDipoles(T: number, v: number, x: Float64Array, order: 0 | 1 | 2, term: DipoleTerm): void {
    const { sums, s, e, onT, l, l_V, l_3, l_T } = this;
    term.evaluate(T, v, x, sums.w[Z3]! / v);
    const { value, gradient, hessian: h, directions: width, components } = term;
    e.value += value;
    addFirst(e, V, gradient[DIPOLE_V]!);
    addFirst(e, Z3, gradient[DIPOLE_Z3]!);
    addSecond(e, V, V, h[DIPOLE_V * width + DIPOLE_V]!);
    addSecond(e, V, Z3, h[DIPOLE_V * width + DIPOLE_Z3]!);
    addSecond(e, Z3, Z3, h[DIPOLE_Z3 * width + DIPOLE_Z3]!);
    if (order === 0) return;
    for (let c = 0; c < components.length; c++) {
      const i = components[c]!;
      const row = (DIPOLE_N + c) * width;
      l[i] = l[i]! + gradient[DIPOLE_N + c]!;
      l_V[i] = l_V[i]! + h[row + DIPOLE_V]!;
      l_3[i] = l_3[i]! + h[row + DIPOLE_Z3]!;
      l_T[i] = l_T[i]! + h[row + DIPOLE_T]!;
    }
    s.T += gradient[DIPOLE_T]!;
    s.TT += h[DIPOLE_T * width + DIPOLE_T]!;
    onT[V] = onT[V]! + h[DIPOLE_V * width + DIPOLE_T]!;
    onT[Z3] = onT[Z3]! + h[DIPOLE_Z3 * width + DIPOLE_T]!;
  }

  private fillPotentials(out: HelmholtzState): void {
    const { n, e, sums, l } = this;
    for (let i = 0; i < n; i++) {
      let sum = l[i]!;
      for (let a = 0; a < COUNT; a++) sum += e.gradient[a]! * sums.w_i[a * n + i]!;
      out.mu[i] = sum;
    }
  }

  private fillSeconds(v: number, out: HelmholtzState): void {
    const { n, e, sums, s, onT, row, l_V, l_2, l_3, l_T } = this;
    const { w_T, w_TT, w_i, w_iT, m, p1, p2, w } = sums;
    const { gradient, hessian } = e;
    let first = s.T;
    let second = s.TT;
    let mixed = onT[V]!;
    for (let a = 0; a < COUNT; a++) {
      let sum = 0;
      for (let b = 0; b < COUNT; b++) sum += hessian[a * COUNT + b]! * w_T[b]!;
      row[a] = sum + onT[a]!;
      first += gradient[a]! * w_T[a]!;
      second += gradient[a]! * w_TT[a]! + (sum + 2 * onT[a]!) * w_T[a]!;
      mixed += hessian[V * COUNT + a]! * w_T[a]!;
    }
    out.a_T = first;
    out.a_TT = second;
    out.a_Trho = -mixed * v * v;
    for (let i = 0; i < n; i++) {
      let onV = l_V[i]!;
      let onTemperature = l_T[i]! + l_2[i]! * w_T[Z2]! + l_3[i]! * w_T[Z3]!;
      for (let a = 0; a < COUNT; a++) {
        const wi = w_i[a * n + i]!;
        onV += hessian[V * COUNT + a]! * wi;
        onTemperature += row[a]! * wi + gradient[a]! * w_iT[a * n + i]!;
      }
      out.mu_rho[i] = -onV * v * v;
      out.mu_T[i] = onTemperature;
    }
    for (let j = 0; j < n; j++) {
      for (let a = 0; a < COUNT; a++) {
        let sum = 0;
        for (let b = 0; b < COUNT; b++) sum += hessian[a * COUNT + b]! * w_i[b * n + j]!;
        row[a] = sum;
      }
      const z2 = w_i[Z2 * n + j]!;
      const z3 = w_i[Z3 * n + j]!;
      for (let i = 0; i <= j; i++) {
        let sum =
          gradient[MBAR]! * (2 * w[MBAR]! - m[i]! - m[j]!) +
          gradient[P1]! * p1[i * n + j]! +
          gradient[P2]! * p2[i * n + j]! +
          l_2[i]! * z2 +
          l_3[i]! * z3 +
          l_2[j]! * w_i[Z2 * n + i]! +
          l_3[j]! * w_i[Z3 * n + i]!;
        for (let a = 0; a < COUNT; a++) sum += row[a]! * w_i[a * n + i]!;
        out.mu_n[i * n + j] = sum;
        out.mu_n[j * n + i] = sum;
      }
    }
    this.addExplicitPairs(out);
  }

  private addExplicitPairs(out: HelmholtzState): void {
    const term = this.association?.term;
    if (term !== undefined) this.addPairs(out, term, term.T + 1);
    if (this.dipoles !== undefined) this.addPairs(out, this.dipoles, DIPOLE_N);
  }

  /** Adds the second derivatives of a term in the mole numbers of its components, whose directions begin at `first`. */
  private addPairs(out: HelmholtzState, term: AssociationTerm | DipoleTerm, first: number): void {
    const { components, directions: width, hessian } = term;
    for (let c = 0; c < components.length; c++)
      for (let d = 0; d < components.length; d++) {
        const at = components[c]! * this.n + components[d]!;
        out.mu_n[at] = out.mu_n[at]! + hessian[(first + c) * width + first + d]!;
      }
  }
}
