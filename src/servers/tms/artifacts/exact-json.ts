/**
 * JSON that keeps what it read. `JSON.parse` turns 12345678901234567890 into 12345678901234567000 and 1.10 into 1.1; a terminal would get
 * another value than its template holds. Here a number stays its own text from the database to the file.
 * Input is the text of a `jsonb` column, which is valid JSON and cannot hold U+0000: that character marks numbers.
 */
export type ExactValue = string | boolean | null | ExactValue[] | { [key: string]: ExactValue };
export type ExactObject = { [key: string]: ExactValue };

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NUMBER = '\u0000';

export function parseExact(jsonbText: string): ExactValue {
  const marked = jsonbText.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
  return JSON.parse(marked) as ExactValue;
}

/** Text of a value with members sorted by code unit and without white space: the same value gives the same bytes. */
export function writeExact(value: ExactValue): string {
  if (typeof value === 'string') return value.startsWith(NUMBER) ? value.slice(1) : JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(writeExact).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${writeExact(member)}`).join(',')}}`;
}

/** The text of a string or number, else null. */
export const exactText = (value: ExactValue | undefined): string | null =>
  typeof value === 'string' ? (value.startsWith(NUMBER) ? value.slice(1) : value) : null;
