/**
 * The databases of the operation and of the gateway, by name and role. Reads and writes never share a pool: reads go through a
 * role that may only SELECT, in sessions that are read-only besides; writes go through a writer that knows what the tool declared.
 */

import type { DatabaseName, WriteTarget } from '../kit/tool.ts';
import type { BreakerState } from './breaker.ts';
import { StorageError } from './errors.ts';
import type { Db } from './pool.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { Writer } from './writer.ts';

export const OPERATION_DATABASES = ['product', 'settlement', 'risk', 'mms'] as const satisfies readonly DatabaseName[];
export type WritableDatabase = Exclude<DatabaseName, 'mms'>;

/** URLs as configured; a database without one is not there. Without a read URL the write URL is read through, in read-only sessions. */
export type DatabaseUrls = {
  readonly [name in DatabaseName]?: { readonly read?: string | undefined; readonly write?: string | undefined };
};

/** The part of drizzle that reads. */
export type ReadHandle = Pick<Db, 'select' | 'selectDistinct' | 'selectDistinctOn' | 'with' | '$with' | 'execute'>;

export interface ReadOptions {
  /** Shorter than the pool's own, for a query without its index. */
  readonly statementTimeoutMs?: number;
}

/** What a read tool gets for a database in `context.use`: its queries end when the call ends. */
export interface Reader {
  readonly database: DatabaseName;
  /** Statements one by one, each seeing what is committed when it starts. */
  read<T>(work: (db: ReadHandle) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** All statements see one moment (REPEATABLE READ READ ONLY). */
  snapshot<T>(work: (db: ReadHandle) => Promise<T>, options?: ReadOptions): Promise<T>;
}

/** What an actuator gets in `context.effect`. */
export type Effect = Pick<Writer, 'insert' | 'update' | 'select' | 'serialise'>;

declare module '../kit/context.ts' {
  interface Resources {
    product: Reader;
    settlement: Reader;
    risk: Reader;
    mms: Reader;
  }
  interface EffectTransaction extends Effect {}
}

export interface WriteTransaction {
  /** A writer that can do what the rules say and nothing else; several in one transaction commit together. */
  writer(rules: readonly WriteTarget[]): Writer;
}

export interface WriteDatabase {
  readonly name: WritableDatabase;
  transaction<T>(signal: AbortSignal | undefined, work: (tx: WriteTransaction) => Promise<T>): Promise<T>;
}

export interface ConnectionOptions {
  readonly urls: DatabaseUrls;
  readonly poolSize?: number;
  readonly prepare?: boolean;
  readonly onBreaker?: (pool: string, state: BreakerState) => void;
}

export class Connections {
  readonly #pools = new Map<string, Pool>();

  constructor(options: ConnectionOptions) {
    for (const name of OPERATION_DATABASES) {
      const urls = options.urls[name];
      const add = (mode: 'read' | 'write', url: string | undefined) => {
        if (url === undefined) return;
        const pool: PoolOptions = {
          database: name,
          url,
          mode,
          max: options.poolSize ?? 10,
          statementTimeoutMs: mode === 'read' ? 5_000 : 10_000,
          prepare: options.prepare ?? true,
          onBreaker: (state) => options.onBreaker?.(`${name} ${mode}`, state),
        };
        this.#pools.set(`${name} ${mode}`, new Pool(pool));
      };
      add('read', urls?.read ?? urls?.write);
      if (name !== 'mms') add('write', urls?.write);
    }
  }

  has(name: DatabaseName, mode: 'read' | 'write' = 'read'): boolean {
    return this.#pools.has(`${name} ${mode}`);
  }

  /** A reader whose statements are cancelled in PostgreSQL when the signal is aborted. */
  reader(name: DatabaseName, signal: AbortSignal | undefined): Reader {
    const pool = this.#pool(name, 'read');
    return {
      database: name,
      read: (work, options) =>
        options?.statementTimeoutMs === undefined
          ? pool.run(signal, (db) => work(readOnly(db)))
          : pool.transaction(signal, { ...options, readOnly: true }, (db) => work(readOnly(db))),
      snapshot: (work, options) =>
        pool.transaction(signal, { ...options, readOnly: true, isolation: 'repeatable read' }, (db) =>
          work(readOnly(db)),
        ),
    };
  }

  writer(name: WritableDatabase): WriteDatabase {
    const pool = this.#pool(name, 'write');
    return {
      name,
      transaction: (signal, work) =>
        pool.transaction(signal, {}, (db) => work({ writer: (rules) => new Writer(db, name, rules) })),
    };
  }

  /** For rooms that own their tables (the outbox relay, the intents): the write role without a writer. Never handed to a server. */
  ownTables(name: WritableDatabase): Pool {
    return this.#pool(name, 'write');
  }

  breakers(): Record<string, BreakerState> {
    return Object.fromEntries([...this.#pools].map(([key, pool]) => [key, pool.breakerState]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #pool(name: DatabaseName, mode: 'read' | 'write'): Pool {
    const pool = this.#pools.get(`${name} ${mode}`);
    if (!pool) throw new StorageError(name, { kind: 'unavailable' });
    return pool;
  }
}

function readOnly(db: Db): ReadHandle {
  return {
    select: db.select.bind(db),
    selectDistinct: db.selectDistinct.bind(db),
    selectDistinctOn: db.selectDistinctOn.bind(db),
    with: db.with.bind(db),
    $with: db.$with,
    execute: db.execute.bind(db),
  };
}

/** The gateway's own database: governance and identity read and write their tables through it. */
export function openGatewayPool(options: {
  readonly url: string;
  readonly poolSize?: number;
  readonly prepare?: boolean;
  readonly onBreaker?: (state: BreakerState) => void;
}): Pool {
  return new Pool({
    database: 'gateway',
    url: options.url,
    mode: 'write',
    max: options.poolSize ?? 10,
    statementTimeoutMs: 10_000,
    prepare: options.prepare ?? true,
    ...(options.onBreaker && { onBreaker: options.onBreaker }),
  });
}
