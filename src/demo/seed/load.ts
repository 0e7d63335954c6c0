/** Rows into tables with COPY, inside one transaction a database. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { Cell, TableRows } from './rows.ts';

const CHUNK = 64 * 1024;

export async function load(tx: TransactionSql, table: TableRows): Promise<void> {
  const [first] = table.rows();
  if (!first) return;
  const columns = Object.keys(first);
  const names = columns.map((column) => `"${column}"`).join(', ');
  const stream = await tx.unsafe(`copy "${table.table}" (${names}) from stdin`).writable();
  await pipeline(Readable.from(lines(table, columns)), stream);
}

/** Sequences go on after the ids that were given. */
export async function advanceSequences(sql: Sql | TransactionSql): Promise<void> {
  await sql.unsafe(`do $$ declare entry record; begin
    for entry in select c.oid::regclass::text as name, pg_get_serial_sequence(c.oid::regclass::text, 'id') as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    loop
      if entry.sequence is not null then
        execute format('select setval(%L, greatest((select max(id) from %s), 1))', entry.sequence, entry.name);
      end if;
    end loop; end $$`);
}

function* lines(table: TableRows, columns: readonly string[]): Generator<string> {
  let chunk = '';
  for (const row of table.rows()) {
    columns.forEach((column, place) => {
      chunk += (place === 0 ? '' : '\t') + escapeCell(row[column] ?? null);
    });
    chunk += '\n';
    if (chunk.length > CHUNK) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

const SPECIAL = /[\\\t\n\r]/;
const ALL_SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string')
    return !SPECIAL.test(cell) ? cell : cell.replace(ALL_SPECIAL, (character) => ESCAPES[character] ?? character);
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  return String(cell);
}
