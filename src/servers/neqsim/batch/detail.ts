import type { JsonObject } from '../../../kit/index.ts';

/**
 * How much of each case is shown: the most of these steps with which all cases fit into the 256 KiB of an answer. (The copy of the results
 * beside `data` is the first thing that a long answer leaves out.)
 */
export type Detail = 'full' | 'mole_fractions' | 'properties' | 'key_figures';

const BUDGET = 200 * 1024;

type Trim = (result: JsonObject) => JsonObject;

const object = (value: unknown): JsonObject => value as JsonObject;

/** The members of an object that are named, where it has them. */
const pick = (value: unknown, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object(value)).filter(([name]) => names.includes(name)));

const STEPS: readonly (readonly [Detail, Trim])[] = [
  ['full', (result) => result],
  [
    'mole_fractions',
    (result) => {
      const fluid = object(result['fluid']);
      const kept = Object.entries(object(fluid['composition'])).filter(
        ([name]) => name !== 'overall' && !name.endsWith('_wt'),
      );
      return { ...result, fluid: { ...fluid, composition: Object.fromEntries(kept) } };
    },
  ],
  [
    'properties',
    (result) => {
      const { composition: _, conditions, ...fluid } = object(result['fluid']);
      return { ...result, fluid: { ...fluid, conditions: pick(conditions, 'overall', 'temperature_K') } };
    },
  ],
  [
    'key_figures',
    (result) => {
      const { conditions, properties } = object(result['fluid']);
      return {
        ...pick(result, 'caseIndex', 'status'),
        flash: pick(result['flash'], 'numberOfPhases', 'phases', 'phaseFractions'),
        fluid: {
          conditions: {
            ...pick(conditions, 'temperature_K'),
            overall: pick(object(conditions)['overall'], 'pressure', 'enthalpy'),
          },
          properties: pick(properties, 'density_kgm3'),
        },
        ...(result['hydrate'] === undefined
          ? {}
          : { hydrate: pick(result['hydrate'], 'formed', 'equilibriumTemperature_C', 'structure', 'moleFraction') }),
      };
    },
  ],
];

export function fitDetail(results: readonly JsonObject[]): { detail: Detail; results: JsonObject[] } {
  for (const [detail, trim] of STEPS) {
    const trimmed = results.map((result) => (result['status'] === 'success' ? trim(result) : result));
    if (detail === 'key_figures' || fits(trimmed)) return { detail, results: trimmed };
  }
  throw new Error('the last step always fits');
}

/** Stops counting at the limit: the full results of a large batch are many times as long. */
function fits(results: readonly JsonObject[]): boolean {
  let length = '[]'.length;
  for (const [k, result] of results.entries()) {
    length += JSON.stringify(result).length + (k > 0 ? 1 : 0);
    if (length > BUDGET) return false;
  }
  return true;
}
