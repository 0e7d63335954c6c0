/**
 * Card numbers whose groups are parted by signs outside the contract's list: `4111,1111,1111,1111`, `4:1:1:1:...`, `4111][1111][...`.
 *
 * Guarantees: a number in a brand's shape that passes Luhn is found when each gap is one or two signs (no letter, no digit), at least one
 * of them outside the contract's list, and its groups are
 * - blocks of four with a last one of one to four, 4-6-5 or 4-6-4, or single digits throughout; or
 * - any whole groups of two digits and more on average, where no gap holds a sign of lists, times and thousands (`,` `;` `|` `:` `'` `"`).
 *
 * Lists of small numbers pass Luhn one time in ten at every place: where `,` `;` or `|` stands in or beside the number and more than one
 * further group of the same size follows or precedes, it is a list and stays. So does an IPv6 address written in full. Not found, for
 * the sake of times, hex dumps and rows of identifiers: `41:11:11:...` in pairs and `41111111,11111111`.
 * Time is linear in the text's length.
 */
import { isBrandShape, LONGEST_PAN, SHORTEST_PAN } from './card-brands.ts';
import { checkDeadline, type Deadline } from './deadline.ts';
import {
  type Candidates,
  choose,
  firstFour,
  lastFour,
  measureRun,
  noCandidates,
  type PanSpan,
  passes,
  type Run,
} from './digit-run.ts';
import { CHARACTER_CLASS } from './pan-runs.ts';

const MAX_SIGNS = 2;

/** What a gap holds, as bits: a sign outside the contract's list; a sign of lists, times or thousands; a sign of lists. */
const UNUSUAL = 1;
const ORDINARY = 2;
const LIST = 4;

const signBits = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) signBits[code] = CHARACTER_CLASS[code] === 3 ? UNUSUAL : 0;
for (const sign of `:'"`) signBits[sign.charCodeAt(0)] = UNUSUAL | ORDINARY;
for (const sign of ',;|') signBits[sign.charCodeAt(0)] = UNUSUAL | ORDINARY | LIST;

const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u;
/** Full addresses of the ranges in use (2000::/3, fc00::/7, fe80::/10), and the markers of an earlier pass. */
const NEVER_CARDS =
  /(?<![0-9a-z:])(?:[23][0-9a-f]{3}|f[cde][0-9a-f]{2}):(?:[0-9a-f]{1,4}:){6}[0-9a-f]{1,4}(?![0-9a-z:])|\[PAN \*{4}\d{4}\]/gi;

type PartedRun = {
  readonly run: Run;
  readonly sizes: readonly number[];
  /** Bits of the gap before each group; 0 for the first. */
  readonly gaps: readonly number[];
  /** For each group, the first and the last group of the row of groups of its own size. */
  readonly rowStarts: Int32Array;
  readonly rowEnds: Int32Array;
};

const measure = (run: Run, gaps: readonly number[]): PartedRun => {
  const groups = gaps.length;
  const sizes = run.groupStarts.map((start, g) => run.groupEnds[g]! - start);
  const rowStarts = new Int32Array(groups);
  const rowEnds = new Int32Array(groups);
  for (let g = 1; g < groups; g += 1) rowStarts[g] = sizes[g] === sizes[g - 1] ? rowStarts[g - 1]! : g;
  for (let g = groups - 1; g >= 0; g -= 1) rowEnds[g] = sizes[g] === sizes[g + 1] ? rowEnds[g + 1]! : g;
  return { run, sizes, gaps, rowStarts, rowEnds };
};

/** True for blocks of four with a last one of one to four, 4-6-5, 4-6-4 and single digits; `to` is the last group. */
const hasCardLayout = ({ sizes, rowEnds }: PartedRun, from: number, to: number): boolean => {
  const last = sizes[to]!;
  if (sizes[from] === 1) return rowEnds[from]! >= to;
  if (sizes[from] !== 4) return false;
  if (to - from === 2 && sizes[from + 1] === 6) return last === 4 || last === 5;
  return rowEnds[from]! >= to - 1 && last <= 4;
};

