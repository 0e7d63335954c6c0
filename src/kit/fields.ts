import { z } from 'zod';
import { MAX_ROWS } from './caps.ts';
import { mark } from './marks.ts';
import { BOUNDARY_RULE, isBoundary, isBusinessDate } from './time-window.ts';

/**
 * Building blocks of tool schemas, shared by the payments servers.
 * Guarantees: no string argument carries a control character, half a surrogate pair, or more than its length (counted in code points, as
 * JSON Schema and PostgreSQL count); nothing is clamped silently. Leaves to others: card data in arguments (governance), meaning (tools).
 */

/**
 * C0 controls and DEL, lone surrogates, which UTF-8 cannot carry, and what shows a reader something else than is there: direction overrides and
 * isolates, and characters without width. The joiners of Persian, Hindi and emoji (U+200C, U+200D) stay.
 */
const FORBIDDEN_TEXT = /[\u0000-\u001f\u007f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{Cs}/u;
const length = (value: string) => [...value].length;

const sized = (min: number, max: number) =>
  z
    .string()
    .refine((value) => length(value) >= min, {
      error: min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`,
    })
    .refine((value) => length(value) <= max, { error: `Must have at most ${max} characters.` })
    .meta({ minLength: min, maxLength: max });

/** One line of text, 1 to `max` characters, without control characters. */
export const text = (max = 256, min = 1) =>
  sized(min, max).refine((value) => !FORBIDDEN_TEXT.test(value), {
    error: 'Control, direction and zero-width characters are not allowed.',
  });

/** One text or a list of 1 to 50 of them, meaning any of these. */
export const textFilter = (max = 256) => z.union([text(max), z.array(text(max)).min(1).max(50)]);
export const asList = (filter: string | readonly string[] | undefined): readonly string[] | null =>
  filter === undefined ? null : typeof filter === 'string' ? [filter] : filter;

/** Controls, the MQTT wildcards, line and paragraph separators, and the characters that reverse the reading order of text around them. */
const FORBIDDEN_SERIAL = /\p{Cc}|\p{Cs}|[+#\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * A terminal's serial number as an argument: NFC, trimmed, 1 to 64 characters, matched exactly. Characters that no serial has, such as a quote,
 * are not refused: such a serial is simply not found. The trimming and NFC happen before the checks, so two spellings of one serial are one.
 */
export const serialNumber = mark(
  z
    .string()
    .normalize('NFC')
    .trim()
    .refine((value) => length(value) >= 1, { error: 'Must not be empty.' })
    .refine((value) => length(value) <= 64, { error: 'Must have at most 64 characters.' })
    .refine((value) => !FORBIDDEN_SERIAL.test(value), {
      error: 'Control characters, "+", "#" and direction overrides are not allowed in a serial number.',
    })
    .refine((value) => !value.startsWith('$'), { error: 'A serial number does not begin with "$".' })
    .meta({ minLength: 1, maxLength: 64 })
    .describe('Serial number of the terminal, matched exactly.'),
  'lookup',
  'auditable',
);

/** `from` and `to` of a window. */
export const boundary = z
  .string()
  .refine(isBoundary, { error: BOUNDARY_RULE })
  .describe('RFC 3339 instant with offset, or a business date YYYY-MM-DD.');
export const businessDate = z
  .string()
  .refine(isBusinessDate, { error: 'Give a calendar date as YYYY-MM-DD.' })
  .describe('Business date YYYY-MM-DD.');
export const windowFrom = boundary
  .describe('Start of the window: RFC 3339 instant with offset, or a business date (its start).')
  .optional();
export const windowTo = boundary
  .describe(
    'End of the window, exclusive: RFC 3339 instant with offset, or a business date (through its end). Default now.',
  )
  .optional();

/** Row limit without clamping: 0, fractions and more than 500 are refused. */
export const rowLimit = (fallback = 100) =>
  z.int().min(1).max(MAX_ROWS).default(fallback).describe('Rows in one answer.');
export const pageCursor = z
  .string()
  .min(1)
  .max(2048)
  .regex(/^[A-Za-z0-9_-]+$/, { error: 'This is not a cursor.' })
  .describe('provenance.caps.next_cursor of the page before, with the same filters.')
  .optional();

/** Number of a database row. */
export const recordId = z.int().min(1);

// Output fields

/** An instant in an answer: UTC with milliseconds. */
export const instant = mark(z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/), 'instant');
/** An identifier in an answer: the card scrubber leaves it alone. */
export const identifier = mark(z.string(), 'identifier');
export const uuid = mark(z.uuid(), 'identifier');
