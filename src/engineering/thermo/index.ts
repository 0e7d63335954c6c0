/**
 * The thermodynamics engine: fluids, phase equilibria and properties. SI units throughout (K, Pa, mol, m3, J).
 *
 * It guarantees: a checked result or an EngineError whose `kind` says why there is none: 'invalid-input' (T, p, composition or name out of
 * sense), 'unknown-component', 'missing-data', 'outside-range' (a model that refuses the state), 'spec-unreachable' (no state has what was
 * asked for), 'not-converged' and 'trivial'. Nothing is returned with a fault inside; how well an answer converged is in its `convergence`.
 * It leaves to the caller: whether the model suits the fluid. Outside `eos.validity` (T, p, notes) it computes and does not refuse, as far as
 * the equations go. Algorithms, with their sources, are described in the file of each under equilibrium/.
 */
import type { SaturationKind, SaturationOptions, SaturationPoint } from './equilibrium/bubble-dew.ts';
import { type CriticalPoint, CriticalPointSolver } from './equilibrium/critical-point.ts';
import type { FlashStart } from './equilibrium/energy-flash.ts';
import { type HydrateCheck, HydrateEquilibrium, type HydrateState } from './equilibrium/hydrate.ts';
import { HydrateFlash, type HydrateSplit } from './equilibrium/hydrate-flash.ts';
import { type EnvelopeOptions, type PhaseEnvelope, phaseEnvelope as traceFluid } from './equilibrium/phase-envelope.ts';
import type { PhaseSplit } from './equilibrium/phase-split.ts';
import { type PossibleSolid, possibleSolids as solidsOf } from './equilibrium/possible-solids.ts';
import { allSaturations, findSaturation } from './equilibrium/saturation-search.ts';
import { type SolidAppearance, SolidEquilibrium, type SolidSplit } from './equilibrium/solids.ts';
import { EngineError, hasNoAnswer, isEngineError } from './errors.ts';
import type { Fluid } from './fluid.ts';
import { type FlashResult, flashResult } from './properties/flash-result.ts';
import { type SolidState, solidStates } from './properties/solid-state.ts';

export type { CriticalMethod, CriticalProperties } from './components/characterisation/critical-properties.ts';
export type { GammaShape, PlusFraction } from './components/characterisation/gamma-distribution.ts';
export {
  type CharacterisationOptions,
  characterisePlusFraction,
  type FractionSpecification,
  type PlusFractionOptions,
  type PlusFractionSpecification,
  type PseudoComponent,
  pseudoComponent,
} from './components/characterisation/pseudo-component.ts';
export type { Component, ComponentType } from './components/component.ts';
export {
  type ComponentSearch,
  componentNames,
  findComponent,
  getComponent,
  searchComponents,
  suggestComponent,
} from './components/component-lookup.ts';
export type { SaturationKind, SaturationOptions, SaturationPoint } from './equilibrium/bubble-dew.ts';
export type { CriticalPoint } from './equilibrium/critical-point.ts';
export type { FlashStart } from './equilibrium/energy-flash.ts';
export type { HydrateCheck, HydrateState, NoHydrateReason } from './equilibrium/hydrate.ts';
export type { HydrateAmount, HydrateSplit } from './equilibrium/hydrate-flash.ts';
export type {
  EnvelopeCriticalPoint,
  EnvelopeCurve,
  EnvelopeOptions,
  EnvelopePoint,
  PhaseEnvelope,
  TemperaturePressure,
} from './equilibrium/phase-envelope.ts';
export type { PhaseSplit, SplitConvergence, SplitPhase } from './equilibrium/phase-split.ts';
export type { PossibleSolid } from './equilibrium/possible-solids.ts';
export type { SolidAppearance, SolidPhase, SolidSplit } from './equilibrium/solids.ts';
export { EngineError, type EngineFailure, type EngineFailureKind, isEngineError } from './errors.ts';
export { createFluid, type Fluid, type FluidSpecification, withComposition } from './fluid.ts';
export type { EquationOfState, ModelId, Validity } from './model.ts';
export { HYDRATE_STRUCTURES, type HydrateStructure } from './models/hydrate/hydrate-data.ts';
export type { Occupancy } from './models/hydrate/hydrate-phase.ts';
export { type MixingRuleName, mixingRuleNamed } from './models/mixing-rule-name.ts';
export { createModel, mixingRules, modelIds } from './models/registry.ts';
export { type FlashResult, flashResult, type OverallState } from './properties/flash-result.ts';
export type { PhaseName } from './properties/phase-identification.ts';
export type { PhaseState } from './properties/phase-state.ts';
export { checkPure, type PureCheck } from './properties/pure-check.ts';
export type { SolidName, SolidState } from './properties/solid-state.ts';
export {
  gasDiffusion,
  gasMixtureDiffusion,
  liquidDiffusion,
  type Solvent,
} from './properties/transport/diffusion.ts';
export { frictionTheoryViscosity } from './properties/transport/friction-theory.ts';
export { type InterfacialTension, interfacialTensions } from './properties/transport/interfacial-tension.ts';
export { lbcViscosity } from './properties/transport/lbc.ts';
export { type PhaseTransport, transport } from './properties/transport/transport.ts';

