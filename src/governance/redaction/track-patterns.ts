/**
 * Magnetic-stripe and chip data in folded text. Sensitive authentication data is never masked but removed whole (PCI DSS 4.0.1, 3.3.1).
 * Track layouts: ISO/IEC 7813; BER-TLV tags 5A (PAN) and 57 (track 2 equivalent): EMV 4.3 book 3, annex A. Luhn is not asked for.
 * Each search starts at a rare character and looks a bounded way back, so that time is linear in the text.
 */
import { CHARACTER_CLASS } from './pan-runs.ts';

export type TrackSpan = { readonly start: number; readonly end: number };

const TRACK_1 = /%?B\d{13,19}\^[^^]{2,26}\^\d{4}[^?\s]*\??/gi;

const findTrack1 = (text: string): TrackSpan[] => {
  if (!text.includes('^')) return [];
  return Array.from(text.matchAll(TRACK_1), (match) => ({ start: match.index, end: match.index + match[0].length }));
};

const TAG_5A = /5A(?:0[789A])/gi;
const PADDED_PAN = /^\d{13,20}F*$/i;
const TAG_57 = /57(?=([0-9A-F]{2}))/gi;
const TRACK_2_EQUIVALENT = /^\d{12,19}D\d*F*$/i;

/** Tag, one length byte, and a value of exactly that many bytes; two characters a byte. */
const findTlv = (text: string): TrackSpan[] => {
  const found: TrackSpan[] = [];
  for (const match of text.matchAll(TAG_5A)) {
    const valueStart = match.index + 4;
    const length = 2 * Number.parseInt(match[0].slice(2), 16);
    const value = text.slice(valueStart, valueStart + length);
    if (value.length === length && PADDED_PAN.test(value)) found.push({ start: match.index, end: valueStart + length });
  }
  for (const match of text.matchAll(TAG_57)) {
    const length = 2 * Number.parseInt(match[1]!, 16);
    const valueStart = match.index + 4;
    if (length < 16 || length > 40) continue;
    const value = text.slice(valueStart, valueStart + length);
    if (value.length === length && TRACK_2_EQUIVALENT.test(value)) {
      found.push({ start: match.index, end: valueStart + length });
    }
  }
  return found;
};

const SEPARATOR = /[=D]/gi;
const AFTER_SEPARATOR = /\d{2}(?:0[1-9]|1[0-2])[0-9F]*\??/iy;

/** `;?` 13 to 19 digits, `=` or `D`, year and month, service code and discretionary data, `?`. */
const findTrack2 = (text: string): TrackSpan[] => {
  const found: TrackSpan[] = [];
  let free = 0;
  for (const match of text.matchAll(SEPARATOR)) {
    const at = match.index;
    let start = at;
    while (start > free && at - start < 19 && CHARACTER_CLASS[text.charCodeAt(start - 1)] === 1) start -= 1;
    if (at - start < 13) continue;
    AFTER_SEPARATOR.lastIndex = at + 1;
    const after = AFTER_SEPARATOR.exec(text);
    if (after === null) continue;
    if (start > free && text[start - 1] === ';') start -= 1;
    free = at + 1 + after[0].length;
    found.push({ start, end: free });
  }
  return found;
};

/** Blanks spans out of a text without moving anything: no digit, no separator and no letter is left in them. */
export const blank = (text: string, spans: readonly TrackSpan[]): string => {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    parts.push(text.slice(at, from), '\0'.repeat(end - from));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
};

const inOrder = (spans: TrackSpan[]): TrackSpan[] => spans.sort((a, b) => a.start - b.start || b.end - a.end);

/** Finds track 1, chip tags and track 2 in folded text; spans may touch or overlap, rising by start. */
export const findTracks = (text: string): TrackSpan[] => {
  const track1 = findTrack1(text);
  const rest = blank(text, track1);
  const tlv = inOrder(findTlv(rest));
  return inOrder([...track1, ...tlv, ...findTrack2(blank(rest, tlv))]);
};
