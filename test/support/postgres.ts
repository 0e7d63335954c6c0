/**
 * A real PostgreSQL for one test file, in a temporary folder and gone afterwards. Databases are clones of migrated templates, so a
 * fresh one costs some 50 ms.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { type EmbeddedServer, startEmbedded } from '../../src/storage/embedded.ts';
import { silentLog } from '../../src/storage/log.ts';
import { MIGRATION_SETS, type MigratedDatabase, migrate } from '../../src/storage/migrate.ts';
import { closeDatabase, ensureDatabases } from '../../src/storage/provision.ts';

export const FAST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
};

export interface TestDatabase {
  readonly name: string;
  /** Owner of the tables. */
  readonly owner: string;
  readonly gateway: string;
  readonly read: string;
  readonly write: string;
}

export interface TestPostgres {
  readonly server: EmbeddedServer;
  /** A fresh database with the tables of that kind; its name has `test` in it. */
  database(kind: MigratedDatabase): Promise<TestDatabase>;
  /** A connection that is closed with the server. */
  connect(url: string): Sql;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const dir = await mkdtemp(path.join(tmpdir(), 'penstock-pg-'));
  const server = await startEmbedded({ dir, log: silentLog, databases: [], settings: FAST_SETTINGS });
  const connections: Sql[] = [];
  const connect = (url: string) => {
    const sql = postgres(url, { max: 2, onnotice: () => {} });
    connections.push(sql);
    return sql;
  };
  const admin = connect(server.url('postgres'));
  const templates = new Map<MigratedDatabase, Promise<string>>();
  let clones = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const template = async (kind: MigratedDatabase) => {
    const name = `${kind}_template`;
    await ensureDatabases(admin, [name]);
    await migrate({ url: server.url(name), sets: MIGRATION_SETS[kind], log: silentLog });
    return name;
  };
  const clone = async (kind: MigratedDatabase): Promise<TestDatabase> => {
    const source = templates.get(kind) ?? template(kind);
    templates.set(kind, source);
    const name = `${kind}_test_${++clones}`;
    await admin`create database ${admin(name)} template ${admin(await source)}`;
    await closeDatabase(admin, name);
    return {
      name,
      owner: server.url(name),
      gateway: server.roleUrl(name, 'gateway'),
      read: server.roleUrl(name, 'mcp_ro'),
      write: server.roleUrl(name, 'mcp_rw'),
    };
  };
  return {
    server,
    connect,
    // One clone at a time: PostgreSQL refuses to copy a template that somebody uses.
    database: (kind) => {
      const next = queue.then(() => clone(kind));
      queue = next.catch(() => {});
      return next;
    },
    stop: async () => {
      await Promise.all(connections.map((sql) => sql.end({ timeout: 1 })));
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
