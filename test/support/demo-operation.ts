import type { Sql } from 'postgres';
import { type SeedOptions, seedDemo } from '../../src/demo/seed/index.ts';
import { silentLog } from '../../src/storage/log.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

export const DEMO_ROLES = ['product', 'settlement', 'mms', 'risk'] as const;
export type DemoRole = (typeof DEMO_ROLES)[number];

/** Four fresh databases of the demo operation, empty until seeded. */
export interface DemoOperation {
  readonly urls: SeedOptions['urls'];
  /** The same databases with the URLs of every role. */
  readonly databases: Record<DemoRole, TestDatabase>;
  /** Connections as the owner. */
  readonly sql: Record<DemoRole, Sql>;
}

export async function demoOperation(postgres: TestPostgres): Promise<DemoOperation> {
  const urls: Partial<Record<DemoRole, string>> = {};
  const sql: Partial<Record<DemoRole, Sql>> = {};
  const databases: Partial<Record<DemoRole, TestDatabase>> = {};
  for (const role of DEMO_ROLES) {
    const database = await postgres.database(role);
    databases[role] = database;
    urls[role] = database.owner;
    sql[role] = postgres.connect(database.owner);
  }
  return {
    urls: urls as DemoOperation['urls'],
    databases: databases as DemoOperation['databases'],
    sql: sql as DemoOperation['sql'],
  };
}

export function seed(operation: DemoOperation, asOf: string) {
  return seedDemo({ urls: operation.urls, asOf: new Date(asOf), log: silentLog });
}

/** A digest of each of the operation's tables, whatever the order of its rows. */
export async function tableDigests(operation: DemoOperation): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const role of DEMO_ROLES) {
    const sql = operation.sql[role];
    const tables = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public' order by tablename`;
    for (const { name } of tables) {
      const [row] = await sql<{ digest: string }[]>`
        select coalesce(md5(string_agg(t::text, '|' order by t::text)), 'empty') as digest from ${sql(name)} t`;
      digests[`${role}.${name}`] = row!.digest;
    }
  }
  return digests;
}
