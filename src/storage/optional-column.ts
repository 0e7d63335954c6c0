import { type Column, getTableName, type SQL, sql } from 'drizzle-orm';
import type { DatabaseName } from '../kit/tool.ts';

/**
 * A column that the live schema may lack: the column itself, or null in its place when the schema check reported it missing
 * (`ToolContext.drift`). A query never names a column that is not there.
 */
export function optionalColumn<C extends Column>(
  drift: ReadonlySet<string>,
  database: DatabaseName,
  column: C,
): SQL<C['_']['data'] | null> {
  if (drift.has(`${database}.${getTableName(column.table)}.${column.name}`)) return sql<null>`null`;
  return sql<C['_']['data'] | null>`${column}`.mapWith(column) as SQL<C['_']['data'] | null>;
}
