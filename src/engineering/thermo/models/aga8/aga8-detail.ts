/**
 * AGA8 DETAIL characterization: compressibility and derived properties of natural gas as a gas, 21 components.
 *
 * With D in kmol/m3 and delta = K^3 D: a = A_res/(nRT) = B D - delta sum(13..18) C_n + sum(13..58) C_n delta^b exp(-delta^k),
 * C_n = a_n G^g Q^2q F^f U^u T^-u, no exponential when k = 0. It guarantees analytic first and second derivatives in T, rho
 * and mole numbers. It describes gas only: one density root, the vapour one, is ever given.
 *
 * Validity: 143.15 to 676.15 K, p <= 280 MPa; for pipeline-quality gas 265 to 335 K up to 12 MPa within 0.1 % in density.
 * Source: AGA Report No. 8 Part 1 (2017); K. E. Starling, J. L. Savidge, AGA Catalog XQ9212 (1992); ISO 20765-1:2005.
 */

import type { Component } from '../../components/component.ts';
import { getComponent } from '../../components/component-lookup.ts';
import { EngineError } from '../../errors.ts';
import type { EquationOfState, HelmholtzState, Validity } from '../../model.ts';
import { type BranchedModel, fromBranchedModel } from '../density-branches.ts';
import { type CaloricState, fillCaloric } from '../helmholtz/caloric.ts';
import { A, D, DD, DT, T as TAU, TT, WIDTH } from '../helmholtz/term-bank.ts';
import { type IdealSum, NistIdealGas } from '../nist-ideal-gas.ts';
import { AGA8, AGA8_COMPONENT_NAMES } from './aga8-data.ts';
import { Aga8Mixing } from './aga8-mixing.ts';
import { SecondVirial } from './second-virial.ts';

export const AGA8_VALIDITY: Validity = {
  minT: 143.15,
  maxT: 676.15,
  minP: 0,
  maxP: 280e6,
  status: 'validated',
  notes: [
    'Gas phase only: no liquid root is given, so it cannot find a dew point.',
    'Checked against the NIST AGA8 verification point and further computed points.',
  ],
  reference: 'AGA Report No. 8 Part 1 (2017); ISO 20765-1:2005',
};

/** Composition variables of the terms 13 to 58: delta, ln U, G, Q^2, F. */
const VARIABLES = 5;
const DELTA = 0;
const LNU = 1;
const FIRST_FLAG = 2;
/** Index of the first term beyond the pure virial part, and of the first without the -delta C_n correction. */
const BODY = 12;
const CORRECTED = 18;

export class Aga8Detail implements BranchedModel {
  readonly id = 'AGA8' as const;
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity = AGA8_VALIDITY;
  readonly gasConstant = AGA8.R_J_molK;
  readonly gasOnly = true;
  /** Molar masses of the report [kg/mol]. */
  readonly molarMasses: Float64Array;
  private readonly mixing: Aga8Mixing;
  private readonly virial: SecondVirial;
  readonly idealGas: NistIdealGas;
  private readonly idealSum: IdealSum = { a: 0, t: 0, tt: 0 };
  private readonly sum = new Float64Array(WIDTH);
  /** Value, gradient and Hessian of the terms 13 to 58 in the five variables; delta scaled (delta d/d delta). */
  private body = 0;
  private readonly grad = new Float64Array(VARIABLES);
  private readonly hess = new Float64Array(VARIABLES * VARIABLES);
  /** n dw_a/dn_i, for delta divided by delta; N_i of the body. */
  private readonly w1: Float64Array;
  private readonly N: Float64Array;
  private readonly bRow: Float64Array;
  private readonly bRowT: Float64Array;
  private readonly ut: Float64Array;
  private lastRatio = Number.NaN;

  /** @throws EngineError 'invalid-input' naming a component outside the 21 */
  constructor(components: readonly Component[]) {
    const indices = components.map(aga8Index);
    const n = components.length;
    this.n = n;
    this.components = components;
    this.molarMasses = Float64Array.from(indices, (k) => AGA8.components[k]!.molarMass_g_mol * 1e-3);
    this.mixing = new Aga8Mixing(indices);
    this.virial = new SecondVirial(indices);
    this.idealGas = new NistIdealGas(
      indices.map((k) => AGA8.components[k]!.idealGas),
      AGA8.R_J_molK,
      1,
    );
    this.w1 = new Float64Array(VARIABLES * n);
    this.N = new Float64Array(n);
    this.bRow = new Float64Array(n);
    this.bRowT = new Float64Array(n);
    this.ut = new Float64Array(BODY_TERMS.length);
  }

