/**
 * Gate 3: how often one principal may call.
 *
 * Guarantees: the key is the verified principal, so reconnecting refills nothing. Writes: the exact counts of the database are looked at,
 * and a database that can't be asked refuses them. Reads: within this process never more than the limit in any window; memory is bounded,
 * and a key is only forgotten to make room when it is the one longest unused.
 * Approximate, and meant to be: reads are counted in steps of a twelfth of the window, and other replicas' reads are known a second late,
 * so n replicas together may let through what arrives within that second. A count that can't be shared leaves each replica its own.
 * Leaves to others: the deciding count of writes, which gate 5 takes in the transaction of the claim (claims.ts).
 */
import { type SQL, sql } from 'drizzle-orm';
import { StorageError } from '../storage/errors.ts';
import type { Pool } from '../storage/pool.ts';
import type { Claims } from './claims.ts';
import type { LimitScope } from './write-limits.ts';

export interface RateLimit {
  readonly calls: number;
  readonly windowS: number;
}

export type RateDecision =
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'limited';
      readonly scope: 'read' | LimitScope;
      readonly limit: RateLimit;
      readonly retryAfterS: number;
    }
  /** The counts can't be asked and the setting is to refuse. */
  | { readonly kind: 'unavailable' };

export interface RateLimiterOptions {
  readonly reads: RateLimit;
  /** Whether reads go on while counts can't be shared. */
  readonly readsWhenStoreDown: 'allow' | 'refuse';
  /** The gateway's own database; null keeps the counts of reads in this process. */
  readonly pool: Pool | null;
  /** Told when sharing begins to fail and when it works again. */
  readonly onSharing?: (state: 'failing' | 'working', error?: unknown) => void;
  readonly maxKeys?: number;
  readonly shareEveryMs?: number;
  readonly clock?: () => number;
}

export interface WriteQuestion {
  readonly tool: string;
  readonly principal: string;
  /** The key the caller gave: a call with an answer to replay takes nothing and is let through. */
  readonly key: string | null;
}

export interface RateLimiter {
  /** Counts this call when it is allowed. */
  checkRead(principal: string, server: string, tool: string): RateDecision;
  /** Looks only; the claim counts. */
  checkWrite(claims: Claims, question: WriteQuestion): Promise<RateDecision>;
  /** Adds this process's counts to the shared ones and learns those of others. Called by itself every second. */
  share(): Promise<void>;
  close(): Promise<void>;
  readonly keys: number;
}

const STEPS = 12;
/** A full window and the step it reaches into. */
const KEPT = STEPS + 1;
const ROWS_A_STATEMENT = 2_000;

