/**
 * Applies the SQL files of `migrations/`, forward only.
 *
 * Guarantees: each file runs in one transaction together with its record; several replicas may start at once (an advisory lock
 * lets one work and the others then find nothing to do); a file that was changed after it was applied, or that turns up before one
 * that was, stops the start. Records of files this release does not know are left alone, so that during a rolling update the older
 * release still starts.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import type { StorageLog } from './log.ts';

const ROOT = fileURLToPath(new URL('../../migrations/', import.meta.url));
const LOCK = 0x50454e4d;

/** Folders of `migrations/`, in the order in which they apply. A live operation has its own tables: there only `mcp_ops/...`. */
export const MIGRATION_SETS = {
  gateway: ['gateway'],
  product: ['operations/product', 'mcp_ops/common', 'mcp_ops/outbox'],
  settlement: ['operations/settlement', 'mcp_ops/common'],
  risk: ['operations/risk', 'mcp_ops/common'],
  mms: ['operations/mms'],
} as const satisfies Record<string, readonly string[]>;
export type MigratedDatabase = keyof typeof MIGRATION_SETS;

export type MigrationErrorCode =
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_OUT_OF_ORDER'
  | 'MIGRATION_FAILED'
  | 'MIGRATION_LOCKED';

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: MigrationErrorCode;

  constructor(code: MigrationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface MigrateOptions {
  /** URL of the owner of the tables. */
  readonly url: string;
  readonly sets: readonly string[];
  readonly log: StorageLog;
  /** Where the sets lie; default: `migrations/` of this release. */
  readonly root?: string;
}

interface MigrationFile {
  readonly set: string;
  readonly name: string;
  readonly digest: string;
  readonly text: string;
}

/** Applies what is missing and returns the names of the files it applied, as `set/name`. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const files: MigrationFile[] = [];
  for (const set of options.sets) files.push(...(await readSet(options.root ?? ROOT, set)));
  const sql = postgres(options.url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => {},
    // The search path is set because the schema `penstock` would come before `public` for a role of that name.
    connection: { application_name: 'penstock migrate', lock_timeout: 60_000, search_path: 'public' },
  });
  try {
    await takeLock(sql);
    await sql.unsafe(`create schema if not exists penstock;
      create table if not exists penstock.migrations (set text not null, name text not null, sha256 char(64) not null,
        applied_at timestamptz not null default now(), primary key (set, name))`);
    const applied: string[] = [];
    for (const file of await pending(sql, files)) {
      await applyFile(sql, file);
      applied.push(`${file.set}/${file.name}`);
    }
    if (applied.length > 0) options.log.info(`applied ${applied.length} migrations: ${applied.join(', ')}`);
    return applied;
  } finally {
    await sql.end({ timeout: 2 });
  }
}

async function readSet(root: string, set: string): Promise<MigrationFile[]> {
  const names = (await readdir(path.join(root, set))).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(root, set, name), 'utf8')).replaceAll('\r\n', '\n');
      return { set, name, text, digest: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function takeLock(sql: Sql): Promise<void> {
  try {
    await sql`select pg_advisory_lock(${LOCK})`;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === '55P03') {
      throw new MigrationError('MIGRATION_LOCKED', 'Another process has been migrating this database for a minute.');
    }
    throw error;
  }
}

async function pending(sql: Sql, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const rows = await sql<
    { set: string; name: string; sha256: string }[]
  >`select set, name, sha256 from penstock.migrations`;
  const digests = new Map(rows.map((row) => [`${row.set}/${row.name}`, row.sha256]));
  const missing: MigrationFile[] = [];
  for (const file of files) {
    const known = digests.get(`${file.set}/${file.name}`);
    if (known === undefined) {
      missing.push(file);
    } else if (known !== file.digest) {
      throw new MigrationError('MIGRATION_CHANGED', `${file.set}/${file.name} was changed after it had been applied.`);
    } else if (missing.some((earlier) => earlier.set === file.set)) {
      throw new MigrationError(
        'MIGRATION_OUT_OF_ORDER',
        `${file.set} has a file older than ${file.name} that was never applied.`,
      );
    }
  }
  return missing;
}

async function applyFile(sql: Sql, file: MigrationFile): Promise<void> {
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(file.text);
      await tx`insert into penstock.migrations (set, name, sha256) values (${file.set}, ${file.name}, ${file.digest})`;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason';
    throw new MigrationError('MIGRATION_FAILED', `${file.set}/${file.name} could not be applied: ${why}`);
  }
}
