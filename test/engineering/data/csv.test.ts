import t from 'tap';
import { numberOf, numbersOf, parseCsv } from '../../../src/engineering/data/csv.ts';

t.test('quoted fields keep commas, quotes and line breaks', async (t) => {
  t.same(parseCsv('a,b\r\n"x,1","say ""hi""\nthere"\n'), [{ a: 'x,1', b: 'say "hi"\nthere' }]);
  t.same(parseCsv('a,b\n1,2'), [{ a: '1', b: '2' }]);
});

t.test('a ragged row is an error, not a shifted column', async (t) => {
  t.throws(() => parseCsv('a,b\n1\n'), /row 2/);
});

t.test('an empty cell is no number, never zero', async (t) => {
  const row = { a: '', b: '0', c: ' 1.5e-3' };
  t.ok(Number.isNaN(numberOf(row, 'a')));
  t.ok(Number.isNaN(numberOf(row, 'missing')));
  t.equal(numberOf(row, 'b'), 0);
  t.equal(numbersOf(row, 'a', 'b'), undefined);
  t.same(numbersOf(row, 'b', 'c'), [0, 1.5e-3]);
});
