import type { JsonObject } from '../../../kit/index.ts';

/**
 * How much of each case is shown: the most of these steps with which all cases fit into the 256 KiB of an answer. (The copy of the results
 * beside `data` is the first thing that a long answer leaves out.)
 */
export type Detail = 'full' | 'mole_fractions' | 'no_compositions' | 'key_figures';

const BUDGET = 200 * 1024;

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
      const { formed, equilibriumTemperature_C, structure } = hydrate ?? {};
      return {
        caseIndex,
        status,
        flash: { numberOfPhases, phases, phaseFractions } as JsonObject,
        fluid: {
          conditions: { temperature_K, overall: { pressure: object(overall)['pressure'] } } as JsonObject,
          properties: { density_kgm3: object(properties)['density_kgm3']! },
        },
        ...(hydrate === undefined ? {} : { hydrate: { formed, equilibriumTemperature_C, structure } as JsonObject }),
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
