import { z } from 'zod';
import { fields, ToolError } from '../../kit/index.ts';

/**
 * Arguments as the contract sends them: flat strings and numbers, structured ones as JSON text. A JSON object is accepted where the contract
 * has text, and a numeric string where it has a number; the meaning is the same. An empty string stands for an argument left out.
 */
export const MAX_COMPONENTS = 60;
const LONGEST_NAME = 64;

const numeric = z
  .string()
  .trim()
  .max(64)
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'must be a number')
  .transform(Number)
  .refine(Number.isFinite, 'must be a finite number');
export const number = z.union([z.number(), numeric], { error: 'must be a finite number' });
/** Names and units: short, and without control characters. */
export const word = fields.text(32, 0);
export const unit = fields.text(16, 0);
/** A bare number, or `{value, unit}`. */
export const quantity = z.union([number, z.strictObject({ value: number, unit: unit.optional() })], {
  error: 'must be a number such as 288.15, or {value, unit}',
});
export type Quantity = z.output<typeof quantity>;

export const components = z
  .union([z.string().max(1_000_000), z.record(z.string(), z.json())], {
    error: 'must be a JSON object of component name to amount, such as {"methane":0.9,"ethane":0.1}',
  })
  .describe('JSON object of component name to molar amount, e.g. {"methane":0.9,"ethane":0.1}; normalised by the sum');

export const given = <T>(value: T | undefined): value is T => value !== undefined && value !== '';

/** Parses a composition as far as its form goes: names to numbers. What the names and amounts mean is checked later (fluid.ts). */
export function readComponents(text: z.output<typeof components> | undefined): ReadonlyMap<string, number> {
  const parsed = given(text) ? (typeof text === 'string' ? parseJson('components', text) : text) : {};
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new ToolError('INPUT_ERROR', { message: 'components must be a JSON object of name to amount.' });
  }
  const entries = Object.entries(parsed);
  if (entries.length > MAX_COMPONENTS) {
    throw new ToolError('INPUT_ERROR', {
      message: `components has ${entries.length} entries; at most ${MAX_COMPONENTS} are allowed.`,
    });
  }
  return new Map(
    entries.map(([name, amount]) => {
      if (name.length > LONGEST_NAME)
        throw new ToolError('INPUT_ERROR', {
          message: `A component name has more than ${LONGEST_NAME} characters.`,
        });
      const value = number.safeParse(amount);
      if (!value.success) {
        throw new ToolError('INPUT_ERROR', {
          message: `The amount of ${name} must be a number, such as 0.5.`,
          details: { component: name },
        });
      }
      return [name, value.data] as const;
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

/** A number with its unit from either place. Two units that differ are an error, not a guess. */
export function withUnit(
  value: Quantity,
  unitGiven: string | undefined,
  fallback: string,
  as: { code: 'TEMPERATURE_ERROR' | 'PRESSURE_ERROR'; name: string },
): [number, string] {
  const separate = given(unitGiven) ? unitGiven : undefined;
  if (typeof value === 'number') return [value, separate ?? fallback];
  if (separate !== undefined && value.unit !== undefined && separate !== value.unit) {
    throw new ToolError(as.code, {
      message: `${as.name} says ${value.unit} and ${as.name}Unit says ${separate}; give one of them.`,
    });
  }
  return [value.value, value.unit ?? separate ?? fallback];
}

/** Two spellings of one argument: one of them, or the same twice. */
export function either(first: string | undefined, second: string | undefined, names: string): string | undefined {
  const [a, b] = [given(first) ? first.trim() : undefined, given(second) ? second.trim() : undefined];
  if (a !== undefined && b !== undefined && a.toUpperCase() !== b.toUpperCase()) {
    throw new ToolError('INPUT_ERROR', { message: `${names} differ (${a}, ${b}); give one of them.` });
  }
  return a ?? b;
}
