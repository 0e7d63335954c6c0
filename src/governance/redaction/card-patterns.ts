/**
 * Card data in text (payments contract, section 8, layer 3).
 *
 * Guarantees: after `scrubText` no track 1, track 2 or chip-tag value, no card number of 13 to 19 digits that passes Luhn (separated by at
 * most two of the listed separators, CR and LF among them, in any Unicode digits, with invisible characters between) and no labelled
 * verification code, PIN, PIN block or expiry is left in the text, apart from a card number's last four digits; and no brand-shaped number
 * parted by other signs in one of the layouts of `parted-pans.ts`. A second pass changes nothing. Time is linear in the text's length.
 *
 * Leaves to others: a number split over two values; encoded text (percent, base64, JSON escapes: parse first); digits that touch other
 * digits in a group of up to 19; a number spelled in words. Knowing which fields are identifiers is `scrub-value.ts`'s work.
 */
import { checkDeadline, type Deadline, NO_DEADLINE } from './deadline.ts';
import { type Folded, fold } from './fold.ts';
import { findLabelledValues, LABEL_HINT } from './labelled-values.ts';
import { CHARACTER_CLASS, findPans } from './pan-runs.ts';
import { findPartedPans } from './parted-pans.ts';
import { blank, findTracks } from './track-patterns.ts';

export type SensitiveKind = 'track' | 'pan' | 'labelled_value';

/** A place in the original text; never the value. */
export type Finding = { readonly kind: SensitiveKind; readonly start: number; readonly end: number };

export type TextOptions = {
  /** `never`: a plain decimal such as `0.4111111111111111` is not searched (neqsim); otherwise `.` is a separator. */
  readonly decimals?: 'never' | 'searched';
};

export type ScrubbedText = {
  readonly text: string;
  readonly redactions: number;
  readonly kinds: readonly SensitiveKind[];
};

/** What replaces a find; `PAN_MARKER_UNKNOWN` stands for a number whose last digits are not known for certain. */
export const TRACK_MARKER = '[TRACK REMOVED]';
export const LABELLED_MARKER = '***';
export const panMarker = (lastFour: string): string => `[PAN ****${lastFour}]`;
export const PAN_MARKER_UNKNOWN = '[PAN ****]';

type Replacement = Finding & { readonly marker: string };

const NONE: readonly Replacement[] = [];
const NO_KINDS: readonly SensitiveKind[] = [];
/** `pin123`: shorter texts hold nothing. */
export const SHORTEST_FIND = 6;

const LONG_RUN = 1;
const SOME_DIGITS = 2;
const NON_ASCII = 4;
const PARTED_RUN = 8;

/**
 * One pass over the units: is there a run of 13 digits with gaps of at most two separators, one with gaps of at most two signs of any kind
 * (signs beyond ASCII are not counted), is there a digit at all.
 */
const survey = (text: string): number => {
  let flags = 0;
  let run = 0;
  let gap = 0;
  let parted = 0;
  let signs = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127) {
      flags |= NON_ASCII;
      run = 0;
      continue;
    }
    const kind = CHARACTER_CLASS[code];
    if (kind === 0) {
      run = 0;
      parted = 0;
    } else if (kind === 1) {
      flags |= SOME_DIGITS;
      run += 1;
      parted += 1;
      gap = 0;
      signs = 0;
      if (parted >= 13) flags |= run >= 13 ? LONG_RUN : PARTED_RUN;
    } else {
      signs += 1;
      if (signs > 2) parted = 0;
      gap += 1;
      if (kind === 3 || gap > 2) run = 0;
    }
  }
  return flags;
};

/** UUIDs and RFC 3339 times. No brand's numbers begin with the 0 or 1 that an offset's hour begins with. */
const NEVER_CARDS =
  /(?<![0-9A-Za-z])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9A-Za-z])|(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?(?!\d))/gi;
const DECIMALS = /(?<![\d.])\d+\.\d+(?!\d|\.\d)/g;

const blankMatches = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (match) => '\0'.repeat(match.length));

/** Characters without which a text holds no track or tag. */
const TRACK_HINT = /[=D^]|5[7A]/i;

