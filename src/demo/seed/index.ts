/**
 * Fills the four databases of the demo operation.
 *
 * Guarantees: only databases whose name has `demo` or `test` in it are touched; tables that hold rows of something else are left
 * alone; each database is filled in one transaction, once, and a later start finds that and does nothing. Interrupted between two
 * databases, the next start fills the rest as of the same moment. Left to others: the tables (migrations) and what the devices,
 * metrics and alerts of the demo do.
 */
import postgres, { type Sql } from 'postgres';
import type { DatabaseName } from '../../kit/tool.ts';
import type { StorageLog } from '../../storage/log.ts';
import { buildDemo, type DemoData } from './build.ts';
import { HOUR } from './calendar.ts';
import { advanceSequences, load } from './load.ts';

export { DEMO_TIME_ZONE } from './calendar.ts';
export { DEMO_SEED } from './prng.ts';

export type SeedErrorCode = 'SEED_REFUSED' | 'SEED_NOT_EMPTY';

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
  readonly urls: Readonly<Record<DatabaseName, string>>;
  readonly log: StorageLog;
  /** The moment everything is told from, floored to the hour; default: now. */
  readonly asOf?: Date;
}

export interface SeedResult {
  /** False when the data were there already. */
  readonly seeded: boolean;
  readonly asOf: string;
  /** Rows written, all tables together. */
  readonly rows: number;
}

const NAMES = ['product', 'settlement', 'mms', 'risk'] as const satisfies readonly DatabaseName[];

export async function seedDemo(options: SeedOptions): Promise<SeedResult> {
  for (const name of NAMES) refuseForeign(name, decodeURIComponent(new URL(options.urls[name]).pathname.slice(1)));
  const connections = NAMES.map((name) => ({ name, sql: connect(options.urls[name]) }));
  try {
    const marks = await Promise.all(connections.map(({ name, sql }) => readMark(name, sql)));
    const known = marks.find((mark) => mark !== undefined);
    const asOf = floorToHour(known ?? options.asOf ?? new Date());
    const missing = connections.filter((_, i) => marks[i] === undefined);
    if (missing.length === 0) return { seeded: false, asOf: asOf.toISOString(), rows: 0 };
    await Promise.all(missing.map(({ name, sql }) => refuseFilled(name, sql)));
    const started = performance.now();
    const data = buildDemo(asOf);
    const counts = await Promise.all(missing.map(({ name, sql }) => fill(sql, name, data, asOf)));
    const rows = counts.reduce((sum, count) => sum + count, 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    options.log.info(`demo operation as of ${asOf.toISOString()}: ${rows} rows in ${seconds} s`);
    return { seeded: true, asOf: asOf.toISOString(), rows };
  } finally {
    await Promise.all(connections.map(({ sql }) => sql.end({ timeout: 2 })));
  }
}

function refuseForeign(name: string, database: string): void {
  if (/demo|test/i.test(database)) return;
  throw new SeedError(
    'SEED_REFUSED',
    `The ${name} database is not filled: its name has neither "demo" nor "test" in it.`,
  );
}

function connect(url: string): Sql {
  return postgres(url, {
    max: 1,
    connect_timeout: 10,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'penstock demo', search_path: 'public', TimeZone: 'UTC' },
  });
}

const MARK = 'penstock.demo_seed';

async function readMark(name: string, sql: Sql): Promise<Date | undefined> {
  // The server's own word on the name: a pooler may lead somewhere else than the URL says.
  const [current] = await sql<{ name: string }[]>`select current_database() as name`;
  refuseForeign(name, current?.name ?? '');
  await sql.unsafe(`create schema if not exists penstock; create table if not exists ${MARK}
    (single boolean primary key default true check (single), as_of timestamptz not null, seeded_at timestamptz not null default now())`);
  const [mark] = await sql<{ at: string }[]>`select extract(epoch from as_of)::text as at from penstock.demo_seed`;
  return mark && new Date(Number(mark.at) * 1000);
}

const PROBE: Readonly<Record<DatabaseName, string>> = {
  product: 'tms_terminals',
  settlement: 'core_transactions',
  mms: 'user_metadata',
  risk: 'risk_rule_hits',
};

async function refuseFilled(name: DatabaseName, sql: Sql): Promise<void> {
  const rows = await sql`select 1 from ${sql(PROBE[name])} limit 1`;
  if (rows.length === 0) return;
  throw new SeedError('SEED_NOT_EMPTY', `The ${name} database is not filled: it holds rows that are not the demo's.`);
}

function fill(sql: Sql, name: DatabaseName, data: DemoData, asOf: Date): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`set local synchronous_commit = off`;
    let count = 0;
    for (const table of data[name]) {
      await load(tx, table);
      count += table.count;
    }
    await advanceSequences(tx);
    for (const table of data[name]) await tx`analyze ${tx(table.table)}`;
    await tx`insert into penstock.demo_seed (as_of) values (${asOf.toISOString()})`;
    return count;
  });
}

const floorToHour = (date: Date): Date => new Date(Math.floor(date.getTime() / HOUR) * HOUR);
