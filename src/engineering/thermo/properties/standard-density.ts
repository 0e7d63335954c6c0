import type { Component } from '../components/component.ts';
import { ATM } from '../constants.ts';
import type { Fluid } from '../fluid.ts';

const T_STANDARD = 288.15;
/** Acentric factors for which ZRA = 0.29056 - 0.08775 omega, and with it the volume shift of a cubic, was made (Yamada and Gunn 1973). */
const MOST_OMEGA = 1;

/** How the density of a component as a pure liquid at 15 C and 1 atm [kg/m3] comes out of a model. */
export interface StandardDensity {
  readonly component: Component;
  readonly computed: number;
  /** Of the component table; undefined when it has none and the model's volume shift is extrapolated (omega above 1). */
  readonly tabulated: number | undefined;
}

/**
 * Components of the fluid whose liquid density the model misses at 15 C and 1 atm by more than `share` of the tabulated value, and those
 * whose shift is extrapolated with nothing to compare with. Components that boil below 15 C or have no liquid root there are left out.
 */
export function missedStandardDensities(fluid: Fluid, share: number): StandardDensity[] {
  const { eos, components, z } = fluid;
  const missed: StandardDensity[] = [];
  const pure = new Float64Array(eos.n);
  for (const [i, component] of components.entries()) {
    if (!(z[i]! > 0 && component.Tb > T_STANDARD)) continue;
    pure.fill(0);
    pure[i] = 1;
    const rho = eos.density(T_STANDARD, ATM, pure, 'liquid');
    const computed = component.molarMass / (1 / rho - eos.volumeShift(T_STANDARD, pure));
    if (!(computed > 0)) continue;
    const tabulated = component.liquidDensity15C > 0 ? component.liquidDensity15C : undefined;
    if (tabulated === undefined ? component.omega > MOST_OMEGA : Math.abs(computed / tabulated - 1) > share)
      missed.push({ component, computed, tabulated });
  }
  return missed;
}
