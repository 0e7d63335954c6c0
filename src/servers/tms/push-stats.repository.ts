import { inArray, type SQL, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { optionalColumn } from '../../storage/optional-column.ts';
import { parameterPushLogs as pushes, tmsTerminals as terminals } from '../../storage/schema/product.ts';
import { PUSH_STATUSES } from './shapes.ts';
import type { Span } from './status-logs.repository.ts';
import type { Drift } from './terminals.repository.ts';

/** How pushes of a window ended, in groups. The condition on status lets the index (status, requested_at) serve every window. */
export const STAT_DIMENSIONS = [
  'config_type',
  'vendor',
  'model',
  'area',
  'group',
  'version',
  'template_id',
  'day',
  'error_code',
  'trigger_source',
] as const;
export type StatDimension = (typeof STAT_DIMENSIONS)[number];

export interface StatFilters extends Span {
  readonly configType: readonly string[] | null;
  readonly vendor: readonly string[] | null;
  readonly model: readonly string[] | null;
  readonly area: readonly string[] | null;
  readonly group: readonly string[] | null;
  readonly version: readonly string[] | null;
  readonly triggerSource: readonly string[] | null;
  readonly templateId: number | null;
  /** Starts of the business days of the window, in order: the day of a push is the last one that began before it. */
  readonly dayStarts: readonly string[];
}

export interface StatRow extends Record<string, unknown> {
  total: number;
  succeeded: number;
  failed: number;
  expired: number;
  superseded: number;
  pending: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

const count = (status: string): SQL => sql`count(*) filter (where ${pushes.status} = ${status})::int`;
const duration = sql`extract(epoch from ${pushes.completedAt} - ${pushes.requestedAt}) * 1000`;
const percentile = (share: number): SQL =>
  sql`round((percentile_cont(${share}::float8) within group (order by (${duration})::float8) filter (where ${pushes.status} = 'succeeded'))::numeric)::float8`;
const MEASURES = sql`count(*)::int as total, ${count('succeeded')} as succeeded, ${count('failed')} as failed, ${count('expired')} as expired,
  ${count('superseded')} as superseded,
  count(*) filter (where ${pushes.status} in ('queued', 'sent', 'accepted', 'in_progress'))::int as pending,
  ${percentile(0.5)} as p50_ms, ${percentile(0.95)} as p95_ms`;

const source = (drift: Drift, filters: StatFilters): SQL => {
  const optional = (column: Parameters<typeof optionalColumn>[2]) => optionalColumn(drift, 'product', column);
  const is = (column: SQL, values: readonly string[] | null): SQL[] =>
    values === null
      ? []
      : [
          sql`${column} in (${sql.join(
            values.map((value) => sql`${value}`),
            sql`, `,
          )})`,
        ];
  const where: SQL[] = [
    inArray(pushes.status, [...PUSH_STATUSES]),
    sql`${pushes.requestedAt} >= ${filters.from}::timestamp and ${pushes.requestedAt} < ${filters.to}::timestamp`,
    ...is(sql`${pushes.configType}`, filters.configType),
    ...is(optional(terminals.vendor), filters.vendor),
    ...is(optional(terminals.model), filters.model),
    ...is(optional(terminals.area), filters.area),
    ...is(optional(terminals.groupName), filters.group),
    ...is(optional(pushes.version), filters.version),
    ...is(optional(pushes.triggerSource), filters.triggerSource),
    ...(filters.templateId === null ? [] : [sql`${optional(pushes.templateId)} = ${filters.templateId}::bigint`]),
  ];
  return sql`from ${pushes} left join ${terminals} on ${terminals.serialNumber} = ${pushes.serialNumber} where ${sql.join(where, sql` and `)}`;
};

/** Everything together, and the database's clock. */
export async function pushTotals(
  db: ReadHandle,
  drift: Drift,
  filters: StatFilters,
): Promise<StatRow & { as_of: string }> {
  const [row] = await db.execute<StatRow & { as_of: string }>(
    sql`select now() as as_of, ${MEASURES} ${source(drift, filters)}`,
  );
  if (!row) throw new TypeError('an aggregate without a row');
  return row;
}

/** The largest groups, `limit + 1` of them. Columns k0, k1, k2 hold the key in the order asked for. */
export async function pushGroups(
  db: ReadHandle,
  drift: Drift,
  filters: StatFilters,
  groupBy: readonly StatDimension[],
  limit: number,
): Promise<(StatRow & Record<`k${number}`, string | number | null>)[]> {
  const keys = groupBy.map(
    (dimension, i) => sql`${dimensionOf(drift, filters, dimension)} as ${sql.identifier(`k${i}`)}`,
  );
  const places = groupBy.map((_, i) => sql.raw(String(i + 1)));
  const rows = await db.execute<StatRow & Record<`k${number}`, string | number | null>>(sql`
    select ${sql.join([...keys, MEASURES], sql`, `)} ${source(drift, filters)}
    group by ${sql.join(places, sql`, `)}
    order by total desc, ${sql.join(places, sql`, `)}
    limit ${limit + 1}`);
  return [...rows];
}

function dimensionOf(drift: Drift, filters: StatFilters, dimension: StatDimension): SQL {
  const optional = (column: Parameters<typeof optionalColumn>[2]) => optionalColumn(drift, 'product', column);
  switch (dimension) {
    case 'config_type':
      return sql`${pushes.configType}`;
    case 'vendor':
      return optional(terminals.vendor);
    case 'model':
      return optional(terminals.model);
    case 'area':
      return optional(terminals.area);
    case 'group':
      return optional(terminals.groupName);
    case 'version':
      return optional(pushes.version);
    case 'template_id':
      return optional(pushes.templateId);
    case 'error_code':
      return optional(pushes.errorCode);
    case 'trigger_source':
      return optional(pushes.triggerSource);
    case 'day':
      return sql`width_bucket(${pushes.requestedAt}, string_to_array(${filters.dayStarts.join(',')}, ',')::timestamp[])`;
  }
}
