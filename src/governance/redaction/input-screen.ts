/**
 * Gate 4's look at arguments: a card number or track data in any of them refuses the call with SENSITIVE_INPUT, before anything is stored.
 *
 * Guarantees: findings name the argument and the kind, never the value (keys in a path are scrubbed). It never throws; `ok: false` must
 * refuse the call as well. Leaves to others: labelled codes (`cvv 123`), which are scrubbed wherever they would be kept, and a number split
 * over two arguments.
 */
import { applyReplacements, findReplacements, type TextOptions } from './card-patterns.ts';
import { checkDeadline, type Deadline, DeadlineExceeded, deadlineIn } from './deadline.ts';
import type { Path } from './field-marks.ts';
import { parseJson, parseJsonExactly } from './jsonb-text.ts';
import { isForbiddenName } from './never-return.ts';
import { SCRUB_DEADLINE_MS } from './scrub-value.ts';

export type ScreenOptions = {
  /** Exact-match identifiers (`serial_number`, `mid`): looked up, never stored, so a chance card number is let through. Tracks are not. */
  readonly exempt?: (path: Path) => boolean;
  /** Arguments that hold JSON text: parsed first, then looked at like the rest. */
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

const screenString = (text: string, screen: Screen, depth: number): void => {
  if (text.length >= 6 && screen.options.jsonText?.(screen.path.slice()) === true) {
    const parsed = screen.options.stringsOnly ? parseJson(text) : parseJsonExactly(text);
    if (parsed !== null && typeof parsed.value !== 'string') {
      screenNode(parsed.value, screen, depth + 1);
      return;
    }
    if (parsed !== null) return screenText(String(parsed.value), screen, false);
  }
  screenText(text, screen, false);
};

const screenObject = (source: object, screen: Screen, depth: number): void => {
  const listApplies = screen.options.forbiddenNames?.(screen.path.slice()) === true;
  for (const [key, value] of Object.entries(source)) {
    const replacements = findReplacements(key, screen.text, screen.deadline);
    screen.path.push(replacements.length === 0 ? key : applyReplacements(key, replacements));
    if (replacements.length > 0) screenText(key, screen, true);
    if (listApplies && isForbiddenName(key)) note(screen, 'forbidden_name');
    screenNode(value, screen, depth + 1);
    screen.path.pop();
  }
};

function screenNode(value: unknown, screen: Screen, depth: number): void {
  if (++screen.nodes % 128 === 0) checkDeadline(screen.deadline);
  if (typeof value === 'string') return screenString(value, screen, depth);
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (screen.options.stringsOnly || (typeof value === 'number' && !Number.isInteger(value))) return;
    return screenText(String(value).replace('-', ''), screen, false);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new TooDeep();
  if (!Array.isArray(value)) return screenObject(value, screen, depth);
  for (let i = 0; i < value.length; i += 1) {
    screen.path.push(i);
    screenNode(value[i], screen, depth + 1);
    screen.path.pop();
  }
}

/** Looks for card data in a call's arguments. Errors: none thrown; `ok: false` with the reason. */
export const screenArguments = (args: unknown, options: ScreenOptions = {}): Screening => {
  try {
    const deadline = deadlineIn(options.deadlineMs ?? SCRUB_DEADLINE_MS);
    const text: TextOptions = options.stringsOnly ? { decimals: 'never' } : {};
    const screen: Screen = { options, text, deadline, path: [], findings: [], nodes: 0 };
    screenNode(args, screen, 0);
    checkDeadline(deadline);
    return { ok: true, findings: screen.findings };
  } catch (error) {
    if (error instanceof DeadlineExceeded) return { ok: false, reason: 'deadline' };
    return { ok: false, reason: error instanceof TooDeep ? 'too_deep' : 'failed' };
  }
};
