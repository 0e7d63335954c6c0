/**
 * Which components of a fluid in equilibrium would freeze: those with a fugacity above that of their pure solid at the same T and p,
 *
 *   ln f_i(fluid) - ln f_i(solid) > margin.
 *
 * It guarantees: a component named is supersaturated by the stated ratio, by the model of the fluid and the solid of models/solid/pure-solid.ts. Nothing is
 * precipitated (solids.ts does that), and silence is no proof: components without sound data are left out. Data are taken as sound where melting and triple
 * point agree within 1 % and neither critical constants nor solid are placeholders; amines, acids, salts and pseudo components are left out, the first two since they form
 * solvates with water. Below half the melting point the ratio is a lower bound (PureSolid.atMost), of dry ice that of its extrapolated sublimation curve.
 *
 * Ice: ln(f_ice/f_liquid) of the hydrate model; for GERG-2008 and AGA8, which do not describe liquid water, the sublimation pressure of IAPWS R14-08.
 */
import type { Component } from '../components/component.ts';
import { isEngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { lnIceFugacity } from '../models/solid/ice-sublimation.ts';
import { PureSolid, solidRoute } from '../models/solid/pure-solid.ts';

export interface PossibleSolid {
  /** Key of the component, and its public name. */
  readonly component: string;
  readonly publicName: string;
  /** Fugacity in the fluid over that of the pure solid, above 1. */
  readonly supersaturation: number;
  /** True when T lies below the range of the data, so that the ratio is a lower bound. */
  readonly atLeast: boolean;
}

/** What is read of a fluid: phases in equilibrium at T [K], p [Pa]. */
export interface FluidPhases {
  readonly T: number;
  readonly p: number;
  readonly phases: readonly { readonly x: Float64Array; readonly lnPhi: Float64Array }[];
}

/** Ice and fusion are exact at the melting point: 0.3 K. Sublimation curve and equation of state meet near the triple point within 1 to 2 %: 0.8 K of melting. */
const MARGIN = { ice: 0.003, fusion: 0.005, sublimation: 0.02 } as const;
/** Melting points rise with pressure by less than this [K/Pa]: above it nothing needs to be computed. */
const STEEPEST_MELTING = 5e-7;
const AGREEMENT = 0.01;
const LEFT_OUT: ReadonlySet<Component['type']> = new Set([
  'amine',
  'acid',
  'ion',
  'salt',
  'ice',
  'asphaltene',
  'pseudo',
]);
const UNSOUND = /nominal|copied value|Tc (placeholder|differs)/;

const candidatesOf = new WeakMap<EquationOfState, readonly PureSolid[]>();

/**
 * The components that would freeze, most supersaturated first; empty where nothing would. `margin` replaces the usual ones (ln f). Costs one pure-component
 * fugacity for each component below its melting point, and next to nothing above all of them.
 */
export function possibleSolids(eos: EquationOfState, fluid: FluidPhases, margin?: number): PossibleSolid[] {
  const { T, p, phases } = fluid;
  const found: PossibleSolid[] = [];
  let candidates = candidatesOf.get(eos);
  if (candidates === undefined) {
    candidates = eos.components.flatMap((c, i) => (isSound(c) ? [new PureSolid(eos, i)] : []));
    candidatesOf.set(eos, candidates);
  }
  for (const solid of candidates) {
    if (T >= highestMelting(solid, p)) continue;
    const lnFluid = lnFugacity(phases, solid.index, p);
    if (lnFluid === undefined) continue;
    const lnSolid = lnSolidFugacity(eos, solid, T, p);
    if (lnSolid === undefined) continue;
    const excess = lnFluid - lnSolid;
    if (!(excess > (margin ?? MARGIN[solid.route]))) continue;
    const { name, publicName } = solid.component;
    found.push({
      component: name,
      publicName,
      supersaturation: Math.exp(excess),
      atLeast: T < solid.minT && solid.route !== 'sublimation',
    });
  }
  return found.sort((a, b) => b.supersaturation - a.supersaturation);
}

function isSound(component: Component): boolean {
  const route = solidRoute(component);
  if (route === undefined || LEFT_OUT.has(component.type)) return false;
  if (route !== 'fusion') return true;
  const { Tmelt, Ttriple, flags } = component;
  if (Math.abs(Ttriple / Tmelt - 1) > AGREEMENT) return false;
  return !flags.some((flag) => UNSOUND.test(flag));
}

function highestMelting({ route, component, maxT }: PureSolid, p: number): number {
  if (route === 'ice') return component.Ttriple;
  const melting = route === 'sublimation' ? component.Ttriple : component.Tmelt;
  return Math.min(maxT, melting + STEEPEST_MELTING * p);
}

/** From the phase with most of it, since rounding disturbs traces; undefined for a component that is absent. */
function lnFugacity(phases: FluidPhases['phases'], i: number, p: number): number | undefined {
  let most: FluidPhases['phases'][number] | undefined;
  for (const phase of phases) if (phase.x[i]! > (most?.x[i] ?? 0)) most = phase;
  return most === undefined ? undefined : Math.log(most.x[i]! * p) + most.lnPhi[i]!;
}

function lnSolidFugacity(eos: EquationOfState, solid: PureSolid, T: number, p: number): number | undefined {
  if (solid.route === 'ice' && (eos.id === 'GERG2008' || eos.id === 'AGA8')) return lnIceFugacity(T, p);
  try {
    return solid.atMost(T, p);
  } catch (error) {
    // The model has no undercooled liquid there.
    if (isEngineError(error, 'not-converged') || isEngineError(error, 'outside-range'))
      return solid.route === 'ice' ? lnIceFugacity(T, p) : undefined;
    throw error;
  }
}
