/** Writes what the engine was measured to reach into docs/engine.md, between its markers: `npm run docs:engine`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Row } from './engine-table/deviations.ts';
import { binaryRows, hydrateRows } from './engine-table/mixtures.ts';
import { modelNotes, modelTable } from './engine-table/models.ts';
import { type Difference, peerComparison } from './engine-table/peer.ts';
import { pureFluidRows, transportRows } from './engine-table/pure-fluids.ts';
import { referenceModelRows } from './engine-table/reference-models.ts';

export const ENGINE_DOC = new URL('../docs/engine.md', import.meta.url);

/** Below this a deviation is rounding [unit of the row]. */
const ROUNDING = 1e-5;

/** Text of every generated section, under the name of its markers. */
export function engineSections(): ReadonlyMap<string, string> {
  const { rows, differences } = peerComparison();
  return new Map([
    ['models', modelTable()],
    ['notes', modelNotes()],
    ['reference models', table(referenceModelRows())],
    ['pure fluids', table(pureFluidRows())],
    ['mixtures', table(binaryRows())],
    ['hydrates', table(hydrateRows())],
    ['transport', table(transportRows())],
    ['peer', table(rows)],
    ['differences', differenceTable(differences)],
  ]);
}

/** The document with its generated sections replaced. Throws when a section has no markers. */
export function withSections(text: string, sections: ReadonlyMap<string, string>): string {
  let out = text;
  for (const [name, body] of sections) {
    const pattern = new RegExp(`(<!-- ${name}: begin -->\n)[^]*?(<!-- ${name}: end -->)`);
    if (!pattern.test(out)) throw new Error(`no markers for '${name}'`);
    out = out.replace(pattern, (_, begin: string, end: string) => `${begin}\n${body}\n\n${end}`);
  }
  return out;
}

function table(rows: readonly Row[]): string {
  return [
    '| Model | Quantity | Unit | Cases | Mean | Max | Worst case |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ model, quantity, unit, cases, computed, sum, max, worst }) =>
      line([
        model,
        quantity,
        unit,
        computed === cases ? `${cases}` : `${computed} of ${cases}`,
        rounded(sum / computed),
        rounded(max),
        max < ROUNDING ? '' : worst,
      ]),
    ),
  ].join('\n');
}

function differenceTable(differences: readonly Difference[]): string {
  return [
    '| Case | Quantity | Here | Peer | Why |',
    '| --- | --- | --- | --- | --- |',
    ...differences.map(({ case: id, quantity, here, peer, reason }) =>
      line([id, quantity, `${Number(here.toPrecision(4))}`, `${Number(peer.toPrecision(4))}`, reason]),
    ),
  ].join('\n');
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function rounded(value: number): string {
  if (value < ROUNDING) return `< ${ROUNDING.toFixed(5)}`;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(value)));
  return value.toFixed(Math.min(digits, 6));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(ENGINE_DOC, withSections(readFileSync(ENGINE_DOC, 'utf8'), engineSections()));
}
