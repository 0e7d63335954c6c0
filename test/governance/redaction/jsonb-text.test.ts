import t from 'tap';
import { type JsonTextOptions, parseJsonExactly, scrubJsonText } from '../../../src/governance/redaction/index.ts';
import { withCheckDigit } from './cards.ts';

const scrub = (text: string, options: Partial<JsonTextOptions> = {}): unknown => {
  const result = scrubJsonText(text, { forbiddenNames: true, ...options });
  return result.ok ? result.value : result.reason;
};

t.test('card numbers of 17 to 19 digits written as JSON numbers are found', async (t) => {
  for (const length of [16, 17, 18, 19]) {
    const pan = withCheckDigit('62'.padEnd(length - 1, '7351902'));
    t.same(
      scrub(`{"a": ${pan}, "b": [-${pan}]}`),
      { a: `[PAN ****${pan.slice(-4)}]`, b: [`${length === 16 ? '' : '-'}[PAN ****${pan.slice(-4)}]`] },
      `${length} digits`,
    );
  }
});

t.test('long integers that are no card keep every digit, as text', async (t) => {
  t.same(
    scrub('{"id": 9223372036854775807, "n": 9007199254740991, "m": 9007199254740993, "x": -10000000000000000000001}'),
    {
      id: '9223372036854775807',
      n: 9007199254740991,
      m: '9007199254740993',
      x: '-10000000000000000000001',
    },
  );
});

t.test('strings, escapes and decimals are not touched by the quoting', async (t) => {
  const text = String.raw`{"s": "6 \" 92233720368547758071 \\", "d": 0.41111111111111111111, "e": 1e20, "t": [true, null, -1.5]}`;
  t.same(parseJsonExactly(text)?.value, JSON.parse(text));
  t.same(scrub(String.raw`{"a": "\u0034111111111111111"}`), { a: '[PAN ****1111]' }, 'digits written as escapes');
});

t.test('never-return keys go at any depth', async (t) => {
  t.same(scrub('{"a": {"pan": "x", "b": [{"cvv": 1, "c": 2}]}}'), { a: { b: [{ c: 2 }] } });
});

t.test('text too deep or too large is left out', async (t) => {
  t.same(scrub('[[[[[[[[[1]]]]]]]]]', { maxDepth: 8 }), { _omitted: 'too_large' });
  t.same(scrub('[[[[[[[[1]]]]]]]]', { maxDepth: 8 }), [[[[[[[[1]]]]]]]]);
  t.same(scrub(`"${'\u00e9'.repeat(20)}"`, { maxBytes: 40 }), { _omitted: 'too_large' });
  t.same(scrub(`"${'\u00e9'.repeat(19)}"`, { maxBytes: 40 }), '\u00e9'.repeat(19));
});

t.test('text that is not JSON is said to be so', async (t) => {
  for (const text of ['', '{', '"', '-', '01', '{"a": 12345678901234567890', '12345678901234567 8'])
    t.equal(scrub(text), 'not_json_text', text);
});
