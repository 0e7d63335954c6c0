/**
 * Reader for the engine's own CSV files (RFC 4180: header row, comma, double quotes, doubled quote inside quotes).
 * It guarantees rectangular rows; meaning and units of the columns belong to the module that reads the file.
 */
import { readFileSync } from 'node:fs';

export type CsvRow = Readonly<Record<string, string>>;

/** Reads a CSV file of this folder, once, at module load. An unknown file or a ragged row is a programming fault and throws. */
export function readCsv(file: string): CsvRow[] {
  return parseCsv(readFileSync(new URL(file, import.meta.url), 'utf8'));
}

/** Reads a JSON file of this folder, once, at module load. The caller states the type it expects. */
export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T;
}

export function parseCsv(text: string): CsvRow[] {
  const [header, ...records] = splitRecords(text);
  if (header === undefined) return [];
  return records.map((record, i) => {
    if (record.length !== header.length)
      throw new Error(`CSV row ${i + 2} has ${record.length} fields, ${header.length} expected`);
    const row: Record<string, string> = {};
    for (let k = 0; k < header.length; k++) row[header[k]!] = record[k]!;
    return row;
  });
}

function splitRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const ch = text[i]!;
    if (quoted) {
      if (ch !== '"') field += ch;
      else if (text[i + 1] === '"') {
        field += '"';
        i++;
      } else quoted = false;
    } else if (ch === '"') quoted = true;
    else if (ch === ',') {
      record.push(field);
      field = '';
    } else if (ch === '\n') {
      record.push(field);
      if (record.length > 1 || field !== '') records.push(record);
      record = [];
      field = '';
    } else if (ch !== '\r') field += ch;
  }
  if (field !== '' || record.length > 0) records.push([...record, field]);
  return records;
}

/** The number in a cell; NaN when the cell is empty or holds no number. Never zero for an empty cell. */
export function numberOf(row: CsvRow, column: string): number {
  const cell = row[column];
  return cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell);
}

/** The numbers of several columns, or undefined when any of them is empty. */
export function numbersOf(row: CsvRow, ...columns: string[]): readonly number[] | undefined {
  const values = columns.map((column) => numberOf(row, column));
  return values.some(Number.isNaN) ? undefined : values;
}
