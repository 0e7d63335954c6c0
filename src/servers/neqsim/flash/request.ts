import { z } from 'zod';
import { ToolError } from '../../../kit/index.ts';
import { given, type Quantity, quantity, unit, withUnit, word } from '../arguments.ts';
import { type FluidRequest, fluidArguments, readFluid } from '../fluid.ts';
import { readSpecification, type Specification, type SpecificationName, toKelvin, toPascal } from '../units.ts';

/** The arguments of runFlash, and their reading: names, units and forms. What needs the fluid (a spec that is missing) comes later. */
export const FLASH_TYPES = [
  'TP',
  'PH',
  'PS',
  'TV',
  'dewPointT',
  'dewPointP',
  'bubblePointT',
  'bubblePointP',
  'hydrateTP',
] as const;
export type FlashType = (typeof FLASH_TYPES)[number];

const ALIASES: ReadonlyMap<string, FlashType> = new Map([
  ['dewPointTemperature', 'dewPointT'],
  ['dewPointPressure', 'dewPointP'],
  ['bubblePointTemperature', 'bubblePointT'],
  ['bubblePointPressure', 'bubblePointP'],
]);

export const flashArguments = {
  ...fluidArguments,
  temperature: quantity.optional().describe('default 288.15 K; start value where T is solved for'),
  temperatureUnit: unit.optional().describe('K (default), C, F, R'),
  pressure: quantity.optional().describe('default 1.01325 bara; start value where p is solved for'),
  pressureUnit: unit.optional().describe('bara (default), barg, Pa, kPa, MPa, psi, psia, atm'),
  flashType: word.optional().describe(`TP (default), ${FLASH_TYPES.slice(1).join(', ')}`),
  enthalpy: quantity.optional().describe('for PH: J/mol, or {value, unit} in J/mol, kJ/mol, J/kg, kJ/kg, J, kJ'),
  entropy: quantity
    .optional()
    .describe('for PS: J/molK, or {value, unit} in J/molK, kJ/molK, J/kgK, kJ/kgK, J/K, kJ/K'),
  volume: quantity.optional().describe('for TV: m3/mol, or {value, unit} in m3/mol, L/mol, m3, L'),
};
export const flashInput = z.strictObject(flashArguments);
export type FlashInput = z.output<typeof flashInput>;

export interface FlashRequest {
  readonly fluid: FluidRequest;
  readonly type: FlashType;
  /** [K], [Pa] */
  readonly T: number;
  readonly p: number;
  /** Whether the caller gave them. */
  readonly gaveT: boolean;
  readonly gaveP: boolean;
  readonly specifications: Readonly<Partial<Record<SpecificationName, Specification>>>;
}

/** Codes in the order of the sheet: INPUT_ERROR, JSON_PARSE_ERROR, UNKNOWN_MODEL, TEMPERATURE_ERROR, PRESSURE_ERROR, UNKNOWN_FLASH_TYPE. */
export function readFlash(input: Partial<FlashInput>): FlashRequest {
  const specifications: Partial<Record<SpecificationName, Specification>> = {};
  for (const name of ['enthalpy', 'entropy', 'volume'] as const) {
    const value: Quantity | undefined = input[name];
    if (value !== undefined) {
      specifications[name] =
        typeof value === 'number'
          ? readSpecification(name, value, undefined)
          : readSpecification(name, value.value, value.unit);
    }
  }
  const fluid = readFluid(input);
  const { temperature, pressure } = input;
  return {
    fluid,
    T: readTemperature(temperature ?? 288.15, input.temperatureUnit, 'temperature'),
    p: readPressure(pressure ?? 1.01325, input.pressureUnit, 'pressure'),
    gaveT: temperature !== undefined,
    gaveP: pressure !== undefined,
    type: readFlashType(input.flashType),
    specifications,
  };
}

export const readTemperature = (value: Quantity, unitGiven: string | undefined, name: string): number =>
  toKelvin(...withUnit(value, unitGiven, 'K', { code: 'TEMPERATURE_ERROR', name }));

export const readPressure = (value: Quantity, unitGiven: string | undefined, name: string): number =>
  toPascal(...withUnit(value, unitGiven, 'bara', { code: 'PRESSURE_ERROR', name }));

export function readFlashType(name: string | undefined): FlashType {
  const wanted = given(name) ? name : 'TP';
  const known = FLASH_TYPES.find((type) => type === wanted) ?? ALIASES.get(wanted);
  if (known) return known;
  throw new ToolError('UNKNOWN_FLASH_TYPE', {
    message: `Unknown flash type "${wanted}" (case matters); use one of ${FLASH_TYPES.join(', ')}.`,
  });
}
