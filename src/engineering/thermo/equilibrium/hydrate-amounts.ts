/**
 * The Gibbs energy of hydrates and ice as a function of what they hold, the variables of hydrate-flash.ts: per structure the water of its lattice and the
 * guests in each kind of cavity, and the water in ice. With N moles of lattice water and n_km moles of guest k in cavities m (nu_m N of them),
 *
 *   G/(R T) = N ln f_w^empty + sum_m [ sum_k n_km (ln n_km - ln C_km) + n_0m ln n_0m - nu_m N ln(nu_m N) ],   n_0m = nu_m N - sum_k n_km,
 *
 * the free energy of van der Waals and Platteeuw (models/hydrate/hydrate-phase.ts). It is convex, and its derivatives are the ln f of water and guests there.
 */
import type { HydrateStructure } from '../models/hydrate/hydrate-data.ts';
import { type HydratePhase, lnEmptyLatticeRatio, lnIceRatio } from '../models/hydrate/hydrate-phase.ts';

/** Guest k in one kind of cavity: `at` is the place of n_km among the variables. */
export interface GuestVariable {
  readonly at: number;
  readonly component: number;
  readonly lnC: number;
}

export interface LatticeVariables {
  readonly structure: HydrateStructure;
  /** Place of N. */
  readonly at: number;
  readonly lnEmpty: number;
  readonly cavities: readonly {
    readonly perWater: number;
    readonly guests: readonly GuestVariable[];
  }[];
}

/** Solids that may be present: where their amounts stand among the variables. */
export interface SolidVariables {
  readonly size: number;
  readonly lattices: readonly LatticeVariables[];
  readonly ice: { readonly at: number; readonly lnF: number } | undefined;
  /** Component that each variable is made of: one mole of it a mole. */
  readonly component: Int32Array;
}

/** Variables for the structures and for ice at T [K], p [Pa]; `lnPureWater`: ln fugacity [Pa] of pure liquid water there. */
export function solidVariables(
  phases: readonly HydratePhase[],
  withIce: boolean,
  T: number,
  p: number,
  z: Float64Array,
  water: number,
  lnPureWater: number,
): SolidVariables {
  const component: number[] = [];
  const add = (index: number) => component.push(index) - 1;
  const lattices = phases.map((phase): LatticeVariables => {
    const at = add(water);
    const cavities = phase.cavities(T).map(({ perWater, guests }) => {
      return {
        perWater,
        guests: guests
          .filter(({ index }) => z[index]! > 0)
          .map(({ index, C }) => ({ at: add(index), component: index, lnC: Math.log(C) })),
      };
    });
    return {
      structure: phase.structure,
      at,
      lnEmpty: lnPureWater + lnEmptyLatticeRatio(phase.structure, T, p),
      cavities: cavities.filter(({ guests }) => guests.length > 0),
    };
  });
  const ice = withIce ? { at: add(water), lnF: lnPureWater + lnIceRatio(T, p) } : undefined;
  return { size: component.length, lattices, ice, component: Int32Array.from(component) };
}

/** Empty cavities n_0m of one kind [mol]. */
export function emptyCavities(
  lattice: LatticeVariables,
  cavity: LatticeVariables['cavities'][number],
  v: Float64Array,
): number {
  let empty = cavity.perWater * v[lattice.at]!;
  for (const { at } of cavity.guests) empty -= v[at]!;
  return empty;
}

/** d(G/(R T))/dv into `out`: ln fugacities [Pa] of water and guests in the solids. */
export function lnSolidFugacities(solids: SolidVariables, v: Float64Array, out: Float64Array): void {
  for (const lattice of solids.lattices) {
    const N = v[lattice.at]!;
    let water = lattice.lnEmpty;
    for (const cavity of lattice.cavities) {
      const lnEmpty = Math.log(emptyCavities(lattice, cavity, v));
      water += cavity.perWater * (lnEmpty - Math.log(cavity.perWater * N));
      for (const { at, lnC } of cavity.guests) out[at] = Math.log(v[at]!) - lnC - lnEmpty;
    }
    out[lattice.at] = water;
  }
  if (solids.ice !== undefined) out[solids.ice.at] = solids.ice.lnF;
}

/** Adds d2(G/(R T))/dv dv to the row-major `hessian`. */
export function addSolidHessian(solids: SolidVariables, v: Float64Array, hessian: Float64Array): void {
  const { size } = solids;
  const add = (i: number, j: number, value: number) => {
    hessian[i * size + j] = hessian[i * size + j]! + value;
  };
  for (const lattice of solids.lattices) {
    const N = v[lattice.at]!;
    for (const cavity of lattice.cavities) {
      const { perWater, guests } = cavity;
      const empty = emptyCavities(lattice, cavity, v);
      let filled = 0;
      for (const { at } of guests) filled += v[at]!;
      // nu^2/n_0 - nu/N, without the difference of two nearly equal terms when the cavities are nearly empty.
      add(lattice.at, lattice.at, (perWater * filled) / (empty * N));
      for (const { at } of guests) {
        add(at, at, 1 / v[at]!);
        add(at, lattice.at, -perWater / empty);
        add(lattice.at, at, -perWater / empty);
        for (const other of guests) add(at, other.at, 1 / empty);
      }
    }
  }
}

/** What variable i can take up [mol]: the empty cavities of its kind; without limit for water. */
export function cavityRoom(solids: SolidVariables, v: Float64Array, i: number): number {
  for (const lattice of solids.lattices)
    for (const cavity of lattice.cavities)
      if (cavity.guests.some(({ at }) => at === i)) return emptyCavities(lattice, cavity, v);
  return Number.POSITIVE_INFINITY;
}

/** Largest step along d that keeps every amount, empty cavities included, above 0. */
export function longestSolidStep(solids: SolidVariables, v: Float64Array, d: Float64Array): number {
  let longest = Number.POSITIVE_INFINITY;
  const limit = (amount: number, change: number) => {
    if (change < 0) longest = Math.min(longest, -amount / change);
  };
  for (let i = 0; i < solids.size; i++) limit(v[i]!, d[i]!);
  for (const lattice of solids.lattices)
    for (const cavity of lattice.cavities) limit(emptyCavities(lattice, cavity, v), emptyCavities(lattice, cavity, d));
  return longest;
}

/** True when a component present enters the lattice. */
export function holdsGuests(phase: HydratePhase, T: number, z: Float64Array): boolean {
  return phase.cavities(T).some(({ guests }) => guests.some(({ index }) => z[index]! > 0));
}

/** Moles of the lattice and its guests, and x of the phase, into `x`; returns the moles. */
export function latticeComposition(lattice: LatticeVariables, v: Float64Array, water: number, x: Float64Array): number {
  x.fill(0);
  x[water] = v[lattice.at]!;
  let moles = v[lattice.at]!;
  for (const { guests } of lattice.cavities)
    for (const { at, component } of guests) {
      x[component] = x[component]! + v[at]!;
      moles += v[at]!;
    }
  for (let i = 0; i < x.length; i++) x[i] = x[i]! / moles;
  return moles;
}