const searchFolded = (text: string, flags: number, options: TextOptions, deadline: Deadline): Replacement[] => {
  const found: Replacement[] = [];
  let rest = text;
  if ((flags & (LONG_RUN | PARTED_RUN)) !== 0) {
    checkDeadline(deadline);
    if (TRACK_HINT.test(rest)) {
      const tracks = findTracks(rest);
      for (const span of tracks) found.push({ ...span, kind: 'track', marker: TRACK_MARKER });
      rest = blank(rest, tracks);
    }
    let searched = rest.includes('-') ? blankMatches(rest, NEVER_CARDS) : rest;
    if (options.decimals === 'never') searched = blankMatches(searched, DECIMALS);
    checkDeadline(deadline);
    const pans = findPans(searched, deadline);
    if ((flags & PARTED_RUN) !== 0) pans.push(...findPartedPans(blank(searched, pans), deadline));
    pans.sort((a, b) => a.start - b.start);
    for (const { start, end, lastFour } of pans) found.push({ start, end, kind: 'pan', marker: panMarker(lastFour) });
    rest = blank(rest, pans);
    checkDeadline(deadline);
  }
  if (LABEL_HINT.test(rest)) {
    for (const span of findLabelledValues(rest))
      found.push({ ...span, kind: 'labelled_value', marker: LABELLED_MARKER });
  }
  return found.length < 2 ? found : found.sort((a, b) => a.start - b.start || b.end - a.end);
};

/** Moves finds from the folded text to the original and drops what an earlier find already covers. */
const placeInOriginal = (found: readonly Replacement[], folded: Folded): Replacement[] => {
  const placed: Replacement[] = [];
  let free = 0;
  for (const find of found) {
    const start = Math.max(free, folded.starts === null ? find.start : folded.starts[find.start]!);
    const end = folded.ends === null ? find.end : folded.ends[find.end - 1]!;
    if (end <= start) continue;
    placed.push({ kind: find.kind, marker: find.marker, start, end });
    free = end;
  }
  return placed;
};

/** A cheap first look that never misses: false means that the text holds no card data. */
export const mayHoldCardData = (text: string): boolean => {
  if (text.length < SHORTEST_FIND) return false;
  const flags = survey(text);
  return (flags & (LONG_RUN | PARTED_RUN | NON_ASCII)) !== 0 || ((flags & SOME_DIGITS) !== 0 && LABEL_HINT.test(text));
};

/** Finds of a text with the markers that replace them, in rising order and apart. Errors: only the deadline. */
export const findReplacements = (
  text: string,
  options: TextOptions = {},
  deadline: Deadline = NO_DEADLINE,
): readonly Replacement[] => {
  if (text.length < SHORTEST_FIND) return NONE;
  let flags = survey(text);
  let folded: Folded = { text, starts: null, ends: null };
  if ((flags & NON_ASCII) !== 0) {
    folded = fold(text, deadline);
    flags = survey(folded.text);
  }
  if ((flags & (LONG_RUN | PARTED_RUN)) === 0 && ((flags & SOME_DIGITS) === 0 || !LABEL_HINT.test(folded.text)))
    return NONE;
  const found = searchFolded(folded.text, flags, options, deadline);
  return found.length === 0 ? NONE : placeInOriginal(found, folded);
};

/** Puts the markers in place of the finds. */
const applyReplacements = (text: string, replacements: readonly Replacement[]): string => {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, marker } of replacements) {
    parts.push(text.slice(at, start), marker);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
};

/** Kinds and places of card data in a text, for refusing an input. */
export const findSensitive = (text: string, options: TextOptions = {}): Finding[] =>
  findReplacements(text, options).map(({ kind, start, end }) => ({ kind, start, end }));

/**
 * Replaces card data by markers; a text without any is returned as it is. What is left of a long group can make a number with its neighbours
 * once a find is cut out of it, so the search is repeated until it finds nothing. Errors: only the deadline.
 */
export const scrubText = (text: string, options: TextOptions = {}, deadline: Deadline = NO_DEADLINE): ScrubbedText => {
  let replacements = findReplacements(text, options, deadline);
  if (replacements.length === 0) return { text, redactions: 0, kinds: NO_KINDS };
  let scrubbed = text;
  let redactions = 0;
  const kinds = new Set<SensitiveKind>();
  while (replacements.length > 0) {
    scrubbed = applyReplacements(scrubbed, replacements);
    redactions += replacements.length;
    for (const { kind } of replacements) kinds.add(kind);
    replacements = findReplacements(scrubbed, options, deadline);
  }
  return { text: scrubbed, redactions, kinds: [...kinds] };
};