  evaluate(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void {
    const density = Math.max(rho, MIN_DENSITY);
    this.mixing.update(x, order);
    this.virial.update(T);
    this.sums(T, density, x, order);
    const { sum } = this;
    out.a = sum[A]!;
    out.a_rho = sum[D]! / density;
    out.a_rhorho = sum[DD]! / (density * density);
    out.a_T = -sum[TAU]! / T;
    out.a_TT = (sum[TT]! + 2 * sum[TAU]!) / (T * T);
    out.a_Trho = -sum[DT]! / (T * density);
    if (order !== 0) this.moleNumbers(T, density, order, out);
  }

  reducingDensity(x: Float64Array): number {
    this.mixing.update(x, 0);
    // delta = K^3 D is close to 1 at the critical density of every component.
    return 1e3 / this.mixing.value[DELTA]!;
  }

  maxDensity(_T: number, x: Float64Array): number {
    return 4 * this.reducingDensity(x);
  }

  /**
   * All homogeneous properties at T [K], rho [mol/m3], x with the ideal part of the report: enthalpy and entropy are zero
   * for the ideal gases at 298.15 K and 101.325 kPa.
   */
  properties(T: number, rho: number, x: Float64Array, out: CaloricState): void {
    const { idealSum } = this;
    this.mixing.update(x, 0);
    this.virial.update(T);
    this.sums(T, rho, x, 0);
    this.idealGas.helmholtz(T, rho, x, idealSum);
    fillCaloric(this.gasConstant, this.molarMass(x), T, rho, this.sum, idealSum.a, idealSum.t, idealSum.tt, out);
  }

  /** Molar mass of the mixture [kg/mol] with the molar masses of the report. */
  molarMass(x: Float64Array): number {
    let M = 0;
    for (let i = 0; i < this.n; i++) M += x[i]! * this.molarMasses[i]!;
    return M;
  }

  /** Scaled derivatives of a into `sum`, tau = 1/T; for order > 0 also gradient and Hessian in the five variables. */
  private sums(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, virial, mixing, sum, grad, hess, ut, bRow, bRowT } = this;
    const Dk = rho * 1e-3;
    let b = 0;
    let b1 = 0;
    let b2 = 0;
    for (let i = 0; i < n; i++) {
      let row = 0;
      let rowT = 0;
      let rowTT = 0;
      for (let j = 0; j < n; j++) {
        row += virial.B[i * n + j]! * x[j]!;
        rowT += virial.B1[i * n + j]! * x[j]!;
        rowTT += virial.B2[i * n + j]! * x[j]!;
      }
      bRow[i] = row;
      bRowT[i] = rowT;
      b += x[i]! * row;
      b1 += x[i]! * rowT;
      b2 += x[i]! * rowTT;
    }
    // tau d/dtau = -T d/dT ; tau^2 d2/dtau2 = T^2 d2/dT2 + 2 T d/dT
    let a = b * Dk;
    let d = a;
    let dd = 0;
    let t = -b1 * Dk;
    let tt = (b2 + 2 * b1) * Dk;
    let dt = -b1 * Dk;
    const delta = mixing.value[DELTA]! * Dk;
    const ratio = mixing.value[LNU]! - Math.log(T);
    if (ratio !== this.lastRatio) {
      this.lastRatio = ratio;
      for (let k = 0; k < ut.length; k++) ut[k] = BODY_TERMS[k]!.a * Math.exp(BODY_TERMS[k]!.u * ratio);
    }
    if (order > 0) {
      grad.fill(0);
      hess.fill(0);
    }
    for (let k = 0; k < ut.length; k++) {
      const term = BODY_TERMS[k]!;
      const factor = term.flag < 0 ? 1 : mixing.value[term.flag]!;
      if (factor === 0 && order === 0) continue;
      // h(delta) = delta^b exp(-delta^k) (- delta), and delta h', delta^2 h''
      const e = term.k === 0 ? 0 : delta ** term.k;
      const body = delta ** term.b * (term.k === 0 ? 1 : Math.exp(-e));
      const q = term.b - term.k * e;
      const linear = term.corrected ? delta : 0;
      const base = ut[k]!;
      const h = base * (body - linear);
      const h1 = base * (body * q - linear);
      const h2 = base * body * (q * q - q - term.k * term.k * e);
      const u = term.u;
      a += factor * h;
      d += factor * h1;
      dd += factor * h2;
      t += factor * u * h;
      tt += factor * u * (u - 1) * h;
      dt += factor * u * h1;
      if (order === 0) continue;
      grad[DELTA]! += factor * h1;
      grad[LNU]! += factor * u * h;
      hess[DELTA * VARIABLES + DELTA]! += factor * h2;
      hess[DELTA * VARIABLES + LNU]! += factor * u * h1;
      hess[LNU * VARIABLES + DELTA]! += factor * u * h1;
      hess[LNU * VARIABLES + LNU]! += factor * u * u * h;
      if (term.flag >= 0) {
        grad[term.flag]! += h;
        hess[DELTA * VARIABLES + term.flag]! += h1;
        hess[term.flag * VARIABLES + DELTA]! += h1;
        hess[LNU * VARIABLES + term.flag]! += u * h;
        hess[term.flag * VARIABLES + LNU]! += u * h;
      }
    }
    this.body = a - b * Dk;
    sum[A] = a;
    sum[D] = d;
    sum[DD] = dd;
    sum[TAU] = t;
    sum[TT] = tt;
    sum[DT] = dt;
  }

