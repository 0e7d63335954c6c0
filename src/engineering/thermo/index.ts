/**
 * The thermodynamics engine: fluids, phase equilibrium at T and p, and properties. SI units throughout (K, Pa, mol, m3, J).
 * Every function gives a checked result or throws EngineError.
 */
import type { PhaseSplit } from './equilibrium/phase-split.ts';
import type { Fluid } from './fluid.ts';
import { type FlashResult, flashResult } from './properties/flash-result.ts';

export type { Component, ComponentType } from './components/component.ts';
export {
  type ComponentSearch,
  componentNames,
  findComponent,
  getComponent,
  searchComponents,
  suggestComponent,
} from './components/component-lookup.ts';
export type { PhaseSplit, SplitConvergence, SplitPhase } from './equilibrium/phase-split.ts';
export { EngineError, type EngineFailure, type EngineFailureKind, isEngineError } from './errors.ts';
export { createFluid, type Fluid, type FluidSpecification, withComposition } from './fluid.ts';
export type { EquationOfState, ModelId, Validity } from './model.ts';
export { createModel, modelIds } from './models/registry.ts';
export { type FlashResult, flashResult, type OverallState } from './properties/flash-result.ts';
export type { PhaseName } from './properties/phase-identification.ts';
export type { PhaseState } from './properties/phase-state.ts';
export { type PhaseTransport, transport } from './properties/transport/transport.ts';

/** Phases of the fluid at T [K], p [Pa], without properties. `near`: an answer at a neighbouring state, to start from. */
export function splitTP(fluid: Fluid, T: number, p: number, near?: PhaseSplit): PhaseSplit {
  return fluid.flash.solve(T, p, fluid.z, near);
}

/** Phases of the fluid at T [K], p [Pa] with all thermodynamic properties. */
export function flashTP(fluid: Fluid, T: number, p: number, near?: PhaseSplit): FlashResult {
  return flashResult(fluid.eos, splitTP(fluid, T, p, near), fluid.calculator);
}

/** Properties of phases that another flash has found. */
export function properties(fluid: Fluid, split: PhaseSplit): FlashResult {
  return flashResult(fluid.eos, split, fluid.calculator);
}
