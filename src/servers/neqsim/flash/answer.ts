import { type Fluid, type PhaseTransport, transport } from '../../../engineering/thermo/index.ts';
import { success, ToolError, type Warning } from '../../../kit/index.ts';
import type { CalculationAnswer } from '../calculation.ts';
import { asToolError } from '../engine-errors.ts';
import { type BuiltFluid, buildFluid } from '../fluid.ts';
import type { SpecificationName } from '../units.ts';
import { flashDocument } from './document.ts';
import { nearCritical } from './near-critical.ts';
import { type FlashInput, type FlashRequest, type FlashType, readFlash } from './request.ts';
import { solveFlash } from './solve.ts';
import { flashValidation } from './validation.ts';
import { flashWarnings } from './warnings.ts';

/** runFlash from arguments to answer. Pure: reads nothing but its arguments, and the clock. */
export const flashAnswer = (input: Partial<FlashInput>): CalculationAnswer => answerFlash(readFlash(input));

export function answerFlash(request: FlashRequest): CalculationAnswer {
  const built = buildFluid(request.fluid);
  const { fluid } = built;
  const solved = solveFlash(fluid, request);
  const { result, hydrate, solids = [] } = solved;
  let values: readonly PhaseTransport[];
  try {
    values = transport(fluid, result);
  } catch (error) {
    throw asToolError(error);
  }
  const data = flashDocument(fluid, result, { flashType: request.type, transport: values, hydrate, solids });
  const shown = data['fluid'] as { properties: { density_kgm3: number } };
  if (![result.T, result.p, shown.properties.density_kgm3].every((value) => Number.isFinite(value) && value > 0)) {
    throw new ToolError('RESPONSE_ERROR', { message: 'The state found has no density, so it cannot be shown.' });
  }
  const warnings = [
    ...flashWarnings(built, result, { saturated: isSaturation(request) }),
    ...solved.warnings,
    ...unusedSpecifications(request),
    ...nearCritical(fluid, result),
  ];
  return success(data, {
    warnings,
    provenance: {
      calculation: {
        ...calculationOf(built, result.convergence.iterations),
        type: `${request.type} flash`,
        flashType: request.type,
        assumptions: [...built.assumptions, ...solved.assumptions, ...referenceStates(fluid), methods(values)],
        limitations: [...fluid.eos.validity.notes, ...values.flatMap(({ limitations }) => limitations)],
        phase: 'input_and_flash',
        extra: { autoValidation: flashValidation(fluid, solved, warnings) },
      },
    },
  });
}

const isSaturation = ({ type }: FlashRequest): boolean => type.startsWith('dew') || type.startsWith('bubble');

/** What every calculation on a fluid says about itself. */
export function calculationOf({ fluid, model, mixingRule }: BuiltFluid, iterations: number | null) {
  return {
    model,
    mixingRule,
    converged: true,
    iterations,
    trust: fluid.eos.validity.status === 'validated' ? ('TESTED' as const) : ('EXPERIMENTAL' as const),
    validationsPassed: ['component_names_verified', 'flash_converged'],
  };
}

export function referenceStates(fluid: Fluid): string[] {
  const own = fluid.eos.idealGas !== undefined;
  return [
    own
      ? `Enthalpy and entropy zero: that of ${fluid.eos.id}'s own ideal-gas part; compare differences only.`
      : 'Enthalpy zero: ideal gas at 273.15 K. Entropy zero: ideal gas at 273.15 K and 1.01325 bar, mixing included.',
    ...(fluid.eos.id === 'SRK' || fluid.eos.id === 'PR'
      ? ['Densities carry the Peneloux volume translation; Z and caloric properties do not.']
      : []),
  ];
}

const USED_BY: Readonly<Record<SpecificationName, FlashType>> = { enthalpy: 'PH', entropy: 'PS', volume: 'TV' };

/** A specification that the flash type does not use is said, not dropped. */
function unusedSpecifications({ specifications, type }: FlashRequest): Warning[] {
  const unused = (Object.keys(specifications) as SpecificationName[]).filter((name) => USED_BY[name] !== type);
  return unused.map((name) => ({
    code: 'INPUT_IGNORED',
    severity: 'WARNING',
    message: `${name} is not used by a ${type} flash; flashType ${USED_BY[name]} uses it.`,
  }));
}

/** The methods in use, each with its phases. */
function methods(values: readonly PhaseTransport[]): string {
  const phases = new Map<string, Set<string>>();
  for (const { phase, viscosityMethod, conductivityMethod } of values)
    for (const method of [viscosityMethod, conductivityMethod])
      if (method !== undefined) phases.set(method, (phases.get(method) ?? new Set()).add(phase));
  const text = [...phases].map(([method, names]) => `${method} (${[...names].join(', ')})`).join('; ');
  return `Viscosity and thermal conductivity: ${text || 'none'}.`;
}
