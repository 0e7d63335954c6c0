/** The answer of every flash: named phases with properties, the mixture as a whole, and how well it is known. */
import type { PhaseSplit, SplitConvergence } from '../equilibrium/phase-split.ts';
import type { EquationOfState, ModelId } from '../model.ts';
import { namePhases } from './phase-identification.ts';
import { type PhaseState, PropertyCalculator } from './phase-state.ts';
import type { MolarState, SolidState } from './solid-state.ts';

export interface FlashResult {
  readonly model: ModelId;
  readonly T: number;
  readonly p: number;
  readonly z: Float64Array;
  /** gas, oil, aqueous. */
  readonly phases: readonly PhaseState[];
  readonly overall: OverallState;
  readonly convergence: SplitConvergence;
}

/** Properties of the mixture of all phases, per mole of mixture; SI units as in PhaseState. */
export interface OverallState extends MolarState {
  /** Sums over the phases at constant phase amounts: evaporation and condensation are not in them. NaN beside solids, whose own are not known. */
  readonly cp: number;
  readonly cv: number;
}

/**
 * Names the phases of a split and computes their properties. `solids` beside the fluid phases count in the overall state; the fractions of all then
 * add up to 1. Throws as PropertyCalculator does.
 */
export function flashResult(
  eos: EquationOfState,
  split: PhaseSplit,
  calculator = new PropertyCalculator(eos),
  solids: readonly SolidState[] = [],
): FlashResult {
  const { T, p, z } = split;
  const molarMass = calculator.molarMass(z);
  const phases = namePhases(eos.components, T, split.phases).map(({ name, phase }) =>
    calculator.phaseState(name, T, p, phase, molarMass),
  );
  return {
    model: eos.id,
    T,
    p,
    z,
    phases,
    overall: overallState(phases, solids, molarMass),
    convergence: split.convergence,
  };
}

function overallState(phases: readonly PhaseState[], solids: readonly SolidState[], molarMass: number): OverallState {
  const sum = <P extends { readonly fraction: number }>(over: readonly P[], value: (phase: P) => number) =>
    over.reduce((total, phase) => total + phase.fraction * value(phase), 0);
  const mean = (value: (phase: PhaseState | SolidState) => number) => sum(phases, value) + sum(solids, value);
  const fluid = (value: (phase: PhaseState) => number) => (solids.length > 0 ? Number.NaN : sum(phases, value));
  const molarVolume = mean((phase) => phase.molarVolume);
  return {
    molarMass,
    molarVolume,
    density: molarMass / molarVolume,
    enthalpy: mean((phase) => phase.enthalpy),
    internalEnergy: mean((phase) => phase.internalEnergy),
    helmholtzEnergy: mean((phase) => phase.helmholtzEnergy),
    gibbsEnergy: mean((phase) => phase.gibbsEnergy),
    entropy: mean((phase) => phase.entropy),
    cp: fluid((phase) => phase.cp),
    cv: fluid((phase) => phase.cv),
  };
}
