/**
 * Thermodynamic properties of hydrate and ice in equilibrium, from the model that gave the equilibrium, so that sums over fluid and solid phases are consistent:
 *
 *   g = sum_i x_i mu_i from the fugacities;  h - h_ig = -R T^2 sum_i x_i (d ln f_i/dT) at constant filling;  s = (h - g)/T.
 *
 * Water: the fugacity of pure liquid water of the equation of state, with the enthalpy of the empty lattice (or ice) against it; guests: the temperature
 * coefficient of the Langmuir constants. Reference states are those of the fluid phases. The volume is that of the lattice, or of ice, at T (D. Avlonitis, Chem.
 * Eng. Sci. 49 (1994) 1161); it is taken not to depend on p or on the guests. Heat capacity, speed of sound and transport properties are not given: the
 * reference properties of the model carry no heat capacity of the guests in their cavities.
 */
import type { HydrateSplit } from '../equilibrium/hydrate-flash.ts';
import { createLnPhiDerivatives, type EquationOfState, type IdealGasPart } from '../model.ts';
import type { HydrateStructure } from '../models/hydrate/hydrate-data.ts';
import {
  emptyLatticeEnthalpy,
  HydratePhase,
  iceEnthalpy,
  iceVolume,
  latticeVolume,
  type Occupancy,
} from '../models/hydrate/hydrate-phase.ts';
import { IdealGas } from './ideal-gas.ts';

export type SolidName = 'gas hydrate' | 'gas hydrate_2' | 'solid';

/** Molar values with their mass density; SI units as in PhaseState. */
export interface MolarState {
  readonly molarMass: number;
  readonly molarVolume: number;
  readonly density: number;
  readonly enthalpy: number;
  readonly internalEnergy: number;
  readonly helmholtzEnergy: number;
  readonly gibbsEnergy: number;
  readonly entropy: number;
}

/** Molar values per mole of the phase, for hydrate per mole of water and guests together; SI units as in PhaseState. */
export interface SolidState extends MolarState {
  /** Ice is 'solid'. */
  readonly name: SolidName;
  /** Share of the moles and of the mass of the mixture. */
  readonly fraction: number;
  readonly massFraction: number;
  readonly x: Float64Array;
  /** Of a hydrate. */
  readonly lattice:
    | { readonly structure: HydrateStructure; readonly occupancy: Occupancy; readonly hydrationNumber: number }
    | undefined;
}

/** Hydrates, the larger first, then ice. Throws 'missing-data' when a component has no ideal-gas heat capacity. */
export function solidStates(eos: EquationOfState, split: HydrateSplit, z: Float64Array): SolidState[] {
  const { T, p, hydrates, iceAmount } = split;
  const { n, components, gasConstant: R } = eos;
  const water = components.findIndex((c) => c.name === 'water');
  const ideal: IdealGasPart = eos.idealGas ?? new IdealGas(components, R);
  const pure = new Float64Array(n);
  pure[water] = 1;
  const derivatives = createLnPhiDerivatives(n);
  eos.lnPhiDerivatives(T, p, pure, 'liquid', derivatives);
  const liquidWater = -R * T * T * derivatives.dT[water]!;
  const mass = (x: Float64Array) => x.reduce((sum, xi, i) => (xi > 0 ? sum + xi * components[i]!.molarMass : sum), 0);
  const mixtureMass = mass(z);

  const state = (
    name: SolidName,
    fraction: number,
    x: Float64Array,
    residual: number,
    molarVolume: number,
    lattice: SolidState['lattice'],
  ): SolidState => {
    const gas = { h: 0, s: 0, cp: 0 };
    ideal.evaluate(T, p, x, gas);
    let gibbsEnergy = gas.h - T * gas.s;
    for (let i = 0; i < n; i++)
      if (x[i]! > 0) gibbsEnergy += R * T * x[i]! * (split.lnFugacity[i]! - Math.log(p) - Math.log(x[i]!));
    const enthalpy = gas.h + residual;
    const molarMass = mass(x);
    return {
      name,
      fraction,
      massFraction: (fraction * molarMass) / mixtureMass,
      x,
      molarMass,
      molarVolume,
      density: molarMass / molarVolume,
      enthalpy,
      internalEnergy: enthalpy - p * molarVolume,
      helmholtzEnergy: gibbsEnergy - p * molarVolume,
      gibbsEnergy,
      entropy: (enthalpy - gibbsEnergy) / T,
      lattice,
    };
  };

  const solids = hydrates.map(({ structure, amount, x, occupancy, hydrationNumber }, k) => {
    let residual = liquidWater + emptyLatticeEnthalpy(structure, T, p);
    for (const { cavity, perWater, guests } of new HydratePhase(structure, components).cavities(T))
      for (const { index, enthalpy } of guests)
        residual += perWater * (occupancy[cavity][components[index]!.name] ?? 0) * enthalpy;
    return state(
      k === 0 ? 'gas hydrate' : 'gas hydrate_2',
      amount,
      x,
      x[water]! * residual,
      x[water]! * latticeVolume(structure, T),
      { structure, occupancy, hydrationNumber },
    );
  });
  if (iceAmount > 0)
    solids.push(state('solid', iceAmount, pure, liquidWater + iceEnthalpy(T, p), iceVolume(T), undefined));
  return solids;
}
