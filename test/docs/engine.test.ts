/** docs/engine.md states measured errors: they are what the script measures now, to the digits that mean something. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { ENGINE_DOC, engineSections, withSections } from '../../scripts/engine-table.ts';
import { HYDRATE_STRUCTURES, modelIds } from '../../src/engineering/thermo/index.ts';

const text = readFileSync(ENGINE_DOC, 'utf8');
const sections = engineSections();

/** Two figures are printed, so that a change in the last one is rounding; the floor is that of the table. */
const close = (a: number, b: number) => Math.abs(a - b) <= Math.max(2e-5, 0.1 * Math.max(Math.abs(a), Math.abs(b)));

const cellsOf = (body: string) =>
  body
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

t.test('every generated table of the document is the one that the script makes now', async (t) => {
  t.ok(sections.size >= 7);
  for (const [name, body] of sections) {
    const shown = new RegExp(`<!-- ${name}: begin -->\n([^]*?)<!-- ${name}: end -->`).exec(text)?.[1];
    if (shown === undefined) {
      t.fail(`the document has no section '${name}'`);
      continue;
    }
    const [now, then] = [cellsOf(body), cellsOf(shown)];
    t.ok(now.length > 4, `${name} has rows`);
    t.equal(then.length, now.length, `${name}: number of rows`);
    for (const [k, row] of now.entries()) {
      const same = row.every((cell, at) => {
        const other = then[k]?.[at] ?? '';
        if (cell === other || now[0]![at] === 'Worst case') return true;
        const [a, b] = [cell, other].map((c) => Number(c.replace('< ', '')));
        return now[0]![at] !== 'Cases' && close(a!, b!);
      });
      t.ok(same, `${name}: ${row.join(' | ')} is shown as ${then[k]?.join(' | ')}`);
    }
  }
});

t.test('the comparison sees a number that moved', async (t) => {
  t.notOk(close(1, 1.2));
  t.notOk(close(0.001, 0.002));
  t.ok(close(1.5, 1.6));
  t.throws(() => withSections('no markers', sections), /no markers/);
});

t.test('every model is described with its range', async (t) => {
  for (const id of modelIds()) t.match(text, new RegExp(`^\\| ${id} \\|`, 'm'), id);
  t.same([...HYDRATE_STRUCTURES], ['sI', 'sII'], 'the document says that structure H is not there');
});
