/**
 * Cuts free text to at most `max` characters without harming the card scrubber that looks at it later: a cut never falls inside a run of
 * digits and separators, nor inside track 1 text, because the stump of a card number would pass the scrubber. Such a run goes as a whole.
 * Cut text ends in an ellipsis, which counts.
 */
export function excerpt(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const head = characters.slice(0, max - 1).join('');
  const rest = characters.slice(max - 1).join('');
  const whole = DIGITS_AT_START.test(rest) ? head.replace(RUN_AT_END, '') : head;
  return `${whole.replace(OPEN_TRACK_1, '').trimEnd()}\u2026`;
}

// Digits of any script (the scrubber folds them), and everything that it looks through between them.
const BETWEEN = '\\s\\u00a0\\u00ad\\u200b-\\u200d\\u2060\\ufeff\\u2010-\\u2015\\u2212._/=D^;%?-';
const DIGITS_AT_START = new RegExp(`^[${BETWEEN}]*\\p{Nd}`, 'u');
const RUN_AT_END = new RegExp(`[\\p{Nd}${BETWEEN}A-Fa-f]+$`, 'u');
const OPEN_TRACK_1 = /%?[Bb][\p{Nd}]{13,19}\^[^?]*$/u;
