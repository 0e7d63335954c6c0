/** Texts made to be slow. The limit is far above what linear work needs and far below what quadratic work would take. */
import t from 'tap';
import { screenArguments, scrubValue } from '../../../src/governance/redaction/index.ts';

const LENGTH = 100_000;
const LIMIT_MS = 30_000;
const repeat = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length));

const hostile: Record<string, string> = {
  'one digit': repeat('1'),
  'brand digits': repeat('4'),
  'digits apart': repeat('4 '),
  'two separators': repeat('4- '),
  'digits and unusual signs': repeat('4:'),
  'blocks and unusual signs': repeat('4111,'),
  'unusual signs of all kinds': repeat('4~1|'),
  'address starts': repeat('2001:'),
  'pin blocks': repeat('pin block '),
  'blanks after pin block': `pin block${repeat(' ')}`,
  'one long pin block': `pin block ${repeat('4A:')}`,
  'separators only': repeat(' '),
  'blanks after a label': `pin${repeat(' ')}`,
  'labels only': repeat('pin '),
  'label and blanks': repeat('exp date : '),
  'expiry slashes': `exp ${repeat('1/')}`,
  'track 1 starts': repeat('B1111111111111^'),
  'track 1 without end': `B1111111111111^${repeat('A')}`,
  'track 2 starts': repeat('1111111111111D'),
  'track 2 ends': `1111111111111D1201${repeat('F')}x`,
  tags: repeat('5A0857'),
  points: repeat('1.'),
  dates: repeat('2026-01-01 '),
  'UUID starts': repeat('11111111-1111-'),
  'Arabic-Indic': repeat('\u0664'),
  'zero width': repeat('1\u200b'),
  // One character that folds to eighteen.
  expanding: '\ufdfa'.repeat(LENGTH / 18),
  capitals: repeat('A'),
  'lone surrogates': repeat('\ud800'),
};

t.test('hostile texts are scrubbed in linear time, as values and as keys', async (t) => {
  for (const [what, text] of Object.entries(hostile)) {
    const scrubbed = scrubValue({ [text]: text }, { forbiddenNames: true, deadlineMs: LIMIT_MS });
    t.equal(scrubbed.ok, true, what);
    const screened = screenArguments({ a: text }, { stringsOnly: true, jsonText: () => true, deadlineMs: LIMIT_MS });
    t.equal(screened.ok, true, `${what}, screened`);
  }
});

t.test('a text too long for the limit fails closed in the middle of the work', async (t) => {
  const result = scrubValue(repeat('4 ').repeat(80), { forbiddenNames: true, deadlineMs: 5 });
  t.same(result, { ok: false, reason: 'deadline' });
});

t.test('many small values are stopped by the limit too', async (t) => {
  const result = scrubValue(
    Array.from({ length: 2_000_000 }, () => 'abcdef'),
    { forbiddenNames: true, deadlineMs: 1 },
  );
  t.same(result, { ok: false, reason: 'deadline' });
});
