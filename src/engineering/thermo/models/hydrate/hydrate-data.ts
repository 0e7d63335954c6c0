/**
 * Parameters of the hydrate model in SI units: lattices, the empty lattice against pure water, Langmuir constants. Read once from
 * data/hydrate-parameters.json.
 *
 * Structure H is not modelled: the tables hold its cavities, but neither its reference properties nor Langmuir constants of the large
 * guests that it needs.
 */
import { readJsonData } from '../../../data/json.ts';
import type { Component } from '../../components/component.ts';
import { ATM } from '../../constants.ts';

export type HydrateStructure = 'sI' | 'sII';
export type Cavity = 'small' | 'large';

export const HYDRATE_STRUCTURES: readonly HydrateStructure[] = ['sI', 'sII'];
export const CAVITIES: readonly Cavity[] = ['small', 'large'];

/** Empty lattice minus pure liquid water, and minus ice, at T0 and zero pressure, per mole of water. */
export interface EmptyLattice {
  /** Cavities of each kind per water molecule. */
  readonly cavitiesPerWater: Readonly<Record<Cavity, number>>;
  /** Chemical potential difference [J/mol]. */
  readonly dmu: number;
  readonly liquid: CaloricDifference;
  readonly ice: CaloricDifference;
  readonly volume: SolidVolume;
}

export interface CaloricDifference {
  /** Enthalpy [J/mol] and heat capacity [J/(mol K)]. */
  readonly dH: number;
  readonly dCp: number;
}

/** v = v0 (1 + k1 t + k2 t^2 + k3 t^3) [m3 per mole of water], t = T - 273.15 K. */
export interface SolidVolume {
  readonly v0: number;
  readonly k: readonly number[];
}

/** C = (a/T) exp(b/T) [1/Pa]: a [K/Pa], b [K]. */
export interface LangmuirConstant {
  readonly a: number;
  readonly b: number;
}

export type GuestConstants = Readonly<
  Record<HydrateStructure, Readonly<Partial<Record<Cavity, LangmuirConstant>>> | undefined>
>;

interface File {
  readonly structures: Readonly<
    Record<HydrateStructure, { readonly cavities: readonly { readonly kind: Cavity; readonly nu_per_water: number }[] }>
  >;
  readonly reference_properties: { readonly T0_K: number } & Readonly<
    Record<
      HydrateStructure,
      Readonly<
        Record<'dmu_J_mol' | 'dH_liquid_J_mol' | 'dH_ice_J_mol' | 'dCp_liquid_J_molK' | 'dCp_ice_J_molK', number>
      >
    >
  >;
  readonly molar_volume_avlonitis1994: Readonly<
    Record<HydrateStructure | 'ice', { readonly v0: number; readonly k: readonly number[] }>
  >;
  readonly langmuir_munck1988: Readonly<
    Record<string, Readonly<Partial<Record<`${HydrateStructure}_${Cavity}`, readonly [number, number]>>>>
  >;
}

const file = readJsonData<File>('hydrate-parameters.json');

/** Temperature of the reference properties [K]: the ice point. */
export const T0 = file.reference_properties.T0_K;

export const EMPTY_LATTICES: Readonly<Record<HydrateStructure, EmptyLattice>> = {
  sI: lattice('sI'),
  sII: lattice('sII'),
};

function lattice(structure: HydrateStructure): EmptyLattice {
  const r = file.reference_properties[structure];
  const perWater = (kind: Cavity) =>
    file.structures[structure].cavities.find((cavity) => cavity.kind === kind)!.nu_per_water;
  return {
    cavitiesPerWater: { small: perWater('small'), large: perWater('large') },
    dmu: r.dmu_J_mol,
    liquid: { dH: r.dH_liquid_J_mol, dCp: r.dCp_liquid_J_molK },
    ice: { dH: r.dH_ice_J_mol, dCp: r.dCp_ice_J_molK },
    volume: solidVolume(structure),
  };
}

/** D. Avlonitis, Chem. Eng. Sci. 49 (1994) 1161. */
export const ICE_VOLUME: SolidVolume = solidVolume('ice');

function solidVolume(solid: HydrateStructure | 'ice'): SolidVolume {
  const { v0, k } = file.molar_volume_avlonitis1994[solid];
  return { v0: v0 * 1e-6, k };
}

/** Guests by component name. J. Munck, S. Skjold-Joergensen, P. Rasmussen, Chem. Eng. Sci. 43 (1988) 2661. */
const GUESTS: ReadonlyMap<string, GuestConstants> = new Map(
  Object.entries(file.langmuir_munck1988).map(([name, constants]) => {
    const of = (structure: HydrateStructure, cavity: Cavity) => {
      const pair = constants[`${structure}_${cavity}`];
      return pair === undefined ? {} : { [cavity]: { a: pair[0] / ATM, b: pair[1] } };
    };
    const guest = (structure: HydrateStructure) => {
      const both = { ...of(structure, 'small'), ...of(structure, 'large') };
      return Object.keys(both).length === 0 ? undefined : both;
    };
    return [name, { sI: guest('sI'), sII: guest('sII') }];
  }),
);

/** Langmuir constants of a component; undefined when it is no guest that the model knows. */
export function guestConstants(name: string): GuestConstants | undefined {
  return GUESTS.get(name);
}

export function guestNames(): readonly string[] {
  return [...GUESTS.keys()];
}

/** Formers that the model has no constants for, by component name; they are counted as gases that stay outside the lattice. */
const OTHER_FORMERS = new Set([
  'argon',
  'benzene',
  'c-C5',
  'c-hexane',
  'ethylene',
  'hydrogen',
  'i-pentane',
  'krypton',
  'c-propane',
  'chlorine',
  'M-cy-C5',
  'propene',
  'R22',
  'THF',
  'xenon',
  '22-dim-C4',
  '22-dim-C3',
]);

/** True when a component is known to enter hydrates, but not to this model. */
export function isUnknownFormer(component: Component): boolean {
  return !GUESTS.has(component.name) && (component.hydrateFormer || OTHER_FORMERS.has(component.name));
}
