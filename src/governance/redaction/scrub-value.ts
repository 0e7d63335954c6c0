/**
 * The scrubber for whole JSON values: the last thing an answer, an audit payload or a log record passes.
 *
 * Guarantees: every string, every object key and (payments) every integer of 13 or more digits has been searched as `card-patterns.ts`
 * states; no never-return name is left as a key at any depth; `masked_card_no` shows at most six and four digits. The input is never
 * changed; what needs no change is shared with it. It never throws: anything unforeseen, too deep or too slow gives `ok: false`, and the
 * caller must then send `REDACTION_FAILED` and no data.
 *
 * Leaves to others: a number split over two values (out of scope); JSON still in text form (`jsonb-text.ts`); saying which fields are
 * identifiers, instants or money (the tool's output schema, through `exempt`).
 */
import { hasPlainDigits, isBrandShape, leadingFour } from './card-brands.ts';
import {
  findReplacements,
  mayHoldCardData,
  PAN_MARKER_UNKNOWN,
  type SensitiveKind,
  scrubText,
  type TextOptions,
} from './card-patterns.ts';
import { checkDeadline, type Deadline, DeadlineExceeded, deadlineIn } from './deadline.ts';
import { type ExemptFields, isExempt } from './field-marks.ts';
import { checkMaskedCard } from './masked-card.ts';
import { isForbiddenName, isMaskedCardName } from './never-return.ts';

export type ScrubKind = SensitiveKind | 'masked_card' | 'forbidden_name';

export type ScrubOptions = {
  /** Marks of fields, from the output schema. Asked only when a value holds something card-like. */
  readonly exempt?: ExemptFields;
  /** Apply the never-return list and the `masked_card_no` check: true for the payments servers, false for `neqsim`. */
  readonly forbiddenNames: boolean;
  /** Look at strings and keys only, and never take a decimal for a card number: `neqsim`. */
  readonly stringsOnly?: boolean;
  /** Time limit, 200 ms by contract. */
  readonly deadlineMs?: number;
};

export type ScrubFailure = 'deadline' | 'too_deep' | 'not_json' | 'failed';

export type ScrubbedValue =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Values masked or removed. */
      readonly redactions: number;
      readonly kinds: readonly ScrubKind[];
      /** Distinct forbidden names met, at most 50, themselves scrubbed: each is an internal error to be counted. */
      readonly removedNames: readonly string[];
      /** How many `masked_card_no` came unmasked from the source: warning UNMASKED_SOURCE. */
      readonly unmaskedSources: number;
    }
  | { readonly ok: false; readonly reason: ScrubFailure };

export const SCRUB_DEADLINE_MS = 200;
/** Bodies are refused beyond 64 levels; what is deeper than this is no envelope of ours. */
const MAX_DEPTH = 256;
const MAX_REMOVED_NAMES = 50;
const NODES_BETWEEN_CHECKS = 128;

class Refused extends Error {
  readonly reason: ScrubFailure;
  constructor(reason: ScrubFailure) {
    super(reason);
    this.reason = reason;
  }
}

type Walk = {
  readonly options: ScrubOptions;
  readonly text: TextOptions;
  readonly deadline: Deadline;
  readonly path: (string | number)[];
  readonly kinds: Set<ScrubKind>;
  readonly removedNames: Set<string>;
  redactions: number;
  unmaskedSources: number;
  nodes: number;
};

type KeyVerdict = 'plain' | 'forbidden' | 'masked_card' | 'sensitive';

/** Verdicts of keys met before; only keys without card data are remembered. */
const keyVerdicts = new Map<string, KeyVerdict>();
const MAX_VERDICTS = 4096;
const LONGEST_REMEMBERED_KEY = 64;

const judgeKey = (key: string, deadline: Deadline): KeyVerdict => {
  const remembered = keyVerdicts.get(key);
  if (remembered !== undefined) return remembered;
  const sensitive = findReplacements(key, {}, deadline).length > 0;
  const verdict = isForbiddenName(key)
    ? 'forbidden'
    : isMaskedCardName(key)
      ? 'masked_card'
      : sensitive
        ? 'sensitive'
        : 'plain';
  if (!sensitive && key.length <= LONGEST_REMEMBERED_KEY) {
    if (keyVerdicts.size >= MAX_VERDICTS) keyVerdicts.clear();
    keyVerdicts.set(key, verdict);
  }
  return verdict;
};

const hasExemptField = (value: string | number | bigint, walk: Walk): boolean => {
  if (walk.options.exempt === undefined) return false;
  const path = walk.path.slice();
  return isExempt(walk.options.exempt(path), path, value);
};

const scrubString = (text: string, walk: Walk, isFieldValue: boolean): string => {
  if (!mayHoldCardData(text) || (isFieldValue && hasExemptField(text, walk))) return text;
  const scrubbed = scrubText(text, walk.text, walk.deadline);
  walk.redactions += scrubbed.redactions;
  for (const kind of scrubbed.kinds) walk.kinds.add(kind);
  return scrubbed.text;
};

/**
 * Integers beyond 2^53 may have lost digits on the way, so Luhn says nothing about them: those in a brand's shape are masked whole.
 */
