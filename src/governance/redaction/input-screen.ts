/**
 * Gate 4's look at arguments: a card number or track data in any of them refuses the call with SENSITIVE_INPUT, before anything is stored.
 *
 * Guarantees: findings name the argument and the kind, never the value (keys in a path are scrubbed). It never throws; `ok: false` must
 * refuse the call as well. Leaves to others: labelled codes (`cvv 123`), which are scrubbed wherever they would be kept, and a number split
 * over two arguments.
 */
import { hasPlainDigits, isBrandShape, leadingFour } from './card-brands.ts';
import { findReplacements, SHORTEST_FIND, scrubText, type TextOptions } from './card-patterns.ts';
import { checkDeadline, type Deadline, DeadlineExceeded, deadlineIn } from './deadline.ts';
import type { Path } from './field-marks.ts';
import { parseJson, parseJsonExactly } from './jsonb-text.ts';
import { isForbiddenName } from './never-return.ts';
import { SCRUB_DEADLINE_MS } from './scrub-value.ts';

export type ScreenOptions = {
  /** Exact-match identifiers (`serial_number`, `mid`): looked up, never stored, so a chance card number is let through. Tracks are not. */
  readonly exempt?: (path: Path) => boolean;
  /** Arguments that hold JSON text: parsed first, then looked at like the rest; text that is not an object or a list is looked at as text. */
  readonly jsonText?: (path: Path) => boolean;
  /** Objects in whose keys never-return names are findings too (risk's `evidence`). */
  readonly forbiddenNames?: (path: Path) => boolean;
  /** Look at strings and keys only, and never take a decimal for a card number: `neqsim`. */
  readonly stringsOnly?: boolean;
  readonly deadlineMs?: number;
};

export type ScreenFinding = { readonly path: Path; readonly kind: 'pan' | 'track' | 'forbidden_name' };

export type Screening =
  | { readonly ok: true; readonly findings: readonly ScreenFinding[] }
  | { readonly ok: false; readonly reason: 'deadline' | 'too_deep' | 'failed' };

const MAX_FINDINGS = 20;
const MAX_DEPTH = 256;

type Screen = {
  readonly options: ScreenOptions;
  readonly text: TextOptions;
  readonly deadline: Deadline;
  readonly path: (string | number)[];
  readonly findings: ScreenFinding[];
  /** Strings inside parsed JSON text are text, not JSON again: a number in quotes is a string. */
  insideJsonText: boolean;
  nodes: number;
};

class TooDeep extends Error {}

const note = (screen: Screen, kind: ScreenFinding['kind']): void => {
  const { findings, path } = screen;
  const last = findings.at(-1);
  if (findings.length >= MAX_FINDINGS || (last?.kind === kind && last.path.join('\0') === path.join('\0'))) return;
  findings.push({ kind, path: path.slice() });
};

const screenText = (text: string, screen: Screen, isKey: boolean): void => {
  const found = findReplacements(text, screen.text, screen.deadline);
  if (found.length === 0) return;
  const exempt = !isKey && screen.options.exempt?.(screen.path.slice()) === true;
  for (const { kind } of found) {
    if (kind === 'track' || (kind === 'pan' && !exempt)) note(screen, kind);
  }
};

const parseArgument = (text: string, screen: Screen): unknown => {
  if (screen.insideJsonText || text.length < SHORTEST_FIND) return undefined;
  if (screen.options.jsonText?.(screen.path.slice()) !== true) return undefined;
  return (screen.options.stringsOnly ? parseJson(text) : parseJsonExactly(text))?.value;
};

const screenString = (text: string, screen: Screen, depth: number): void => {
  const parsed = parseArgument(text, screen);
  if (typeof parsed !== 'object') {
    screenText(text, screen, false);
    return;
  }
  screen.insideJsonText = true;
  screenNode(parsed, screen, depth + 1);
  screen.insideJsonText = false;
};

/** An integer beyond 2^53 has lost digits, so that Luhn says nothing: the shape alone decides. */
const screenNumber = (value: number | bigint, screen: Screen): void => {
  if (screen.options.stringsOnly || (typeof value === 'number' && !hasPlainDigits(value))) return;
  const digits = String(value).replace('-', '');
  if (typeof value === 'bigint' || Number.isSafeInteger(value) || !isBrandShape(leadingFour(digits), digits.length)) {
    screenText(digits, screen, false);
  } else if (screen.options.exempt?.(screen.path.slice()) !== true) {
    note(screen, 'pan');
  }
};

const screenObject = (source: object, screen: Screen, depth: number): void => {
  const listApplies = screen.options.forbiddenNames?.(screen.path.slice()) === true;
  for (const [key, value] of Object.entries(source)) {
    const replacements = findReplacements(key, screen.text, screen.deadline);
    screen.path.push(replacements.length === 0 ? key : scrubText(key, screen.text, screen.deadline).text);
    if (replacements.length > 0) screenText(key, screen, true);
    if (listApplies && isForbiddenName(key)) note(screen, 'forbidden_name');
    screenNode(value, screen, depth + 1);
    screen.path.pop();
  }
};

const screenArray = (list: readonly unknown[], screen: Screen, depth: number): void => {
  for (let i = 0; i < list.length; i += 1) {
    screen.path.push(i);
    screenNode(list[i], screen, depth + 1);
    screen.path.pop();
  }
};

function screenNode(value: unknown, screen: Screen, depth: number): void {
  if (++screen.nodes % 128 === 0) checkDeadline(screen.deadline);
  if (typeof value === 'string') screenString(value, screen, depth);
  else if (typeof value === 'number' || typeof value === 'bigint') screenNumber(value, screen);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new TooDeep();
  if (Array.isArray(value)) screenArray(value, screen, depth);
  else screenObject(value, screen, depth);
}

/** Looks for card data in a call's arguments. Errors: none thrown; `ok: false` with the reason. */
export const screenArguments = (args: unknown, options: ScreenOptions = {}): Screening => {
  try {
    const deadline = deadlineIn(options.deadlineMs ?? SCRUB_DEADLINE_MS);
    const text: TextOptions = options.stringsOnly ? { decimals: 'never' } : {};
    const screen: Screen = { options, text, deadline, path: [], findings: [], insideJsonText: false, nodes: 0 };
    screenNode(args, screen, 0);
    checkDeadline(deadline);
    return { ok: true, findings: screen.findings };
  } catch (error) {
    if (error instanceof DeadlineExceeded) return { ok: false, reason: 'deadline' };
    return { ok: false, reason: error instanceof TooDeep ? 'too_deep' : 'failed' };
  }
};
