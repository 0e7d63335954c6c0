/** What PostgreSQL's catalogue says about tables, seen with the rights of the role that asks. */
import { sql } from 'drizzle-orm';
import type { ColumnFamily } from '../../kit/tool.ts';
import type { ReadHandle } from '../connections.ts';

export interface LiveColumn {
  readonly family: ColumnFamily | 'other';
  readonly readable: boolean;
  readonly insertable: boolean;
  readonly updatable: boolean;
}

export interface LiveTable {
  readonly columns: ReadonlyMap<string, LiveColumn>;
  /** Column names of each valid, unconditional index, in order. */
  readonly indexes: readonly (readonly string[])[];
  /** Ways in which the role that asked could change the table. */
  readonly changeable: readonly ('INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE')[];
}

/** Tables by the name they are declared with: `table`, found on the search path or in Oban's schema, or `mcp_ops.table`. */
export type LiveTables = ReadonlyMap<string, LiveTable>;

const FAMILIES: Readonly<Record<string, ColumnFamily>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  citext: 'text',
  int2: 'int',
  int4: 'int',
  int8: 'int',
  numeric: 'numeric',
  bool: 'bool',
  timestamp: 'ts',
  timestamptz: 'ts',
  date: 'date',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
};

export async function readCatalogue(db: Pick<ReadHandle, 'execute'>, obanSchema: string): Promise<LiveTables> {
  const tables = new Map<
    string,
    { columns: Map<string, LiveColumn>; indexes: string[][]; changeable: LiveTable['changeable'] }
  >();
  // The catalogue shows columns that are not granted as well, which information_schema.columns hides.
  const columns = await db.execute(sql`
    select case when n.nspname = 'mcp_ops' then 'mcp_ops.' || c.relname else c.relname end as name, a.attname as column,
      coalesce(base.typname, t.typname) as type, coalesce(base.typtype, t.typtype) as kind, coalesce(base.typcategory, t.typcategory) as category,
      has_schema_privilege(n.oid, 'USAGE') as usable,
      has_column_privilege(c.oid, a.attnum, 'SELECT') as readable,
      has_column_privilege(c.oid, a.attnum, 'INSERT') as insertable,
      has_column_privilege(c.oid, a.attnum, 'UPDATE') as updatable
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type base on base.oid = nullif(t.typbasetype, 0)
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
      and (pg_table_is_visible(c.oid) or n.nspname = 'mcp_ops' or (n.nspname = ${obanSchema} and c.relname = 'oban_jobs'))`);
  for (const row of columns) {
    const name = String(row.name);
    const table = tables.get(name) ?? { columns: new Map<string, LiveColumn>(), indexes: [], changeable: [] };
    tables.set(name, table);
    table.columns.set(String(row.column), {
      family: familyOf(String(row.type), String(row.kind), String(row.category)),
      readable: row.usable === true && row.readable === true,
      insertable: row.usable === true && row.insertable === true,
      updatable: row.usable === true && row.updatable === true,
    });
  }
  const indexes = await db.execute(sql`
    select case when n.nspname = 'mcp_ops' then 'mcp_ops.' || c.relname else c.relname end as name,
      array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where i.indisvalid and i.indpred is null and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
  for (const row of indexes) {
    if (Array.isArray(row.columns)) tables.get(String(row.name))?.indexes.push(row.columns.map(String));
  }
  const rights = await db.execute(sql`
    select c.relname as name, has_any_column_privilege(c.oid, 'INSERT') as insert, has_any_column_privilege(c.oid, 'UPDATE') as update,
      has_table_privilege(c.oid, 'DELETE') as delete, has_table_privilege(c.oid, 'TRUNCATE') as truncate
    from pg_class c where c.relkind in ('r', 'p') and pg_table_is_visible(c.oid) and c.relnamespace <> 'pg_catalog'::regnamespace`);
  for (const row of rights) {
    const table = tables.get(String(row.name));
    if (!table) continue;
    const held = (['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const).filter(
      (right) => row[right.toLowerCase()] === true,
    );
    table.changeable = held;
  }
  return tables;
}

function familyOf(type: string, kind: string, category: string): ColumnFamily | 'other' {
  if (category === 'A') return 'array';
  if (kind === 'e') return 'text';
  return FAMILIES[type] ?? 'other';
}
