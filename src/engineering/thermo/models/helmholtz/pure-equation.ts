import type { CaloricState } from './caloric.ts';

/** Saturated state: K, Pa, mol/m3. */
export interface Saturation {
  readonly T: number;
  readonly p: number;
  readonly rhoL: number;
  readonly rhoV: number;
}

/** What the saturation and density searches need of a pure-fluid equation; `ReferenceFluid` is one. */
export interface PureEquation {
  readonly name: string;
  /** Gas constant [J/(mol K)]. */
  readonly R: number;
  readonly Tc: number;
  readonly pc: number;
  readonly rhoc: number;
  /** Reducing density [mol/m3]. */
  readonly rhor: number;
  readonly Ttriple: number;
  /** False for a pseudo-pure fluid, which has no saturation curve. */
  readonly saturates: boolean;
  residual(T: number, rho: number): Float64Array;
  properties(T: number, rho: number): CaloricState;
  /** Ancillary estimates. */
  estimate(T: number): Saturation;
  saturation(T: number): Saturation;
}
