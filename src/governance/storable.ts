/** What PostgreSQL can hold: its text knows no U+0000 and UTF-8 no lone surrogates. Both become U+FFFD, so that a record is never refused for them. */
import type { JsonObject, JsonValue } from '../kit/json.ts';

export const storableText = (text: string): string =>
  text.replaceAll('\u0000', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');

export function storableJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storableText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(storableJson);
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) copy[storableText(key)] = storableJson(member);
  return copy;
}
