import t from 'tap';
import { type FieldMark, type ScrubOptions, scrubValue } from '../../../src/governance/redaction/index.ts';

const payments: ScrubOptions = { forbiddenNames: true };
const neqsim: ScrubOptions = { forbiddenNames: false, stringsOnly: true };
const PAN = '4111111111111111';

const scrubbed = (value: unknown, options: ScrubOptions = payments) => {
  const result = scrubValue(value, options);
  if (!result.ok) throw new Error(`not scrubbed: ${result.reason}`);
  return result;
};
const marked = (marks: Record<string, FieldMark | boolean>): ScrubOptions => ({
  forbiddenNames: true,
  exempt: (path) => marks[String(path.at(-1))],
});

t.test('strings, keys and integers are scrubbed at any depth and counted', async (t) => {
  const result = scrubbed({
    a: [{ note: `card ${PAN}` }, Number(PAN)],
    [PAN]: 1,
    big: 4111111111111111n,
    n: -4111111111111111,
  });
  t.same(result.value, {
    a: [{ note: 'card [PAN ****1111]' }, '[PAN ****1111]'],
    '[PAN ****1111]': 1,
    big: '[PAN ****1111]',
    n: '[PAN ****1111]',
  });
  t.equal(result.redactions, 5);
  t.same(result.kinds, ['pan']);
});

t.test('fractions, short integers and epoch times stay numbers', async (t) => {
  const value = {
    a: 0.4111111111111111,
    b: 411111111111,
    c: 1735689600003,
    d: 41111111111.11111,
    e: Number.NaN,
    f: -0,
  };
  t.equal(scrubbed(value).value, value);
});

t.test('an integer that has lost digits is masked by its shape alone', async (t) => {
  t.same(scrubbed([Number('4111111111111111111')]).value, ['[PAN ****]']);
  t.same(scrubbed([1.7e18]).value, [1.7e18]);
});

t.test('keys that end alike both stay', async (t) => {
  const value = scrubbed({ [PAN]: 'a', '4111 1111 1111 1111': 'b', '[PAN ****1111]': 'c' }).value as Record<
    string,
    string
  >;
  t.same(Object.values(value).sort(), ['a', 'b', 'c']);
  t.equal(Object.keys(value).length, 3);
});

t.test('the input stays as it was and unchanged parts are shared', async (t) => {
  const clean = { rrn: '900100000010', list: [1, 2] };
  const input = Object.freeze({ clean, note: PAN, __proto__: null });
  const result = scrubbed(input);
  t.equal((result.value as { clean: unknown }).clean, clean);
  t.equal(input.note, PAN);
  t.equal(scrubbed(clean).value, clean);
});

t.test('a __proto__ key from JSON stays a plain member', async (t) => {
  const result = scrubbed(JSON.parse(`{"__proto__": {"x": "${PAN}"}, "y": "${PAN}"}`)).value as object;
  t.equal(Object.getPrototypeOf(result), Object.prototype);
  t.equal(JSON.stringify(result), '{"__proto__":{"x":"[PAN ****1111]"},"y":"[PAN ****1111]"}');
});

t.test('never-return names are removed, counted and named', async (t) => {
  const result = scrubbed({
    rows: [{ rrn: '1', encrypted_pan: 'x', nested: { hashPan: 'y', tmk_id: 1 } }],
    [`encrypted_${PAN}`]: 1,
  });
  t.same(result.value, { rows: [{ rrn: '1', nested: {} }] });
  t.equal(result.redactions, 4);
  t.same(result.kinds, ['forbidden_name']);
  t.same(result.removedNames, ['encrypted_pan', 'hashPan', 'tmk_id', 'encrypted_[PAN ****1111]']);
});

t.test('masked_card_no is checked wherever it stands', async (t) => {
  const result = scrubbed({
    rows: [
      { masked_card_no: PAN },
      { maskedCardNo: '411111******1111' },
      { masked_card_no: 4111111111111111 },
      { masked_card_no: null },
      { masked_card_no: '41111111****1111' },
    ],
  });
  t.same(result.value, {
    rows: [
      { masked_card_no: '411111******1111' },
      { maskedCardNo: '411111******1111' },
      { masked_card_no: '411111******1111' },
      { masked_card_no: null },
      { masked_card_no: '411111******1111' },
    ],
  });
  t.equal(result.unmaskedSources, 2);
  t.equal(result.redactions, 3);
  t.same(result.kinds, ['masked_card']);
});

