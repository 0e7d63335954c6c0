/**
 * Gas hydrate as a solid solution after J. H. van der Waals and J. C. Platteeuw, Adv. Chem. Phys. 2 (1959) 1: water in a lattice of
 * structure I or II with at most one guest molecule in a cavity. Per mole of water, with f_k the fugacity of guest k,
 *
 *   ln(f_w^H / f_w^0) = dmu(T, p)/(R T) + sum_m nu_m ln(1 - sum_k theta_km),
 *   theta_km = C_km f_k / (1 + sum_j C_jm f_j),   C_km = (a_km/T) exp(b_km/T),
 *   dmu(T, p)/(R T) = dmu0/(R T0) - int_T0^T (dH0 + dCp (T - T0))/(R T^2) dT + dV(T) p/(R T).
 *
 * f_w^0 is the fugacity of pure liquid water at T, p (undercooled below the ice point), so water may come from any phase and inhibitors act
 * through its fugacity there. Ice is described by the same reference properties: what the empty lattice loses against ice and against
 * liquid water differs by the heat of fusion, so ln(f_ice / f_w^0) is their difference and is the same for both structures.
 *
 * Reference properties and Langmuir constants: J. Munck, S. Skjold-Joergensen, P. Rasmussen, Chem. Eng. Sci. 43 (1988) 2661 (H2S: hydrate-data.ts). They were
 * fitted to hydrates of one and two gases between about 250 and 305 K, up to 40 MPa. dV is the volume of the lattice (D. Avlonitis, Chem. Eng. Sci.
 * 49 (1994) 1161) less that of liquid water, 18.02 cm3/mol, and so 0.3 to 0.4 cm3/mol below the constants that Munck et al. carry.
 */
import type { Component } from '../../components/component.ts';
import { R } from '../../constants.ts';
import {
  CAVITIES,
  type CaloricDifference,
  type Cavity,
  EMPTY_LATTICES,
  guestConstants,
  type HydrateStructure,
  ICE_VOLUME,
  type LangmuirConstant,
  type SolidVolume,
  T0,
} from './hydrate-data.ts';

/** Molar volume of liquid water at the ice point [m3/mol]. */
const LIQUID_VOLUME = 18.02e-6;

/** Share of the cavities of a kind that each guest fills, by component name. */
export type Occupancy = Readonly<Record<Cavity, Readonly<Record<string, number>>>>;

export interface CavityGuests {
  readonly cavity: Cavity;
  /** Cavities of this kind per water molecule. */
  readonly perWater: number;
  readonly guests: readonly { readonly index: number; readonly C: number; readonly enthalpy: number }[];
}

export class HydratePhase {
  readonly structure: HydrateStructure;
  private readonly components: readonly Component[];
  private readonly constants: readonly (Readonly<Partial<Record<Cavity, LangmuirConstant>>> | undefined)[];

  /** Of the guests among `components`; the others do not enter the lattice. */
  constructor(structure: HydrateStructure, components: readonly Component[]) {
    this.structure = structure;
    this.components = components;
    this.constants = components.map((c) => guestConstants(c.name)?.[structure]);
  }

  /** ln(f_w^H / f_w^0) at T [K], p [Pa], fugacities f [Pa] of all components (only those of guests are used). */
  lnWaterFugacityRatio(T: number, p: number, f: ArrayLike<number>): number {
    const { cavitiesPerWater } = EMPTY_LATTICES[this.structure];
    let sum = lnEmptyLatticeRatio(this.structure, T, p);
    for (const cavity of CAVITIES) sum -= cavitiesPerWater[cavity] * Math.log1p(this.filling(cavity, T, f));
    return sum;
  }

  /** theta_km by cavity and guest. */
  occupancy(T: number, f: ArrayLike<number>): Occupancy {
    const of = (cavity: Cavity): Record<string, number> => {
      const empty = 1 / (1 + this.filling(cavity, T, f));
      const filled: Record<string, number> = {};
      this.constants.forEach((constants, k) => {
        const c = constants?.[cavity];
        if (c !== undefined && f[k]! > 0) filled[this.components[k]!.name] = langmuir(c, T) * f[k]! * empty;
      });
      return filled;
    };
    return { small: of('small'), large: of('large') };
  }

  /** The guests that each kind of cavity takes at T [K]: component index, Langmuir constant C [1/Pa], and enthalpy [J/mol] of the guest against its ideal gas. */
  cavities(T: number): readonly CavityGuests[] {
    return CAVITIES.map((cavity) => ({
      cavity,
      perWater: EMPTY_LATTICES[this.structure].cavitiesPerWater[cavity],
      guests: this.constants.flatMap((constants, index) => {
        const c = constants?.[cavity];
        // ln f = ln(theta/theta_0) - ln C at constant filling, and h - h_ig = -R T^2 d ln f/dT.
        return c === undefined ? [] : [{ index, C: langmuir(c, T), enthalpy: -R * (T + c.b) }];
      }),
    }));
  }

