import { type SQL, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { optionalColumn } from '../../storage/optional-column.ts';
import {
  pushDetails as details,
  parameterPushLogs as pushes,
  parameterTemplates as templates,
} from '../../storage/schema/product.ts';
import type { Span } from './status-logs.repository.ts';
import type { Drift } from './terminals.repository.ts';

/** Queries about the pushes of one terminal or of one template, newest first. */
export interface PushSelection extends Span {
  readonly serial: string | null;
  readonly templateId: number | null;
  readonly configType: string | null;
  readonly status: string | null;
  readonly after: readonly (string | number | null)[] | null;
  readonly limit: number;
}

export interface PushRow extends Record<string, unknown> {
  id: number;
  serial_number: string;
  template_id: number | null;
  template_name: string | null;
  config_type: string;
  version: string | null;
  status: string;
  trigger_source: string | null;
  requested_by: string | null;
  requested_at: string;
  exact: string;
  completed_at: string | null;
  duration_ms: number | null;
  error_code: string | null;
  error_message: string | null;
}

/** One statement that also answers when there is nothing: the database's clock, and whether the terminal is registered. */
export async function pushPage(db: ReadHandle, drift: Drift, selection: PushSelection) {
  const optional = (column: Parameters<typeof optionalColumn>[2]) => optionalColumn(drift, 'product', column);
  const { serial, templateId, after } = selection;
  const where: SQL[] = [
    sql`${pushes.requestedAt} >= ${selection.from}::timestamp and ${pushes.requestedAt} < ${selection.to}::timestamp`,
  ];
  if (serial !== null) where.push(sql`${pushes.serialNumber} = ${serial}`);
  if (templateId !== null) where.push(sql`${pushes.templateId} = ${templateId}::bigint`);
  if (selection.configType !== null) where.push(sql`${pushes.configType} = ${selection.configType}`);
  if (selection.status !== null) where.push(sql`${pushes.status} = ${selection.status}`);
  if (after) {
    where.push(
      sql`(${pushes.requestedAt}, ${pushes.id}) < (${String(after[0])}::timestamp, ${Number(after[1])}::bigint)`,
    );
  }
  const known =
    serial === null ? sql`true` : sql`exists (select 1 from tms_terminals t where t.serial_number = ${serial})`;
  const rows = await db.execute<{ as_of: string; known: boolean } & { [K in keyof PushRow]: PushRow[K] | null }>(sql`
    select c.as_of, c.known, p.id, p.serial_number, p.template_id, p.template_name, p.config_type, p.version, p.status, p.trigger_source,
      p.requested_by, p.requested_at, p.exact, p.completed_at, p.duration_ms, p.error_code, p.error_message
    from (select now() as as_of, ${known} as known) c
    left join lateral (
      select ${pushes.id} as id, ${pushes.serialNumber} as serial_number, ${pushes.templateId} as template_id,
        ${optional(templates.name)} as template_name, ${pushes.configType} as config_type, ${optional(pushes.version)} as version,
        ${pushes.status} as status, ${optional(pushes.triggerSource)} as trigger_source, ${optional(pushes.requestedBy)} as requested_by,
        ${pushes.requestedAt} as requested_at, to_char(${pushes.requestedAt}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact,
        ${pushes.completedAt} as completed_at,
        round(extract(epoch from ${pushes.completedAt} - ${pushes.requestedAt}) * 1000)::float8 as duration_ms,
        ${optional(pushes.errorCode)} as error_code, ${optional(pushes.errorMessage)} as error_message
      from ${pushes} left join ${templates} on ${templates.id} = ${pushes.templateId}
      where ${sql.join(where, sql` and `)}
      order by ${pushes.requestedAt} desc, ${pushes.id} desc
      limit ${selection.limit + 1}
    ) p on true
    order by p.exact desc, p.id desc`);
  const [first] = rows;
  if (!first) throw new TypeError('a row of facts is missing');
  return { asOf: first.as_of, known: first.known, rows: rows.filter((row) => row.id !== null) as unknown as PushRow[] };
}

export interface DetailRow extends Record<string, unknown> {
  push_log_id: number;
  seq: number | null;
  event: string;
  message: string | null;
  event_at: string;
}

const DETAILS_PER_PUSH = 50;

/** The newest 50 events of each of these pushes, oldest first (index push_log_id, seq). */
export async function pushEvents(db: ReadHandle, drift: Drift, ids: readonly number[]): Promise<DetailRow[]> {
  const seq = optionalColumn(drift, 'product', details.seq);
  const message = optionalColumn(drift, 'product', details.message);
  const rows = await db.execute<DetailRow>(sql`
    select p.id as push_log_id, d.seq, d.event, d.message, d.event_at
    from unnest(string_to_array(${ids.join(',')}, ',')::bigint[]) as p (id)
    cross join lateral (
      select ${seq} as seq, ${details.event} as event, ${message} as message, ${details.eventAt} as event_at, ${details.id} as id
      from ${details} where ${details.pushLogId} = p.id
      order by 1 desc, ${details.id} desc limit ${DETAILS_PER_PUSH}
    ) d
    order by p.id, d.seq, d.id`);
  return [...rows];
}
