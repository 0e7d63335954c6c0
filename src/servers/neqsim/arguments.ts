import { z } from 'zod';
import { ToolError } from '../../kit/index.ts';

/**
 * Arguments as the contract sends them: flat strings and numbers, structured ones as JSON text. A JSON object is accepted where the contract
 * has text, and a numeric string where it has a number; the meaning is the same.
 */
export const MAX_COMPONENTS = 60;

const numeric = z
  .string()
  .trim()
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'must be a number')
  .transform(Number);
export const number = z.union([z.number(), numeric]);
/** A bare number, or `{value, unit}`. */
export const quantity = z.union([number, z.strictObject({ value: number, unit: z.string().max(16) })]);
export type Quantity = z.output<typeof quantity>;

export const components = z
  .union([z.string().max(1_000_000), z.record(z.string().min(1).max(64), z.json())])
  .describe('JSON object of component name to molar amount, e.g. {"methane":0.9,"ethane":0.1}; normalised by the sum');

/** Reads a composition. Errors name the component and the remedy. */
export function readComponents(given: z.output<typeof components> | undefined): Record<string, number> {
  if (given === undefined || given === '') throw new ToolError('MISSING_COMPONENTS');
  const parsed = typeof given === 'string' ? parseJson('components', given) : given;
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new ToolError('INPUT_ERROR', { message: 'components must be a JSON object of name to amount.' });
  }
  const entries = Object.entries(parsed);
  if (entries.length === 0) throw new ToolError('MISSING_COMPONENTS');
  if (entries.length > MAX_COMPONENTS) {
    throw new ToolError('INPUT_ERROR', {
      message: `components has ${entries.length} entries; at most ${MAX_COMPONENTS} are allowed.`,
    });
  }
  return Object.fromEntries(
    entries.map(([name, amount]) => {
      const value = number.safeParse(amount);
      if (!value.success) {
        throw new ToolError('INPUT_ERROR', {
          message: `The amount of ${name} must be a number, such as 0.5.`,
          details: { component: name },
        });
      }
      if (!(value.data >= 0) || !Number.isFinite(value.data)) {
        throw new ToolError('FLUID_ERROR', {
          message: `The amount of ${name} must be at least 0.`,
          details: { component: name },
        });
      }
      return [name, value.data];
    }),
  );
}

/** Parses JSON text of an argument. Duplicate names are refused: one of the two amounts would be lost silently. */
export function parseJson(field: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ToolError('JSON_PARSE_ERROR', { message: `${field} is not valid JSON.`, details: { field } });
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const names = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map((match) => match[1]!);
    const flat = Object.values(value).every((member) => member === null || typeof member !== 'object');
    if (flat && names.length !== Object.keys(value).length) {
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      throw new ToolError('INPUT_ERROR', {
        message: `${field} names ${twice ?? 'a member'} twice.`,
        details: { field },
      });
    }
  }
  return value;
}
