/** A fluid: components, normalised composition and the model they are computed with. */
import type { Component } from './components/component.ts';
import { getComponent } from './components/component-lookup.ts';
import { SaturationSolver } from './equilibrium/bubble-dew.ts';
import { EquilibriumStates } from './equilibrium/energy-flash.ts';
import { IsobaricFlash } from './equilibrium/isobaric-flash.ts';
import { IsochoricFlash } from './equilibrium/isochoric-flash.ts';
import { TpFlash } from './equilibrium/tp-flash.ts';
import { EngineError } from './errors.ts';
import type { EquationOfState, ModelId } from './model.ts';
import { createModel } from './models/registry.ts';
import { PropertyCalculator } from './properties/phase-state.ts';

export interface FluidSpecification {
  /** Amounts by component name (any spelling that getComponent knows), in moles or fractions; normalised by their sum. */
  readonly components: Readonly<Record<string, number>>;
  readonly model: ModelId;
  readonly mixingRule?: string;
  /** Alpha function of SRK and PR; see ModelOptions. */
  readonly alpha?: string;
  /** Components that the table does not hold, found by `name` before the table is searched. */
  readonly userComponents?: readonly Component[];
}

/** Not re-entrant: the model and the solvers own work spaces. */
export interface Fluid {
  readonly eos: EquationOfState;
  readonly components: readonly Component[];
  /** Mole fractions, sum 1. */
  readonly z: Float64Array;
  /** Sum of the amounts given. */
  readonly amount: number;
  readonly flash: TpFlash;
  readonly saturation: SaturationSolver;
  readonly isobaric: IsobaricFlash;
  readonly isochoric: IsochoricFlash;
  readonly calculator: PropertyCalculator;
}

/**
 * Throws 'unknown-component' (with the nearest name) and 'invalid-input' (negative or non-finite amount, nothing present, one
 * substance under two names), and what the model's factory throws.
 */
export function createFluid(specification: FluidSpecification): Fluid {
  const components: Component[] = [];
  const amounts: number[] = [];
  let amount = 0;
  for (const [name, value] of Object.entries(specification.components)) {
    if (typeof value !== 'number' || !(value >= 0) || !Number.isFinite(value))
      invalid(`the amount of ${name} must be a number of at least 0`);
    const component = findUserComponent(specification.userComponents, name) ?? getComponent(name);
    if (components.some((other) => other.name === component.name)) invalid(`${component.name} is given twice`);
    components.push(component);
    amounts.push(value);
    amount += value;
  }
  if (!(amount > 0)) invalid('no component has an amount above 0');
  const eos = createModel(specification.model, components, {
    mixingRule: specification.mixingRule,
    alpha: specification.alpha,
  });
  const flash = new TpFlash(eos);
  const calculator = new PropertyCalculator(eos);
  const states = new EquilibriumStates(eos, calculator, flash);
  return {
    eos,
    components,
    z: Float64Array.from(amounts, (value) => value / amount),
    amount,
    flash,
    saturation: new SaturationSolver(eos),
    isobaric: new IsobaricFlash(states),
    isochoric: new IsochoricFlash(states),
    calculator,
  };
}

/** The same components and model with another composition (mole amounts in component order). */
export function withComposition(fluid: Fluid, amounts: ArrayLike<number>): Fluid {
  if (amounts.length !== fluid.z.length) invalid(`${amounts.length} amounts for ${fluid.z.length} components`);
  let amount = 0;
  for (let i = 0; i < amounts.length; i++) {
    if (!(amounts[i]! >= 0) || !Number.isFinite(amounts[i]!))
      invalid(`the amount of ${fluid.components[i]!.name} must be a number of at least 0`);
    amount += amounts[i]!;
  }
  if (!(amount > 0)) invalid('no component has an amount above 0');
  return { ...fluid, amount, z: Float64Array.from(amounts, (value) => value / amount) };
}

function findUserComponent(components: readonly Component[] | undefined, name: string): Component | undefined {
  const key = name.trim().toLowerCase();
  return components?.find((component) => component.name.toLowerCase() === key);
}

function invalid(reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field: 'components', reason });
}
