import { z } from 'zod';
import { ToolError, type Warning } from '../../../kit/index.ts';
import { given, number, parseJson, type Quantity, quantity, unit, word } from '../arguments.ts';
import { readPressure, readTemperature } from '../flash/request.ts';
import { type FluidRequest, fluidArguments, readFluid } from '../fluid.ts';
import { DEFAULT_PROPERTIES } from './properties.ts';

/** The arguments of getPropertyTable in both forms, and their reading. */
const LEAST_POINTS = 2;
const MOST_POINTS = 200;
const DEFAULT_POINTS = 20;
const MOST_PROPERTIES = 32;

const names = z.array(word).max(MOST_PROPERTIES);
export const tableInput = z.strictObject({
  ...fluidArguments,
  sweep: word.optional().describe('temperature (default) or pressure'),
  sweepFrom: quantity.optional().describe('one end of the range, or {value, unit}'),
  sweepFromUnit: unit.optional().describe('K, C, F, R; or bara, barg, Pa, kPa, MPa, psi, psia, atm'),
  sweepTo: quantity.optional().describe('other end of the range'),
  sweepToUnit: unit.optional(),
  fixedValue: quantity.optional().describe('pressure of a temperature sweep, temperature of a pressure sweep'),
  fixedUnit: unit.optional().describe('bara or K unless given'),
  fixedPressure: quantity.optional().describe('same as fixedValue of a temperature sweep'),
  fixedTemperature: quantity.optional().describe('same as fixedValue of a pressure sweep'),
  points: number.optional().describe('2 to 200, default 20; linear spacing, both ends included'),
  properties: z
    .union([names, z.string().max(2_000)])
    .optional()
    .describe(
      'array or JSON text of: density, viscosity, Cp, Cv, Z, enthalpy, entropy, thermalConductivity, molarMass, soundSpeed, jouleThomsonCoefficient; default density, viscosity, Cp, Z, enthalpy',
    ),
});
export type TableInput = z.output<typeof tableInput>;

export interface TableRequest {
  readonly fluid: FluidRequest;
  readonly sweep: 'temperature' | 'pressure';
  /** The state of every point [K, Pa]. */
  readonly states: readonly { readonly T: number; readonly p: number }[];
  readonly properties: readonly string[];
  readonly warnings: readonly Warning[];
}

export function readTable(input: Partial<TableInput>): TableRequest {
  const properties = readProperties(input.properties);
  const { points, warnings } = readPoints(input.points);
  const fluid = readFluid(input);
  if (fluid.composition.size === 0) throw new ToolError('MISSING_COMPONENTS');
  const sweep = readSweep(input.sweep);
  const { sweepFrom, sweepTo } = input;
  if (sweepFrom === undefined || sweepTo === undefined) throw new ToolError('MISSING_RANGE');
  const temperatures = sweep === 'temperature';
  const read = temperatures ? readTemperature : readPressure;
  const from = read(sweepFrom, input.sweepFromUnit, 'sweepFrom');
  const to = read(sweepTo, input.sweepToUnit, 'sweepTo');
  const fixed = readFixed(input, temperatures);
  const states = Array.from({ length: points }, (_, k) => {
    const at = k === points - 1 ? to : from + ((to - from) * k) / (points - 1);
    return temperatures ? { T: at, p: fixed } : { T: fixed, p: at };
  });
  return { fluid, sweep, states, properties, warnings };
}

function readSweep(name: string | undefined): 'temperature' | 'pressure' {
  const sweep = (given(name) ? name : 'temperature').trim().toLowerCase();
  if (sweep === 'temperature' || sweep === 'pressure') return sweep;
  throw new ToolError('INVALID_SWEEP', { message: `Unknown sweep "${name}"; use temperature or pressure.` });
}

function readFixed(input: Partial<TableInput>, temperatures: boolean): number {
  const documentForm: Quantity | undefined = temperatures ? input.fixedPressure : input.fixedTemperature;
  const value = input.fixedValue ?? documentForm;
  if (value === undefined) throw new ToolError(temperatures ? 'MISSING_PRESSURE' : 'MISSING_TEMPERATURE');
  if (input.fixedValue !== undefined && documentForm !== undefined) {
    const name = temperatures ? 'fixedPressure' : 'fixedTemperature';
    throw new ToolError('INPUT_ERROR', { message: `fixedValue and ${name} mean the same; give one of them.` });
  }
  return (temperatures ? readPressure : readTemperature)(value, input.fixedUnit, 'fixedValue');
}

function readPoints(wanted: number | undefined): { points: number; warnings: Warning[] } {
  if (wanted === undefined) return { points: DEFAULT_POINTS, warnings: [] };
  if (!Number.isInteger(wanted)) throw new ToolError('INPUT_ERROR', { message: 'points must be a whole number.' });
  const points = Math.min(MOST_POINTS, Math.max(LEAST_POINTS, wanted));
  const message = `points was ${wanted}; ${points} are computed, as ${LEAST_POINTS} to ${MOST_POINTS} are allowed.`;
  return { points, warnings: points === wanted ? [] : [{ code: 'POINTS_CLAMPED', severity: 'INFO', message }] };
}

function readProperties(wanted: TableInput['properties']): readonly string[] {
  if (!given(wanted)) return DEFAULT_PROPERTIES;
  const parsed = typeof wanted === 'string' ? names.safeParse(parseJson('properties', wanted)) : { data: wanted };
  if (parsed.data === undefined) {
    throw new ToolError('INPUT_ERROR', {
      message: `properties must be an array of at most ${MOST_PROPERTIES} names.`,
      details: { field: 'properties' },
    });
  }
  return parsed.data.length === 0 ? DEFAULT_PROPERTIES : [...new Set(parsed.data)];
}
