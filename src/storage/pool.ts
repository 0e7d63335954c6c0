/**
 * One role on one database: a pool of connections behind a circuit breaker, with drizzle on top.
 *
 * Guarantees: nothing connects before the first query, so a database that is down stops no start; every session is in UTC and under
 * a statement and a lock timeout; an aborted signal cancels the running statement in PostgreSQL itself; what comes out is a
 * StorageError without SQL in it. Left to the caller: which statements are run, and trying again.
 */
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { type BreakerState, CircuitBreaker } from './breaker.ts';
import { isLost, StorageError, toStorageError } from './errors.ts';
import { WIRE_TYPES } from './wire.ts';

export type Db = PostgresJsDatabase<Record<string, never>>;

export interface PoolOptions {
  /** Name used in errors, for example `product`. */
  readonly database: string;
  readonly url: string;
  readonly mode: 'read' | 'write';
  readonly max?: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs?: number;
  readonly connectTimeoutS?: number;
  /** Off behind a pooler that shares sessions between transactions. */
  readonly prepare?: boolean;
  /** Told when the breaker changes its state. */
  readonly onBreaker?: (state: BreakerState) => void;
}

export interface TransactionOptions {
  readonly isolation?: 'repeatable read' | 'read committed';
  readonly readOnly?: boolean;
  readonly statementTimeoutMs?: number;
}

interface RunningQuery extends PromiseLike<unknown> {
  /** Set when the connection works on it. */
  readonly active?: boolean;
  canceller?: ((query: RunningQuery) => unknown) | null;
}

export class Pool {
  readonly database: string;
  readonly mode: 'read' | 'write';
  readonly #sql: Sql;
  readonly #breaker: CircuitBreaker;
  readonly #onBreaker: ((state: BreakerState) => void) | undefined;
  readonly #prepare: boolean;

