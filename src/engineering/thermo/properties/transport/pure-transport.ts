/**
 * Viscosity and thermal conductivity of a phase of one substance, by the best method that the data allow:
 *  1. its reference correlation (reference.ts), at the density of the phase; water at T and p, as cubic densities of water are poor;
 *  2. liquid below 0.98 Tc: the saturated-liquid correlation, viscosity with the pressure correction of K. Lucas (Chem. Ing. Tech. 53, 959
 *     (1981); B. E. Poling et al., The Properties of Gases and Liquids, 5th ed., equation 9-9.1);
 *  3. gas: the low-pressure correlation times the pressure ratio of corresponding states.
 * Accuracy 1 to 5 % for 1 (as the density), 5 to 10 % for 2 and 3. It gives undefined where no method has data.
 * A value of a pure phase and of a nearly pure mixture come from different methods and may differ by the error of the latter.
 */
import type { Component } from '../../components/component.ts';
import { isEngineError } from '../../errors.ts';
import { referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { liquidWater } from './aqueous.ts';
import type { CorrespondingStates, FluidBranch } from './corresponding-states.ts';
import { gasConductivity, gasViscosity, liquidConductivity, liquidViscosity } from './pure-correlations.ts';
import {
  referenceConductivity,
  referenceConductivityFluids,
  referenceViscosity,
  referenceViscosityFluids,
} from './reference.ts';

export interface PureState {
  readonly component: Component;
  readonly T: number;
  readonly p: number;
  /** Molar density of the phase [mol/m3]. */
  readonly rho: number;
  readonly branch: FluidBranch;
  readonly states: CorrespondingStates;
  /** Composition of the fluid: 1 at this component. */
  readonly x: Float64Array;
  /** Ideal-gas heat capacity [J/(mol K)]. */
  readonly cp: number;
}

export interface Estimate {
  readonly value: number;
  readonly method: string;
}

const viscosityFluids = new Set(referenceViscosityFluids());
const conductivityFluids = new Set(referenceConductivityFluids());
/** Share of pc at which the limit of zero pressure is taken. */
const DILUTE = 1e-6;

/** [Pa s] */
export function pureViscosity(state: PureState): Estimate | undefined {
  const { component, T, p, branch, states, x } = state;
  if (viscosityFluids.has(component.name)) {
    const value = byReference(state, referenceViscosity, 'viscosity');
    if (value !== undefined) return { value, method: 'reference correlation' };
  }
  if (liquid(state)) {
    const saturated = liquidViscosity(component, T);
    return saturated === undefined
      ? undefined
      : { value: saturated * lucas(component, T, p), method: 'liquid correlation' };
  }
  const gas = branch === 'vapour' ? gasViscosity(component, T) : undefined;
  if (gas === undefined) return undefined;
  return {
    value: (gas * states.viscosity(T, p, x, branch)) / states.diluteViscosity(T, x),
    method: 'gas correlation',
  };
}

/** [W/(m K)] */
export function pureConductivity(state: PureState): Estimate | undefined {
  const { component, T, p, branch, states, x, cp } = state;
  if (conductivityFluids.has(component.name)) {
    const value = byReference(state, referenceConductivity, 'conductivity');
    if (value !== undefined) return { value, method: 'reference correlation' };
  }
  if (liquid(state)) {
    const value = liquidConductivity(component, T);
    return value === undefined ? undefined : { value, method: 'liquid correlation' };
  }
  const gas = branch === 'vapour' ? gasConductivity(component, T) : undefined;
  if (gas === undefined) return undefined;
  const dilute = states.conductivity(T, DILUTE * component.pc, x, cp, 'vapour');
  return { value: (gas * states.conductivity(T, p, x, cp, branch)) / dilute, method: 'gas correlation' };
}

const liquid = ({ branch, T, component }: PureState): boolean => branch === 'liquid' && T < 0.98 * component.Tc;

/** undefined outside the temperature range of the correlation. */
function byReference(
  { component: { name }, T, p, rho, branch }: PureState,
  correlation: (name: string, T: number, rho: number) => number,
  property: 'viscosity' | 'conductivity',
): number | undefined {
  const atPressure = () => correlation(name, T, referenceFluid(name).density(T, p, branch));
  try {
    if (name === 'water')
      return branch === 'liquid' && T < referenceFluid(name).Tc ? liquidWater(T, p)[property] : atPressure();
    try {
      return correlation(name, T, rho);
    } catch (error) {
      // The model's density may lie between the phases of the reference equation; its own density at T and p does not.
      if (isEngineError(error, 'invalid-input')) return atPressure();
      throw error;
    }
  } catch (error) {
    if (isEngineError(error, 'outside-range')) return undefined;
    throw error;
  }
}

/** Ratio of the viscosity at p to that at saturation. */
function lucas({ Tc, pc, omega }: Component, T: number, p: number): number {
  const Tr = T / Tc;
  const saturation = pc * Math.exp(5.373 * (1 + omega) * (1 - 1 / Tr));
  const dp = (p - saturation) / pc;
  if (!(dp > 0) || Number.isNaN(omega)) return 1;
  const A = 0.9991 - 4.674e-4 / (1.0523 * Tr ** -0.03877 - 1.0513);
  const D = 0.3257 / (1.0039 - Tr ** 2.573) ** 0.2906 - 0.2086;
  const C =
    -0.07921 +
    Tr * (2.1616 + Tr * (-13.404 + Tr * (44.1706 + Tr * (-84.8291 + Tr * (96.1209 + Tr * (-59.8127 + Tr * 15.6719))))));
  return (1 + D * (dp / 2.118) ** A) / (1 + C * omega * dp);
}
