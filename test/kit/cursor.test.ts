import fc from 'fast-check';
import t from 'tap';
import { cursors } from '../../src/kit/cursor.ts';
import { ToolError } from '../../src/kit/errors.ts';

const pages = cursors('a secret of the test suite');
const refusal = (work: () => unknown): string => {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return error instanceof ToolError ? error.code : 'crashed';
  }
};

t.test('a cursor comes back as it went, key order of the filters apart', async (t) => {
  const position = { key: ['2026-01-01T00:00:00.000001', 7, null], window: { from: 'a', to: 'b' } };
  const text = pages.encode('tool', { a: 1, b: 'é' }, position);
  t.match(text, /^[A-Za-z0-9_-]+$/);
  t.same(pages.decode('tool', { b: 'e\u0301', a: 1 }, text), position);
  t.same(pages.decode('tool', {}, pages.encode('tool', {}, { key: [] })), { key: [] });
});

t.test('another tool, other filters, another secret or a stray text is refused', async (t) => {
  const text = pages.encode('tool', { a: 1 }, { key: [1] });
  t.equal(
    refusal(() => pages.decode('other', { a: 1 }, text)),
    'INVALID_ARGUMENT',
  );
  t.equal(
    refusal(() => pages.decode('tool', { a: 2 }, text)),
    'INVALID_ARGUMENT',
  );
  t.equal(
    refusal(() => cursors('another secret of the suite').decode('tool', { a: 1 }, text)),
    'INVALID_ARGUMENT',
  );
  for (const stray of ['', 'AAAA', `${text}=`, `${text}A`, ' ', 'é', '../../etc/passwd']) {
    t.equal(
      refusal(() => pages.decode('tool', { a: 1 }, stray)),
      'INVALID_ARGUMENT',
      JSON.stringify(stray),
    );
  }
  t.throws(() => cursors('short'), RangeError);
});

t.test('no altered cursor is ever accepted, and no text crashes the decoder', async () => {
  const good = pages.encode('tool', { a: 1 }, { key: ['x', 1] });
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(63), (place, letter) => {
      const altered = good.slice(0, place) + alphabet[letter] + good.slice(place + 1);
      const result = refusal(() => pages.decode('tool', { a: 1 }, altered));
      return altered === good ? result === 'accepted' : result === 'INVALID_ARGUMENT';
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200 }),
      (text) => refusal(() => pages.decode('tool', {}, text)) === 'INVALID_ARGUMENT',
    ),
  );
});