  /**
   * With the body beta(delta, ln U, G, Q^2, F): mu_i = beta + N_i + 2 D sum_j x_j B_ij, N_i = sum_a beta_a n dw_a/dn_i, and
   * n dmu_i/dn_j = N_i + N_j + N_ij + 2 D B_ij. T enters the body as (U/T)^u only, so T d/dT = -d/d ln U there.
   */
  private moleNumbers(T: number, rho: number, order: 1 | 2, out: HelmholtzState): void {
    const { n, mixing, grad, hess, w1, virial, bRow, bRowT } = this;
    const { first, second } = mixing;
    const { mu, mu_T, mu_rho, mu_n } = out;
    const Dk = rho * 1e-3;
    const inv = 1 / mixing.value[DELTA]!;
    for (let i = 0; i < n; i++) {
      w1[i] = 1 + first[i]! * inv;
      let Ni = 0;
      for (let a = 1; a < VARIABLES; a++) {
        w1[a * n + i] = first[a * n + i]!;
        Ni += grad[a]! * first[a * n + i]!;
      }
      Ni += grad[DELTA]! * w1[i]!;
      this.N[i] = Ni;
      mu[i] = this.body + Ni + 2 * Dk * bRow[i]!;
    }
    if (order === 1) return;
    for (let i = 0; i < n; i++) {
      let t = -grad[LNU]!;
      let d = grad[DELTA]! * (1 + w1[i]!);
      for (let a = 0; a < VARIABLES; a++) {
        t -= hess[LNU * VARIABLES + a]! * w1[a * n + i]!;
        d += hess[a]! * w1[a * n + i]!;
      }
      mu_T[i] = (t + 2 * Dk * bRowT[i]!) / T;
      mu_rho[i] = (d + 2 * Dk * bRow[i]!) / rho;
      for (let j = i; j < n; j++) {
        const at = i * n + j;
        let value = this.N[i]! + this.N[j]! + 2 * Dk * virial.B[at]!;
        value += grad[DELTA]! * (first[i]! + first[j]! + second[at]!) * inv;
        for (let a = 1; a < VARIABLES; a++) value += grad[a]! * second[a * n * n + at]!;
        for (let a = 0; a < VARIABLES; a++) {
          let row = 0;
          for (let b = 0; b < VARIABLES; b++) row += hess[a * VARIABLES + b]! * w1[b * n + j]!;
          value += row * w1[a * n + i]!;
        }
        mu_n[at] = value;
        mu_n[j * n + i] = value;
      }
    }
  }
}

interface BodyTerm {
  readonly a: number;
  readonly b: number;
  readonly k: number;
  readonly u: number;
  /** Index of the composition variable the term is proportional to; -1 for none. */
  readonly flag: number;
  /** True for terms 13 to 18, which carry -delta C_n. */
  readonly corrected: boolean;
}

const BODY_TERMS: readonly BodyTerm[] = AGA8.terms.slice(BODY).map((term, k) => ({
  a: term.a,
  b: term.b,
  k: term.k,
  u: term.u,
  flag: term.g === 1 ? FIRST_FLAG : term.q === 1 ? FIRST_FLAG + 1 : term.f === 1 ? FIRST_FLAG + 2 : -1,
  corrected: k + BODY < CORRECTED,
}));

/** Below this density [mol/m3] the residual part is linear in density to machine precision. */
const MIN_DENSITY = 1e-9;

/**
 * Position of a component in AGA8 DETAIL.
 * @throws EngineError 'invalid-input' naming the component when it is not one of the 21
 */
export function aga8Index(component: Component): number {
  const at = AGA8_COMPONENT_NAMES.indexOf(component.name);
  if (at >= 0) return at;
  throw new EngineError({
    kind: 'invalid-input',
    field: 'components',
    reason: `AGA8 DETAIL has no component '${component.publicName}'; it has ${AGA8_COMPONENT_NAMES.join(', ')}`,
  });
}

/** AGA8 DETAIL as an EquationOfState over the given components. Every branch gives the gas root. */
export function createAga8(components: readonly Component[]): EquationOfState {
  return fromBranchedModel(new Aga8Detail(components));
}

/** Components of AGA8 by name or alias. @throws EngineError 'unknown-component', or 'invalid-input' outside the 21 */
export function aga8Components(names: readonly string[]): Component[] {
  return names.map((name) => {
    const component = getComponent(name);
    aga8Index(component);
    return component;
  });
}
