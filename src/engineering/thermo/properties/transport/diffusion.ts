/**
 * Diffusion coefficients, m2/s.
 *  - Gas pairs: D = 0.00143 T^1.75/(p M^(1/2) [v_a^(1/3) + v_b^(1/3)]^2) cm2/s, p in bar, M = 2/(1/Ma + 1/Mb) g/mol, v diffusion volumes:
 *    E. N. Fuller, P. D. Schettler and J. C. Giddings, Ind. Eng. Chem. 58, 18 (1966); volumes of Fuller, Ensley and Giddings (1969).
 *    4 % up to about 10 bar; at higher pressure D falls faster than 1/p.
 *  - A component in a gas mixture: D_i = (1 - y_i)/sum_j y_j/D_ij (Blanc).
 *  - Infinite dilution in hydrocarbons and in water: W. Hayduk and B. S. Minhas, Can. J. Chem. Eng. 60, 295 (1982),
 *    oil 13.3e-8 T^1.47 mu^(10.2/v - 0.791) v^-0.71, water 1.25e-8 (v^-0.19 - 0.292) T^1.52 mu^(9.58/v - 1.12), cm2/s with mPa s, cm3/mol;
 *    in other solvents C. R. Wilke and P. Chang, AIChE J. 1, 264 (1955), 7.4e-8 (phi M)^(1/2) T/(mu v^0.6). 10 to 20 %.
 *    v at the normal boiling point by M. T. Tyn and W. F. Calus, 0.285 vc^1.048.
 * Forms as in B. E. Poling et al., The Properties of Gases and Liquids, 5th ed., chapter 11.
 * @throws EngineError 'missing-data' where a component has no formula with known atoms, or no critical volume
 */
import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';

const ATOMS: Readonly<Record<string, number>> = {
  C: 15.9,
  H: 2.31,
  O: 6.11,
  N: 4.54,
  S: 22.9,
  F: 14.7,
  Cl: 21,
  Br: 21.9,
  I: 29.8,
};
/** Small molecules have volumes of their own, by component name. */
const MOLECULES: Readonly<Record<string, number>> = {
  helium: 2.67,
  neon: 5.98,
  argon: 16.2,
  hydrogen: 6.12,
  nitrogen: 18.5,
  oxygen: 16.3,
  CO: 18,
  CO2: 26.9,
  N2O: 35.9,
  ammonia: 20.7,
  water: 13.1,
  SF6: 71.3,
  SO2: 41.8,
};

/** Fuller: binary diffusion coefficient [m2/s] of the gas pair at T [K], p [Pa]. */
export function gasDiffusion(a: Component, b: Component, T: number, p: number): number {
  const M = 2e3 / (1 / a.molarMass + 1 / b.molarMass);
  const width = Math.cbrt(diffusionVolume(a)) + Math.cbrt(diffusionVolume(b));
  return (1e-4 * 0.00143 * T ** 1.75) / ((p / 1e5) * Math.sqrt(M) * width * width);
}

/**
 * Blanc: diffusion coefficient [m2/s] of component i in the gas mixture x.
 * @throws also 'invalid-input' when nothing but i is present
 */
export function gasMixtureDiffusion(
  components: readonly Component[],
  i: number,
  T: number,
  p: number,
  x: Float64Array,
): number {
  let resistance = 0;
  let others = 0;
  for (let j = 0; j < x.length; j++) {
    if (j === i || x[j]! <= 0) continue;
    others += x[j]!;
    resistance += x[j]! / gasDiffusion(components[i]!, components[j]!, T, p);
  }
  if (others === 0)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'composition',
      reason: 'a second component must be present',
    });
  return others / resistance;
}

export type Solvent =
  | 'hydrocarbon'
  | 'water'
  | { readonly molarMass: number /** Association factor: methanol 1.9, ethanol 1.5, else 1. */; readonly phi: number };

/** Diffusion coefficient [m2/s] of `solute` at infinite dilution at T [K] in a solvent of viscosity `viscosity` [Pa s]. */
export function liquidDiffusion(solute: Component, solvent: Solvent, T: number, viscosity: number): number {
  const mu = viscosity * 1e3;
  const v = boilingVolume(solute);
  if (solvent === 'hydrocarbon') return 1e-4 * 13.3e-8 * T ** 1.47 * mu ** (10.2 / v - 0.791) * v ** -0.71;
  if (solvent === 'water') return 1e-4 * 1.25e-8 * (v ** -0.19 - 0.292) * T ** 1.52 * mu ** (9.58 / v - 1.12);
  return (1e-4 * 7.4e-8 * Math.sqrt(solvent.phi * solvent.molarMass * 1e3) * T) / (mu * v ** 0.6);
}

/** [cm3/mol] */
function boilingVolume({ name, vc }: Component): number {
  if (!(vc > 0)) throw new EngineError({ kind: 'missing-data', component: name, property: 'critical volume' });
  return 0.285 * (vc * 1e6) ** 1.048;
}

function diffusionVolume({ name, formula }: Component): number {
  const own = MOLECULES[name];
  if (own !== undefined) return own;
  let sum = 0;
  let read = 0;
  for (const [text, element, count] of (formula ?? '').matchAll(/([A-Z][a-z]?)(\d*)/g)) {
    const volume = ATOMS[element!];
    if (volume === undefined) break;
    sum += volume * (count === '' ? 1 : Number(count));
    read += text.length;
  }
  if (read === 0 || read !== formula?.length)
    throw new EngineError({ kind: 'missing-data', component: name, property: 'diffusion volume' });
  return sum;
}
