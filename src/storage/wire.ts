/**
 * How values cross between PostgreSQL and JavaScript: the same on every connection, whatever the process's time zone.
 *
 * - `timestamp` holds UTC and `timestamptz` comes in UTC (the session's zone): both as `YYYY-MM-DDTHH:mm:ss.SSSZ`, cut (not
 *   rounded) to milliseconds. `date` as `YYYY-MM-DD`.
 * - `numeric` as the decimal string PostgreSQL writes. Integers of 8 bytes as a number while exact, else as a decimal string.
 * - `json` and `jsonb` as text.
 * - Arrays of these, of one dimension, as arrays. The driver is told their types here and does not ask the server (see pool.ts).
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

/** One element of an array's text: quoted with backslash escapes, or bare. */
const ELEMENT = /(?:"((?:[^"\\]|\\.)*)"|([^{}",]+))(,|$)/gsy;

/** A one-dimensional array in PostgreSQL's text form; elements stay text, NULL is null. */
export function parseArray(text: string): (string | null)[] {
  if (!text.startsWith('{') || !text.endsWith('}')) throw new RangeError('an array of another form than {...}');
  const inside = text.slice(1, -1);
  const elements: (string | null)[] = [];
  ELEMENT.lastIndex = 0;
  for (let end = 0; end < inside.length; end = ELEMENT.lastIndex) {
    const found = ELEMENT.exec(inside);
    if (!found) throw new RangeError('an array of more than one dimension');
    const [, quoted, bare] = found;
    elements.push(quoted !== undefined ? quoted.replace(/\\(.)/gs, '$1') : bare === 'NULL' ? null : bare!);
  }
  return elements;
}

export function serialiseArray(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  const quote = (element: unknown) =>
    element === null || element === undefined ? 'NULL' : `"${asPlain(element).replace(/["\\]/g, '\\$&')}"`;
  return `{${value.map(quote).join(',')}}`;
}

const asPlain = (element: unknown): string => (typeof element === 'object' ? JSON.stringify(element) : String(element));

const arrayOf = (oid: number, parse: (element: string) => unknown): PostgresType => ({
  to: oid,
  from: [oid],
  serialize: serialiseArray,
  parse: (text: string) => parseArray(text).map((element) => (element === null ? null : parse(element))),
});

/** The `types` option of the driver. */
export const WIRE_TYPES: Record<string, PostgresType> = {
  int8: { to: 20, from: [20], serialize: asText, parse: parseInt8 },
  numeric: { to: 1700, from: [1700], serialize: asText, parse: same },
  date: { to: 1082, from: [1082], serialize: asText, parse: same },
  timestamp: { to: 1114, from: [1114], serialize: serialiseInstant, parse: parseInstant },
  timestamptz: { to: 1184, from: [1184], serialize: serialiseInstant, parse: parseInstant },
  json: { to: 114, from: [114], serialize: jsonAsText, parse: same },
  jsonb: { to: 3802, from: [3802], serialize: jsonAsText, parse: same },
  textArray: arrayOf(1009, same),
  varcharArray: arrayOf(1015, same),
  uuidArray: arrayOf(2951, same),
  int4Array: arrayOf(1007, Number),
  int8Array: arrayOf(1016, parseInt8),
  jsonArray: arrayOf(199, same),
  jsonbArray: arrayOf(3807, same),
};
