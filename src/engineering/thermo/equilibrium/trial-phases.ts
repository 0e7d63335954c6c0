/**
 * Which starts a stability test tries. A trial phase is found from a start in its basin, so the list must hold one start near
 * every kind of phase that can form: a vapour, a heavy liquid, a phase a little lighter than the feed (near critical), an ideal-gas
 * trial, near-pure phases of the components that make liquids of their own (water and other polar or inert substances, the lightest and the
 * heaviest hydrocarbon), a hydrocarbon liquid without the others, and the polar components together. With polar components
 * stability-test.ts adds a phase a little heavier than the feed and what lies between two phases.
 */
import type { Component, ComponentType } from '../components/component.ts';

/** ln W of the components that a start leaves out: no weight in the first evaluation. */
const ABSENT = -40;

const POLAR: ReadonlySet<ComponentType> = new Set(['water', 'seawater', 'glycol', 'alcohol', 'amine', 'acid', 'salt']);

export interface TrialPlan {
  /** Components whose near-pure phase is tried, most likely first. */
  readonly pure: Int32Array;
  /** Groups tried together, each with at least two members: hydrocarbons (weighted z/K) and polar substances (weighted z). */
  readonly hydrocarbons: Int32Array;
  readonly polar: Int32Array;
  readonly hasPolar: boolean;
}

/** `active` lists the components present. */
export function planTrials(components: readonly Component[], active: Int32Array): TrialPlan {
  const present = [...active];
  const hydrocarbons = present.filter((i) => isHydrocarbon(components[i]!));
  const own = present.filter((i) => !isHydrocarbon(components[i]!));
  const polar = present.filter((i) => POLAR.has(components[i]!.type));
  // Water first: a forgotten aqueous phase is the commonest wrong answer.
  own.sort((a, b) => Number(components[b]!.type === 'water') - Number(components[a]!.type === 'water'));
  const byTc = [...hydrocarbons].sort((a, b) => components[a]!.Tc - components[b]!.Tc);
  const pure = new Set([...own, ...byTc.slice(-1), ...byTc.slice(0, 1)]);
  return {
    pure: Int32Array.from(pure),
    hydrocarbons: Int32Array.from(own.length > 0 && hydrocarbons.length > 1 ? hydrocarbons : []),
    polar: Int32Array.from(polar.length > 1 ? polar : []),
    hasPolar: polar.length > 0,
  };
}

function isHydrocarbon(component: Component): boolean {
  return component.type === 'HC' || component.type === 'pseudo';
}

export function pureStart(lnW: Float64Array, component: number): void {
  lnW.fill(ABSENT);
  lnW[component] = 0;
}

/**
 * Members in the proportions of `lnAmount` less `share` of `lnK` (a liquid that holds what is least volatile; a third of ln K suits
 * states near the critical point), others absent.
 */
export function groupStart(
  lnW: Float64Array,
  members: Int32Array,
  lnAmount: Float64Array,
  lnK: Float64Array,
  share: number,
): void {
  lnW.fill(ABSENT);
  let top = Number.NEGATIVE_INFINITY;
  for (const i of members) top = Math.max(top, lnAmount[i]! - share * lnK[i]!);
  for (const i of members) lnW[i] = Math.max(ABSENT, lnAmount[i]! - share * lnK[i]! - top);
}
