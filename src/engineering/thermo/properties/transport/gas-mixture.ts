/**
 * Viscosity and thermal conductivity of gases that corresponding states with methane does not describe, hydrogen and helium first: the
 * low-pressure mixture (dilute-gas.ts) plus what density adds (CorrespondingStates.residual).
 *
 * Validity: gas at any density, or above 1.5 times the critical temperature of corresponding states. Pure hydrogen, 100 to 600 K, to 700 bar:
 * mean 2.5 %, worst 11 % (at 100 K); mixtures as the dilute gas, 2 to 10 %. Steam conducts 2 % low at 50 bar and 10 % low at 200 bar near 800 K.
 * Undefined when a component has no gas correlation at T.
 */
import type { Component } from '../../components/component.ts';
import { smooth } from './conformal-density.ts';
import type { CorrespondingStates } from './corresponding-states.ts';
import { diluteMixtureConductivity, diluteMixtureViscosity } from './dilute-gas.ts';

export interface GasState {
  readonly components: readonly Component[];
  readonly states: CorrespondingStates;
  readonly T: number;
  /** Molar density of the phase [mol/m3]. */
  readonly rho: number;
  readonly x: Float64Array;
}

/** [Pa s] */
export function gasMixtureViscosity({ components, states, T, rho, x }: GasState): number | undefined {
  const dilute = diluteMixtureViscosity(components, T, x);
  return dilute && dilute + states.residual(T, rho, x).viscosity;
}

/** [W/(m K)] */
export function gasMixtureConductivity({ components, states, T, rho, x }: GasState): number | undefined {
  const dilute = diluteMixtureConductivity(components, T, x);
  return dilute && dilute + states.residual(T, rho, x).conductivity;
}

/** Passage from corresponding states to the gas mixture as the share of hydrogen and helium grows from 0.2 to 0.5, so that sweeps have no step. */
export function towardsGasMixture(share: number, correspondingStates: number, gasMixture: number | undefined): number {
  const weight = smooth((share - 0.2) / 0.3);
  if (weight === 0 || gasMixture === undefined) return correspondingStates;
  return correspondingStates ** (1 - weight) * gasMixture ** weight;
}