/**
 * Phases of the fluid at T [K], p [Pa], without properties: min G(T, p, n), so f_i alike in all phases (ln f within 1e-9) and no trial phase
 * below the tangent plane (Michelsen 1982). `near`: an answer at a neighbouring state, to start from; it changes the effort, not the result.
 * Throws 'invalid-input', 'not-converged'.
 */
export function splitTP(fluid: Fluid, T: number, p: number, near?: PhaseSplit): PhaseSplit {
  return fluid.flash.solve(T, p, fluid.z, near);
}

/**
 * As splitTP, with density, Z, h, s, g, cp, cv, speed of sound and Joule-Thomson coefficient of every phase and of the whole (definitions and
 * zero states: properties/phase-state.ts, ideal-gas.ts). Throws also 'missing-data' without an ideal-gas heat capacity.
 */
export function flashTP(fluid: Fluid, T: number, p: number, near?: PhaseSplit): FlashResult {
  return flashResult(fluid.eos, splitTP(fluid, T, p, near), fluid.calculator);
}

/** Properties of phases that another flash has found. */
export function properties(fluid: Fluid, split: PhaseSplit): FlashResult {
  return flashResult(fluid.eos, split, fluid.calculator);
}

/** One of T [K] and p [Pa]; the other is solved for. */
export type SaturationSpecification = { readonly T: number } | { readonly p: number };

/**
 * Bubble point: where the fluid, as a liquid, gives its first vapour. With free water below the oil both liquids are among the phases.
 * `properties` computes the phases.
 */
export function bubblePoint(fluid: Fluid, at: SaturationSpecification, options?: SaturationOptions): SaturationPoint {
  return saturationPoint(fluid, 'bubble', at, options);
}

/** Dew point: where the fluid, as a gas, gives its first liquid, of a wet gas the first of water and hydrocarbon. */
export function dewPoint(fluid: Fluid, at: SaturationSpecification, options?: SaturationOptions): SaturationPoint {
  return saturationPoint(fluid, 'dew', at, options);
}

/**
 * Water dew point: where the first aqueous phase appears on cooling at p or on compression at T; hydrocarbon liquid may be there
 * already. Of water and what mixes with it: a gas with glycol gives the first liquid rich in either. Throws 'spec-unreachable' when no such
 * phase appears within the range of the model, 'not-converged', 'invalid-input'.
 */
export function waterDewPoint(fluid: Fluid, at: SaturationSpecification): SaturationPoint {
  const [given, value] = specified(at);
  return fluid.saturation.wet.water(given, value, fluid.z, plainDewPoint(fluid, at));
}

/** Hydrocarbon dew point: where the first liquid that is not aqueous (condensate, CO2) appears; free water may be there already. Otherwise as waterDewPoint. */
export function hydrocarbonDewPoint(fluid: Fluid, at: SaturationSpecification): SaturationPoint {
  const [given, value] = specified(at);
  return fluid.saturation.wet.hydrocarbon(given, value, fluid.z, plainDewPoint(fluid, at));
}

