/**
 * SRK and PR with the mixing rules beyond the classic one, from data/binary-interaction.csv:
 *   CLASSIC_T   k_ij = k + k_T (T/273.15 - 1);   CLASSIC_T2   k_ij = k + k_T/T;
 *   HV          Huron-Vidal with tau_ij = (g_ij + g'_ij T)/T;   CLASSIC_HV   the same with g' = 0.
 * WS is in wong-sandler-nrtl.ts; the table's columns for it are not used (alpha = 0 or mixed-up columns for many pairs). Parameters are
 * taken as tabulated; Huron-Vidal parameters were fitted with SRK and serve PR for want of others.
 */
import type { Component } from '../../components/component.ts';
import { R_CUBIC } from '../../constants.ts';
import type { EquationOfState, MissingPair } from '../../model.ts';
import { findBinaryInteraction } from './binary-interaction.ts';
import {
  type AlphaName,
  type CubicFamily,
  type CubicPure,
  classicCubic,
  classicKij,
  cubicWithMixing,
  pureRule,
  withAlphaNotes,
} from './classic-cubic.ts';
import { excessGibbsMixing } from './excess-gibbs-mixing.ts';
import { type HuronVidalPair, huronVidalNrtl } from './huron-vidal-nrtl.ts';
import { interactionMixing, type PairInteraction } from './interaction-mixing.ts';
import { wongSandler } from './wong-sandler-nrtl.ts';

export type CubicMixingRule = 'CLASSIC' | 'NO' | 'CLASSIC_T' | 'CLASSIC_T2' | 'HV' | 'CLASSIC_HV' | 'WS';

/** `slopeColumn` holds k_T of the family; `alpha` as CubicOptions.alpha. Throws as classicCubic. */
export function cubicWithRule(
  family: CubicFamily,
  slopeColumn: string,
  components: readonly Component[],
  rule: CubicMixingRule,
  alpha?: AlphaName,
): EquationOfState {
  if (rule === 'CLASSIC' || rule === 'NO')
    return classicCubic(family, components, { kij: rule === 'NO' ? 'none' : 'classic', alpha });
  if (rule === 'WS') return wongSandler(family, components, alpha);
  const build = (pure: CubicPure) =>
    rule === 'HV' || rule === 'CLASSIC_HV'
      ? huronVidal(family, components, pure, rule === 'HV')
      : temperatureDependent(family, slopeColumn, components, pure, rule);
  const validity = {
    ...family.validity,
    status: 'unvalidated' as const,
    notes: [...family.validity.notes, `Mixing rule ${rule}: not validated.`],
  };
  return cubicWithMixing(
    withAlphaNotes({ ...family, validity }, components, alpha),
    components,
    build,
    pureRule(family, alpha),
  );
}

function temperatureDependent(
  family: CubicFamily,
  slopeColumn: string,
  components: readonly Component[],
  { attraction, b }: CubicPure,
  rule: 'CLASSIC_T' | 'CLASSIC_T2',
) {
  const n = components.length;
  const { kij, missingPairs } = classicKij(components, family.kijColumn);
  const pairs: PairInteraction[] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const row = findBinaryInteraction(components[i]!.name, components[j]!.name)?.row;
      const k = kij[i * n + j]!;
      const slope = Number(row?.[slopeColumn] ?? 0) || 0;
      pairs.push({ i, j, ki: k, kj: k, slope, form: rule === 'CLASSIC_T' ? 'reduced' : 'inverse' });
    }
  return { mixing: interactionMixing(attraction, b, pairs), missingPairs };
}

function huronVidal(
  family: CubicFamily,
  components: readonly Component[],
  { attraction, b }: CubicPure,
  slopes: boolean,
): { readonly mixing: ReturnType<typeof excessGibbsMixing>; readonly missingPairs: readonly MissingPair[] } {
  const { kij, missingPairs } = classicKij(components, family.kijColumn);
  const { delta1, delta2 } = family;
  const C = Math.log((1 + delta1) / (1 + delta2)) / (delta1 - delta2);
  const excess = huronVidalNrtl(attraction, b, kij, huronVidalPairs(components, slopes), C, R_CUBIC);
  return {
    mixing: excessGibbsMixing({
      attraction,
      b,
      excess,
      factor: -1 / C,
      covolume: 'linear',
      gasConstant: R_CUBIC,
    }),
    missingPairs,
  };
}

function huronVidalPairs(components: readonly Component[], slopes: boolean): HuronVidalPair[] {
  const pairs: HuronVidalPair[] = [];
  for (let i = 0; i < components.length; i++)
    for (let j = i + 1; j < components.length; j++) {
      const found = findBinaryInteraction(components[i]!.name, components[j]!.name);
      if (found === undefined || found.row['hv_type'] !== 'HV') continue;
      const [first, second] = found.reversed ? ['gji', 'gij'] : ['gij', 'gji'];
      const value = (column: string) => Number(found.row[column] || 0);
      pairs.push({
        i,
        j,
        alpha: value('hv_alpha'),
        gij: value(`hv_${first}`),
        gji: value(`hv_${second}`),
        gijT: slopes ? value(`hv_${first}T`) : 0,
        gjiT: slopes ? value(`hv_${second}T`) : 0,
      });
    }
  return pairs;
}
