import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { optionalColumn } from '../../storage/optional-column.ts';
import {
  parameterPushLogs as pushes,
  remoteLogSessions as sessions,
  tmsTerminals as terminals,
} from '../../storage/schema/product.ts';
import { OPEN_PUSH_STATUSES } from './shapes.ts';

/** Queries about single terminals and lists of them. Columns are named one by one: what a table gains later does not leak out. */
export type Drift = ReadonlySet<string>;

const optional = <C extends Parameters<typeof optionalColumn>[2]>(drift: Drift, column: C) =>
  optionalColumn(drift, 'product', column);

/** One terminal by its serial (unique index). */
export async function terminalBySerial(db: ReadHandle, drift: Drift, serial: string) {
  const [row] = await db
    .select({
      asOf: sql<string>`now()`,
      serialNumber: terminals.serialNumber,
      vendor: terminals.vendor,
      model: terminals.model,
      area: optional(drift, terminals.area),
      merchantId: optional(drift, terminals.merchantId),
      mid: optional(drift, terminals.mid),
      tid: optional(drift, terminals.tid),
      group: optional(drift, terminals.groupName),
      tier: optional(drift, terminals.tier),
      status: terminals.status,
      lastSeenAt: terminals.lastSeenAt,
      secondsSinceSeen: sql<
        number | null
      >`floor(extract(epoch from timezone('utc', now()) - ${terminals.lastSeenAt}))::float8`,
      appVersion: terminals.appVersion,
      firmwareVersion: optional(drift, terminals.firmwareVersion),
      parameterVersion: optional(drift, terminals.parameterVersion),
      emvConfigVersion: optional(drift, terminals.emvConfigVersion),
      batteryLevel: optional(drift, terminals.batteryLevel),
      signalDbm: optional(drift, terminals.signalDbm),
      latitude: optional(drift, terminals.latitude),
      longitude: optional(drift, terminals.longitude),
    })
    .from(terminals)
    .where(eq(terminals.serialNumber, serial));
  return row ?? null;
}

/** The newest push of a terminal that is not final (index serial_number, requested_at). */
export async function newestOpenPush(db: ReadHandle, drift: Drift, serial: string) {
  const [row] = await db
    .select({
      id: pushes.id,
      configType: pushes.configType,
      version: optional(drift, pushes.version),
      status: pushes.status,
      requestedAt: pushes.requestedAt,
    })
    .from(pushes)
    .where(and(eq(pushes.serialNumber, serial), inArray(pushes.status, [...OPEN_PUSH_STATUSES])))
    .orderBy(desc(pushes.requestedAt), desc(pushes.id))
    .limit(1);
  return row ?? null;
}

/** The open remote log session of a terminal (partial unique index on open ones). */
export async function openLogSession(db: ReadHandle, serial: string): Promise<string | null> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.serialNumber, serial), sql`${sessions.status} in ('requested', 'active', 'stopping')`));
  return row?.id ?? null;
}

