/** Result of a phase-equilibrium calculation before properties: what every flash of the engine returns. */
import type { Component } from '../components/component.ts';

export interface SplitPhase {
  /** Mole fractions, length n. */
  readonly x: Float64Array;
  /** Share of the moles of the mixture. */
  readonly fraction: number;
  /** Molar density of the equation of state [mol/m3], without volume shift. */
  readonly rho: number;
  readonly lnPhi: Float64Array;
}

export interface PhaseSplit {
  readonly T: number;
  readonly p: number;
  readonly z: Float64Array;
  /** One or more phases, lightest (lowest molar-mass-weighted density) first. */
  readonly phases: readonly SplitPhase[];
  readonly convergence: SplitConvergence;
}

/** How well the answer is known. A flash that cannot meet its tolerance throws instead. */
export interface SplitConvergence {
  readonly iterations: number;
  /** Largest |ln f_i - ln f_i'| between phases, over components present. */
  readonly fugacityError: number;
  /** Largest |z_i - sum of the phases|. */
  readonly balanceError: number;
  /** sum fraction x (ln x + ln phi), i.e. G/(R T) per mole against the ideal gas at T, p; never above `feedGibbs`. */
  readonly gibbs: number;
  /** The same for the feed as one phase. */
  readonly feedGibbs: number;
  /**
   * Smallest tangent plane distance of all non-trivial trials against the answer. Positive: how far the nearest other phase is
   * from forming. +Infinity when every trial fell back on the phases found.
   */
  readonly stabilityMargin: number;
}

/** sum_i x_i (ln x_i + ln phi_i) with 0 ln 0 = 0. */
export function reducedGibbs(x: Float64Array, lnPhi: Float64Array): number {
  let g = 0;
  for (let i = 0; i < x.length; i++) if (x[i]! > 0) g += x[i]! * (Math.log(x[i]!) + lnPhi[i]!);
  return g;
}

/** [kg/m3], without volume shift. */
export function massDensity(
  components: readonly Component[],
  phase: { readonly x: Float64Array; readonly rho: number },
): number {
  let m = 0;
  for (let i = 0; i < phase.x.length; i++) if (phase.x[i]! > 0) m += phase.x[i]! * components[i]!.molarMass;
  return m * phase.rho;
}
