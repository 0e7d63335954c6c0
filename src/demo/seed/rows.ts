/** Rows on their way into a table: built in memory, loaded with COPY. */
export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export interface TableRows {
  readonly table: string;
  readonly count: number;
  /** Made one by one while they are written: the large tables are never in memory as rows. */
  rows(): Iterable<Row>;
}

export function tableOf(table: string, rows: readonly Row[]): TableRows;
export function tableOf<T>(table: string, source: readonly T[], row: (item: T, index: number) => Row): TableRows;
export function tableOf<T>(table: string, source: readonly T[], row?: (item: T, index: number) => Row): TableRows {
  function* rows(): Generator<Row> {
    for (const [i, item] of source.entries()) yield row ? row(item, i) : (item as Row);
  }
  return { table, count: source.length, rows };
}

/** `inserted_at` and `updated_at`, as every table of the operation has them. */
export const stamps = (inserted: string, updated: string = inserted) => ({
  inserted_at: inserted,
  updated_at: updated,
});

/** An array as PostgreSQL writes it. */
export function arrayLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
}
