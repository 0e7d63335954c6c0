import type { JsonValue } from '../../kit/json.ts';

const CHANGED = 'holds a number that no record was written with';

/**
 * jsonb keeps decimals of any length where JavaScript reads the nearest double, so a digit far behind the point could change unseen.
 * Throws when the text of a jsonb value holds a number that differs from the double it reads as. PostgreSQL prints jsonb numbers
 * without exponent.
 */
export function parseExact(jsonText: string): JsonValue {
  const outside = jsonText.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  for (const [token] of outside.matchAll(/-?\d+(?:\.\d+)?/g)) {
    if (plainDecimal(Number(token)) !== token) throw new RangeError(CHANGED);
  }
  return JSON.parse(jsonText) as JsonValue;
}

/** The shortest decimal that reads as `value`, without exponent. */
function plainDecimal(value: number): string {
  const text = JSON.stringify(value);
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  const digits = whole + fraction;
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${digits}`;
  return `${sign}${digits}${'0'.repeat(shift - fraction.length)}`;
}
