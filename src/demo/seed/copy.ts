import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TransactionSql } from 'postgres';

/** Filling tables with COPY, text format. Table and column names are constants of this folder, never input. */
export type Cell = string | number | bigint | boolean | Date | null;

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** One value a column; one more, the time the row was made, where no column of the table tells it. */
  readonly rows: Iterable<readonly Cell[]>;
  /** The column that tells when a row was made: its `inserted_at` and `updated_at`. */
  readonly made?: string;
}

/** Rows made one by one while they are sent, so that the large tables are never whole in memory. To be gone through once. */
export function* rowsOf<T>(list: readonly T[], row: (item: T, index: number) => readonly Cell[]) {
  for (let i = 0; i < list.length; i++) yield row(list[i]!, i);
}

/** Columns are parted by blanks. */
export function table(name: string, columns: string, rows: Table['rows'], made?: string): Table {
  return { name, columns: columns.split(' '), rows, made };
}

const CHUNK = 256 * 1024;
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Returns how many rows went in. */
export async function copyTable(sql: TransactionSql, table: Table): Promise<number> {
  const width = table.columns.length + (table.made === undefined ? 1 : 0);
  const made = table.made === undefined ? width - 1 : table.columns.indexOf(table.made);
  if (made < 0) throw new TypeError(`${table.name} has no column ${table.made}`);
  // Oban's table has no `updated_at`, and tells both itself.
  const bare = table.columns.includes('inserted_at');
  let count = 0;
  let numbered = false;
  function* chunks() {
    let chunk = '';
    for (const row of table.rows) {
      if (row.length !== width) throw new TypeError(`a row of ${table.name} has ${row.length} values, not ${width}`);
      numbered = typeof row[0] === 'number';
      const time = encode(row[made]!);
      const cells = row.map(encode);
      if (table.made !== undefined && !bare) cells.push(time);
      chunk += bare ? `${cells.join('\t')}\n` : `${cells.join('\t')}\t${time}\n`;
      count += 1;
      if (chunk.length >= CHUNK) {
        yield chunk;
        chunk = '';
      }
    }
    if (chunk !== '') yield chunk;
  }
  const columns = bare ? table.columns : [...table.columns, 'inserted_at', 'updated_at'];
  const into = await sql`copy ${sql(table.name)} (${sql(columns)}) from stdin`.writable();
  await pipeline(Readable.from(chunks()), into);
  // Ids are given, so the sequence has to follow. A uuid or a code as key has none.
  if (numbered) {
    await sql`select setval(pg_get_serial_sequence(${table.name}, 'id'), (select max(id) from ${sql(table.name)}))`;
  }
  return count;
}

function encode(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return cell.replace(SPECIAL, (character) => ESCAPED[character]!);
  if (cell instanceof Date) return cell.toISOString().slice(0, -1);
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  return String(cell);
}

/** Text of an array column. */
export function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