  constructor(options: PoolOptions) {
    this.database = options.database;
    this.mode = options.mode;
    this.#prepare = options.prepare ?? true;
    this.#onBreaker = options.onBreaker;
    this.#breaker = new CircuitBreaker({ failures: 5, windowMs: 30_000, openMs: 15_000 });
    this.#sql = postgres(options.url, {
      max: options.max ?? 10,
      idle_timeout: 300,
      connect_timeout: options.connectTimeoutS ?? 2,
      // The breaker does the waiting.
      backoff: () => 0,
      prepare: this.#prepare,
      onnotice: () => {},
      // The driver asks for array types in a query of its own, whose failure nobody catches: a connection lost at that moment would end the process.
      fetch_types: false,
      types: WIRE_TYPES,
      connection: {
        application_name: `penstock ${options.database} ${options.mode}`,
        TimeZone: 'UTC',
        DateStyle: 'ISO',
        statement_timeout: options.statementTimeoutMs,
        lock_timeout: options.lockTimeoutMs ?? 2_000,
        idle_in_transaction_session_timeout: 60_000,
        default_transaction_read_only: options.mode === 'read',
      },
    });
  }

  get breakerState(): BreakerState {
    return this.#breaker.state;
  }

  /** Runs `work` with single statements, each its own transaction. Rejects as soon as the signal is aborted. */
  run<T>(signal: AbortSignal | undefined, work: (db: Db) => Promise<T>): Promise<T> {
    return this.#guarded(signal, async (queries) => {
      const running = work(drizzle(this.#client(this.#sql, queries, signal)));
      return signal ? untilAborted(running, signal, this.database) : running;
    });
  }

  /** Runs `work` in one transaction. An abort before the commit rolls back; once the commit is on its way its outcome counts. */
  transaction<T>(
    signal: AbortSignal | undefined,
    options: TransactionOptions,
    work: (db: Db) => Promise<T>,
  ): Promise<T> {
    const begin = `isolation level ${options.isolation ?? 'read committed'} ${options.readOnly ? 'read only' : ''}`;
    return this.#guarded(signal, async (queries) => {
      let lost = false;
      const begun = this.#sql.begin(begin, async (tx) => {
        try {
          if (options.statementTimeoutMs !== undefined) {
            await tx`select set_config('statement_timeout', ${String(Math.trunc(options.statementTimeoutMs))}, true)`;
          }
          const client = this.#client(tx as unknown as Sql, queries, signal, () => lost);
          const value = await work(drizzle(client));
          if (signal?.aborted) throw new StorageError(this.database, { kind: 'cancelled' });
          if (!lost) return { value };
        } catch (error) {
          if (!lost && !isLost(error)) throw error;
        }
        // The driver would now send `rollback` or `commit` to a socket that is gone, which throws where nobody can catch it. `begin`
        // itself rejects when the connection closes, so nobody waits for this.
        lost = true;
        return new Promise<never>(() => {});
      });
      begun.catch(() => {
        lost = true;
      });
      const result = await begun;
      return (result as { value: T }).value;
    });
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  async #guarded<T>(signal: AbortSignal | undefined, work: (queries: Set<RunningQuery>) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw new StorageError(this.database, { kind: 'cancelled' });
    const before = this.#breaker.state;
    const retryAfterMs = this.#breaker.refusal();
    if (retryAfterMs !== undefined) throw new StorageError(this.database, { kind: 'unavailable', retryAfterMs });
    const queries = new Set<RunningQuery>();
    const cancelAll = () => {
      for (const query of queries) cancel(query);
      // A statement that waits is cancelled when its turn comes.
      if (queries.size > 0) setTimeout(cancelAll, 25).unref();
    };
    signal?.addEventListener('abort', cancelAll, { once: true });
    try {
      const result = await work(queries);
      this.#breaker.succeeded();
      return result;
    } catch (error) {
      const mapped = toStorageError(error, this.database, signal);
      if (!(mapped instanceof StorageError)) this.#breaker.neutral();
      else if (mapped.kind === 'unavailable') this.#breaker.failed();
      else if (mapped.kind === 'cancelled' || mapped.kind === 'timeout') this.#breaker.neutral();
      else this.#breaker.succeeded();
      throw mapped;
    } finally {
      signal?.removeEventListener('abort', cancelAll);
      if (this.#breaker.state !== before) this.#onBreaker?.(this.#breaker.state);
    }
  }

  /**
   * What drizzle gets for a client: it only ever calls `unsafe`, and writes its own parsers into `options`, which is why it is given
   * options of its own. Each query is kept while it runs, so that an abort finds it.
   */
  #client(
    sql: Sql,
    queries: Set<RunningQuery>,
    signal: AbortSignal | undefined,
    gone: () => boolean = () => false,
  ): Sql {
    const prepare = this.#prepare;
    const database = this.database;
    const client = {
      options: { parsers: {}, serializers: {} },
      unsafe(text: string, parameters: unknown[]) {
        if (signal?.aborted) throw new StorageError(database, { kind: 'cancelled' });
        if (gone()) throw new StorageError(database, { kind: 'unavailable' });
        const query = sql.unsafe(text, parameters as never, { prepare });
        const tracked = query as unknown as RunningQuery;
        queries.add(tracked);
        const done = () => {
          queries.delete(tracked);
        };
        // The driver's own `then` starts the query, before drizzle has said how it wants the rows; Promise's does not.
        Promise.prototype.then.call(query, done, done);
        return query;
      },
    };
    return client as unknown as Sql;
  }
}

/**
 * Cancels a statement that the server works on. The driver must not be asked to cancel any other: one that was sent but waits its
 * turn would give the next statement of that connection the wrong rows, and one that waits for a connection would leave that
 * connection, or its transaction, hanging.
 */
function cancel(query: RunningQuery): void {
  const { canceller } = query;
  if (query.active !== true || typeof canceller !== 'function') return;
  query.canceller = null;
  // The driver drops the promise of its cancel request; a failing one would end the process as an unhandled rejection.
  Promise.resolve(canceller(query)).catch(() => {});
}

/** Settles as `running` does, or rejects as soon as the signal is aborted. Leaves no listener behind. */
async function untilAborted<T>(running: Promise<T>, signal: AbortSignal, database: string): Promise<T> {
  let fail = () => {};
  const aborted = new Promise<never>((_, reject) => {
    fail = () => reject(new StorageError(database, { kind: 'cancelled' }));
  });
  if (signal.aborted) fail();
  else signal.addEventListener('abort', fail, { once: true });
  try {
    return await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener('abort', fail);
  }
}