  /** Guest molecules per water molecule: sum_m nu_m sum_k theta_km. */
  guestsPerWater(T: number, f: ArrayLike<number>): number {
    const { cavitiesPerWater } = EMPTY_LATTICES[this.structure];
    let sum = 0;
    for (const cavity of CAVITIES) {
      const filling = this.filling(cavity, T, f);
      sum += (cavitiesPerWater[cavity] * filling) / (1 + filling);
    }
    return sum;
  }

  /** sum_k C_k f_k of one kind of cavity. */
  private filling(cavity: Cavity, T: number, f: ArrayLike<number>): number {
    let sum = 0;
    for (let k = 0; k < this.constants.length; k++) {
      const c = this.constants[k]?.[cavity];
      if (c !== undefined) sum += langmuir(c, T) * f[k]!;
    }
    return sum;
  }
}

/**
 * Chemical potential of water in structure II less that in structure I [J/mol] at T [K], p [Pa], fugacities f [Pa] beside both: below 0 where II is the stabler.
 * Langmuir constants of two structures were fitted one by one, so a few ten J/mol do not tell which one forms.
 */
export function structureDifference(
  components: readonly Component[],
  T: number,
  p: number,
  f: ArrayLike<number>,
): number {
  const ratio = (structure: HydrateStructure) => new HydratePhase(structure, components).lnWaterFugacityRatio(T, p, f);
  return R * T * (ratio('sII') - ratio('sI'));
}

function langmuir({ a, b }: LangmuirConstant, T: number): number {
  return (a / T) * Math.exp(b / T);
}

/** ln of the fugacity of water in the empty lattice over that of pure liquid water, at T [K], p [Pa]. */
export function lnEmptyLatticeRatio(structure: HydrateStructure, T: number, p: number): number {
  const { dmu, liquid, volume } = EMPTY_LATTICES[structure];
  return dmu / (R * T0) + lnCaloric(liquid, T) + ((solidVolume(volume, T) - LIQUID_VOLUME) * p) / (R * T);
}

/** ln of the fugacity of ice over that of pure liquid water, at T [K], p [Pa]: 0 at 273.15 K and zero pressure. */
export function lnIceRatio(T: number, p: number): number {
  const { liquid, ice } = EMPTY_LATTICES.sI;
  return lnCaloric(liquid, T) - lnCaloric(ice, T) + ((solidVolume(ICE_VOLUME, T) - LIQUID_VOLUME) * p) / (R * T);
}

/** Enthalpy [J per mole of water] of the empty lattice less that of pure liquid water, at T [K], p [Pa]: -R T^2 d/dT of lnEmptyLatticeRatio. */
export function emptyLatticeEnthalpy(structure: HydrateStructure, T: number, p: number): number {
  const { liquid, volume } = EMPTY_LATTICES[structure];
  return caloric(liquid, T) + volumeEnthalpy(volume, T, p);
}

/** Enthalpy [J/mol] of ice less that of pure liquid water, at T [K], p [Pa]. */
export function iceEnthalpy(T: number, p: number): number {
  const { liquid, ice } = EMPTY_LATTICES.sI;
  return caloric(liquid, T) - caloric(ice, T) + volumeEnthalpy(ICE_VOLUME, T, p);
}

/** Volume of the lattice [m3 per mole of water] at T [K]; guests do not change it. D. Avlonitis, Chem. Eng. Sci. 49 (1994) 1161. */
export function latticeVolume(structure: HydrateStructure, T: number): number {
  return solidVolume(EMPTY_LATTICES[structure].volume, T);
}

/** Volume of ice [m3/mol] at T [K]; same source. */
export function iceVolume(T: number): number {
  return solidVolume(ICE_VOLUME, T);
}

function caloric({ dH, dCp }: CaloricDifference, T: number): number {
  return dH + dCp * (T - T0);
}

/** (dv - T d(dv)/dT) p with dv the volume against liquid water, whose own is taken as constant. */
function volumeEnthalpy(volume: SolidVolume, T: number, p: number): number {
  const { v0, k } = volume;
  const t = T - T0;
  const slope = v0 * (k[0]! + t * (2 * k[1]! + t * 3 * k[2]!));
  return (solidVolume(volume, T) - LIQUID_VOLUME - T * slope) * p;
}

/** -int_T0^T (dH + dCp (T - T0))/(R T^2) dT. */
function lnCaloric({ dH, dCp }: CaloricDifference, T: number): number {
  return ((dH - dCp * T0) * (1 / T - 1 / T0) - dCp * Math.log(T / T0)) / R;
}

function solidVolume({ v0, k }: SolidVolume, T: number): number {
  const t = T - T0;
  return v0 * (1 + t * (k[0]! + t * (k[1]! + t * k[2]!)));
}