function plainDewPoint(fluid: Fluid, at: SaturationSpecification): SaturationPoint | undefined {
  try {
    return dewPoint(fluid, at);
  } catch (error) {
    // Sharper where it exists; the search finds the point without it.
    if (hasNoAnswer(error) || isEngineError(error, 'spec-unreachable')) return undefined;
    throw error;
  }
}

function specified(at: SaturationSpecification): ['T' | 'p', number] {
  return 'T' in at ? ['T', at.T] : ['p', at.p];
}

/** Every saturation point at the T or p given, retrograde ones and those of two liquids included, in ascending order of the other; empty when there is none. */
export function saturationPoints(fluid: Fluid, at: SaturationSpecification): SaturationPoint[] {
  const { saturation, z } = fluid;
  return 'T' in at ? allSaturations(saturation, 'T', at.T, z) : allSaturations(saturation, 'p', at.p, z);
}

function saturationPoint(
  { saturation, z }: Fluid,
  kind: SaturationKind,
  at: SaturationSpecification,
  options?: SaturationOptions,
): SaturationPoint {
  return 'T' in at
    ? findSaturation(saturation, kind, 'T', at.T, z, options)
    : findSaturation(saturation, kind, 'p', at.p, z, options);
}

/**
 * State of molar enthalpy h [J/mol] at p [Pa]: the T with h(T, p) = h, at given p the maximum of s (Michelsen 1999); across phase boundaries, and on
 * the boiling plateau of a pure fluid the phase amounts. T is then known to about 1e-9 (relative). `start` saves time only.
 * Throws 'spec-unreachable' outside half the model's lowest to 2.5 times its highest temperature, 'not-converged', 'invalid-input'.
 */
export function flashPH(fluid: Fluid, p: number, h: number, start?: FlashStart): FlashResult {
  return properties(fluid, fluid.isobaric.ph(p, h, fluid.z, start));
}

/** State of molar entropy s [J/(mol K)] at p [Pa]: the T with s(T, p) = s. Otherwise as flashPH. */
export function flashPS(fluid: Fluid, p: number, s: number, start?: FlashStart): FlashResult {
  return properties(fluid, fluid.isobaric.ps(p, s, fluid.z, start));
}

/** State of molar volume v [m3/mol] (of the equation of state, without volume shift) at T [K]: the p with v(T, p) = v. Otherwise as flashPH. */
export function flashTV(fluid: Fluid, T: number, v: number, start?: FlashStart): FlashResult {
  return properties(fluid, fluid.isochoric.tv(T, v, fluid.z, start));
}

/** State of molar internal energy u = h - p v [J/mol] and molar volume v [m3/mol] (as in flashTV): the T and p with both. Otherwise as flashPH. */
export function flashUV(fluid: Fluid, u: number, v: number, start?: FlashStart): FlashResult {
  return properties(fluid, fluid.isochoric.uv(u, v, fluid.z, start));
}

/** Whether gas hydrate forms at T [K], p [Pa], with the hydrate temperature at p. */
export function hydrateCheck(fluid: Fluid, T: number, p: number): HydrateCheck {
  return new HydrateEquilibrium(fluid.eos, fluid.flash).check(T, p, fluid.z);
}

/**
 * Where hydrate appears: at p [Pa] the highest temperature, at T [K] the lowest pressure, by van der Waals and Platteeuw, structures I and II.
 * Throws 'spec-unreachable' where none does.
 */
export function hydratePoint(fluid: Fluid, at: SaturationSpecification): HydrateState {
  const hydrate = new HydrateEquilibrium(fluid.eos, fluid.flash);
  return 'T' in at ? hydrate.pressure(at.T, fluid.z) : hydrate.temperature(at.p, fluid.z);
}

