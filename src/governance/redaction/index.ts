/**
 * Redaction: what keeps card data, secrets and merchants' personal data inside (payments contract, section 8; gates 4 and 8).
 *
 * Three layers, each alone sufficient for what it covers: queries that name their columns (the servers' own work), the never-return list of
 * names (`isForbiddenName`), and the scrubber (`scrubValue`, `scrubText`). `scrubJsonText` reads free jsonb without losing digits;
 * `screenArguments` refuses card data on the way in.
 *
 * Left to others, and said: a number split over two values; encoded text (percent, base64); cutting texts (after scrubbing only).
 * CR and LF are separators: a number broken over two lines of one text is found. Whoever gets `ok: false` answers REDACTION_FAILED
 * without data.
 */
export { isBrandShapedPan, passesLuhn } from './card-brands.ts';
export {
  type Finding,
  findSensitive,
  type ScrubbedText,
  type SensitiveKind,
  scrubText,
  type TextOptions,
} from './card-patterns.ts';
export type { ExemptFields, FieldMark, Path } from './field-marks.ts';
export {
  type ScreenFinding,
  type Screening,
  type ScreenOptions,
  screenArguments,
} from './input-screen.ts';
export { type JsonTextOptions, parseJsonExactly, type ScrubbedJsonText, scrubJsonText } from './jsonb-text.ts';
export { checkMaskedCard, type MaskedCard } from './masked-card.ts';
export { isForbiddenName } from './never-return.ts';
export {
  SCRUB_DEADLINE_MS,
  type ScrubbedValue,
  type ScrubFailure,
  type ScrubKind,
  type ScrubOptions,
  scrubValue,
} from './scrub-value.ts';
