/**
 * How values cross between PostgreSQL and JavaScript: the same on every connection, whatever the process's time zone.
 *
 * - `timestamp` holds UTC and `timestamptz` comes in UTC (the session's zone): both as `YYYY-MM-DDTHH:mm:ss.SSSZ`, cut (not
 *   rounded) to milliseconds. `date` as `YYYY-MM-DD`.
 * - `numeric` as the decimal string PostgreSQL writes. Integers of 8 bytes as a number while exact, else as a decimal string.
 * - `json` and `jsonb` as text.
 * Into PostgreSQL, an instant must be an ISO string ending in `Z` or a Date: PostgreSQL drops an offset given for a `timestamp`
 * without a word, which would shift the value.
 */
import type { PostgresType } from 'postgres';

const INSTANT = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/;

export function parseInstant(text: string): string {
  const found = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:\+00(?::00)?)?$/.exec(text);
  if (!found) {
    if (text === 'infinity' || text === '-infinity') return text;
    throw new RangeError('an instant that PostgreSQL did not give in UTC');
  }
  return `${found[1]}T${found[2]}.${(found[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
}

export function serialiseInstant(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' && INSTANT.test(value)) return value;
  throw new TypeError('an instant is written as an ISO string ending in Z');
}

export function parseInt8(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

const same = (text: string) => text;
const asText = (value: unknown) => (typeof value === 'string' ? value : String(value));
const jsonAsText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The `types` option of the driver. */
export const WIRE_TYPES: Record<string, PostgresType> = {
  int8: { to: 20, from: [20], serialize: asText, parse: parseInt8 },
  numeric: { to: 1700, from: [1700], serialize: asText, parse: same },
  date: { to: 1082, from: [1082], serialize: asText, parse: same },
  timestamp: { to: 1114, from: [1114], serialize: serialiseInstant, parse: parseInstant },
  timestamptz: { to: 1184, from: [1184], serialize: serialiseInstant, parse: parseInstant },
  json: { to: 114, from: [114], serialize: jsonAsText, parse: same },
  jsonb: { to: 3802, from: [3802], serialize: jsonAsText, parse: same },
};
