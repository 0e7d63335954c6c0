import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { optionalColumn } from '../../storage/optional-column.ts';
import { tmsTerminalStatusLogs as logs } from '../../storage/schema/product.ts';
import { exactInstant } from '../../storage/schema/types.ts';

/** Queries about the status history of one terminal. All use the index (serial_number, reported_at desc, id desc). */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** A page of the log, newest first. */
export async function statusLog(
  db: ReadHandle,
  drift: ReadonlySet<string>,
  serial: string,
  span: Span,
  page: {
    readonly status: string | null;
    readonly after: readonly (string | number | null)[] | null;
    readonly limit: number;
  },
) {
  const optional = <C extends Parameters<typeof optionalColumn>[2]>(column: C) =>
    optionalColumn(drift, 'product', column);
  return db
    .select({
      id: logs.id,
      status: logs.status,
      previousStatus: optional(logs.previousStatus),
      reason: optional(logs.reason),
      batteryLevel: optional(logs.batteryLevel),
      signalDbm: optional(logs.signalDbm),
      appVersion: optional(logs.appVersion),
      reportedAt: logs.reportedAt,
      exact: exactInstant(logs.reportedAt),
    })
    .from(logs)
    .where(
      and(
        eq(logs.serialNumber, serial),
        sql`${logs.reportedAt} >= ${span.from}::timestamp and ${logs.reportedAt} < ${span.to}::timestamp`,
        page.status === null ? undefined : eq(logs.status, page.status),
        page.after ? before(page.after) : undefined,
      ),
    )
    .orderBy(desc(logs.reportedAt), desc(logs.id))
    .limit(page.limit + 1);
}

const before = ([at, id]: readonly (string | number | null)[]): SQL =>
  sql`(${logs.reportedAt}, ${logs.id}) < (${String(at)}::timestamp, ${Number(id)}::bigint)`;

export interface StatusSummary {
  readonly asOf: string;
  readonly known: boolean;
  readonly transitions: number;
  /** Microseconds in each state, from the start of the span to its end or now. */
  readonly online: number;
  readonly offline: number;
  readonly maintenance: number;
  readonly unknown: number;
  readonly longestFrom: string | null;
  readonly longestTo: string | null;
  readonly longestSeconds: number | null;
}

/**
 * The whole span in numbers, whatever page is shown. The state before the span is that of the last row before it, `unknown` when there is none;
 * the last state holds until the span's end or now. Rows that repeat a state (one an hour) belong to one stretch of it.
 */
export async function statusSummary(db: ReadHandle, serial: string, span: Span): Promise<StatusSummary> {
  const [row] = await db.execute<{
    as_of: string;
    known: boolean;
    transitions: number;
    online: number;
    offline: number;
    maintenance: number;
    other: number;
    longest_from: string | null;
    longest_to: string | null;
    longest_seconds: number | null;
  }>(sql`
    with span as (
      select ${span.from}::timestamp as f, least(${span.to}::timestamp, timezone('utc', now())) as t
    ), points as (
      select coalesce((
          select c.status from tms_terminal_status_logs c
          where c.serial_number = ${serial} and c.reported_at < ${span.from}::timestamp
          order by c.reported_at desc, c.id desc limit 1
        ), 'unknown') as status, span.f as at, 0::bigint as id
      from span
      union all
      select l.status, l.reported_at, l.id
      from tms_terminal_status_logs l, span
      where l.serial_number = ${serial} and l.reported_at >= ${span.from}::timestamp and l.reported_at < span.t
    ), steps as (
      select status, at, id,
        lead(at, 1, greatest(span.t, span.f)) over (order by at, id) as until,
        lag(status, 1, status) over (order by at, id) <> status as changed
      from points, span
    ), stretches as (
      select status, at, until, changed, count(*) filter (where changed) over (order by at, id) as stretch
      from steps
    ), longest as (
      select min(at) as at, max(until) as until
      from stretches where status = 'offline'
      group by stretch having max(until) > min(at)
      order by max(until) - min(at) desc, min(at) limit 1
    )
    select now() as as_of,
      exists (select 1 from tms_terminals t where t.serial_number = ${serial}) as known,
      count(*) filter (where s.changed)::int as transitions,
      ${microseconds(sql`s.status = 'online'`)} as online,
      ${microseconds(sql`s.status = 'offline'`)} as offline,
      ${microseconds(sql`s.status = 'maintenance'`)} as maintenance,
      ${microseconds(sql`s.status not in ('online', 'offline', 'maintenance')`)} as other,
      (select at from longest) as longest_from,
      (select until from longest) as longest_to,
      (select floor(extract(epoch from until - at))::float8 from longest) as longest_seconds
    from stretches s`);
  if (!row) throw new TypeError('an aggregate without a row');
  return {
    asOf: row.as_of,
    known: row.known,
    transitions: row.transitions,
    online: row.online,
    offline: row.offline,
    maintenance: row.maintenance,
    unknown: row.other,
    longestFrom: row.longest_from,
    longestTo: row.longest_to,
    longestSeconds: row.longest_seconds,
  };
}

const microseconds = (condition: SQL): SQL =>
  sql`coalesce(sum(extract(epoch from s.until - s.at) * 1000000) filter (where ${condition}), 0)::float8`;

/**
 * Whole seconds that add up to the whole: each part is rounded down, and the seconds left over go to the parts that lost most.
 * `total` is rounded to the nearest second.
 */
export function wholeSeconds(microsecondParts: readonly number[]): number[] {
  const seconds = microsecondParts.map((part) => Math.floor(part / 1e6));
  const total = Math.round(microsecondParts.reduce((sum, part) => sum + part, 0) / 1e6);
  const byLoss = microsecondParts
    .map((part, i) => ({ i, lost: part / 1e6 - seconds[i]! }))
    .sort((a, b) => b.lost - a.lost);
  let left = total - seconds.reduce((sum, part) => sum + part, 0);
  for (const { i } of byLoss) {
    if (left <= 0) break;
    seconds[i]! += 1;
    left--;
  }
  return seconds;
}
