/**
 * GERG-2008: the ISO 20765-2 reference equation for natural gases, 21 components.
 *
 * a(delta, tau, x) = sum x_i alphar_oi(delta, tau) + sum_{i<j} x_i x_j F_ij alphar_ij(delta, tau), delta = rho/rho_r(x),
 * tau = T_r(x)/T. It guarantees analytic first and second derivatives in T, rho and mole numbers. It leaves the choice of
 * density root and phase to the adaptor and the flash.
 *
 * Validity: normal 90 to 450 K, p <= 35 MPa; extended 60 to 700 K, p <= 70 MPa. Uncertainty in gas density 0.1 % in the
 * normal range for natural gases, 0.2-0.3 % or more for mixtures outside the fitted binaries.
 * Source: O. Kunz, W. Wagner, J. Chem. Eng. Data 57, 3032 (2012).
 */

import type { Component } from '../../components/component.ts';
import { getComponent } from '../../components/component-lookup.ts';
import { EngineError } from '../../errors.ts';
import type { EquationOfState, HelmholtzState, Validity } from '../../model.ts';
import { type BranchedModel, fromBranchedModel } from '../density-branches.ts';
import { type CaloricState, fillCaloric } from '../helmholtz/caloric.ts';
import { A, D, DD, DT, T as TAU, TermBank, TT, WIDTH } from '../helmholtz/term-bank.ts';
import { type IdealSum, NistIdealGas } from '../nist-ideal-gas.ts';
import { departureTerms, GERG, GERG_COMPONENT_NAMES, pureTerms } from './gerg2008-data.ts';
import { GergReducing } from './reducing.ts';

export const GERG2008_VALIDITY: Validity = {
  minT: 60,
  maxT: 700,
  minP: 0,
  maxP: 70e6,
  status: 'validated',
  notes: [
    'Normal range 90 to 450 K and up to 35 MPa; the range stated is the extended one.',
    'Checked against the NIST AGA8 verification point and further computed points.',
    'Pairs without a departure function rest on the reducing functions alone.',
  ],
  reference: 'O. Kunz, W. Wagner, J. Chem. Eng. Data 57, 3032-3091 (2012); ISO 20765-2:2015',
};

/**
 * Position of a component in GERG-2008.
 * @throws EngineError 'invalid-input' naming the component when it is not one of the 21.
 */
export function gergIndex(component: Component): number {
  const at = GERG_COMPONENT_NAMES.indexOf(component.name);
  if (at >= 0) return at;
  throw new EngineError({
    kind: 'invalid-input',
    field: 'components',
    reason: `GERG-2008 has no component '${component.publicName}'; it has ${GERG_COMPONENT_NAMES.join(', ')}`,
  });
}

/** True when all components belong to the 21 of GERG-2008. */
export function isGergMixture(components: readonly Component[]): boolean {
  return components.every((c) => GERG_COMPONENT_NAMES.includes(c.name));
}

export class Gerg2008 implements BranchedModel {
  readonly id = 'GERG2008' as const;
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity = GERG2008_VALIDITY;
  readonly gasConstant = GERG.R_J_molK;
  /** Molar masses of the publication [kg/mol]; they differ from the component table in the last digits. */
  readonly molarMasses: Float64Array;
  private readonly bank: TermBank;
  private readonly reducing: GergReducing;
  readonly idealGas: NistIdealGas;
  private readonly idealSum: IdealSum = { a: 0, t: 0, tt: 0 };
  /** Pairs with a departure function, and the bank segment of that function; pairs share the generalised one. */
  private readonly pairI: Int32Array;
  private readonly pairJ: Int32Array;
  private readonly pairF: Float64Array;
  private readonly pairSegment: Int32Array;
  private readonly weights: Float64Array;
  private readonly weighed: Float64Array;
  /** Value, delta and tau derivative of every segment. */
  private readonly parts: Float64Array;
  private readonly sum = new Float64Array(WIDTH);
  /** Explicit composition derivatives X_i at fixed delta, tau and their delta and tau derivatives. */
  private readonly X: Float64Array;
  private readonly XD: Float64Array;
  private readonly XT: Float64Array;
  private readonly DN: Float64Array;
  private readonly TN: Float64Array;

