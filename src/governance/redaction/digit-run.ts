/**
 * A run of digit groups: running Luhn totals, so that any stretch is checked in constant time, and the choice among card numbers that
 * overlap. Which characters part the groups, and which stretches may be numbers, is the finders' work.
 */
import { LONGEST_PAN, SHORTEST_PAN } from './card-brands.ts';

export type PanSpan = { readonly start: number; readonly end: number; readonly lastFour: string };

export type Run = {
  readonly text: string;
  readonly groupStarts: readonly number[];
  readonly groupEnds: readonly number[];
  /** Index of each group's first digit within `digits`. */
  readonly offsets: readonly number[];
  readonly digits: Uint8Array;
  /** Running Luhn totals with the odd, and with the even, positions doubled. */
  readonly oddDoubled: Uint32Array;
  readonly evenDoubled: Uint32Array;
};

/** Reads the digits of groups that total `total` digits. */
export const measureRun = (
  text: string,
  groupStarts: readonly number[],
  groupEnds: readonly number[],
  total: number,
): Run => {
  const digits = new Uint8Array(total);
  const oddDoubled = new Uint32Array(total + 1);
  const evenDoubled = new Uint32Array(total + 1);
  const offsets: number[] = [];
  let n = 0;
  for (let g = 0; g < groupStarts.length; g += 1) {
    offsets.push(n);
    for (let i = groupStarts[g]!; i < groupEnds[g]!; i += 1, n += 1) {
      const digit = text.charCodeAt(i) - 48;
      const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
      digits[n] = digit;
      oddDoubled[n + 1] = oddDoubled[n]! + (n % 2 === 1 ? doubled : digit);
      evenDoubled[n + 1] = evenDoubled[n]! + (n % 2 === 0 ? doubled : digit);
    }
  }
  return { text, groupStarts, groupEnds, offsets, digits, oddDoubled, evenDoubled };
};

/** Luhn check of `length` digits from place `from`. */
export const passes = (run: Run, from: number, length: number): boolean => {
  const to = from + length;
  const totals = (to - 1) % 2 === 0 ? run.oddDoubled : run.evenDoubled;
  return (totals[to]! - totals[from]!) % 10 === 0;
};

export const firstFour = (run: Run, at: number): number =>
  run.digits[at]! * 1000 + run.digits[at + 1]! * 100 + run.digits[at + 2]! * 10 + run.digits[at + 3]!;

export const lastFour = (run: Run, end: number): string => run.digits.subarray(end - 4, end).join('');

/** Candidates by length, each as two numbers (first unit, unit past the last), in rising order of the first. */
export type Candidates = number[][];
export const noCandidates = (): Candidates => Array.from({ length: LONGEST_PAN - SHORTEST_PAN + 1 }, () => []);

type Choice = { from: number; to: number; readonly numberEnd: number };

const EXTRA = -2;
const FREE = -1;

/** Longest first, then leftmost; what overlapping candidates cover besides is added to the neighbour's choice. */
export const choose = (candidates: Candidates, units: number): Choice[] => {
  const owner = new Int32Array(units).fill(FREE);
  const choices: Choice[] = [];
  for (let c = candidates.length - 1; c >= 0; c -= 1) {
    const list = candidates[c]!;
    for (let i = 0; i < list.length; i += 2) {
      const from = list[i]!;
      const to = list[i + 1]!;
      let overlaps = false;
      for (let u = from; u < to; u += 1) overlaps ||= owner[u]! >= 0;
      if (!overlaps) {
        owner.fill(choices.length, from, to);
        choices.push({ from, to, numberEnd: to });
      } else {
        for (let u = from; u < to; u += 1) if (owner[u] === FREE) owner[u] = EXTRA;
      }
    }
  }
  for (let u = 1; u < units; u += 1) {
    if (owner[u] === EXTRA && owner[u - 1]! >= 0) {
      owner[u] = owner[u - 1]!;
      choices[owner[u]!]!.to = u + 1;
    }
  }
  for (let u = units - 2; u >= 0; u -= 1) {
    if (owner[u] === EXTRA && owner[u + 1]! >= 0) {
      owner[u] = owner[u + 1]!;
      choices[owner[u]!]!.from = u;
    }
  }
  return choices;
};
