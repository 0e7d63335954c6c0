import { type SQL, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { tmsTerminals as terminals } from '../../storage/schema/product.ts';

/**
 * The state of the whole fleet at given moments. A terminal's state at a moment is that of its last report before it, found with one index
 * look-up a terminal and moment (serial_number, reported_at desc, id desc), so the cost grows with terminals x moments and not with the log.
 * Decommissioned terminals are left out; a terminal without a report is `unknown`.
 */
export const DIMENSIONS = {
  vendor: terminals.vendor,
  model: terminals.model,
  area: terminals.area,
  group: terminals.groupName,
  tier: terminals.tier,
  merchant: terminals.merchantId,
} as const;
export type Dimension = keyof typeof DIMENSIONS;

export interface StateCounts {
  readonly online: number;
  readonly offline: number;
  readonly maintenance: number;
  /** No report, or one that says neither of the three. */
  readonly unknown: number;
}

/** What the registry says now, and the database's clock. */
export async function fleetNow(db: ReadHandle): Promise<StateCounts & { readonly asOf: string }> {
  const [row] = await db
    .select({ asOf: sql<string>`now()`, ...counts(terminals.status) })
    .from(terminals)
    .where(sql`${terminals.status} <> 'decommissioned'`);
  if (!row) throw new TypeError('an aggregate without a row');
  return row;
}

/** The fleet at one moment, by one dimension or as a whole. */
export async function fleetBy(db: ReadHandle, dimension: Dimension | null, at: string) {
  const key = dimension === null ? sql<string | null>`null::text` : sql<string | null>`${DIMENSIONS[dimension]}`;
  return db.execute<{ key: string | null } & Record<keyof StateCounts, number>>(sql`
    select ${key} as key, ${countColumns}
    from tms_terminals
    cross join lateral (${stateBefore(sql`${at}::timestamp`)}) s
    where tms_terminals.status <> 'decommissioned' and s.state <> 'decommissioned'
    group by 1`);
}

/** The fleet at many moments, numbered from 1. */
export async function fleetAt(db: ReadHandle, moments: readonly string[]) {
  return db.execute<{ moment: number } & Record<keyof StateCounts, number>>(sql`
    select m.moment::int as moment, ${countColumns}
    from unnest(string_to_array(${moments.join(',')}, ',')::timestamp[]) with ordinality as m (at, moment)
    cross join tms_terminals
    cross join lateral (${stateBefore(sql`m.at`)}) s
    where tms_terminals.status <> 'decommissioned' and s.state <> 'decommissioned'
    group by 1`);
}

const stateBefore = (at: SQL): SQL => sql`
  select coalesce((
    select l.status from tms_terminal_status_logs l
    where l.serial_number = tms_terminals.serial_number and l.reported_at < ${at}
    order by l.reported_at desc, l.id desc limit 1
  ), 'unknown') as state`;

const counts = (state: SQL | typeof terminals.status) => ({
  online: sql<number>`count(*) filter (where ${state} = 'online')::int`,
  offline: sql<number>`count(*) filter (where ${state} = 'offline')::int`,
  maintenance: sql<number>`count(*) filter (where ${state} = 'maintenance')::int`,
  unknown: sql<number>`count(*) filter (where ${state} not in ('online', 'offline', 'maintenance'))::int`,
});
const countColumns: SQL = sql.join(
  Object.entries(counts(sql`s.state`)).map(([name, count]) => sql`${count} as ${sql.identifier(name)}`),
  sql`, `,
);