t.test('neqsim: names are its own, numbers and decimals are never cards, strings are', async (t) => {
  const value = { address: 'x', n: 4111111111111111, token: '0.4111111111111111', '\u0394': 41111111111.11111 };
  t.equal(scrubbed(value, neqsim).value, value);
  t.same(scrubbed({ note: `card ${PAN}` }, neqsim).value, { note: 'card [PAN ****1111]' });
});

t.test('identifiers outside 13 to 19 characters, integers and mid are exempt; the rest are not', async (t) => {
  const value = {
    id: PAN,
    arn: `7000000${PAN}`,
    mid: '378282246310005',
    hit: Number(PAN),
    spaced: '4111 1111 1111 1111 / x y',
    raw: `;${PAN}=3012101999999?`,
  };
  const marks = {
    id: 'identifier',
    arn: 'identifier',
    mid: 'identifier',
    hit: 'identifier',
    spaced: 'identifier',
    raw: 'identifier',
  } as const;
  t.same(scrubbed(value, marked(marks)).value, {
    id: '[PAN ****1111]',
    arn: value.arn,
    mid: value.mid,
    hit: value.hit,
    spaced: '[PAN ****1111] / x y',
    raw: '[TRACK REMOVED]',
  });
  t.same(scrubbed(value).redactions, 6, 'without marks all are scrubbed');
});

t.test('marks are checked against the value', async (t) => {
  t.same(
    scrubbed(
      { at: PAN, amount: `AED ${PAN}`, id: `x ${PAN}` },
      marked({ at: 'instant', amount: 'money', id: 'integer_identifier' }),
    ).redactions,
    3,
  );
  const kept = { amount: PAN, amount_minor: Number(PAN), id: PAN, other: PAN };
  t.equal(
    scrubbed(kept, marked({ amount: 'money', amount_minor: 'money', id: 'integer_identifier', other: true })).value,
    kept,
  );
});

t.test('identifiers from elsewhere are masked in a brand shape only', async (t) => {
  const options = marked({ transaction_id: 'foreign_identifier', merchant_id: 'foreign_identifier' });
  t.same(scrubbed({ transaction_id: PAN, merchant_id: '123456789012347' }, options).value, {
    transaction_id: '[PAN ****1111]',
    merchant_id: '123456789012347',
  });
});

t.test('the path given to exempt leads to the value', async (t) => {
  const paths: unknown[] = [];
  scrubbed({ a: [{ b: PAN }], c: 'clean' }, { forbiddenNames: true, exempt: (path) => void paths.push(path) });
  t.same(paths, [['a', 0, 'b']]);
});

t.test('scrubbing twice is scrubbing once', async (t) => {
  const once = scrubbed({ a: PAN, masked_card_no: PAN, [PAN]: `cvv 123 ;${PAN}=3012101?`, pan: 1 }).value;
  t.equal(scrubbed(once).value, once);
});

t.test('failure is a typed result, never an exception', async (t) => {
  const reasonOf = (value: unknown, options: ScrubOptions = payments): string => {
    const result = scrubValue(value, options);
    return result.ok ? 'ok' : result.reason;
  };
  t.equal(reasonOf({ a: 1 }, { forbiddenNames: true, deadlineMs: 0 }), 'deadline');
  t.equal(reasonOf(JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)), 'too_deep');
  const circle: { self?: unknown } = {};
  circle.self = circle;
  t.equal(reasonOf(circle), 'too_deep');
  t.equal(reasonOf(new Map([[1, PAN]])), 'not_json');
  t.equal(reasonOf({ f: () => PAN }), 'not_json');
  t.equal(
    reasonOf({
      get x() {
        throw new Error(PAN);
      },
    }),
    'failed',
  );
  t.equal(
    reasonOf(
      { a: PAN },
      {
        forbiddenNames: true,
        exempt: () => {
          throw new Error('no schema');
        },
      },
    ),
    'failed',
  );
});

t.test('sixty-four levels and more are walked', async (t) => {
  let value: unknown = PAN;
  for (let i = 0; i < 200; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  t.match(JSON.stringify(scrubbed(value).value), /\[PAN \*{4}1111\]/);
});