const scrubInteger = (value: number | bigint, walk: Walk): unknown => {
  const digits = String(value).replace('-', '');
  const exact = typeof value === 'bigint' || Number.isSafeInteger(value);
  const scrubbed = scrubText(digits, {}, walk.deadline);
  const doubtful = !exact && isBrandShape(leadingFour(digits), digits.length);
  if (scrubbed.redactions === 0 && !doubtful) return value;
  if (hasExemptField(value, walk)) return value;
  walk.redactions += 1;
  walk.kinds.add('pan');
  return doubtful ? PAN_MARKER_UNKNOWN : scrubbed.text;
};

const scrubMaskedCard = (value: unknown, walk: Walk, depth: number): unknown => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    return visit(value, walk, depth);
  const checked = checkMaskedCard(String(value));
  if (checked.verdict === 'as_is') return typeof value === 'string' ? scrubString(value, walk, false) : value;
  walk.redactions += 1;
  walk.kinds.add('masked_card');
  if (checked.verdict === 'unmasked') walk.unmaskedSources += 1;
  return checked.value;
};

const noteRemovedName = (key: string, walk: Walk): void => {
  walk.redactions += 1;
  walk.kinds.add('forbidden_name');
  if (walk.removedNames.size >= MAX_REMOVED_NAMES) return;
  walk.removedNames.add(scrubText(key, {}, walk.deadline).text.slice(0, LONGEST_REMEMBERED_KEY));
};

const visitArray = (list: readonly unknown[], walk: Walk, depth: number): unknown => {
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i += 1) {
    walk.path.push(i);
    const value = visit(list[i], walk, depth + 1);
    walk.path.pop();
    if (changed === null && !Object.is(value, list[i])) changed = Array.from(list);
    if (changed !== null) changed[i] = value;
  }
  return changed ?? list;
};

/** Two keys that end alike after scrubbing must both stay. */
const freeKey = (wanted: string, source: object, taken: ReadonlySet<string>): string => {
  let key = wanted;
  for (let n = 2; Object.hasOwn(source, key) || taken.has(key); n += 1) key = `${wanted} (${n})`;
  return key;
};

const visitObject = (source: Record<string, unknown>, walk: Walk, depth: number): unknown => {
  const keys = Object.keys(source);
  let entries: [string, unknown][] | null = null;
  let renamed: Set<string> | null = null;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!;
    const before = source[key];
    const verdict = judgeKey(key, walk.deadline);
    let name = key;
    let after = before;
    let removed = false;
    if (verdict === 'forbidden' && walk.options.forbiddenNames) {
      noteRemovedName(key, walk);
      removed = true;
    } else {
      if (verdict !== 'plain') name = scrubString(key, walk, false);
      walk.path.push(name);
      after =
        verdict === 'masked_card' && walk.options.forbiddenNames
          ? scrubMaskedCard(before, walk, depth + 1)
          : visit(before, walk, depth + 1);
      walk.path.pop();
    }
    const same = !removed && name === key && Object.is(before, after);
    if (same && entries === null) continue;
    entries ??= keys.slice(0, i).map((earlier) => [earlier, source[earlier]]);
    if (removed) continue;
    if (name !== key) {
      renamed ??= new Set();
      name = freeKey(name, source, renamed);
      renamed.add(name);
    }
    entries.push([name, after]);
  }
  return entries === null ? source : Object.fromEntries(entries);
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function visit(value: unknown, walk: Walk, depth: number): unknown {
  if (++walk.nodes % NODES_BETWEEN_CHECKS === 0) checkDeadline(walk.deadline);
  switch (typeof value) {
    case 'string':
      return scrubString(value, walk, true);
    case 'number':
      if (walk.options.stringsOnly || !hasPlainDigits(value)) return value;
      return scrubInteger(value, walk);
    case 'bigint':
      return walk.options.stringsOnly ? value : scrubInteger(value, walk);
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      break;
    default:
      throw new Refused('not_json');
  }
  if (value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) throw new Refused('too_deep');
  if (Array.isArray(value)) return visitArray(value, walk, depth);
  if (isPlain(value)) return visitObject(value as Record<string, unknown>, walk, depth);
  throw new Refused('not_json');
}

const failureOf = (error: unknown): ScrubFailure => {
  if (error instanceof DeadlineExceeded) return 'deadline';
  return error instanceof Refused ? error.reason : 'failed';
};

/** Scrubs a JSON value. Errors: none thrown; `ok: false` with the reason, to be answered by `REDACTION_FAILED` with `data: null`. */
export const scrubValue = (value: unknown, options: ScrubOptions): ScrubbedValue => {
  try {
    const deadline = deadlineIn(options.deadlineMs ?? SCRUB_DEADLINE_MS);
    const walk: Walk = {
      options,
      text: options.stringsOnly ? { decimals: 'never' } : {},
      deadline,
      path: [],
      kinds: new Set(),
      removedNames: new Set(),
      redactions: 0,
      unmaskedSources: 0,
      nodes: 0,
    };
    const scrubbed = visit(value, walk, 0);
    checkDeadline(deadline);
    return {
      ok: true,
      value: scrubbed,
      redactions: walk.redactions,
      kinds: [...walk.kinds],
      removedNames: [...walk.removedNames],
      unmaskedSources: walk.unmaskedSources,
    };
  } catch (error) {
    return { ok: false, reason: failureOf(error) };
  }
};
