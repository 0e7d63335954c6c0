import { type SQL, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { tmsTerminals as terminals } from '../../storage/schema/product.ts';

/**
 * The state of the whole fleet at given moments. A terminal's state at a moment is that of its last report before it. The cost grows with
 * terminals x moments and not with the log. Decommissioned terminals are left out; a terminal without a report is `unknown`.
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
  const key = dimension === null ? sql`null::text` : sql`${DIMENSIONS[dimension]}`;
  return db.execute<{ key: string | null } & Record<keyof StateCounts, number>>(sql`
    select s.key, ${countColumns} from (${states(key, sql`${at}::timestamp`)}) s
    where s.state <> 'decommissioned' group by s.key`);
}

/** The fleet at many moments, numbered from 1. */
export async function fleetAt(db: ReadHandle, moments: readonly string[]) {
  return db.execute<{ moment: number } & Record<keyof StateCounts, number>>(sql`
    select m.moment::int as moment, c.online, c.offline, c.maintenance, c.unknown
    from unnest(string_to_array(${moments.join(',')}, ',')::timestamp[]) with ordinality as m (at, moment)
    cross join lateral (
      select ${countColumns} from (${states(sql`null::text`, sql`m.at`)}) s where s.state <> 'decommissioned'
    ) c`);
}

/**
 * Every terminal's state at one moment. Terminals report at least once an hour while they are online, so nearly all are in the last hour and a
 * half before it, which lies together in the log (index reported_at, status); only those that are not are looked up one by one. `offset 0`
 * keeps PostgreSQL from doing the look-up again for each count.
 */
const states = (key: SQL, at: SQL): SQL => sql`
  select ${key} as key, coalesce(recent.status, (
      select l.status from tms_terminal_status_logs l
      where l.serial_number = tms_terminals.serial_number and l.reported_at < ${at} - interval '90 minutes'
      order by l.reported_at desc, l.id desc limit 1
    ), 'unknown') as state
  from tms_terminals
  left join (
    select distinct on (l.serial_number) l.serial_number, l.status
    from tms_terminal_status_logs l
    where l.reported_at >= ${at} - interval '90 minutes' and l.reported_at < ${at}
    order by l.serial_number, l.reported_at desc, l.id desc
  ) recent on recent.serial_number = tms_terminals.serial_number
  where tms_terminals.status <> 'decommissioned'
  offset 0`;

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
