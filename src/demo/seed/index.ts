/**
 * Fills the four databases of the demo operation with invented data.
 *
 * Guarantees: it refuses a database whose name holds neither `demo` nor `test`, and one that has rows of its own, before it writes
 * anything; each database is filled in one transaction together with its marker in `penstock.demo_seed`, so a seeding that was killed
 * leaves whole databases and untouched ones, and the next one fills the rest as of the same instant; a database with a marker is left
 * alone; two seedings at once take turns. The same seed and as-of give the same rows, ids included.
 * Left to others: the tables themselves (storage/migrate.ts).
 */
import postgres, { type Sql } from 'postgres';
import type { StorageLog } from '../../storage/log.ts';
import { type DemoCalendar, demoCalendar } from './calendar.ts';
import { copyTable, type Table } from './copy.ts';
import { type DemoDatabase, demoTables } from './plan.ts';
import { DEMO_SEED } from './prng.ts';

const LOCK = 0x50454e44;
const DATABASES = ['product', 'settlement', 'mms', 'risk'] as const satisfies readonly DemoDatabase[];

export type SeedErrorCode =
  /** The database's name holds neither `demo` nor `test`. */
  | 'SEED_REFUSED'
  /** There are rows already that no seeding put there. */
  | 'SEED_NOT_EMPTY'
  /** Databases were seeded as of different instants, so they do not belong together. */
  | 'SEED_MIXED';

export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly code: SeedErrorCode;

  constructor(code: SeedErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface SeedOptions {
  /** URLs of the owners of the tables. */
  readonly urls: Readonly<Record<DemoDatabase, string>>;
  /** Default: now. Cut to the whole hour. */
  readonly asOf?: Date;
  readonly log: StorageLog;
}

export interface SeedResult {
  /** False when every database had its data before. */
  readonly seeded: boolean;
  /** Rows of every table, as they were seeded. */
  readonly rows: Record<string, number>;
}

interface Marker {
  readonly asOf: number;
  readonly rows: Record<string, number>;
}

export async function seedDemo(options: SeedOptions): Promise<SeedResult> {
  for (const role of DATABASES) refuseOthers(databaseName(options.urls[role]));
  const connections = DATABASES.map((role) => [role, connect(options.urls[role])] as const);
  try {
    const [, first] = connections[0]!;
    await first`select pg_advisory_lock(${LOCK})`;
    const markers = new Map<DemoDatabase, Marker>();
    for (const [role, sql] of connections) {
      const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select current_database() as name`;
      refuseOthers(name);
      const marker = await markerOf(sql, role);
      if (marker) markers.set(role, marker);
    }
    const missing = connections.filter(([role]) => !markers.has(role));
    const asOf = commonAsOf([...markers.values()]) ?? (options.asOf ?? new Date()).getTime();
    const done = [...markers.values()].map(({ rows }) => rows);
    if (missing.length > 0) {
      if (done.length > 0) options.log.warn('the demo data were left unfinished; filling the remaining databases');
      const calendar = demoCalendar(new Date(asOf));
      const tables = demoTables(calendar);
      for (const [role, sql] of missing) await refuseFilled(sql, role, tables[role]);
      done.push(...(await Promise.all(missing.map(([role, sql]) => fill(sql, role, calendar, tables[role])))));
      const count = done.flatMap((rows) => Object.values(rows)).reduce((sum, rows) => sum + rows, 0);
      options.log.info(`demo data as of ${new Date(calendar.asOf).toISOString()}: ${count} rows`);
    }
    return { seeded: missing.length > 0, rows: Object.assign({}, ...done) };
  } finally {
    await Promise.all(connections.map(([, sql]) => sql.end({ timeout: 2 })));
  }
}

function databaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

function refuseOthers(name: string): void {
  if (/demo|test/i.test(name)) return;
  throw new SeedError(
    'SEED_REFUSED',
    `Demo data only go into databases with "demo" or "test" in their name, not "${name}".`,
  );
}

function connect(url: string): Sql {
  return postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    fetch_types: false,
    onnotice: () => {},
    // As for migrations: the schema `penstock` would come before `public` for a role of that name.
    connection: { application_name: 'penstock seed', search_path: 'public', TimeZone: 'UTC' },
  });
}

async function markerOf(sql: Sql, role: DemoDatabase): Promise<Marker | null> {
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('penstock.demo_seed') is not null as present`;
  if (!table?.present) return null;
  const [row] = await sql<{ as_of: string; rows: string }[]>`
    select (extract(epoch from as_of) * 1000)::bigint::text as as_of, rows::text as rows
    from penstock.demo_seed where part = ${role}`;
  return row ? { asOf: Number(row.as_of), rows: JSON.parse(row.rows) } : null;
}

function commonAsOf(markers: readonly Marker[]): number | undefined {
  const instants = new Set(markers.map(({ asOf }) => asOf));
  if (instants.size > 1) {
    throw new SeedError('SEED_MIXED', 'The demo databases hold data of different hours; drop them all and start anew.');
  }
  return markers[0]?.asOf;
}

async function refuseFilled(sql: Sql, role: DemoDatabase, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const [row] = await sql`select 1 from ${sql(name)} limit 1`;
    if (row) throw new SeedError('SEED_NOT_EMPTY', `The ${role} database has rows of its own in ${name}.`);
  }
}

async function fill(
  sql: Sql,
  role: DemoDatabase,
  calendar: DemoCalendar,
  tables: readonly Table[],
): Promise<Record<string, number>> {
  return sql.begin(async (tx) => {
    await tx.unsafe(`create schema if not exists penstock;
      create table if not exists penstock.demo_seed (part text primary key, seed bigint not null, as_of timestamptz not null,
        rows jsonb not null, seeded_at timestamptz not null default now())`);
    const rows: Record<string, number> = {};
    for (const table of tables) rows[table.name] = await copyTable(tx, table);
    for (const { name } of tables) await tx`analyze ${tx(name)}`;
    await tx`insert into penstock.demo_seed (part, seed, as_of, rows)
      values (${role}, ${DEMO_SEED}, ${new Date(calendar.asOf).toISOString()}, ${JSON.stringify(rows)}::text::jsonb)`;
    return rows;
  });
}
