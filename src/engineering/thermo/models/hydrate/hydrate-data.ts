/**
 * Parameters of the hydrate model in SI units: lattices, the empty lattice against pure water, Langmuir constants. Read once from
 * data/hydrate-parameters.json.
 *
 * Structure H is not modelled: the tables hold its cavities, but no Langmuir constants of the large guests that it needs, and no set was found that could be checked
 * against measured points.
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
  readonly langmuir_munck1988: Readonly<Record<string, ConstantsRow>>;
  readonly langmuir_set_pvtsim_like: Readonly<Record<string, ConstantsRow>>;
}

type ConstantsRow = Readonly<Partial<Record<`${HydrateStructure}_${Cavity}`, readonly [number, number]>>>;

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

const BAR = 1e5;

/**
 * Guests by component name. J. Munck, S. Skjold-Joergensen, P. Rasmussen, Chem. Eng. Sci. 43 (1988) 2661, in K/atm; H2S from the second set of the file, in K/bar.
 *
 * Munck's H2S hydrate comes out 0.7 to 2.5 K too unstable beside the water of CPA, which takes up 2.9 mol-% H2S at 302.7 K and 20 bar (SRK: 0.8 %). The second
 * set has the same large cavity of structure I, which shows that its unit and reference properties are Munck's, and a stronger small one; with it measured H2S points
 * are met within 0.6 K by CPA, while SRK is up to 1.5 K too stable, as for CO2.
 */
const GUESTS: ReadonlyMap<string, GuestConstants> = new Map(
  Object.entries(file.langmuir_munck1988).map(([name, constants]) => [
    name,
    name === 'H2S' ? guest(file.langmuir_set_pvtsim_like[name]!, BAR) : guest(constants, ATM),
  ]),
);

function guest(constants: ConstantsRow, pressure: number): GuestConstants {
  const of = (structure: HydrateStructure, cavity: Cavity) => {
    const pair = constants[`${structure}_${cavity}`];
    return pair === undefined ? {} : { [cavity]: { a: pair[0] / pressure, b: pair[1] } };
  };
  const both = (structure: HydrateStructure) => {
    const cavities = { ...of(structure, 'small'), ...of(structure, 'large') };
    return Object.keys(cavities).length === 0 ? undefined : cavities;
  };
  return { sI: both('sI'), sII: both('sII') };
}

/** Langmuir constants of a component; undefined when it is no guest that the model knows. */
export function guestConstants(name: string): GuestConstants | undefined {
  return GUESTS.get(name);
}

export function guestNames(): readonly string[] {
  return [...GUESTS.keys()];
}

/**
 * Structure that a guest forms when it is the only one, below about 100 MPa: E. D. Sloan, C. A. Koh, Clathrate Hydrates of Natural Gases, 3rd ed. (2008), chapter 2;
 * nitrogen: W. F. Kuhs, B. Chazallon, P. G. Radaelli, F. Pauer, J. Inclusion Phenom. 29 (1997) 65.
 */
const STRUCTURE_ALONE: ReadonlyMap<string, HydrateStructure> = new Map([
  ['methane', 'sI'],
  ['ethane', 'sI'],
  ['CO2', 'sI'],
  ['H2S', 'sI'],
  ['propane', 'sII'],
  ['i-butane', 'sII'],
  ['nitrogen', 'sII'],
]);

/** The measured structure of the hydrate of one guest alone; undefined where none is known. */
export function structureAlone(guest: string): HydrateStructure | undefined {
  return STRUCTURE_ALONE.get(guest);
}

/**
 * Formers that the model has no constants for, by component name; they are counted as gases or liquids that stay outside the lattice. Guests of structures I and II
 * on their own or with a help gas: E. D. Sloan, C. A. Koh, Clathrate Hydrates of Natural Gases, 3rd ed. (2008), chapter 2.
 */
const OTHER_FORMERS = new Set([
  'argon',
  'krypton',
  'xenon',
  'neon',
  'hydrogen',
  'para-hydrogen',
  'ortho-hydrogen',
  'deuterium',
  'chlorine',
  'bromine',
  'N2O',
  'COS',
  'CS2',
  'acetylene',
  'ethylene',
  'C2H4',
  'propene',
  'c-propane',
  'iso-butene',
  'trans-butene',
  '22-dim-C3',
  'c-C5',
  'cyclopentene',
  'c-hexane',
  'benzene',
  'nbutanePVTsim',
  'propanePVTsim',
  'methyl mercaptan',
  'ethyl mercaptan',
  'dimethyl sulfide',
  'thiophene',
  'dimethyl ether',
  'propylene oxide',
  'acetone',
  'THF',
  'methyl chloride',
  'dichloromethane',
  'chloroform',
  'carbon tetrachloride',
  'vinyl chloride',
  'R22',
  'R23',
  'R32',
  'R125',
  'R143a',
  'R152a',
]);

/**
 * Large molecules that form structure H with a help gas (methane, nitrogen, H2S) in the smaller cavities: J. A. Ripmeester, C. I. Ratcliffe, J. Phys. Chem. 94 (1990)
 * 8773; A. P. Mehta, E. D. Sloan, AIChE J. 40 (1994) 312 and 42 (1996) 2036.
 */
const STRUCTURE_H_FORMERS = new Set([
  'i-pentane',
  '22-dim-C4',
  '23-dim-C4',
  '223-TM-C4',
  '22-DM-C5',
  '33-DM-C5',
  'M-cy-C5',
  'E-cy-C5',
  'M-cy-C6',
  'cis-12-DM-cy-C6',
  'c-C7',
  'c-C8',
  'MTBE',
]);

/** Names of the components that form structure H, which the model does not describe. */
export function structureHFormers(): readonly string[] {
  return [...STRUCTURE_H_FORMERS];
}

/** True when a component is known to enter hydrates, but not to this model. */
export function isUnknownFormer(component: Component): boolean {
  const { name, hydrateFormer } = component;
  return !GUESTS.has(name) && (hydrateFormer || OTHER_FORMERS.has(name) || STRUCTURE_H_FORMERS.has(name));
}
