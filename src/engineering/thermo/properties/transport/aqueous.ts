/**
 * Viscosity and thermal conductivity of aqueous phases: water, glycols, alcohols and what is dissolved in them.
 *
 * Viscosity: ln mu = sum w_i ln mu_i over the liquids, mass fractions w. Conductivity: L. P. Filippov (1955),
 *   lambda = w1 lambda1 + w2 lambda2 - k w1 w2 |lambda2 - lambda1|, summed over pairs for more than two liquids,
 * with k = 0.72 as published, but 0.40 for glycol with water and 0.55 for alcohol with water: read from the correlations of A. Melinder,
 * Properties of Secondary Working Fluids for Indirect Systems (IIR, 2010) and the ASHRAE Handbook, Fundamentals (2001), where 0.72 comes out 2 to
 * 9 % low. Water by IAPWS at T and p, with the density of IAPWS-95; the others by pure-correlations.ts. Dissolved gases and
 * hydrocarbons are left out and the rest scaled to 1: their share in water is below 0.5 % at common pressures.
 *
 * Validity: conductivity 3 % between 263 and 333 K against those sources (to 56 mass-% MEG, 47 % methanol, 55 % ethanol). Viscosity of
 * glycol-water is 7 to 27 % high between 273 and 293 K, 45 % at 253 K. Alcohol-water passes a maximum of viscosity that the rule does
 * not show: 30 to 65 % low with 10 to 50 mass-% methanol, 40 to 75 % low with ethanol, between 273 and 293 K, worse when colder. Salts are
 * refused: ions raise the viscosity and no data are held.
 */
import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';
import { referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { liquidConductivity, liquidViscosity } from './pure-correlations.ts';
import { referenceConductivity, referenceViscosity } from './reference.ts';

const SOLVENTS = new Set(['water', 'seawater', 'glycol', 'alcohol', 'amine', 'acid']);
const SALTS = new Set(['ion', 'salt']);
/** Filippov's k: as published, and for pairs with water. */
const FILIPPOV = 0.72;
const WITH_WATER: Readonly<Record<string, number>> = { glycol: 0.4, alcohol: 0.55 };
const TRIPLE_POINT = 273.16;
/** Supercooled water: singular temperature of the power law and the coldest measurement [K]. */
const T_S = 225.66;
const COLDEST = 239;

/** [Pa s]; undefined when a solvent has no data at T, or salt is present. */
export function aqueousViscosity(
  components: readonly Component[],
  T: number,
  p: number,
  x: Float64Array,
): number | undefined {
  const solvents = solventsOf(components, T, p, x, 'viscosity');
  if (solvents === undefined) return undefined;
  let log = 0;
  for (const { w, value } of solvents) log += w * Math.log(value);
  return Math.exp(log);
}

/** [W/(m K)]; undefined as for viscosity. */
export function aqueousConductivity(
  components: readonly Component[],
  T: number,
  p: number,
  x: Float64Array,
): number | undefined {
  const solvents = solventsOf(components, T, p, x, 'conductivity');
  if (solvents === undefined) return undefined;
  let sum = 0;
  solvents.forEach((a, i) => {
    sum += a.w * a.value;
    for (const b of solvents.slice(i + 1))
      sum -= filippov(a.component, b.component) * a.w * b.w * Math.abs(a.value - b.value);
  });
  return sum;
}

/**
 * Viscosity [Pa s] and conductivity [W/(m K)] of liquid water at T [K], p [Pa]; metastable below its vapour pressure. Supercooled water,
 * which is what a cold glycol solution holds: mu ~ (T/225.66 - 1)^-1.6438 (A. Dehaoui, B. Issenmann, F. Caupin, Proc. Natl. Acad. Sci.
 * 112, 12020 (2015), 239 K up) and lambda falling by 1.9 mW/(m K) per K, both joined to IAPWS at the triple point.
 * @throws EngineError 'outside-range' below 239 K, and as the IAPWS-95 density does
 */
export function liquidWater(T: number, p: number): { readonly viscosity: number; readonly conductivity: number } {
  if (T < TRIPLE_POINT) {
    if (!(T >= COLDEST))
      throw new EngineError({
        kind: 'outside-range',
        quantity: 'temperature of liquid water',
        value: T,
        min: COLDEST,
        max: 647,
        unit: 'K',
      });
    const melting = liquidWater(TRIPLE_POINT, p);
    const rise = ((T - T_S) / (TRIPLE_POINT - T_S)) ** -1.6438;
    return {
      viscosity: melting.viscosity * rise,
      conductivity: melting.conductivity - 1.9e-3 * (TRIPLE_POINT - T),
    };
  }
  const rho = referenceFluid('water').density(T, p, 'liquid');
  return { viscosity: referenceViscosity('water', T, rho), conductivity: referenceConductivity('water', T, rho) };
}

interface Solvent {
  readonly component: Component;
  readonly w: number;
  readonly value: number;
}

function filippov(a: Component, b: Component): number {
  const other = a.name === 'water' ? b : b.name === 'water' ? a : undefined;
  return (other && WITH_WATER[other.type]) ?? FILIPPOV;
}

function solventsOf(
  components: readonly Component[],
  T: number,
  p: number,
  x: Float64Array,
  property: 'viscosity' | 'conductivity',
): readonly Solvent[] | undefined {
  const solvents: { -readonly [K in keyof Solvent]: Solvent[K] }[] = [];
  let mass = 0;
  for (let i = 0; i < x.length; i++) {
    if (x[i]! <= 0) continue;
    const component = components[i]!;
    if (SALTS.has(component.type)) return undefined;
    if (!SOLVENTS.has(component.type)) continue;
    const pure = property === 'viscosity' ? liquidViscosity : liquidConductivity;
    const value = component.name === 'water' ? liquidWater(T, p)[property] : pure(component, T);
    if (value === undefined) return undefined;
    const w = x[i]! * component.molarMass;
    mass += w;
    solvents.push({ component, w, value });
  }
  if (mass === 0) return undefined;
  for (const solvent of solvents) solvent.w /= mass;
  return solvents;
}