  /** @throws EngineError 'invalid-input' naming a component outside the 21 */
  constructor(components: readonly Component[]) {
    const n = components.length;
    const indices = components.map(gergIndex);
    const pure = indices.map((k) => GERG.components[k]!);
    this.n = n;
    this.components = components;
    this.molarMasses = Float64Array.from(pure, (c) => c.molarMass_g_mol * 1e-3);
    this.reducing = new GergReducing(indices);
    this.idealGas = new NistIdealGas(
      pure.map((c) => c.idealGas),
      GERG.R_J_molK,
      GERG.R_star_J_molK / GERG.R_J_molK,
    );
    const pairs: { i: number; j: number; F: number; departure: number }[] = [];
    for (const b of GERG.binary) {
      if (b.F === 0) continue;
      const i = pure.findIndex((c) => c.name === b.i);
      const j = pure.findIndex((c) => c.name === b.j);
      if (i >= 0 && j >= 0) pairs.push({ i, j, F: b.F, departure: b.departure });
    }
    this.pairI = Int32Array.from(pairs, (p) => p.i);
    this.pairJ = Int32Array.from(pairs, (p) => p.j);
    this.pairF = Float64Array.from(pairs, (p) => p.F);
    const departures = [...new Set(pairs.map((p) => p.departure))];
    this.pairSegment = Int32Array.from(pairs, (p) => n + departures.indexOf(p.departure));
    this.bank = new TermBank([
      ...pure.map((c) => pureTerms(c.residual)),
      ...departures.map((k) => departureTerms(GERG.departureFunctions[k]!)),
    ]);
    this.parts = new Float64Array(3 * this.bank.segments);
    this.weights = new Float64Array(this.bank.segments);
    this.weighed = new Float64Array(n).fill(Number.NaN);
    this.X = new Float64Array(n);
    this.XD = new Float64Array(n);
    this.XT = new Float64Array(n);
    this.DN = new Float64Array(n);
    this.TN = new Float64Array(n);
  }

