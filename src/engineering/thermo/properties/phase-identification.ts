/**
 * Names of fluid phases. A phase diagram knows no names; these are conventions of process engineering:
 *  - aqueous: dense, and at least half of its moles are water, glycols, alcohols, amines or ions;
 *  - gas or oil: below the pseudo-critical temperature (mole average of Tc) a phase is oil when it is denser than its pseudo-critical
 *    density, above it when its volume is below 1.75 covolumes (K. S. Pedersen et al., Phase Behavior of Petroleum Reservoir Fluids,
 *    2nd ed., 2015, section 6.6). The covolume is that of SRK, whatever the model, so that names do not depend on it.
 *  - a light phase beside a heavier non-aqueous one is gas, unless both are liquids by the rule above at subcritical temperature;
 *  - of two phases that are both gas by that rule (beside a critical point) the heavier is oil.
 * A lone dense phase near or above the critical point may carry either name.
 */
import type { Component } from '../components/component.ts';
import { R } from '../constants.ts';
import { massDensity, type SplitPhase } from '../equilibrium/phase-split.ts';

export type PhaseName = 'gas' | 'oil' | 'aqueous' | `oil_${number}` | `aqueous_${number}` | `gas_${number}`;

const COVOLUMES_OF_A_LIQUID = 1.75;
const AQUEOUS_SHARE = 0.5;
const SRK_OMEGA_B = 0.08664;
const AQUEOUS_TYPES = new Set(['water', 'seawater', 'glycol', 'alcohol', 'amine', 'ion', 'salt']);

export interface NamedPhase {
  readonly name: PhaseName;
  readonly phase: SplitPhase;
}

/** Names the phases of a split and orders them gas, oil, aqueous (lighter first within a name, the second one with suffix _2). */
export function namePhases(components: readonly Component[], T: number, phases: readonly SplitPhase[]): NamedPhase[] {
  const sorted = [...phases].sort((a, b) => massDensity(components, a) - massDensity(components, b));
  const kinds = sorted.map((phase): 'gas' | 'oil' | 'aqueous' => {
    if (!isLiquid(components, T, phase)) return 'gas';
    return aqueousShare(components, phase.x) >= AQUEOUS_SHARE ? 'aqueous' : 'oil';
  });
  const light = kinds.findIndex((kind) => kind !== 'aqueous');
  if (
    light >= 0 &&
    kinds[light] === 'oil' &&
    kinds.indexOf('oil', light + 1) > 0 &&
    T > pseudoTc(components, sorted[light]!.x)
  )
    kinds[light] = 'gas';
  const heavier = kinds.lastIndexOf('gas');
  if (heavier > kinds.indexOf('gas')) kinds[heavier] = 'oil';
  const order = { gas: 0, oil: 1, aqueous: 2 };
  const named = sorted.map((phase, k) => ({ kind: kinds[k]!, phase })).sort((a, b) => order[a.kind] - order[b.kind]);
  const seen = { gas: 0, oil: 0, aqueous: 0 };
  return named.map(({ kind, phase }) => {
    const count = ++seen[kind];
    return { name: count === 1 ? kind : (`${kind}_${count}` as PhaseName), phase };
  });
}

function isLiquid(components: readonly Component[], T: number, phase: SplitPhase): boolean {
  let covolume = 0;
  let vc = 0;
  let Tc = 0;
  for (let i = 0; i < phase.x.length; i++) {
    const xi = phase.x[i]!;
    if (xi === 0) continue;
    const c = components[i]!;
    const b = (SRK_OMEGA_B * R * c.Tc) / c.pc;
    covolume += xi * b;
    // Without a critical volume: Zc of SRK, 1/3, gives vc = b / (3 Omega_b).
    vc += xi * (Number.isNaN(c.vc) ? b / (3 * SRK_OMEGA_B) : c.vc);
    Tc += xi * c.Tc;
  }
  const v = 1 / phase.rho;
  return T < Tc ? v < vc : v < COVOLUMES_OF_A_LIQUID * covolume;
}

function pseudoTc(components: readonly Component[], x: Float64Array): number {
  let Tc = 0;
  for (let i = 0; i < x.length; i++) Tc += x[i]! * components[i]!.Tc;
  return Tc;
}

/** Water, glycols, alcohols, amines and ions: what an aqueous phase is made of. */
export function isAqueousSubstance(component: Component): boolean {
  return AQUEOUS_TYPES.has(component.type);
}

function aqueousShare(components: readonly Component[], x: Float64Array): number {
  let share = 0;
  for (let i = 0; i < x.length; i++) if (isAqueousSubstance(components[i]!)) share += x[i]!;
  return share;
}
