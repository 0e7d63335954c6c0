/**
 * Gate 5: the intent of a write, in the database of its effect.
 *
 * Guarantees: of any number of calls with one key (tool, principal, key) exactly one is claimed at a time, over all replicas; a key with an
 * answer gives that answer for 7 days and no second effect; limits are counted exactly in the transaction of the claim, and only calls
 * that were claimed count. `complete` runs in the transaction of the effect, so a claim is `done` if and only if its effect is there; a
 * claim that was given up meanwhile (reconcile.ts) makes it throw, and the effect is rolled back.
 * Leaves to others: what counts as the same arguments (the digest is given), duplicates without a key (the tools' own windows), deadlines,
 * and recording (audit/). A database that can't be asked makes every function reject with StorageError, so a write then does not run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { ToolError } from '../kit/errors.ts';
import type { JsonValue } from '../kit/json.ts';
import type { WriteTarget } from '../kit/tool.ts';
import type { WritableDatabase, WriteTransaction } from '../storage/connections.ts';
import type { Db, Pool } from '../storage/pool.ts';
import { actuatorCalls } from '../storage/schema/mcp-ops.ts';
import { storableJson } from './storable.ts';
import { type Counted, columnKey, type LimitHit, usedUp, type WriteLimits } from './write-limits.ts';

export interface ClaimRequest {
  readonly tool: string;
  readonly principal: string;
  /** The caller's key; null makes the call its own key, so that it is never replayed. */
  readonly key: string | null;
  readonly argsDigest: string;
  readonly target: string;
  readonly callId: string;
  readonly requestId: string | null;
  readonly signal?: AbortSignal;
}

export type Claim =
  | { readonly kind: 'claimed'; readonly id: number }
  | { readonly kind: 'replay'; readonly callId: string; readonly response: JsonValue; readonly firstAt: string }
  /** The key was used with other arguments. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'in-progress'; readonly callId: string }
  | ({ readonly kind: 'rate-limited' } & LimitHit);

export type CallOutcome =
  | { readonly kind: 'replay'; readonly response: JsonValue; readonly firstAt: string }
  /** It ended without an answer to replay, or no such call is known. */
  | { readonly kind: 'none' }
  | { readonly kind: 'in-progress' };

export interface Claims {
  claim(request: ClaimRequest): Promise<Claim>;
  /** In the transaction of the effect: the claim turns `done` with the answer to replay. */
  complete(tx: WriteTransaction, done: { id: number; response: JsonValue }): Promise<void>;
  /**
   * The final answer, after the effect, or a terminal answer that needed none (NOT_FOUND, CONFLICT). `counted: false` for a suppressed duplicate.
   * False when the claim had been given up.
   */
  storeResponse(answer: { id: number; response: JsonValue; counted?: boolean }): Promise<boolean>;
  /** Frees the key of a call that ended without an effect and without an answer to keep. `counted`: it had reached gate 7. */
  release(claim: { id: number; counted: boolean }): Promise<void>;
  /** The limits that are used up now. A look, not a promise: `claim` decides. */
  usedUp(counted: Counted, signal?: AbortSignal): Promise<LimitHit[]>;
  /** True when this key has an answer to replay. */
  hasAnswer(key: { tool: string; principal: string; key: string }, signal?: AbortSignal): Promise<boolean>;
  /** Waits up to `waitMs` for the outcome of another call, such as the one that consumed the same approval. */
  outcomeOf(callId: string, signal?: AbortSignal): Promise<CallOutcome>;
  /** Removes intents whose key has expired and whose outcome is recorded. Returns how many. */
  removeExpired(): Promise<number>;
}

export interface ClaimsOptions {
  /** Write role of the database of the effect (`Connections.ownTables`). */
  readonly pool: Pool;
  readonly database: WritableDatabase;
  readonly limits: WriteLimits;
  readonly keyLifeS?: number;
  /** How long to wait for a call in flight under the same key, ms. */
  readonly waitMs?: number;
}

type Held = {
  id: string;
  call_id: string;
  args_hash: string;
  state: 'started' | 'done' | 'failed';
  response: string | null;
  first_at: string;
  expired: boolean;
};

const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 250;

