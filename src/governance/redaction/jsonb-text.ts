/**
 * Free `jsonb` read as text. `JSON.parse` rounds integers beyond 2^53: a card number of 17 to 19 digits would then fail Luhn and show its
 * first 15 digits, and an honest identifier would come out as another one. So integers that a JSON number cannot hold are put in quotes before
 * parsing, and stay text; then the value is scrubbed.
 *
 * Leaves to others: cutting long texts (cut after scrubbing, never before).
 */
import { type ScrubbedValue, type ScrubFailure, type ScrubOptions, scrubValue } from './scrub-value.ts';

export type JsonTextOptions = ScrubOptions & {
  /** Deeper or longer texts are replaced by `{"_omitted": "too_large"}` unread. */
  readonly maxDepth?: number;
  readonly maxBytes?: number;
};

export type ScrubbedJsonText =
  | Extract<ScrubbedValue, { ok: true }>
  | { readonly ok: false; readonly reason: ScrubFailure | 'not_json_text' };

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const INTEGER = /^-?\d+$/;

/** Index after the closing quote of the string that opens at `open`, or the text's length. */
const endOfString = (text: string, open: number): number => {
  for (let i = open + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i += 1;
    else if (code === 0x22) return i + 1;
  }
  return text.length;
};

/** Puts integers that lose digits as JSON numbers into quotes, and measures the nesting. Text that is not JSON stays not JSON. */
export const quoteLongIntegers = (text: string): { readonly text: string; readonly depth: number } => {
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      i = endOfString(text, i);
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = i;
      const token = NUMBER.exec(text)?.[0] ?? text[i]!;
      if (token.length > 15 && INTEGER.test(token) && !Number.isSafeInteger(Number(token))) {
        parts.push(text.slice(copied, i), '"', token, '"');
        copied = i + token.length;
      }
      i += token.length;
    } else {
      if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
      else if (code === 0x5d || code === 0x7d) depth -= 1;
      i += 1;
    }
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), depth: deepest };
};

/** Parses JSON text. Errors: `null` when the text is not JSON. */
export const parseJson = (text: string): { readonly value: unknown } | null => {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return null;
  }
};

/** Parses JSON text without losing digits: long integers come out as strings. Errors: `null` when the text is not JSON. */
export const parseJsonExactly = (text: string): { readonly value: unknown } | null =>
  parseJson(quoteLongIntegers(text).text);

/** Parses and scrubs `column::text` of a jsonb column. Errors: `not_json_text`, and those of `scrubValue`. */
export const scrubJsonText = (text: string, options: JsonTextOptions): ScrubbedJsonText => {
  const omitted: ScrubbedJsonText = {
    ok: true,
    value: { _omitted: 'too_large' },
    redactions: 0,
    kinds: [],
    removedNames: [],
    unmaskedSources: 0,
  };
  if (options.maxBytes !== undefined && Buffer.byteLength(text) > options.maxBytes) return omitted;
  const quoted = quoteLongIntegers(text);
  if (options.maxDepth !== undefined && quoted.depth > options.maxDepth) return omitted;
  const parsed = parseJson(quoted.text);
  return parsed === null ? { ok: false, reason: 'not_json_text' } : scrubValue(parsed.value, options);
};
