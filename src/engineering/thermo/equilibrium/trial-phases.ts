/**
 * Which starts a stability test tries. A trial phase is found from a start in its basin, so the list must hold one start near
 * every kind of phase that can form: a vapour and a heavy liquid (Wilson), an ideal-gas trial, and near-pure phases of the components
 * that make liquids of their own (water and other polar or inert substances, the lightest and the heaviest component).
 */
import type { Component } from '../components/component.ts';

/** ln W of the components that a near-pure start leaves out: no weight in the first evaluation. */
const ABSENT = -40;

/** Components whose near-pure phase is worth a trial, most likely first. `active` lists the components present. */
export function pureTrialComponents(components: readonly Component[], active: Int32Array): Int32Array {
  let lightest = active[0]!;
  let heaviest = active[0]!;
  for (const i of active) {
    if (components[i]!.Tc < components[lightest]!.Tc) lightest = i;
    if (components[i]!.Tc > components[heaviest]!.Tc) heaviest = i;
  }
  const own = [...active].filter((i) => components[i]!.type !== 'HC' && components[i]!.type !== 'pseudo');
  // Water first: a forgotten aqueous phase is the commonest wrong answer.
  own.sort((a, b) => Number(components[b]!.type === 'water') - Number(components[a]!.type === 'water'));
  return Int32Array.from(new Set([...own, heaviest, lightest]));
}

export function pureStart(lnW: Float64Array, component: number): void {
  lnW.fill(ABSENT);
  lnW[component] = 0;
}