export function createClaims(options: ClaimsOptions): Claims {
  const { pool, database, limits } = options;
  const keyLifeS = options.keyLifeS ?? 7 * 86_400;
  const waitMs = options.waitMs ?? 5_000;

  const own: WriteTarget[] = [
    {
      db: database,
      table: 'mcp_ops.actuator_calls',
      columns: ['state', 'response', 'finished_at'],
      operation: 'update',
    },
  ];
  const columns = sql`id::text as id, call_id::text as call_id, args_hash, state, response::text as response,
    to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as first_at,
    expires_at <= clock_timestamp() as expired`;

  const held = async (db: Db, tool: string, principal: string, key: string): Promise<Held | undefined> =>
    (
      await db.execute<Held>(sql`select ${columns} from mcp_ops.actuator_calls
        where tool = ${tool} and principal = ${principal} and idempotency_key = ${key}`)
    )[0];

  /** What a row under this key means to a call with these arguments; null when the key is free. */
  function meaning(
    row: Held | undefined,
    argsDigest: string,
  ): Exclude<Claim, { kind: 'claimed' | 'rate-limited' }> | null {
    if (!row || row.expired || row.state === 'failed') return null;
    if (row.args_hash !== argsDigest) return { kind: 'conflict' };
    if (row.state === 'started') return { kind: 'in-progress', callId: row.call_id };
    return { kind: 'replay', callId: row.call_id, response: parse(row.response), firstAt: row.first_at };
  }

  /** One try. The lock of the tool makes look, count and insert one step; it is held for a few statements only. */
  async function tryClaim(request: ClaimRequest, key: string): Promise<Claim> {
    const { tool, argsDigest, callId, requestId } = request;
    const principal = columnKey(request.principal);
    return pool.transaction<Claim>(request.signal, {}, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`actuator:${tool}`}, 0))`);
      const row = await held(tx, tool, principal, key);
      const found = meaning(row, argsDigest);
      if (found) return found;
      const [hit] = await usedUp(tx, limits, request);
      if (hit) return { kind: 'rate-limited', ...hit };
      // An expired or failed call lets go of its key, but stays: it may still count, or wait to be recorded.
      if (row) {
        await tx.execute(sql`update mcp_ops.actuator_calls set idempotency_key = ${freed(row.call_id)},
          state = case state when 'started' then 'failed' else state end,
          finished_at = coalesce(finished_at, clock_timestamp()) where id = ${row.id}`);
      }
      const [made] = await tx.execute<{ id: string }>(sql`
        insert into mcp_ops.actuator_calls (tool, principal, idempotency_key, args_hash, target, state, request_id, call_id, started_at, expires_at)
        values (${tool}, ${principal}, ${key}, ${argsDigest}, ${columnKey(request.target)}, 'started', ${requestId}, ${callId},
          clock_timestamp(), clock_timestamp() + make_interval(secs => ${keyLifeS}))
        returning id::text as id`);
      return { kind: 'claimed', id: Number(made!.id) };
    });
  }

  /** Asks again until it gets something other than null or the time is over. Aborting ends it with the signal's reason. */
  async function poll<T>(ask: () => Promise<T | null>, signal: AbortSignal | undefined): Promise<T | null> {
    const end = performance.now() + waitMs;
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 2)) {
      signal?.throwIfAborted();
      const answer = await ask();
      const left = end - performance.now();
      if (answer !== null || left <= 0) return answer;
      await sleep(Math.min(pause, left), undefined, { signal }).catch(() => {});
    }
  }

  return {
    async claim(request) {
      const { tool, argsDigest, signal } = request;
      const principal = columnKey(request.principal);
      const key = request.key ?? `auto:${request.callId}`;
      let running: Claim | null = null;
      const answer = await poll(async () => {
        // While another call runs, a plain look does: the lock is for claiming.
        if (running) {
          const found = meaning(await pool.run(signal, (db) => held(db, tool, principal, key)), argsDigest);
          if (found?.kind === 'in-progress') return null;
        }
        const claim = await tryClaim(request, key);
        if (claim.kind !== 'in-progress') return claim;
        running = claim;
        return null;
      }, signal);
      return (answer ?? running)!;
    },

    async complete(tx, { id, response }) {
      const done = await tx.writer(own).update(actuatorCalls, {
        set: {
          state: 'done',
          response: sql`${stored(response)}::text::jsonb`,
          finishedAt: sql`clock_timestamp()`,
        },
        where: and(eq(actuatorCalls.id, id), eq(actuatorCalls.state, 'started'))!,
        returning: { id: actuatorCalls.id },
      });
      if (done.length !== 1) {
        throw new ToolError('TIMEOUT', { message: 'The call took too long and was given up. Nothing was changed.' });
      }
    },

    async storeResponse({ id, response, counted = true }) {
      const done = await pool.run(undefined, (db) =>
        db.execute(sql`update mcp_ops.actuator_calls
          set state = 'done', response = ${stored(response)}::text::jsonb, counted = ${counted},
            finished_at = coalesce(finished_at, clock_timestamp())
          where id = ${id} and state in ('started', 'done')`),
      );
      return done.count === 1;
    },

    async release({ id, counted }) {
      await pool.run(undefined, (db) =>
        db.execute(
          counted
            ? sql`update mcp_ops.actuator_calls set state = 'failed', finished_at = clock_timestamp(),
                idempotency_key = 'freed/' || call_id where id = ${id} and state = 'started'`
            : sql`delete from mcp_ops.actuator_calls where id = ${id} and state = 'started'`,
        ),
      );
    },

    usedUp: (counted, signal) => pool.run(signal, (db) => usedUp(db, limits, counted)),

    async hasAnswer({ tool, principal, key }, signal) {
      const row = await pool.run(signal, (db) => held(db, tool, columnKey(principal), key));
      return row !== undefined && row.state === 'done' && !row.expired;
    },

    async outcomeOf(callId, signal) {
      const ended = await poll(async (): Promise<CallOutcome | null> => {
        const [row] = await pool.run(signal, (db) =>
          db.execute<Held>(sql`select ${columns} from mcp_ops.actuator_calls where call_id = ${callId}`),
        );
        if (row?.state === 'started') return null;
        if (row?.state !== 'done') return { kind: 'none' };
        return { kind: 'replay', response: parse(row.response), firstAt: row.first_at };
      }, signal);
      return ended ?? { kind: 'in-progress' };
    },

    async removeExpired() {
      const gone = await pool.run(undefined, (db) =>
        db.execute(sql`delete from mcp_ops.actuator_calls
          where expires_at <= clock_timestamp() and recorded_at is not null and state <> 'started'`),
      );
      return gone.count;
    },
  };
}

/** A slash can't stand in a caller's key, so a freed key meets no other. */
const freed = (callId: string): string => `freed/${callId}`;
const stored = (response: JsonValue): string => JSON.stringify(storableJson(response));
const parse = (text: string | null): JsonValue => (text === null ? null : (JSON.parse(text) as JsonValue));
