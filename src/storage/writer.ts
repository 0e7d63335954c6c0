/**
 * The only way a tool writes: an object made from the `writes` the tool declared, over one transaction.
 *
 * Guarantees: a table or a column that is not declared, or a value outside a declared list, is refused before anything reaches
 * PostgreSQL; rows are returned by named columns only. The column grants of the write role refuse the same things once more.
 * Left to the caller: which rows (`where`), and that the transaction commits.
 */
import {
  type AnyColumn,
  type Column,
  getTableColumns,
  getTableName,
  is,
  type SQL,
  SQL as SqlFragment,
  sql,
} from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { WriteTarget } from '../kit/tool.ts';
import type { Db } from './pool.ts';

export class UndeclaredWriteError extends Error {
  override readonly name = 'UndeclaredWriteError';
}

type Row<T extends PgTable> = { [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL };
type Changes<T extends PgTable> = Partial<Row<T>>;
type Returning = Readonly<Record<string, AnyColumn>>;
type Returned<R extends Returning> = {
  [K in keyof R]: R[K]['_']['notNull'] extends true ? R[K]['_']['data'] : R[K]['_']['data'] | null;
};

/** `timezone('utc', now())`: now as the operation's columns hold it. */
export const utcNow: SQL<string> = sql<string>`timezone('utc', now())`;

export class Writer {
  readonly #db: Db;
  readonly #database: string;
  readonly #rules: readonly WriteTarget[];
  readonly select: Db['select'];

  constructor(db: Db, database: string, rules: readonly WriteTarget[]) {
    this.#db = db;
    this.#database = database;
    this.#rules = rules.filter((rule) => rule.db === database);
    this.select = db.select.bind(db);
  }

  /** Waits until no other transaction works on the same target, then holds it until this one ends. */
  async serialise(target: string): Promise<void> {
    await this.#db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${target}, 0))`);
  }

  /** Inserts rows of one shape. With `skipConflicts` rows that break a unique rule are left out. */
  async insert<T extends PgTable, R extends Returning = Record<never, never>>(
    table: T,
    rows: Row<T> | readonly Row<T>[],
    options: { readonly returning?: R; readonly skipConflicts?: boolean } = {},
  ): Promise<Returned<R>[]> {
    const list: readonly Row<T>[] = Array.isArray(rows) ? rows : [rows as Row<T>];
    const first = list[0];
    if (!first) return [];
    const keys = Object.keys(first).filter((key) => list.some((row) => fieldOf(row, key) !== undefined));
    const columns = this.#allowed('insert', table, keys, list);
    const names = sql.join(
      columns.map(([, column]) => sql.identifier(column.name)),
      sql`, `,
    );
    const tuples = list.map(
      (row) =>
        sql`(${sql.join(
          columns.map(([key, column]) => encode(fieldOf(row, key) ?? null, column)),
          sql`, `,
        )})`,
    );
    const conflict = options.skipConflicts ? sql` on conflict do nothing` : sql``;
    const statement = sql`insert into ${table} (${names}) values ${sql.join(tuples, sql`, `)}${conflict}`;
    return this.#run(statement, options.returning);
  }

  /** Changes the rows that `where` finds; how many is the length of what comes back. */
  async update<T extends PgTable, R extends Returning>(
    table: T,
    change: { readonly set: Changes<T>; readonly where: SQL; readonly returning: R },
  ): Promise<Returned<R>[]> {
    const keys = Object.keys(change.set).filter((key) => fieldOf(change.set, key) !== undefined);
    if (keys.length === 0) throw new UndeclaredWriteError('an update without a column');
    const columns = this.#allowed('update', table, keys, [change.set]);
    const assignments = columns.map(
      ([key, column]) => sql`${sql.identifier(column.name)} = ${encode(fieldOf(change.set, key), column)}`,
    );
    const statement = sql`update ${table} set ${sql.join(assignments, sql`, `)} where ${change.where}`;
    return this.#run(statement, change.returning);
  }

  async #run<R extends Returning>(statement: SQL, returning: R | undefined): Promise<Returned<R>[]> {
    const wanted = Object.entries(returning ?? {});
    const names = wanted.map(([key, column]) => sql`${sql.identifier(column.name)} as ${sql.identifier(key)}`);
    const full = wanted.length > 0 ? sql`${statement} returning ${sql.join(names, sql`, `)}` : statement;
    const rows: readonly Record<string, unknown>[] = await this.#db.execute(full);
    return rows.map((row) => {
      const mapped = wanted.map(([key, column]) => {
        const value = row[key];
        return [key, value === null || value === undefined ? null : column.mapFromDriverValue(value)] as const;
      });
      return Object.fromEntries(mapped) as Returned<R>;
    });
  }

  #allowed(
    operation: WriteTarget['operation'],
    table: PgTable,
    keys: readonly string[],
    rows: readonly object[],
  ): [string, Column][] {
    const name = getTableName(table);
    const { schema } = getTableConfig(table);
    const full = schema ? `${schema}.${name}` : name;
    // Oban's table lies in a configured schema and is declared by its bare name; our own schema is always spelled out.
    const isTable = (declared: string) => declared === full || (declared === name && schema !== 'mcp_ops');
    const rules = this.#rules.filter((rule) => isTable(rule.table) && rule.operation === operation);
    if (rules.length === 0) throw new UndeclaredWriteError(`no ${operation} of ${this.#database}.${full} is declared`);
    const columns: Record<string, Column> = getTableColumns(table);
    return keys.map((key) => {
      const column = columns[key];
      if (!column) throw new UndeclaredWriteError(`${full} has no column for ${key}`);
      const fitting = rules.filter((rule) => rule.columns.includes(column.name));
      if (fitting.length === 0) throw new UndeclaredWriteError(`no ${operation} of ${full}.${column.name} is declared`);
      for (const row of rows) checkValue(fitting, full, column.name, fieldOf(row, key));
      return [key, column];
    });
  }
}

function checkValue(rules: readonly WriteTarget[], table: string, column: string, value: unknown): void {
  if (value === undefined) return;
  const allowed = rules.some((rule) => {
    const values = rule.values?.[column];
    return values === undefined || values.some((candidate) => candidate === value);
  });
  if (!allowed) throw new UndeclaredWriteError(`a value for ${table}.${column} that is not among the declared ones`);
}

function fieldOf(row: object, key: string): unknown {
  return (row as Record<string, unknown>)[key];
}

function encode(value: unknown, column: Column): SQL {
  if (is(value, SqlFragment)) return value;
  return value === null ? sql`null` : sql`${sql.param(value, column)}`;
}
