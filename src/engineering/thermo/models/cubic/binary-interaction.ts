/**
 * Binary interaction parameters of data/binary-interaction.csv, looked up by pair in either order. Asymmetric values (gij, gji)
 * belong to comp1-comp2 in the order of the file; `reversed` says that the pair was asked for the other way round.
 */
import { type CsvRow, readCsv } from '../../../data/csv.ts';

export interface BinaryInteraction {
  readonly row: CsvRow;
  readonly reversed: boolean;
}

const table = new Map<string, CsvRow>();
for (const row of readCsv('binary-interaction.csv')) table.set(`${row['comp1']}|${row['comp2']}`, row);

/** The table row of a pair; undefined when the table does not hold the pair. */
export function findBinaryInteraction(name1: string, name2: string): BinaryInteraction | undefined {
  const row = table.get(`${name1}|${name2}`);
  if (row !== undefined) return { row, reversed: false };
  const swapped = table.get(`${name2}|${name1}`);
  return swapped && { row: swapped, reversed: true };
}

/** One symmetric value of a pair, by column name; NaN when the table does not hold it. */
export function binaryValue(name1: string, name2: string, column: string): number {
  const cell = findBinaryInteraction(name1, name2)?.row[column];
  return cell === undefined || cell === '' ? Number.NaN : Number(cell);
}