  evaluate(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void {
    const { reducing, sum } = this;
    reducing.update(x, order);
    const density = Math.max(rho, MIN_DENSITY);
    this.sums(reducing.T / T, density * reducing.v, x, order);
    const inv = 1 / density;
    out.a = sum[A]!;
    out.a_rho = sum[D]! * inv;
    out.a_rhorho = sum[DD]! * inv * inv;
    out.a_T = -sum[TAU]! / T;
    out.a_TT = (sum[TT]! + 2 * sum[TAU]!) / (T * T);
    out.a_Trho = (-sum[DT]! / T) * inv;
    if (order !== 0) this.moleNumbers(T, density, order, out);
  }

  reducingDensity(x: Float64Array): number {
    this.reducing.update(x, 0);
    return 1 / this.reducing.v;
  }

  /** The pure equations rise without a loop from their liquid branch to this reduced density at 60 to 700 K. */
  maxDensity(_T: number, x: Float64Array): number {
    return MAX_REDUCED_DENSITY * this.reducingDensity(x);
  }

  /**
   * All homogeneous properties at T [K], rho [mol/m3], x with the ideal part of the publication: enthalpy and entropy are
   * zero for the ideal gases at 298.15 K and 101.325 kPa.
   */
  properties(T: number, rho: number, x: Float64Array, out: CaloricState): void {
    const { reducing, idealSum } = this;
    reducing.update(x, 0);
    this.sums(reducing.T / T, rho * reducing.v, x, 0);
    this.idealGas.helmholtz(T, rho, x, idealSum);
    fillCaloric(this.gasConstant, this.molarMass(x), T, rho, this.sum, idealSum.a, idealSum.t, idealSum.tt, out);
  }

  /** Molar mass of the mixture [kg/mol] with the molar masses of the publication. */
  molarMass(x: Float64Array): number {
    let M = 0;
    for (let i = 0; i < this.n; i++) M += x[i]! * this.molarMasses[i]!;
    return M;
  }

  /** The mole-fraction sum into `sum`; for order > 0 the explicit composition derivatives into X (2: and XD, XT). */
  private sums(tau: number, delta: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { n, bank, sum, parts, pairI, pairJ, pairF, X, XD, XT } = this;
    this.weigh(x);
    bank.prepare(tau, delta);
    bank.total(sum);
    if (order === 0) return;
    const segments = bank.segments;
    for (let s = 0; s < segments; s++) {
      if (order === 2) bank.first(s, parts, 3 * s);
      else parts[3 * s] = bank.value(s);
    }
    // Pure part: n dP/dn_i = alphar_oi - P. The pair part below is of degree 2: n dQ/dn_i = Q_i - 2Q; P + Q = sum.
    for (let i = 0; i < n; i++) {
      X[i] = parts[3 * i]! - sum[A]!;
      XD[i] = parts[3 * i + 1]! - sum[D]!;
      XT[i] = parts[3 * i + 2]! - sum[TAU]!;
    }
    let q = 0;
    let qd = 0;
    let qt = 0;
    for (let k = 0; k < pairI.length; k++) {
      const i = pairI[k]!;
      const j = pairJ[k]!;
      const at = 3 * this.pairSegment[k]!;
      const a = pairF[k]! * parts[at]!;
      const d = pairF[k]! * parts[at + 1]!;
      const t = pairF[k]! * parts[at + 2]!;
      const xi = x[i]!;
      const xj = x[j]!;
      q += xi * xj * a;
      qd += xi * xj * d;
      qt += xi * xj * t;
      X[i]! += xj * a;
      X[j]! += xi * a;
      XD[i]! += xj * d;
      XD[j]! += xi * d;
      XT[i]! += xj * t;
      XT[j]! += xi * t;
    }
    for (let i = 0; i < n; i++) {
      X[i]! -= q;
      XD[i]! -= qd;
      XT[i]! -= qt;
    }
    this.pairSum = q;
  }

  /** Hands the weights of composition x to the bank: x_i for a pure equation, sum of x_i x_j F_ij for a departure function. */
  private weigh(x: Float64Array): void {
    const { n, weights, weighed } = this;
    let same = true;
    for (let i = 0; same && i < n; i++) same = x[i] === weighed[i];
    if (same) return;
    weighed.set(x);
    weights.fill(0);
    for (let i = 0; i < n; i++) weights[i] = x[i]!;
    for (let k = 0; k < this.pairI.length; k++)
      weights[this.pairSegment[k]!]! += x[this.pairI[k]!]! * x[this.pairJ[k]!]! * this.pairF[k]!;
    this.bank.combine(weights);
  }

  private pairSum = 0;

  /**
   * Mole-number derivatives of n a at T, V. With N_i = n da/dn_i and N_ij = n^2 d2a/dn_i dn_j:
   * mu_i = a + N_i, n dmu_i/dn_j = N_i + N_j + N_ij. delta = (n/V) v_r and tau = T_r/T carry the reducing functions:
   * n ddelta/dn_i = delta (1 + v_i/v), n^2 d2delta/dn_i dn_j = delta (v_i + v_j + v_ij)/v.
   */
  private moleNumbers(T: number, rho: number, order: 1 | 2, out: HelmholtzState): void {
    const { n, sum, X, XD, XT, DN, TN, reducing, parts } = this;
    const { mu, mu_T, mu_rho, mu_n } = out;
    const vi = 1 / reducing.v;
    const ti = 1 / reducing.T;
    const a = sum[A]!;
    const d = sum[D]!;
    const t = sum[TAU]!;
    for (let i = 0; i < n; i++) {
      DN[i] = 1 + reducing.vn[i]! * vi;
      TN[i] = reducing.Tn[i]! * ti;
      mu[i] = a + d * DN[i]! + t * TN[i]! + X[i]!;
    }
    if (order === 1) return;
    const dd = sum[DD]!;
    const tt = sum[TT]!;
    const dt = sum[DT]!;
    for (let i = 0; i < n; i++) {
      mu_T[i] = -(t + dt * DN[i]! + (tt + t) * TN[i]! + XT[i]!) / T;
      mu_rho[i] = (d + (dd + d) * DN[i]! + dt * TN[i]! + XD[i]!) / rho;
    }
    // Explicit second composition derivatives: pure part -P_i - P_j + 2P, pair part Q_ij - 2 Q_i - 2 Q_j + 6 Q; written
    // with X_i = P_i - P + Q_i - 2Q they are -X_i - X_j + [Q_ij - Q_i - Q_j + 2 Q], Q_i = X_i - (P_i - P) + 2Q.
    const q = this.pairSum;
    const p = a - q;
    for (let i = 0; i < n; i++) {
      const Ni = d * DN[i]! + t * TN[i]! + X[i]!;
      const Qi = X[i]! - parts[3 * i]! + p + 2 * q;
      for (let j = i; j < n; j++) {
        const Nj = d * DN[j]! + t * TN[j]! + X[j]!;
        const Qj = X[j]! - parts[3 * j]! + p + 2 * q;
        const at = i * n + j;
        const value =
          Ni +
          Nj +
          dd * DN[i]! * DN[j]! +
          dt * (DN[i]! * TN[j]! + DN[j]! * TN[i]!) +
          tt * TN[i]! * TN[j]! +
          d * (reducing.vn[i]! + reducing.vn[j]! + reducing.vnn[at]!) * vi +
          t * reducing.Tnn[at]! * ti +
          XD[i]! * DN[j]! +
          XT[i]! * TN[j]! +
          XD[j]! * DN[i]! +
          XT[j]! * TN[i]! -
          X[i]! -
          X[j]! -
          Qi -
          Qj +
          2 * q;
        mu_n[at] = value;
        mu_n[j * n + i] = value;
      }
    }
    for (let k = 0; k < this.pairI.length; k++) {
      const i = this.pairI[k]!;
      const j = this.pairJ[k]!;
      const qij = this.pairF[k]! * parts[3 * this.pairSegment[k]!]!;
      mu_n[i * n + j]! += qij;
      mu_n[j * n + i]! += qij;
    }
  }
}

/** Below this density [mol/m3] the residual part is linear in density to machine precision. */
const MIN_DENSITY = 1e-9;
const MAX_REDUCED_DENSITY = 4.5;

/** GERG-2008 as an EquationOfState over the given components. */
export function createGerg2008(components: readonly Component[]): EquationOfState {
  return fromBranchedModel(new Gerg2008(components));
}

/** Components of GERG-2008 by name or alias. @throws EngineError 'unknown-component', or 'invalid-input' outside the 21 */
export function gergComponents(names: readonly string[]): Component[] {
  return names.map((name) => {
    const component = getComponent(name);
    gergIndex(component);
    return component;
  });
}
