/** The models that a fluid can be made with. To add one: write its factory and name it here. */
import type { Component } from '../components/component.ts';
import { EngineError } from '../errors.ts';
import type { EquationOfState, ModelId } from '../model.ts';
import { cpa } from './cpa/cpa.ts';
import { pengRobinson } from './cubic/peng-robinson.ts';
import { srk } from './cubic/srk.ts';
import { mixingRuleOf } from './mixing-rule-name.ts';
import { pcsaft } from './pcsaft/pcsaft.ts';

export interface ModelOptions {
  /** Name of a mixing rule; each model says which ones it knows. */
  readonly mixingRule?: string;
}

export type ModelFactory = (components: readonly Component[], options: ModelOptions) => EquationOfState;

const FACTORIES: Partial<Record<ModelId, ModelFactory>> = {
  SRK: (components, options) => srk(components, { kij: classicOrNone('SRK', options.mixingRule) }),
  PR: (components, options) => pengRobinson(components, { kij: classicOrNone('PR', options.mixingRule) }),
  CPA: (components, { mixingRule }) =>
    cpa(components, {
      mixingRule: mixingRuleOf('CPA', mixingRule, ['CLASSIC_TX_CPA', 'CLASSIC', 'CLASSIC_T_CPA', 'CPA_MIX', 'NO']),
    }),
  PCSAFT: (components, { mixingRule }) =>
    pcsaft(components, { mixingRule: mixingRuleOf('PCSAFT', mixingRule, ['CLASSIC', 'NO']) }),
};

/** Builds a model over the components given. Throws 'invalid-input' for a model or mixing rule that does not exist. */
export function createModel(
  id: ModelId,
  components: readonly Component[],
  options: ModelOptions = {},
): EquationOfState {
  const factory = FACTORIES[id];
  if (factory === undefined)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'model',
      reason: `no model '${id}'; there are ${Object.keys(FACTORIES).join(', ')}`,
    });
  if (components.length === 0)
    throw new EngineError({ kind: 'invalid-input', field: 'components', reason: 'no component given' });
  return factory(components, options);
}

/** Models that createModel knows. */
export function modelIds(): readonly ModelId[] {
  return Object.keys(FACTORIES) as ModelId[];
}

function classicOrNone(model: ModelId, mixingRule = 'classic'): 'classic' | 'none' {
  const rule = mixingRule.trim().toLowerCase().replaceAll('-', '_');
  if (rule === 'classic' || rule === '2') return 'classic';
  if (rule === 'no' || rule === '1') return 'none';
  throw new EngineError({
    kind: 'invalid-input',
    field: 'mixingRule',
    reason: `${model} has the mixing rules classic and no, not '${mixingRule}'`,
  });
}
