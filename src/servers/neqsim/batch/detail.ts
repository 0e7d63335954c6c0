import type { JsonObject } from '../../../kit/index.ts';

/**
 * How much of each case is shown. An answer holds its results twice (in `data` and beside it) and has 256 KiB, so the detail is the most of
 * these steps that fits.
 */
export type Detail = 'full' | 'mole_fractions' | 'no_compositions' | 'key_figures';

const BUDGET = 110 * 1024;

type Trim = (result: JsonObject) => JsonObject;

const object = (value: unknown): JsonObject => value as JsonObject;

const withComposition = (result: JsonObject, keep: (name: string) => boolean): JsonObject => {
  const { composition, ...fluid } = object(result['fluid']);
  const kept = Object.entries(object(composition)).filter(([name]) => keep(name));
  return { ...result, fluid: kept.length === 0 ? fluid : { ...fluid, composition: Object.fromEntries(kept) } };
};

const STEPS: readonly (readonly [Detail, Trim])[] = [
  ['full', (result) => result],
  ['mole_fractions', (result) => withComposition(result, (name) => name !== 'overall' && !name.endsWith('_wt'))],
  ['no_compositions', (result) => withComposition(result, () => false)],
  [
    'key_figures',
    (result) => {
      const { caseIndex, status, hydrate } = result as { caseIndex: number; status: string; hydrate?: JsonObject };
      const { numberOfPhases, phases, phaseFractions } = object(result['flash']);
      const { conditions, properties } = object(result['fluid']);
      const { temperature_K, overall } = object(conditions);
      return {
        caseIndex,
        status,
        flash: { numberOfPhases, phases, phaseFractions } as JsonObject,
        fluid: {
          conditions: { temperature_K, overall: { pressure: object(overall)['pressure'] } } as JsonObject,
          properties: { density_kgm3: object(properties)['density_kgm3']! },
        },
        ...(hydrate === undefined ? {} : { hydrate }),
      };
    },
  ],
];

export function fitDetail(results: readonly JsonObject[]): { detail: Detail; results: JsonObject[] } {
  for (const [detail, trim] of STEPS) {
    const trimmed = results.map((result) => (result['status'] === 'success' ? trim(result) : result));
    if (detail === 'key_figures' || JSON.stringify(trimmed).length <= BUDGET) return { detail, results: trimmed };
  }
  throw new Error('the last step always fits');
}
