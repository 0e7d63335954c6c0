import { z } from 'zod';
import {
  createFluid,
  type Fluid,
  getComponent,
  type MixingRuleName,
  type ModelId,
  mixingRuleNamed,
  mixingRules,
} from '../../engineering/thermo/index.ts';
import { ToolError } from '../../kit/index.ts';
import { components, either, given, number, readComponents, word } from './arguments.ts';
import { asToolError } from './engine-errors.ts';

/** The arguments that describe a mixture and its model, shared by the tools that take them flat. */
export const MODELS = ['SRK', 'PR', 'CPA', 'GERG2008', 'PCSAFT', 'UMRPRU'] as const satisfies readonly ModelId[];
export type ModelName = (typeof MODELS)[number];

export const fluidArguments = {
  components,
  eos: word.optional().describe('SRK (default), PR, CPA, GERG2008, PCSAFT, UMRPRU'),
  model: word.optional().describe('same as eos'),
  mixingRule: z
    .union([word, number])
    .optional()
    .describe('name or number, e.g. classic, CLASSIC_TX_CPA, 10; default: the rule made for the model'),
};

export interface FluidRequest {
  readonly model: ModelName;
  readonly mixingRule: string | undefined;
  readonly composition: ReadonlyMap<string, number>;
}

/** UNKNOWN_MODEL for anything but the six; "GERG-2008" and "pc saft" are spellings of them. */
export function readModel(eos: string | undefined, alias: string | undefined): ModelName {
  const name = either(eos, alias, 'eos and model') ?? 'SRK';
  const key = name.toUpperCase().replaceAll(/[-_\s]/g, '');
  const known = MODELS.find((model) => model === key);
  if (known) return known;
  throw new ToolError('UNKNOWN_MODEL', {
    message: `Unknown equation of state "${name}"; use one of ${MODELS.join(', ')}.`,
  });
}

/** Form of the composition, then the model: the order in which the sheets list their errors. */
export function readFluid(input: {
  components?: z.output<typeof components> | undefined;
  eos?: string | undefined;
  model?: string | undefined;
  mixingRule?: string | number | undefined;
}): FluidRequest {
  const composition = readComponents(input.components);
  return {
    composition,
    model: readModel(input.eos, input.model),
    mixingRule: given(input.mixingRule) ? String(input.mixingRule) : undefined,
  };
}

/** A fluid with what an answer says about how it was made. */
export interface BuiltFluid {
  readonly fluid: Fluid;
  readonly model: ModelName;
  /** As the contract spells it; null for a model that has none to choose. */
  readonly mixingRule: string | null;
  readonly assumptions: readonly string[];
  /** Sum of the amounts as given. */
  readonly sum: number;
}

/**
 * Fluids made last, by what they were asked as. Calls come in runs over one mixture, and making its model costs as much as a flash; a fluid
 * carries no trace of the states it was asked for, so an answer does not depend on what came before.
 */
const KEPT = 16;
const kept = new Map<string, BuiltFluid>();

/** MISSING_COMPONENTS, UNKNOWN_COMPONENT (first bad name), FLUID_ERROR, in this order. */
export function buildFluid(request: FluidRequest): BuiltFluid {
  const key = JSON.stringify([request.model, request.mixingRule ?? null, [...request.composition]]);
  const built = kept.get(key) ?? make(request);
  kept.delete(key);
  kept.set(key, built);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return built;
}

/** Less than one molecule in a mole is none. */
const LEAST_FRACTION = 1e-24;

function make({ composition, model, mixingRule }: FluidRequest): BuiltFluid {
  if (composition.size === 0) throw new ToolError('MISSING_COMPONENTS');
  try {
    for (const name of composition.keys()) getComponent(name);
    const amounts: Record<string, number> = Object.create(null);
    let sum = 0;
    for (const [name, amount] of composition) {
      if (!(amount >= 0)) {
        throw new ToolError('FLUID_ERROR', {
          message: `The amount of ${name} must be at least 0.`,
          details: { component: name },
        });
      }
      amounts[name] = amount;
      sum += amount;
    }
    if (!Number.isFinite(sum)) throw new ToolError('FLUID_ERROR', { message: 'The amounts are too large to add up.' });
    for (const [name, amount] of composition) if (amount < LEAST_FRACTION * sum) amounts[name] = 0;
    const rule = ruleOf(model, mixingRule);
    const fluid = createFluid({ components: amounts, model, ...(rule.name ? { mixingRule: rule.name } : {}) });
    return {
      fluid,
      model,
      mixingRule: rule.name === undefined ? null : rule.name === 'CLASSIC' ? 'classic' : rule.name,
      assumptions: rule.assumption === undefined ? [] : [rule.assumption],
      sum,
    };
  } catch (error) {
    throw asToolError(error);
  }
}

/**
 * Where no rule is given, the one that the model's parameters were fitted with: CLASSIC_TX_CPA for CPA and HV for UMR-PRU. The peer takes
 * `classic` for both, which for CPA puts ten times too much gas into water.
 */
const DEFAULT_REASON: Partial<Record<ModelName, string>> = {
  CPA: 'No mixing rule was given: CLASSIC_TX_CPA, with which the CPA parameters were fitted.',
  UMRPRU: 'No mixing rule was given: HV with the UMR-PRU group parameters, which makes the model UMR-PRU.',
};

function ruleOf(model: ModelName, name: string | undefined): { name?: MixingRuleName; assumption?: string } {
  const known = mixingRules(model);
  const named = name === undefined ? undefined : mixingRuleNamed(name);
  if (name !== undefined && named === undefined) {
    throw new ToolError('FLUID_ERROR', {
      message: `Unknown mixing rule "${name}"${known.length > 0 ? `; ${model} has ${known.join(', ')}` : ''}.`,
      details: { field: 'mixingRule' },
    });
  }
  if (known.length === 0) {
    return named === undefined ? {} : { assumption: `${model} has mixing rules of its own: mixingRule is not used.` };
  }
  const chosen = named ?? known[0]!;
  const reason = named === undefined ? DEFAULT_REASON[model] : undefined;
  return { name: chosen, ...(reason === undefined ? {} : { assumption: reason }) };
}