/** Hydrates, ice and fluid phases at T [K], p [Pa], without properties: amounts, compositions, fugacities. */
export function hydrateSplit(fluid: Fluid, T: number, p: number, near?: PhaseSplit): HydrateSplit {
  return new HydrateFlash(fluid.eos, fluid.flash).solve(T, p, fluid.z, near);
}

/** What hydrateSplit finds, with properties: fluid phases in `result`, solids beside them; fractions of both add up to 1, and the overall state is that of both. */
export interface HydrateFlashResult {
  readonly result: FlashResult;
  readonly solids: readonly SolidState[];
  readonly split: HydrateSplit;
}

/** Phases of the fluid at T [K], p [Pa] with hydrates and ice, and their properties. */
export function flashHydrate(fluid: Fluid, T: number, p: number, near?: PhaseSplit): HydrateFlashResult {
  const { eos, z, calculator } = fluid;
  const split = hydrateSplit(fluid, T, p, near);
  const solids = solidStates(eos, split, z);
  const { convergence } = split.fluid ?? split.fluidAlone;
  const whole: PhaseSplit = {
    T,
    p,
    z,
    phases: (split.fluid?.phases ?? []).map((phase) => ({ ...phase, fraction: phase.fraction * split.fluidAmount })),
    convergence: {
      iterations: split.iterations,
      fugacityError: Math.max(split.fugacityError, convergence.fugacityError),
      balanceError: Math.max(split.balanceError, convergence.balanceError),
      gibbs: split.gibbs - Math.log(p),
      feedGibbs: split.fluidAlone.convergence.feedGibbs,
      stabilityMargin: convergence.stabilityMargin,
    },
  };
  return { result: flashResult(eos, whole, calculator, solids), solids, split };
}

/** Temperature at which the first pure solid appears on cooling at p [Pa]; `candidates` names the components looked at, all when left out. */
export function solidAppearance(fluid: Fluid, p: number, candidates?: readonly string[]): SolidAppearance {
  return new SolidEquilibrium(fluid.eos, fluid.flash, candidates).appearance(p, fluid.z);
}

/** Pure solids and fluid phases at T [K], p [Pa]; `candidates` as in solidAppearance. */
export function solidSplit(fluid: Fluid, T: number, p: number, candidates?: readonly string[]): SolidSplit {
  return new SolidEquilibrium(fluid.eos, fluid.flash, candidates).split(T, p, fluid.z);
}

/**
 * Components of a flash result that would freeze at its T and p, with how far their fugacity is above that of the pure solid; the result itself leaves them
 * fluid. `margin` (ln f) replaces the usual ones, 0.003 to 0.02.
 */
export function possibleSolids(fluid: Fluid, result: FlashResult, margin?: number): PossibleSolid[] {
  return solidsOf(fluid.eos, result, margin);
}

/** Phase envelope: dew and bubble curve, critical point, cricondenbar, cricondentherm (Michelsen 1980). Throws 'spec-unreachable' where no curve begins. */
export function phaseEnvelope(fluid: Fluid, options?: EnvelopeOptions): PhaseEnvelope {
  return traceFluid(fluid.saturation, fluid.z, options);
}

/** Critical points of the composition by Heidemann and Khalil's conditions (critical-point.ts), from thin to dense; none where the envelope is open. */
export function criticalPoints(fluid: Fluid): CriticalPoint[] {
  return new CriticalPointSolver(fluid.eos).all(fluid.z);
}

/**
 * The vapour-liquid critical point: the one of highest temperature, computed directly, else traced. Throws 'spec-unreachable' when
 * there is none.
 */
export function criticalPoint(fluid: Fluid): CriticalPoint {
  let best: CriticalPoint | undefined;
  for (const point of criticalPoints(fluid)) if (best === undefined || point.T > best.T) best = point;
  if (best !== undefined) return best;
  const [traced] = phaseEnvelope(fluid, { stability: false }).criticalPoints;
  if (traced !== undefined) return { ...traced, rho: fluid.eos.density(traced.T, traced.p, fluid.z, 'stable') };
  throw new EngineError({
    kind: 'spec-unreachable',
    specification: 'critical point',
    reason: 'no stable critical point of this composition was found',
  });
}
