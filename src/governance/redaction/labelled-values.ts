/**
 * Verification codes, PINs, PIN blocks and expiry dates behind their label, in folded text: `cvv: 123`, `PIN 4711`, `exp 12/30`,
 * `pin block 041234FFFFFFFFFF` (ISO 9564-1: 8 bytes, 16 in format 4, as hexadecimal digits).
 * Digits that follow a matched value without a break are taken with it, so that a second pass finds nothing new.
 */
export type ValueSpan = { readonly start: number; readonly end: number };

/** Cheap first look: no label, no labelled value. */
export const LABEL_HINT = /cv[vc]|cid|pin|exp/i;

/** The blanks round the sign are written so that a long row of them is read once, not once for each way to part it. */
const LABELLED =
  /(?<![A-Za-z_])(?:(?:cvv2?|cvc2?|cid|pin)\s*(?:[:=#]\s*)?\d{3,}|exp(?:iry)?(?: date)?\s*(?:[:=#]\s*)?(?:\d{1,2}\/\d{2,}|\d{3,}))/gi;

const VALUE = /(?:\d{1,2}\/)?\d+$/;

/** Bytes may stand together or be parted by one sign; more hexadecimal digits without a break are taken too. */
const PIN_BLOCK =
  /(?<![A-Za-z])pin[ _-]?block(?![a-z])["']?\s*(?:[:=#]\s*)?["']?(?:0x)?([0-9a-f]{2}(?:[ :-]?[0-9a-f]{2}){7}(?:(?:[ :-]?[0-9a-f]{2}){8})?[0-9a-f]*)/gi;

const findPinBlocks = (text: string): ValueSpan[] =>
  Array.from(text.matchAll(PIN_BLOCK), (match) => {
    const end = match.index + match[0].length;
    return { start: end - match[1]!.length, end };
  });

/** Finds labelled values: codes and dates in rising order, then PIN blocks in rising order. */
export const findLabelledValues = (text: string): ValueSpan[] => [
  ...Array.from(text.matchAll(LABELLED), (match) => {
    const end = match.index + match[0].length;
    return { start: end - (VALUE.exec(match[0])?.[0].length ?? 0), end };
  }),
  ...findPinBlocks(text),
];
