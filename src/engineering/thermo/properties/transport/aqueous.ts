/**
 * Viscosity and thermal conductivity of aqueous phases: water, glycols, alcohols and what is dissolved in them.
 *
 * Viscosity: ln mu = sum w_i ln mu_i over the liquids, mass fractions w, plus what water does with methanol, ethanol and MEG
 * (water-interaction.ts). Conductivity: L. P. Filippov (1955),
 *   lambda = w1 lambda1 + w2 lambda2 - k w1 w2 |lambda2 - lambda1|, summed over pairs for more than two liquids,
 * with k = 0.72 as published, but 0.40 for glycol with water and 0.55 for alcohol with water: read from the correlations of A. Melinder,
 * Properties of Secondary Working Fluids for Indirect Systems (IIR, 2010) and the ASHRAE Handbook, Fundamentals (2001), where 0.72 comes out 2 to
 * 9 % low. Water by IAPWS at T and p, with the density of IAPWS-95; the others by pure-correlations.ts. Dissolved gases and
 * hydrocarbons are left out and the rest scaled to 1: their share in water is below 0.5 % at common pressures.
 *
 * Validity: conductivity 3 % between 263 and 333 K against those sources (to 56 mass-% MEG, 47 % methanol, 55 % ethanol). Viscosity of
 * water with methanol, ethanol or MEG 1 to 3 % in the mean and 6 % at worst, from 242 K to 348, 353 and 373 K. With other solutes (propanols,
 * TEG, acids) no solutions were at hand: without the interaction methanol comes out up to 65 % low, ethanol up to 75 % low, MEG up to 45 % high,
 * and `viscosityLimitation` says so. A liquid without data (DEG, amines) is left out below 0.5 mass-%; with more of it there is no value.
 * Pressure acts on the water only. Salts are refused: ions raise the viscosity and no data are held.
 */
import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';
import { referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { liquidConductivity, liquidViscosity } from './pure-correlations.ts';
import { referenceConductivity, referenceViscosity } from './reference.ts';
import { waterInteraction, waterInteractionRange } from './water-interaction.ts';

const SOLVENTS = new Set(['water', 'seawater', 'glycol', 'alcohol', 'amine', 'acid']);
const SALTS = new Set(['ion', 'salt']);
/** Filippov's k: as published, and for pairs with water. */
const FILIPPOV = 0.72;
const WITH_WATER: Readonly<Record<string, number>> = { glycol: 0.4, alcohol: 0.55 };
const TRIPLE_POINT = 273.16;
/** Supercooled water: singular temperature of the power law and the coldest measurement [K]. */
const T_S = 225.66;
const COLDEST = 239;
/** Product of the mass fractions of water and a solute from which a missing interaction shows: 2 to 10 % of the viscosity. */
const NOTED = 0.02;
/** Mass fraction below which a liquid without data is left out like a gas: worth 2 % of the viscosity, as DEG or MEA in water. */
const TRACE = 0.005;

/** [Pa s]; undefined when a solvent has no data at T, or salt is present. */
export function aqueousViscosity(
  components: readonly Component[],
  T: number,
  p: number,
  x: Float64Array,
): number | undefined {
  const solvents = solventsOf(components, T, p, x, 'viscosity');
  if (solvents === undefined) return undefined;
  const water = waterShare(solvents);
  let log = 0;
  for (const { component, w, value } of solvents) {
    log += w * Math.log(value);
    if (water > 0) log += w * water * (waterInteraction(component.name, T, 1 - water) ?? 0);
  }
  return Math.exp(log);
}

/** What is less accurate than usual in the viscosity, in words that follow 'The viscosity of the ... phase'; undefined when nothing is. */
export function viscosityLimitation(components: readonly Component[], T: number, x: Float64Array): string | undefined {
  const shares = massShares(components, x);
  const water = waterShare(shares);
  const noted = shares.filter(({ component, w }) => component.name !== 'water' && w * water > NOTED);
  const unknown = noted.filter(({ component }) => waterInteractionRange(component.name) === undefined);
  if (unknown.length > 0)
    return `is a mass-weighted mean of logarithms, as no solutions of ${unknown.map(({ component }) => component.name).join(' and ')} in water were fitted: by that rule ethanol in water would be up to 75 % low and MEG up to 45 % high.`;
  for (const { component } of noted) {
    const { min, max } = waterInteractionRange(component.name)!;
    if (T < min || T > max)
      return `is extrapolated: solutions of ${component.name} in water were fitted between ${min} and ${max} K.`;
  }
  return undefined;
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

interface Share {
  readonly component: Component;
  readonly w: number;
}

interface Solvent extends Share {
  readonly value: number;
}

const waterShare = (shares: readonly Share[]): number =>
  shares.reduce((sum, { component, w }) => (component.name === 'water' ? sum + w : sum), 0);

/** Mass fractions of the liquids: dissolved gases and hydrocarbons left out. */
function massShares(components: readonly Component[], x: Float64Array): readonly Share[] {
  const shares: { component: Component; w: number }[] = [];
  let mass = 0;
  components.forEach((component, i) => {
    if (!(x[i]! > 0) || !SOLVENTS.has(component.type)) return;
    const w = x[i]! * component.molarMass;
    mass += w;
    shares.push({ component, w });
  });
  for (const share of shares) share.w /= mass;
  return shares;
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
  if (components.some(({ type }, i) => x[i]! > 0 && SALTS.has(type))) return undefined;
  const solvents: Solvent[] = [];
  let known = 1;
  for (const { component, w } of massShares(components, x)) {
    const value = pureValue(component, T, p, property, w < TRACE);
    if (value !== undefined) solvents.push({ component, w, value });
    else if (w < TRACE) known -= w;
    else return undefined;
  }
  if (solvents.length === 0) return undefined;
  return known === 1 ? solvents : solvents.map((solvent) => ({ ...solvent, w: solvent.w / known }));
}

function pureValue(
  component: Component,
  T: number,
  p: number,
  property: 'viscosity' | 'conductivity',
  trace: boolean,
): number | undefined {
  if (component.name === 'water') return trace && T < COLDEST ? undefined : liquidWater(T, p)[property];
  return property === 'viscosity' ? liquidViscosity(component, T) : liquidConductivity(component, T);
}
