/**
 * Folding for matching: full-width, Arabic-Indic, circled and mathematical digits become ASCII digits, compatibility characters take
 * their plain form (NFKC), dashes become `-`, line and paragraph separators a line feed, combining accents and characters that show nothing
 * disappear. Every folded character keeps the place of the
 * original it came from, so that a match can be cut out of the original text.
 *
 * Folding is done code point by code point. Composition across code points (which whole-text NFKC would do) joins letters with
 * accents only and never changes a digit or a separator.
 */
import { checkDeadline, type Deadline } from './deadline.ts';

export type Folded = {
  readonly text: string;
  /** Index in the original of each folded character's first and past-the-last unit; null when folded and original are the same. */
  readonly starts: readonly number[] | null;
  readonly ends: readonly number[] | null;
};

/**
 * Characters without a place of their own in a line: the contract's list (U+200B..U+200D, U+2060, U+FEFF, U+00AD) and their relatives that
 * travel with copied numbers or are put between digits to hide them: direction marks, fillers, variation selectors, accents that combine
 * with the character before them, the keycap of emoji digits.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}]/gu;
/** A sign that stands for several (`\u2026`, `\u203c`) is one sign to the eye. */
const ROW_OF_SIGNS = /^([^\p{L}\p{N}])[^\p{L}\p{N}]+$/u;

const DECIMAL_DIGIT = /\p{Nd}/u;
const DECIMAL_DIGITS = /\p{Nd}/gu;

/** Unicode keeps decimal digits in unbroken blocks of ten that begin with zero; the block's start gives the value. */
const digitValue = (digit: string): string => {
  const cp = digit.codePointAt(0) ?? 0;
  let start = cp;
  while (DECIMAL_DIGIT.test(String.fromCodePoint(start - 1))) start -= 1;
  return String((cp - start) % 10);
};

const foldAnew = (cp: number): string => {
  if ((cp >= 0x2010 && cp <= 0x2015) || cp === 0x2212) return '-';
  if (cp === 0x85 || cp === 0x2028 || cp === 0x2029) return '\n';
  return String.fromCodePoint(cp)
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DECIMAL_DIGITS, digitValue)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(ROW_OF_SIGNS, '$1');
};

/** Folded forms of the basic plane, filled as characters are met: bounded by 65,536 short strings. */
const known: (string | undefined)[] = [];

const foldCodePoint = (cp: number): string => {
  if (cp < 0x80) return String.fromCharCode(cp);
  if (cp >= 0x1d7ce && cp <= 0x1d7ff) return String((cp - 0x1d7ce) % 10);
  if (cp > 0xffff) return foldAnew(cp);
  return (known[cp] ??= foldAnew(cp));
};

const NON_ASCII = /[^\x00-\x7f]/;

/** Folds a text for matching. Errors: only the deadline. */
export const fold = (text: string, deadline: Deadline): Folded => {
  if (!NON_ASCII.test(text)) return { text, starts: null, ends: null };
  let out = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let sinceCheck = 0;
  for (let i = 0; i < text.length; ) {
    if (++sinceCheck === 8192) {
      sinceCheck = 0;
      checkDeadline(deadline);
    }
    const cp = text.codePointAt(i) ?? 0;
    const next = i + (cp > 0xffff ? 2 : 1);
    const folded = foldCodePoint(cp);
    out += folded;
    for (let k = 0; k < folded.length; k += 1) {
      starts.push(i);
      ends.push(next);
    }
    i = next;
  }
  return { text: out, starts, ends };
};
