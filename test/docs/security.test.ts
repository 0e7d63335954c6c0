import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, number, , file, name]) => ({ number: number!, file: file!, name: name! }));

t.test('every requirement names a test that exists under that name', async (t) => {
  t.ok(rows.length > 40);
  for (const { number, file, name } of rows) {
    if (!existsSync(file)) t.fail(`row ${number}: ${file} does not exist`);
    else t.ok(readFileSync(file, 'utf8').includes(name), `row ${number}: ${file} has "${name}"`);
  }
});

t.test('the rows that every release must hold are there', async (t) => {
  const numbers = new Set(rows.map((row) => Number(row.number)));
  const wanted = [
    13, 14, 15, 16, 18, 19, 22, 23, 24, 28, 30, 31, 32, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 49, 50, 51, 60,
  ];
  for (const number of wanted) t.ok(numbers.has(number), `row ${number}`);
});
