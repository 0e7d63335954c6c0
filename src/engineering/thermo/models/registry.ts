/** The models that a fluid can be made with. To add one: write its factory and name it here. */
import type { Component } from '../components/component.ts';
import { EngineError } from '../errors.ts';
import type { EquationOfState, ModelId } from '../model.ts';
import { createAga8 } from './aga8/aga8-detail.ts';
import { cpa } from './cpa/cpa.ts';
import { ALPHAS, type AlphaName } from './cubic/classic-cubic.ts';
import { cubicWithRule } from './cubic/cubic-mixing-rules.ts';
import { PENG_ROBINSON } from './cubic/peng-robinson.ts';
import { SRK } from './cubic/srk.ts';
import { createGerg2008 } from './gerg2008/gerg2008.ts';
import { createReferenceFluid } from './helmholtz/helmholtz-model.ts';
import { createIf97 } from './if97/if97-eos.ts';
import { type MixingRuleName, mixingRuleOf } from './mixing-rule-name.ts';
import { pcsaft } from './pcsaft/pcsaft.ts';
import { umrPru } from './umr-pru/umr-pru.ts';

export interface ModelOptions {
  /** Name of a mixing rule; each model says which ones it knows. Reference equations have none and ignore it. */
  readonly mixingRule?: string;
  /** Alpha function of SRK and PR: 'soave' (default), 'mathias-copeman' or 'twu', in any case. The other models have none to choose. */
  readonly alpha?: string;
}

export type ModelFactory = (components: readonly Component[], options: ModelOptions) => EquationOfState;

/** The rules of each model; the first is the default. */
const RULES = {
  SRK: ['CLASSIC', 'NO', 'CLASSIC_T', 'CLASSIC_T2', 'HV', 'CLASSIC_HV', 'WS'],
  PR: ['CLASSIC', 'NO', 'CLASSIC_T', 'CLASSIC_T2', 'HV', 'CLASSIC_HV', 'WS'],
  CPA: ['CLASSIC_TX_CPA', 'CLASSIC', 'CLASSIC_T_CPA', 'CPA_MIX', 'NO'],
  PCSAFT: ['CLASSIC', 'NO'],
  UMRPRU: ['HV', 'CLASSIC', 'NO'],
} as const;

/** The mixing rules that a model knows, its default first; empty for a model that has none to choose. */
export function mixingRules(model: ModelId): readonly MixingRuleName[] {
  return Object.hasOwn(RULES, model) ? RULES[model as keyof typeof RULES] : [];
}

/** Notes of the component table on entries whose critical constants stand in for missing ones. */
const NOMINAL_CONSTANTS = ['solid/pseudo entry'];

const FACTORIES: Partial<Record<ModelId, ModelFactory>> = {
  SRK: (components, { mixingRule, alpha }) =>
    cubicWithRule(SRK, 'kijT_srk', components, mixingRuleOf('SRK', mixingRule, RULES.SRK), alphaOf(alpha)),
  PR: (components, { mixingRule, alpha }) =>
    cubicWithRule(PENG_ROBINSON, 'kijT_pr', components, mixingRuleOf('PR', mixingRule, RULES.PR), alphaOf(alpha)),
  CPA: (components, { mixingRule }) => cpa(components, { mixingRule: mixingRuleOf('CPA', mixingRule, RULES.CPA) }),
  PCSAFT: (components, { mixingRule }) =>
    pcsaft(components, { mixingRule: mixingRuleOf('PCSAFT', mixingRule, RULES.PCSAFT) }),
  UMRPRU: (components, { mixingRule }) =>
    umrPru(components, { mixingRule: mixingRuleOf('UMRPRU', mixingRule, RULES.UMRPRU) }),
  GERG2008: createGerg2008,
  AGA8: createAga8,
  IF97: createIf97,
  HELMHOLTZ: createReferenceFluid,
};

/**
 * Builds a model over the components given. Throws 'invalid-input' for a model, mixing rule or alpha function that does not exist, and for ions, salts and the
 * table's other entries that no model here describes (ice, seawater, asphaltene, sulfur rings): their critical constants are placeholders.
 */
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
  if (options.alpha !== undefined && id !== 'SRK' && id !== 'PR')
    throw new EngineError({
      kind: 'invalid-input',
      field: 'alpha',
      reason: `${id} has no alpha function to choose; SRK and PR have`,
    });
  if (components.length === 0)
    throw new EngineError({ kind: 'invalid-input', field: 'components', reason: 'no component given' });
  for (const component of components) refuseUndescribed(component);
  return factory(components, options);
}

function alphaOf(name: string | undefined): AlphaName | undefined {
  if (name === undefined) return undefined;
  const found = ALPHAS.find((candidate) => candidate === name.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new EngineError({
    kind: 'invalid-input',
    field: 'alpha',
    reason: `no alpha function '${name}'; there are ${ALPHAS.join(', ')}`,
  });
}

function refuseUndescribed(component: Component): void {
  const { name, type, charge } = component;
  const reason =
    charge !== 0 || type === 'ion' || type === 'salt'
      ? `'${name}' is an ion or a salt, and no model here describes electrolytes`
      : NOMINAL_CONSTANTS.some((note) => component.flags.some((flag) => flag.startsWith(note)))
        ? `'${name}' has no critical constants of its own, so that no model here describes it`
        : undefined;
  if (reason !== undefined) throw new EngineError({ kind: 'invalid-input', field: 'components', reason });
}

/** Models that createModel knows. */
export function modelIds(): readonly ModelId[] {
  return Object.keys(FACTORIES) as ModelId[];
}
