/**
 * Names of mixing rules as callers write them: the names of the tool contract in any case, '-' or blank for '_', or the number
 * of the rule. What a rule means is up to the model; a rule that a model does not have is an 'invalid-input' error that names those it has.
 */
import { EngineError } from '../errors.ts';
import type { ModelId } from '../model.ts';

const NUMBERS = {
  NO: 1,
  CLASSIC: 2,
  CLASSIC_HV: 3,
  HV: 4,
  WS: 5,
  CPA_MIX: 7,
  CLASSIC_T: 8,
  CLASSIC_T_CPA: 9,
  CLASSIC_TX_CPA: 10,
  SOREIDE_WHITSON: 11,
  CLASSIC_T2: 12,
} as const;

export type MixingRuleName = keyof typeof NUMBERS;

const NAMES = Object.keys(NUMBERS) as MixingRuleName[];

/** The rule that a name or number stands for; undefined when there is none. */
export function mixingRuleNamed(name: string): MixingRuleName | undefined {
  const key = name.trim().toUpperCase().replaceAll(/[-\s]/g, '_');
  return NAMES.find((candidate) => candidate === key || String(NUMBERS[candidate]) === key);
}

/** The rule named, which must be one of `available`; the first of them when no name is given. */
export function mixingRuleOf<R extends MixingRuleName>(
  model: ModelId,
  name: string | undefined,
  available: readonly [R, ...R[]],
): R {
  if (name === undefined) return available[0];
  const rule = mixingRuleNamed(name);
  const found = available.find((candidate) => candidate === rule);
  if (found !== undefined) return found;
  const have = available.map((candidate) => `${candidate} (${NUMBERS[candidate]})`).join(', ');
  throw new EngineError({
    kind: 'invalid-input',
    field: 'mixingRule',
    reason:
      rule === undefined
        ? `no mixing rule '${name}'; ${model} has ${have}`
        : `${model} does not have the mixing rule ${rule}; it has ${have}`,
  });
}
