import { z } from 'zod';
import { createFluid, flashTP, type PhaseTransport, transport } from '../../../engineering/thermo/index.ts';
import { defineTool, success, ToolError } from '../../../kit/index.ts';
import { CORE_CALCULATION } from '../access.ts';
import { components, number, type Quantity, quantity, readComponents } from '../arguments.ts';
import { asToolError } from '../engine-errors.ts';
import { flashDocument } from '../flash-document.ts';
import { flashWarnings } from '../flash-warnings.ts';
import { toKelvin, toPascal } from '../units.ts';

const MODELS = ['SRK', 'PR'] as const;
/** Models and flash types of the contract that this release does not offer: told apart from a misspelling. */
const LATER_MODELS = new Set(['CPA', 'GERG2008', 'PCSAFT', 'UMRPRU']);
const LATER_FLASHES = new Set([
  'PH',
  'PS',
  'TV',
  'dewPointT',
  'dewPointTemperature',
  'dewPointP',
  'dewPointPressure',
  'bubblePointT',
  'bubblePointTemperature',
  'bubblePointP',
  'bubblePointPressure',
  'hydrateTP',
]);

export const runFlash = defineTool({
  name: 'runFlash',
  title: 'Flash calculation',
  description:
    'Phases, compositions and properties of a mixture at temperature and pressure (TP flash) with SRK or PR. Temperature in K unless temperatureUnit says C, F or R; pressure in bara unless pressureUnit says barg, Pa, kPa, MPa, psi, psia or atm. Molar amounts are normalised.',
  access: CORE_CALCULATION,
  input: z.strictObject({
    components,
    temperature: quantity.optional().describe('default 288.15 K'),
    temperatureUnit: z.string().max(16).optional().describe('K (default), C, F, R'),
    pressure: quantity.optional().describe('default 1.01325 bara'),
    pressureUnit: z.string().max(16).optional().describe('bara (default), barg, Pa, kPa, MPa, psi, psia, atm'),
    eos: z.string().max(32).optional().describe('SRK (default) or PR'),
    model: z.string().max(32).optional().describe('same as eos'),
    flashType: z.string().max(32).optional().describe('TP'),
    mixingRule: z
      .union([z.string().max(32), number])
      .optional()
      .describe('classic (default) or NO'),
  }),
  output: z.looseObject({
    flash: z.object({
      model: z.string(),
      flashType: z.string(),
      numberOfPhases: z.int(),
      phases: z.array(z.string()),
      phaseFractions: z.record(z.string(), z.number()),
    }),
    fluid: z.looseObject({}),
  }),
  reads: [],
  writes: [],
  needs: [],
  async run(_context, input) {
    const model = modelOf(input.eos, input.model);
    const T = toKelvin(
      ...withUnit(input.temperature ?? 288.15, input.temperatureUnit, 'K', 'TEMPERATURE_ERROR', 'temperature'),
    );
    const p = toPascal(
      ...withUnit(input.pressure ?? 1.01325, input.pressureUnit, 'bara', 'PRESSURE_ERROR', 'pressure'),
    );
    const flashType = flashTypeOf(input.flashType ?? 'TP');
    const amounts = readComponents(input.components);
    try {
      const mixingRule = input.mixingRule === undefined ? 'classic' : String(input.mixingRule);
      const fluid = createFluid({ components: amounts, model, mixingRule });
      const result = flashTP(fluid, T, p);
      const transportValues = transport(fluid, result);
      return success(flashDocument(fluid, result, flashType, transportValues) as never, {
        warnings: flashWarnings(fluid, result, amounts),
        provenance: {
          calculation: {
            model,
            mixingRule,
            type: `${flashType} flash`,
            flashType,
            converged: true,
            iterations: result.convergence.iterations,
            trust: 'TESTED',
            validationsPassed: ['component_names_verified', 'flash_converged'],
            assumptions: [
              'Enthalpy zero: ideal gas at 273.15 K. Entropy zero: ideal gas at 273.15 K and 1.01325 bar, mixing included.',
              'Densities carry the Peneloux volume translation; Z and caloric properties do not.',
              `Viscosity and thermal conductivity: ${methods(transportValues)}.`,
            ],
            limitations: [...fluid.eos.validity.notes, ...transportValues.flatMap((values) => values.limitations)],
            phase: 'input_and_flash',
          },
        },
      });
    } catch (error) {
      throw asToolError(error);
    }
  },
});

/** The methods in use, each with its phases. */
function methods(values: readonly PhaseTransport[]): string {
  const phases = new Map<string, Set<string>>();
  for (const { phase, viscosityMethod, conductivityMethod } of values)
    for (const method of [viscosityMethod, conductivityMethod])
      if (method !== undefined) phases.set(method, (phases.get(method) ?? new Set()).add(phase));
  return [...phases].map(([method, names]) => `${method} (${[...names].join(', ')})`).join('; ') || 'none';
}

function modelOf(eos: string | undefined, alias: string | undefined): (typeof MODELS)[number] {
  if (eos !== undefined && alias !== undefined && eos.toUpperCase() !== alias.toUpperCase()) {
    throw new ToolError('INPUT_ERROR', { message: `eos (${eos}) and model (${alias}) differ; give one of them.` });
  }
  const name = (eos ?? alias ?? 'SRK').trim().toUpperCase();
  const known = MODELS.find((model) => model === name);
  if (known) return known;
  if (LATER_MODELS.has(name)) {
    throw new ToolError('UNSUPPORTED', {
      message: `The model ${name} is not offered by this release; use ${MODELS.join(' or ')}.`,
    });
  }
  throw new ToolError('UNKNOWN_MODEL', {
    message: `Unknown equation of state "${name}"; use one of ${MODELS.join(', ')}.`,
  });
}

function flashTypeOf(name: string): 'TP' {
  if (name === 'TP') return name;
  if (LATER_FLASHES.has(name)) {
    throw new ToolError('UNSUPPORTED', { message: `The flash type ${name} is not offered by this release; use TP.` });
  }
  throw new ToolError('UNKNOWN_FLASH_TYPE', { message: `Unknown flash type "${name}" (case matters); use TP.` });
}

/** A number with its unit from either place. Two units that differ are an error, not a guess. */
function withUnit(
  given: Quantity,
  unit: string | undefined,
  fallback: string,
  code: 'TEMPERATURE_ERROR' | 'PRESSURE_ERROR',
  name: string,
): [number, string] {
  if (typeof given === 'number') return [given, unit ?? fallback];
  if (unit !== undefined && unit !== given.unit) {
    throw new ToolError(code, {
      message: `${name} says ${given.unit} and ${name}Unit says ${unit}; give one of them.`,
    });
  }
  return [given.value, given.unit];
}
