import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { page } from '../../src/kit/caps.ts';
import { excerpt } from '../../src/kit/excerpt.ts';
import { asList, rowLimit, serialNumber, text, textFilter } from '../../src/kit/fields.ts';
import { isMarked, markTree } from '../../src/kit/marks.ts';

const ok = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

t.test('a serial number is NFC and trimmed, and keeps its case', async (t) => {
  t.equal(serialNumber.parse('  NV5-000137 '), 'NV5-000137');
  t.equal(serialNumber.parse('Cafe\u0301-1'), 'Caf\u00e9-1');
  t.equal(serialNumber.parse('端末-0007'), '端末-0007');
  t.equal(serialNumber.parse("' OR 1=1 --"), "' OR 1=1 --", 'is looked up like any other text');
  t.ok(ok(serialNumber, '\u{20000}'.repeat(64)), 'length counts characters, not code units');
  for (const bad of [
    '',
    '   ',
    'x'.repeat(65),
    'A+B',
    'A#',
    '$SYS',
    'A\u0000',
    'A\nB',
    'A\u202eB',
    'A\u2066B',
    '\ud800',
    7,
    null,
  ]) {
    t.notOk(ok(serialNumber, bad), JSON.stringify(bad));
  }
});

t.test('marks and published limits survive inside a tool schema', async (t) => {
  const schema = z.strictObject({ serial_number: serialNumber });
  t.ok(isMarked(markTree(schema), ['serial_number'], ['lookup']));
  const published = z.toJSONSchema(schema, { io: 'input' }) as { properties: Record<string, Record<string, unknown>> };
  t.match(published.properties['serial_number'], { type: 'string', minLength: 1, maxLength: 64 });
});

t.test('a limit is never clamped', async (t) => {
  t.equal(rowLimit(7).parse(undefined), 7);
  for (const good of [1, 500]) t.equal(rowLimit().parse(good), good);
  for (const bad of [0, -1, 501, 1.5, '10', null, Number.NaN]) t.notOk(ok(rowLimit(), bad), String(bad));
});

t.test('text filters take one value or one to fifty', async (t) => {
  t.same(asList(textFilter().parse('a')), ['a']);
  t.same(asList(textFilter().parse(['a', 'b'])), ['a', 'b']);
  t.equal(asList(undefined), null);
  for (const bad of ['', [], Array(51).fill('a'), ['a', ''], 'a\u0007b', 'x'.repeat(257), 5])
    t.notOk(ok(textFilter(), bad));
  t.ok(ok(text(64), '端'.repeat(64)));
});

t.test('a page knows that there is more from the one row too many', async (t) => {
  const cursor = (row: number) => `after ${row}`;
  t.same(page([1, 2, 3], 3, cursor).caps, { max_rows: 3, returned: 3, truncated: false, next_cursor: null });
  const cut = page([1, 2, 3, 4], 3, cursor);
  t.same(cut.rows, [1, 2, 3]);
  t.same(cut.caps, { max_rows: 3, returned: 3, truncated: true, next_cursor: 'after 3' });
  t.same(
    cut.warnings.map((warning) => warning.code),
    ['ROWS_CAPPED'],
  );
  t.same(page([], 3, cursor).warnings, []);
});

t.test('an excerpt never cuts a card number in half', async (t) => {
  t.equal(excerpt('short', 10), 'short');
  const card = '4111 1111 1111 1111';
  for (let before = 470; before <= 510; before++) {
    const cut = excerpt(`${'x'.repeat(before - 1)} ${card} tail`, 500);
    const digits = cut.replace(/\D/g, '');
    t.ok(digits === '' || digits === '4111111111111111', `${before} characters before: ${digits}`);
  }
  const track1 = excerpt(`${'x'.repeat(460)} %B4111111111111111^SAMPLE/NAME OF HOLDER^30121010000000000?`, 500);
  t.notMatch(track1, /4111|SAMPLE/);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), fc.integer({ min: 1, max: 600 }), (value, max) => {
      return [...excerpt(value, max)].length <= Math.max(max, 1);
    }),
  );
});
