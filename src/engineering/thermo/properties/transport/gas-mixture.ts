/**
 * Viscosity and thermal conductivity of gases that corresponding states with methane does not describe, hydrogen and helium first: the
 * low-pressure mixture (dilute-gas.ts) plus what density adds (CorrespondingStates.residual).
 *
 * Validity: gas at any density, or above 1.5 times the critical temperature of corresponding states. Pure hydrogen, 100 to 600 K, to 700 bar:
 * mean 2.5 %, worst 11 % (at 100 K); mixtures as the dilute gas, 2 to 10 %. Steam conducts 2 % low at 50 bar and 10 % low at 200 bar near 800 K.
 * A component whose gas correlation does not reach T takes its value by corresponding states.
 */
import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';
import { smooth } from './conformal-density.ts';
import { CorrespondingStates } from './corresponding-states.ts';
import { diluteMixtureConductivity, diluteMixtureViscosity, type PureGas } from './dilute-gas.ts';

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
  const dilute = diluteMixtureViscosity(components, T, x, conformalGas(T));
  return dilute && dilute + states.residual(T, rho, x).viscosity;
}

/** [W/(m K)] */
export function gasMixtureConductivity({ components, states, T, rho, x }: GasState): number | undefined {
  const dilute = diluteMixtureConductivity(components, T, x, conformalGas(T));
  return dilute && dilute + states.residual(T, rho, x).conductivity;
}

const ONE = Float64Array.of(1);

/** A gas beyond the range of its correlation, by corresponding states: 5 to 12 %, but no gap where a correlation of a heavy component ends. */
const conformalGas =
  (T: number): PureGas =>
  (component) => {
    const states = new CorrespondingStates([component]);
    return {
      viscosity: states.diluteViscosity(T, ONE),
      conductivity: states.diluteConductivity(T, ONE, idealGasCp(component, T)),
    };
  };

function idealGasCp({ name, idealGasCp: coefficients }: Component, T: number): number {
  if (coefficients === undefined)
    throw new EngineError({ kind: 'missing-data', component: name, property: 'ideal-gas heat capacity' });
  const [A = 0, B = 0, C = 0, D = 0, E = 0] = coefficients;
  return A + T * (B + T * (C + T * (D + T * E)));
}

/**
 * Passage from corresponding states to the gas mixture as the share of hydrogen and helium grows from 0.2 to 0.5, so that sweeps have no step;
 * dense states near the critical temperature stay with corresponding states.
 */
export function towardsGasMixture(
  { states, T, rho, x }: GasState,
  share: number,
  correspondingStates: number,
  gasMixture: () => number | undefined,
): number {
  const cold = 1 - smooth((T / states.pseudoCritical(x).Tc - 1.2) / 0.5);
  const dense = smooth((states.reducedMolarDensity(rho, x) - 0.5) / 0.5);
  const weight = smooth((share - 0.2) / 0.3) * (1 - cold * dense);
  const gas = weight > 0 ? gasMixture() : undefined;
  return gas === undefined ? correspondingStates : correspondingStates ** (1 - weight) * gas ** weight;
}
