/**
 * The one card column that may be shown, `masked_card_no`, checked instead of trusted: at most the first six and the last four digits stay
 * (PCI DSS 4.0.1, requirement 3.4.1).
 */
import { findReplacements, TRACK_MARKER } from './card-patterns.ts';
import { NO_DEADLINE } from './deadline.ts';
import { fold } from './fold.ts';

export type MaskedCard = {
  readonly value: string;
  /** `as_is`; `cut`: more than six and four were visible behind some mask; `unmasked`: the source holds a whole number (UNMASKED_SOURCE). */
  readonly verdict: 'as_is' | 'cut' | 'unmasked';
};

/** The ordinary case, told at a glance: up to six digits, a mask, up to four digits. */
const PROPER = /^\d{0,6}[*xX#]+\d{0,4}$/;
const MASK = /[*xX.#\u2022]/;
const DIGIT = /\d/;
const FIRST = 6;
const LAST = 4;

/**
 * Checks a `masked_card_no`. Positions are digits and mask characters; others (spaces, dashes) are dropped when the value is rewritten.
 * Single dots between digits are separators, not masks. A value that holds track data is removed whole.
 */
export const checkMaskedCard = (value: string): MaskedCard => {
  if (PROPER.test(value)) return { value, verdict: 'as_is' };
  // folding makes one sign of `\u2026`; here it stands for three mask characters
  const folded = fold(value.replaceAll('\u2026', '...'), NO_DEADLINE).text;
  if (findReplacements(folded).some(({ kind }) => kind === 'track'))
    return { value: TRACK_MARKER, verdict: 'unmasked' };
  const plain = folded.replace(/(?<=\d)\.(?=\d)/g, '');
  const positions = [...plain].filter((character) => DIGIT.test(character) || MASK.test(character));
  const digits = positions.filter((character) => DIGIT.test(character)).length;
  const unmasked = digits >= 13 && digits === positions.length;
  const hidden = (at: number): boolean => at >= FIRST && at < positions.length - LAST;
  if (!positions.some((character, at) => hidden(at) && DIGIT.test(character))) return { value, verdict: 'as_is' };
  return {
    value: positions.map((character, at) => (hidden(at) ? '*' : character)).join(''),
    verdict: unmasked ? 'unmasked' : 'cut',
  };
};