/** Whether more than one further group of its size stands beside a stretch with list signs in or beside it. */
const isPartOfList = (
  { sizes, gaps, rowStarts, rowEnds }: PartedRun,
  from: number,
  to: number,
  bits: number,
): boolean => {
  const before = from - rowStarts[from]!;
  const after = sizes[to] === sizes[from] ? rowEnds[to]! - to : 0;
  const around = bits | (before > 0 ? gaps[from]! : 0) | (after > 0 ? gaps[to + 1]! : 0);
  return before + after > 1 && (around & LIST) !== 0;
};

const mayBeCard = (parted: PartedRun, from: number, to: number, length: number, bits: number): boolean =>
  hasCardLayout(parted, from, to)
    ? !isPartOfList(parted, from, to, bits)
    : (bits & ORDINARY) === 0 && (to - from + 1) * 2 <= length;

const searchParted = (parted: PartedRun, found: PanSpan[]): void => {
  const { run, gaps } = parted;
  let candidates: Candidates | null = null;
  for (let g = 0; g < gaps.length; g += 1) {
    const first = run.offsets[g]!;
    let bits = 0;
    for (let h = g; h < gaps.length; h += 1) {
      const length = (run.offsets[h + 1] ?? run.digits.length) - first;
      if (length > LONGEST_PAN) break;
      if (h > g) bits |= gaps[h]!;
      if (length < SHORTEST_PAN || (bits & UNUSUAL) === 0) continue;
      if (!isBrandShape(firstFour(run, first), length) || !passes(run, first, length)) continue;
      if (!mayBeCard(parted, g, h, length, bits)) continue;
      candidates ??= noCandidates();
      candidates[length - SHORTEST_PAN]!.push(g, h + 1);
    }
  }
  if (candidates === null) return;
  for (const { from, to, numberEnd } of choose(candidates, gaps.length)) {
    const end = run.offsets[numberEnd] ?? run.digits.length;
    found.push({ start: run.groupStarts[from]!, end: run.groupEnds[to - 1]!, lastFour: lastFour(run, end) });
  }
};

/** Bits of the sign at a place, or -1 for a letter. */
const bitsAt = (codePoint: number): number => {
  if (codePoint < 128) return CHARACTER_CLASS[codePoint] === 0 ? -1 : signBits[codePoint]!;
  return LETTER.test(String.fromCodePoint(codePoint)) ? -1 : UNUSUAL;
};

/** Finds card numbers parted by unusual signs in folded text, in rising order. Errors: only the deadline. */
export const findPartedPans = (source: string, deadline: Deadline): PanSpan[] => {
  const text = source.replace(NEVER_CARDS, (match) => '\0'.repeat(match.length));
  const found: PanSpan[] = [];
  let starts: number[] = [];
  let ends: number[] = [];
  let gaps: number[] = [];
  let total = 0;
  let signs = 0;
  let bits = 0;
  let seen = 0;
  const finishRun = (): void => {
    if (total >= SHORTEST_PAN && (seen & UNUSUAL) !== 0) {
      checkDeadline(deadline);
      searchParted(measure(measureRun(text, starts, ends, total), gaps), found);
    }
    starts = [];
    ends = [];
    gaps = [];
    total = 0;
    seen = 0;
  };
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i)!;
    if (code >= 48 && code <= 57) {
      if (total > 0 && signs === 0) {
        ends[ends.length - 1] = i + 1;
      } else {
        gaps.push(total > 0 ? bits : 0);
        seen |= gaps.at(-1)!;
        starts.push(i);
        ends.push(i + 1);
      }
      total += 1;
      signs = 0;
      bits = 0;
      continue;
    }
    if (code > 0xffff) i += 1;
    if (total === 0) continue;
    const sign = bitsAt(code);
    signs += 1;
    bits |= sign;
    if (sign >= 0 && signs <= MAX_SIGNS) continue;
    finishRun();
    signs = 0;
    bits = 0;
  }
  finishRun();
  return found;
};
