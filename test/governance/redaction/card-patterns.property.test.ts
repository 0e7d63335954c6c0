import fc from 'fast-check';
import t from 'tap';
import { scrubText, scrubValue } from '../../../src/governance/redaction/index.ts';
import { anyPan, digitsIn, disguised, invisible, leaks, parted, separators, unusual } from './cards.ts';

/** Text without digits in any script. */
const words = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/\p{N}/u.test(text.normalize('NFKC')));
/** Groups of digits that stand beside a number, parted from it. */
const neighbour = fc
  .tuple(fc.constantFrom(...separators), fc.stringMatching(/^\d{1,12}$/))
  .map(([gap, digits]) => ({ gap, digits }));
/** Text rich in what the rules look for. */
const suspicious = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^\d{1,24}$/),
      fc.constantFrom(...separators, ...invisible, ...unusual),
      anyPan.chain(parted),
      fc.constantFrom(
        'cvv',
        'pin ',
        'exp',
        ' date',
        ':',
        '=',
        'D',
        '^',
        '%B',
        'B',
        ';',
        '?',
        '5A08',
        '5711',
        'F',
        '*',
        '[PAN ****',
      ),
      fc.uuid(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      anyPan,
      words,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

t.test('no card number survives, however it is written', async () => {
  fc.assert(
    fc.property(
      anyPan.chain((pan) => fc.tuple(fc.constant(pan), disguised(pan), words, words)),
      ([pan, written, before, after]) => {
        const scrubbed = scrubText(`${before}|${written}|${after}`);
        return (
          scrubbed.redactions >= 1 && !leaks(pan, scrubbed.text) && !digitsIn(scrubbed.text).includes(pan.slice(0, -4))
        );
      },
    ),
    { numRuns: 3000 },
  );
});

t.test('no card number survives beside other groups of digits', async () => {
  fc.assert(
    fc.property(
      anyPan.chain((pan) => fc.tuple(fc.constant(pan), disguised(pan), neighbour, neighbour)),
      ([pan, written, left, right]) => {
        const scrubbed = scrubText(`${left.digits}${left.gap}${written}${right.gap}${right.digits}`).text;
        // the groups beside it may repeat its digits by chance: only what is not theirs counts
        return (
          digitsIn(scrubbed).includes(pan.slice(0, -4)) === `${left.digits}|${right.digits}`.includes(pan.slice(0, -4))
        );
      },
    ),
    { numRuns: 3000 },
  );
});

t.test('no card number survives in a printed layout with unusual signs between', async () => {
  fc.assert(
    fc.property(
      anyPan.chain((pan) => fc.tuple(fc.constant(pan), parted(pan), words, words)),
      ([pan, written, before, after]) => {
        const scrubbed = scrubText(`${before} x${written}x ${after}`);
        return scrubbed.redactions >= 1 && !leaks(pan, scrubbed.text);
      },
    ),
    { numRuns: 3000 },
  );
});

t.test('a second pass changes nothing', async () => {
  fc.assert(
    fc.property(suspicious, (text) => {
      const once = scrubText(text).text;
      return scrubText(once).text === once;
    }),
    { numRuns: 5000 },
  );
});

t.test('what is not redacted is kept to the letter', async () => {
  fc.assert(
    fc.property(suspicious, (text) => {
      const scrubbed = scrubText(text);
      if (scrubbed.redactions === 0) return scrubbed.text === text;
      // the text between the markers stands in the original, in order
      let at = 0;
      for (const piece of scrubbed.text.split(/\[PAN \*{4}\d{4}\]|\[TRACK REMOVED\]|\*{3}/)) {
        at = text.indexOf(piece, at);
        if (at < 0) return false;
        at += piece.length;
      }
      return true;
    }),
    { numRuns: 2000 },
  );
});

t.test('a value without thirteen digits anywhere comes back as the same object', async () => {
  const few = fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .filter((text) => (text.normalize('NFKC').match(/\p{N}/gu) ?? []).length < 13 && !/cv[vc]|cid|pin|exp/i.test(text));
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      few,
      fc.integer(),
      fc.double({ min: -1e12, max: 1e12, minExcluded: true, maxExcluded: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(few, tie('node'), { maxKeys: 4 }),
    ),
  })).node;
  fc.assert(
    fc.property(value, (node) => {
      const scrubbed = scrubValue(node, { forbiddenNames: false });
      return scrubbed.ok && Object.is(scrubbed.value, node) && scrubbed.redactions === 0;
    }),
    { numRuns: 1000 },
  );
});