export interface TerminalFilters {
  readonly vendor: readonly string[] | null;
  readonly model: readonly string[] | null;
  readonly area: readonly string[] | null;
  readonly merchant: readonly string[] | null;
  readonly group: readonly string[] | null;
  readonly tier: readonly string[] | null;
  readonly status: readonly string[] | null;
  readonly serialPrefix: readonly string[] | null;
  readonly appVersion: readonly string[] | null;
  /** UTC instants, `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
  readonly lastSeenBefore: string | null;
  readonly lastSeenAfter: string | null;
}

export type TerminalSort = 'serial_number' | 'last_seen_at';

const COUNT_LIMIT = 10_000;

/** A page of terminals: by serial, or by last contact with the newest first and those never seen last. */
export async function findTerminals(
  db: ReadHandle,
  drift: Drift,
  filters: TerminalFilters,
  page: {
    readonly sort: TerminalSort;
    readonly after: readonly (string | number | null)[] | null;
    readonly limit: number;
  },
) {
  const bySeen = page.sort === 'last_seen_at';
  const rows = await db
    .select({
      id: terminals.id,
      serialNumber: terminals.serialNumber,
      vendor: terminals.vendor,
      model: terminals.model,
      area: terminals.area,
      merchantId: terminals.merchantId,
      mid: optional(drift, terminals.mid),
      tid: optional(drift, terminals.tid),
      group: terminals.groupName,
      tier: terminals.tier,
      status: terminals.status,
      lastSeenAt: terminals.lastSeenAt,
      lastSeenExact: sql<string | null>`to_char(${terminals.lastSeenAt}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
      appVersion: terminals.appVersion,
    })
    .from(terminals)
    .where(and(...conditions(drift, filters), page.after ? afterTerminal(page.sort, page.after) : undefined))
    .orderBy(...(bySeen ? [sql`${terminals.lastSeenAt} desc nulls last`, terminals.id] : [terminals.serialNumber]))
    .limit(page.limit + 1);
  return rows;
}

/** How many terminals the filters find, counted up to 10,000, and the database's clock. */
export async function countTerminals(db: ReadHandle, drift: Drift, filters: TerminalFilters) {
  const found = db
    .select({ one: sql<number>`1`.as('one') })
    .from(terminals)
    .where(and(...conditions(drift, filters)))
    .limit(COUNT_LIMIT + 1)
    .as('found');
  const [row] = await db.select({ asOf: sql<string>`now()`, count: sql<number>`count(*)::int` }).from(found);
  const count = row?.count ?? 0;
  return { asOf: row?.asOf ?? null, total: Math.min(count, COUNT_LIMIT), exact: count <= COUNT_LIMIT };
}

function conditions(drift: Drift, filters: TerminalFilters): SQL[] {
  const list: (SQL | undefined)[] = [
    filters.vendor ? inArray(terminals.vendor, [...filters.vendor]) : undefined,
    filters.model ? inArray(terminals.model, [...filters.model]) : undefined,
    filters.area ? inArray(terminals.area, [...filters.area]) : undefined,
    filters.group ? inArray(terminals.groupName, [...filters.group]) : undefined,
    filters.tier ? inArray(terminals.tier, [...filters.tier]) : undefined,
    filters.status ? inArray(terminals.status, [...filters.status]) : undefined,
    filters.appVersion ? inArray(terminals.appVersion, [...filters.appVersion]) : undefined,
    filters.merchant ? merchantIs(drift, filters.merchant) : undefined,
    filters.serialPrefix
      ? sql`(${sql.join(
          filters.serialPrefix.map((prefix) => sql`${terminals.serialNumber} like ${`${escapeLike(prefix)}%`}`),
          sql` or `,
        )})`
      : undefined,
    filters.lastSeenBefore ? sql`${terminals.lastSeenAt} < ${filters.lastSeenBefore}::timestamp` : undefined,
    filters.lastSeenAfter ? sql`${terminals.lastSeenAt} >= ${filters.lastSeenAfter}::timestamp` : undefined,
  ];
  return list.filter((condition): condition is SQL => condition !== undefined);
}

/** A merchant is named by its id or by its acquirer number; both columns are indexed. */
function merchantIs(drift: Drift, values: readonly string[]): SQL {
  const byId = inArray(terminals.merchantId, [...values]);
  return drift.has('product.tms_terminals.mid') ? byId : sql`(${byId} or ${inArray(terminals.mid, [...values])})`;
}

function afterTerminal(sort: TerminalSort, key: readonly (string | number | null)[]): SQL {
  if (sort === 'serial_number') return sql`${terminals.serialNumber} > ${String(key[0])}`;
  const [seen, id] = key;
  if (seen === null) return sql`(${terminals.lastSeenAt} is null and ${terminals.id} > ${Number(id)})`;
  return sql`(${terminals.lastSeenAt} < ${String(seen)}::timestamp
    or (${terminals.lastSeenAt} = ${String(seen)}::timestamp and ${terminals.id} > ${Number(id)})
    or ${terminals.lastSeenAt} is null)`;
}

/** `%`, `_` and the escape character itself stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);
