/**
 * Card numbers in folded text: maximal runs of digits parted by at most two separators, split into groups, searched for stretches of
 * whole groups that total 13 to 19 digits and pass Luhn; inside groups of more than 19 digits for brand-shaped numbers.
 *
 * Where found numbers overlap, the longest and then the leftmost gives the marker, and the groups of the others are taken into it: each of
 * them could be the true card number, so none may leave digits behind. Time is linear in the text: Luhn sums come from running totals.
 */
import { isBrandPrefix, isBrandShape, LONGEST_PAN, looksLikeCard, SHORTEST_PAN } from './card-brands.ts';
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

/**
 * Classes of ASCII characters: 0 letter, 1 digit, 2 separator of the contract (folding has turned other spaces and dashes into these),
 * 3 any other sign.
 */
export const CHARACTER_CLASS = new Uint8Array(128).fill(3);
for (let code = 65; code <= 90; code += 1) CHARACTER_CLASS.fill(0, code, code + 1).fill(0, code + 32, code + 33);
for (const character of '0123456789') CHARACTER_CLASS[character.charCodeAt(0)] = 1;
for (const character of ' \t-._/\r\n') CHARACTER_CLASS[character.charCodeAt(0)] = 2;

const MAX_GAP = 2;

const DATE = /^(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])$/;

/**
 * Marks groups from which no card number can begin: those of an ISO date, `2026-01-31` or `20260131`. No brand issues numbers that begin
 * with 19 or 20, and a month or day is not a number's start; without this, two dates in a row pass Luhn one time in ten.
 */
const markDates = (run: Run): Uint8Array | null => {
  let marks: Uint8Array | null = null;
  for (let g = 0; g < run.groupStarts.length; g += 1) {
    const start = run.groupStarts[g]!;
    const length = run.groupEnds[g]! - start;
    if (length !== 4 && length !== 8) continue;
    const last = length === 8 ? g : g + 2;
    const end = run.groupEnds[last];
    if (end === undefined || end - start !== (length === 8 ? 8 : 10) || !DATE.test(run.text.slice(start, end)))
      continue;
    marks ??= new Uint8Array(run.groupStarts.length);
    marks.fill(1, g, last + 1);
  }
  return marks;
};

/** Stretches of whole groups. */
const searchGroups = (run: Run, found: PanSpan[]): void => {
  const groups = run.groupStarts.length;
  const dates = groups > 1 ? markDates(run) : null;
  let candidates: Candidates | null = null;
  for (let g = 0; g < groups; g += 1) {
    const first = run.offsets[g]!;
    if (run.digits[first] === 0 || dates?.[g] === 1) continue;
    for (let h = g; h < groups; h += 1) {
      const length = (run.offsets[h + 1] ?? run.digits.length) - first;
      if (length > LONGEST_PAN) break;
      if (length < SHORTEST_PAN || !passes(run, first, length)) continue;
      if (h === g && !looksLikeCard(firstFour(run, first), length)) continue;
      candidates ??= noCandidates();
      candidates[length - SHORTEST_PAN]!.push(g, h + 1);
    }
  }
  if (candidates === null) return;
  for (const { from, to, numberEnd } of choose(candidates, groups)) {
    const end = run.offsets[numberEnd] ?? run.digits.length;
    found.push({ start: run.groupStarts[from]!, end: run.groupEnds[to - 1]!, lastFour: lastFour(run, end) });
  }
};

/** Brand-shaped numbers inside one group of more than 19 digits. */
const searchInside = (run: Run, group: number, found: PanSpan[]): void => {
  const first = run.offsets[group]!;
  const count = (run.offsets[group + 1] ?? run.digits.length) - first;
  let candidates: Candidates | null = null;
  for (let i = 0; i + SHORTEST_PAN <= count; i += 1) {
    const prefix = firstFour(run, first + i);
    if (!isBrandPrefix(prefix)) continue;
    for (let length = SHORTEST_PAN; length <= LONGEST_PAN && i + length <= count; length += 1) {
      if (!isBrandShape(prefix, length) || !passes(run, first + i, length)) continue;
      candidates ??= noCandidates();
      candidates[length - SHORTEST_PAN]!.push(i, i + length);
    }
  }
  if (candidates === null) return;
  const textStart = run.groupStarts[group]!;
  for (const { from, to, numberEnd } of choose(candidates, count)) {
    found.push({ start: textStart + from, end: textStart + to, lastFour: lastFour(run, first + numberEnd) });
  }
};

const searchRun = (run: Run, found: PanSpan[]): void => {
  searchGroups(run, found);
  for (let g = 0; g < run.groupStarts.length; g += 1) {
    if (run.groupEnds[g]! - run.groupStarts[g]! > LONGEST_PAN) searchInside(run, g, found);
  }
};

/** Finds card numbers in folded text, in rising order. Errors: only the deadline. */
export const findPans = (text: string, deadline: Deadline): PanSpan[] => {
  const found: PanSpan[] = [];
  let starts: number[] = [];
  let ends: number[] = [];
  let total = 0;
  let gap = 0;
  for (let i = 0; i <= text.length; i += 1) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    const kind = code < 128 ? CHARACTER_CLASS[code] : 0;
    if (kind === 1) {
      if (total > 0 && gap === 0) {
        ends[ends.length - 1] = i + 1;
      } else {
        starts.push(i);
        ends.push(i + 1);
      }
      total += 1;
      gap = 0;
    } else if (kind === 2 && gap < MAX_GAP) {
      gap += 1;
    } else {
      gap = 0;
      if (total === 0) continue;
      if (total >= SHORTEST_PAN) {
        checkDeadline(deadline);
        searchRun(measureRun(text, starts, ends, total), found);
      }
      starts = [];
      ends = [];
      total = 0;
    }
  }
  return found.length < 2 ? found : found.sort((a, b) => a.start - b.start);
};
