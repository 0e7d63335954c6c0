/**
 * Viscosity and thermal conductivity of gas mixtures at low pressure from those of the pure gases.
 *
 * mu = sum_i x_i mu_i/sum_j x_j phi_ij, phi_ij = [1 + (mu_i/mu_j)^(1/2) (M_j/M_i)^(1/4)]^2/[8 (1 + M_i/M_j)]^(1/2): C. R. Wilke,
 * J. Chem. Phys. 18, 517 (1950). lambda with the same phi_ij of the viscosities: A. Wassiljewa, Phys. Z. 5, 737 (1904); E. A. Mason and
 * S. C. Saxena, Phys. Fluids 1, 361 (1958). Pure gases: pure-correlations.ts.
 *
 * Validity: gases below about 10 bar (hydrogen and helium to 100 bar within 5 %); 1 to 4 %, hydrogen with heavy gases to 10 %.
 * Each function gives undefined when a component that is present has no data at T, unless the caller brings an estimate for it.
 */
import type { Component } from '../../components/component.ts';
import { gasConductivity, gasViscosity } from './pure-correlations.ts';

/** [Pa s] at T [K]. */
export function diluteMixtureViscosity(
  components: readonly Component[],
  T: number,
  x: Float64Array,
  estimate?: PureGas,
): number | undefined {
  return mix(components, T, x, 'viscosity', estimate);
}

/** [W/(m K)] at T [K]. */
export function diluteMixtureConductivity(
  components: readonly Component[],
  T: number,
  x: Float64Array,
  estimate?: PureGas,
): number | undefined {
  return mix(components, T, x, 'conductivity', estimate);
}

/** Viscosity [Pa s] and conductivity [W/(m K)] of a pure gas at low pressure, where no correlation covers T. */
export type PureGas = (component: Component) => { readonly viscosity: number; readonly conductivity: number };

function mix(
  components: readonly Component[],
  T: number,
  x: Float64Array,
  property: 'viscosity' | 'conductivity',
  estimate: PureGas | undefined,
): number | undefined {
  const present: { readonly x: number; readonly M: number; readonly mu: number; readonly value: number }[] = [];
  for (let i = 0; i < x.length; i++) {
    if (x[i]! <= 0) continue;
    const component = components[i]!;
    const mu = gasViscosity(component, T) ?? estimate?.(component).viscosity;
    const value = property === 'viscosity' ? mu : (gasConductivity(component, T) ?? estimate?.(component).conductivity);
    if (mu === undefined || value === undefined) return undefined;
    present.push({ x: x[i]!, M: component.molarMass, mu, value });
  }
  let sum = 0;
  for (const a of present) {
    let denominator = 0;
    for (const b of present)
      denominator += (b.x * (1 + Math.sqrt(a.mu / b.mu) * (b.M / a.M) ** 0.25) ** 2) / Math.sqrt(8 * (1 + a.M / b.M));
    sum += (a.x * a.value) / denominator;
  }
  return sum;
}
