/**
 * What an equation of state gives to the rest of the engine. A model supplies residual properties and fugacity coefficients
 * with analytic derivatives; flashes, saturation points, envelopes and properties are written once against this interface.
 * Units are SI: K, Pa, mol/m3, J/mol. Compositions are mole fractions that sum to 1.
 */
import type { Component } from './components/component.ts';

export type ModelId = 'SRK' | 'PR' | 'CPA' | 'GERG2008' | 'PCSAFT' | 'UMRPRU' | 'AGA8' | 'IF97' | 'HELMHOLTZ';

/** 'stable' is the root of lowest molar Gibbs energy. */
export type Branch = 'vapour' | 'liquid' | 'stable';

/** Range of use and standing of a model. Ranges are where the model is meant to be used; it may compute outside them. */
export interface Validity {
  /** Temperature [K]. */
  readonly minT: number;
  readonly maxT: number;
  /** Pressure [Pa]. */
  readonly minP: number;
  readonly maxP: number;
  /** 'validated' only when cases in the test suite show agreement with published values. */
  readonly status: 'validated' | 'unvalidated';
  /** What the status rests on, and known weaknesses, in short sentences. */
  readonly notes: readonly string[];
  readonly reference: string;
}

/** A mixture model over n fixed components. Not re-entrant: it owns work spaces and a temperature cache. */
export interface EquationOfState {
  readonly id: ModelId;
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity: Validity;
  /** Gas constant [J/(mol K)] that the model was built with. */
  readonly gasConstant: number;
  /**
   * Molar density [mol/m3] at T, p, x. Where T, p, x has one mechanically stable root, that root is returned for every
   * branch; where it has several, `vapour` is the lowest and `liquid` the highest density. NaN when the model has no root.
   */
  density(T: number, p: number, x: Float64Array, branch: Branch): number;
  /** ln fugacity coefficients into `lnPhi`; returns the molar density as `density` does. No allocation. */
  lnPhi(T: number, p: number, x: Float64Array, branch: Branch, lnPhi: Float64Array): number;
  /**
   * As lnPhi, with the analytic derivatives named in LnPhiDerivatives. With `withComposition` false the caller has no use for `dn`, and a
   * model may leave it as it is.
   */
  lnPhiDerivatives(
    T: number,
    p: number,
    x: Float64Array,
    branch: Branch,
    out: LnPhiDerivatives,
    withComposition?: boolean,
  ): number;
  /** Residual molar properties against the ideal gas at the same T and molar density: fills `out`. */
  residual(T: number, rho: number, x: Float64Array, out: Residual): void;
  /**
   * Volume shift c [m3/mol] of the reported density: v = 1/rho - c. Phase equilibrium, Z and caloric properties do not see
   * it. Models without translation return 0.
   */
  volumeShift(T: number, x: Float64Array): number;
  /** Pairs whose interaction parameters the data tables do not hold, so that a default stands in. */
  readonly missingPairs: readonly MissingPair[];
  /** The saturation line of a one-component model that has its own; without it, it is solved from the fugacities of both roots. */
  readonly saturationLine?: SaturationLine;
  /** The ideal-gas part that belongs to the model; without it, the heat capacities of the component table are used. */
  readonly idealGas?: IdealGasPart;
}

/** Vapour-liquid saturation of a pure fluid: p [Pa] of T [K] and its inverse, critical point (rho in mol/m3). */
export interface SaturationLine {
  readonly critical: { readonly T: number; readonly p: number; readonly rho: number };
  pressure(T: number): number;
  temperature(p: number): number;
}

/** Molar enthalpy [J/mol], entropy and isobaric heat capacity [J/(mol K)] of the ideal-gas mixture at T, p, x. */
export interface IdealGasPart {
  evaluate(T: number, p: number, x: Float64Array, out: { h: number; s: number; cp: number }): void;
}

export interface MissingPair {
  readonly i: number;
  readonly j: number;
  readonly parameter: string;
}

export interface LnPhiDerivatives {
  readonly lnPhi: Float64Array;
  /** d lnPhi_i / dT at p, x [1/K]. */
  readonly dT: Float64Array;
  /** d lnPhi_i / dp at T, x [1/Pa]. */
  readonly dp: Float64Array;
  /** n_t d lnPhi_i / dn_j at T, p: row-major n*n, symmetric. */
  readonly dn: Float64Array;
}

/** Properties at T, rho, x. Residual means: minus the ideal gas at the same T, rho, x. Per mole of mixture. */
export interface Residual {
  /** Pressure [Pa], full (not residual), and its derivatives. */
  p: number;
  dpdT: number;
  dpdrho: number;
  /** Helmholtz energy [J/mol], entropy [J/(mol K)], internal energy [J/mol], isochoric heat capacity [J/(mol K)]. */
  a: number;
  s: number;
  u: number;
  cv: number;
}

/**
 * A model made of a reduced residual Helmholtz energy a = A_res/(n R T) as a function of T, rho, x. The generic adaptor
 * (models/helmholtz-adaptor.ts) turns it into an EquationOfState.
 */
export interface HelmholtzModel {
  readonly id: ModelId;
  readonly n: number;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  /**
   * Fills `out` at T, rho, x. `order` says which parts are needed; the others may be left as they are.
   * 0: a, a_rho, a_rhorho. 1: and mu. 2: all.
   */
  evaluate(T: number, rho: number, x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void;
  /** Largest density [mol/m3] that the density solver may try (packing limit). Pressure there must exceed any p of use. */
  maxDensity(T: number, x: Float64Array): number;
  /** See EquationOfState; a model without translation leaves it out. */
  volumeShift?(T: number, x: Float64Array): number;
  readonly missingPairs?: readonly MissingPair[];
  /** See EquationOfState. */
  readonly saturationLine?: SaturationLine;
  readonly idealGas?: IdealGasPart;
}

export interface HelmholtzState {
  a: number;
  a_rho: number;
  a_rhorho: number;
  a_T: number;
  a_TT: number;
  a_Trho: number;
  /** d(n a)/dn_i at constant T, V. */
  readonly mu: Float64Array;
  /** d mu_i / dT at constant rho, x. */
  readonly mu_T: Float64Array;
  /** d mu_i / d rho at constant T, x. */
  readonly mu_rho: Float64Array;
  /** n_t d mu_i / dn_j at constant T, V: row-major n*n, symmetric. */
  readonly mu_n: Float64Array;
}

export function createLnPhiDerivatives(n: number): LnPhiDerivatives {
  return {
    lnPhi: new Float64Array(n),
    dT: new Float64Array(n),
    dp: new Float64Array(n),
    dn: new Float64Array(n * n),
  };
}

export function createResidual(): Residual {
  return { p: 0, dpdT: 0, dpdrho: 0, a: 0, s: 0, u: 0, cv: 0 };
}

export function createHelmholtzState(n: number): HelmholtzState {
  return {
    a: 0,
    a_rho: 0,
    a_rhorho: 0,
    a_T: 0,
    a_TT: 0,
    a_Trho: 0,
    mu: new Float64Array(n),
    mu_T: new Float64Array(n),
    mu_rho: new Float64Array(n),
    mu_n: new Float64Array(n * n),
  };
}