interface Counter {
  /** Number of the newest step; `own` and `others` are rings over step numbers. */
  step: number;
  readonly own: Uint32Array;
  readonly others: Uint32Array;
  /** What of `own` is in the shared table. */
  readonly shared: Uint32Array;
}

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { reads, pool } = options;
  const clock = options.clock ?? Date.now;
  const maxKeys = options.maxKeys ?? 50_000;
  const stepMs = (reads.windowS * 1_000) / STEPS;
  /** In order of use, the longest unused first. */
  const counters = new Map<string, Counter>();
  let failing = false;
  let sharing: Promise<void> | null = null;
  let shares = 0;

  const timer = pool ? setInterval(() => void share(), options.shareEveryMs ?? 1_000) : null;
  timer?.unref();

  function advance(counter: Counter, step: number): void {
    const passed = Math.min(KEPT, step - counter.step);
    for (let i = 1; i <= passed; i++) {
      const at = (counter.step + i) % KEPT;
      counter.own[at] = 0;
      counter.others[at] = 0;
      counter.shared[at] = 0;
    }
    if (step > counter.step) counter.step = step;
  }

  function counterOf(scope: string, step: number): Counter {
    let counter = counters.get(scope);
    if (counter) {
      counters.delete(scope);
    } else {
      if (counters.size >= maxKeys) counters.delete(counters.keys().next().value!);
      counter = { step, own: new Uint32Array(KEPT), others: new Uint32Array(KEPT), shared: new Uint32Array(KEPT) };
    }
    counters.set(scope, counter);
    advance(counter, step);
    return counter;
  }

  function checkRead(principal: string, server: string, tool: string): RateDecision {
    if (failing && options.readsWhenStoreDown === 'refuse') return { kind: 'unavailable' };
    const now = clock();
    const step = Math.floor(now / stepMs);
    const counter = counterOf(`${server}/${tool} ${principal}`, step);
    let total = 0;
    for (let i = 0; i < KEPT; i++) total += counter.own[i]! + counter.others[i]!;
    if (total < reads.calls) {
      counter.own[counter.step % KEPT]! += 1;
      return { kind: 'allowed' };
    }
    // Steps leave the count oldest first; wait for the one after which there is room.
    let free = counter.step - STEPS;
    for (; free < counter.step; free++) {
      total -= counter.own[free % KEPT]! + counter.others[free % KEPT]!;
      if (total < reads.calls) break;
    }
    const retryAfterS = Math.max(1, Math.ceil(((free + KEPT) * stepMs - now) / 1_000));
    return { kind: 'limited', scope: 'read', limit: reads, retryAfterS };
  }

  async function shareNow(db: Pool): Promise<void> {
    const run = <T extends Record<string, unknown>>(statement: SQL) =>
      db.run(undefined, (drizzle) => drizzle.execute<T>(statement));
    const oldest = Math.floor(clock() / stepMs) - STEPS;
    const scopes: string[] = [];
    const news: { scope: string; at: string; count: number; step: number; counter: Counter }[] = [];
    for (const [scope, counter] of counters) {
      if (counter.step < oldest) {
        // Nothing left in its window.
        counters.delete(scope);
        continue;
      }
      scopes.push(scope);
      for (let step = Math.max(oldest, counter.step - STEPS); step <= counter.step; step++) {
        const count = counter.own[step % KEPT]! - counter.shared[step % KEPT]!;
        if (count > 0) news.push({ scope, at: new Date(step * stepMs).toISOString(), count, step, counter });
      }
    }
    for (let i = 0; i < news.length; i += ROWS_A_STATEMENT) {
      const part = news.slice(i, i + ROWS_A_STATEMENT);
      // In one order everywhere, or two replicas could lock each other out.
      part.sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : a.step - b.step));
      const json = JSON.stringify(part.map(({ scope, at, count }) => ({ scope, at, count })));
      await run(sql`insert into read_counters (scope, window_start, count)
        select scope, at, count from jsonb_to_recordset(${json}::text::jsonb) as r(scope text, at timestamptz, count int)
        on conflict (scope, window_start) do update set count = read_counters.count + excluded.count`);
      for (const { counter, step, count } of part) {
        if (step >= counter.step - STEPS) counter.shared[step % KEPT]! += count;
      }
    }
    for (let i = 0; i < scopes.length; i += ROWS_A_STATEMENT) {
      const json = JSON.stringify(scopes.slice(i, i + ROWS_A_STATEMENT));
      const rows = await run<{ scope: string; at: string; count: number }>(sql`
        select scope, (extract(epoch from window_start) * 1000)::bigint::text as at, count from read_counters
        where scope in (select jsonb_array_elements_text(${json}::text::jsonb))
          and window_start >= ${new Date(oldest * stepMs).toISOString()}::text::timestamptz`);
      for (const { scope, at, count } of rows) {
        const counter = counters.get(scope);
        const step = Math.round(Number(at) / stepMs);
        if (!counter || step > counter.step || step < counter.step - STEPS) continue;
        counter.others[step % KEPT] = Math.max(0, count - counter.shared[step % KEPT]!);
      }
    }
    if (shares++ % STEPS === 0) {
      const old = new Date((oldest - STEPS) * stepMs).toISOString();
      await run(sql`delete from read_counters where window_start < ${old}::text::timestamptz`);
    }
  }

  function share(): Promise<void> {
    if (!pool) return Promise.resolve();
    sharing ??= shareNow(pool)
      .then(
        () => {
          if (failing) options.onSharing?.('working');
          failing = false;
        },
        (error: unknown) => {
          if (!failing) options.onSharing?.('failing', error);
          failing = true;
        },
      )
      .finally(() => {
        sharing = null;
      });
    return sharing;
  }

  return {
    checkRead,
    async checkWrite(claims, { tool, principal, key }) {
      try {
        const [hit] = await claims.usedUp({ tool, principal, target: null });
        if (!hit) return { kind: 'allowed' };
        if (key !== null && (await claims.hasAnswer({ tool, principal, key }))) return { kind: 'allowed' };
        const { scope, limit, retryAfterS } = hit;
        return { kind: 'limited', scope, limit, retryAfterS };
      } catch (error) {
        if (error instanceof StorageError && (error.kind === 'unavailable' || error.kind === 'timeout'))
          return { kind: 'unavailable' };
        throw error;
      }
    },
    share,
    async close() {
      if (timer) clearInterval(timer);
      await sharing;
    },
    get keys() {
      return counters.size;
    },
  };
}
