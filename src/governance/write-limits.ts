/** Exact limits on writes, counted over the intents in `mcp_ops.actuator_calls`. */
import { sql } from 'drizzle-orm';
import { sha256 } from '../kit/json.ts';
import type { Db } from '../storage/pool.ts';

export interface WriteLimit {
  readonly calls: number;
  readonly windowS: number;
}
export interface WriteLimits {
  /** For each principal and tool. */
  readonly principal: WriteLimit;
  /** For each tool and target. */
  readonly target: WriteLimit;
  /** For each tool over all principals. */
  readonly tool: WriteLimit;
}
export const DEFAULT_WRITE_LIMITS: WriteLimits = {
  principal: { calls: 30, windowS: 60 },
  target: { calls: 6, windowS: 3_600 },
  tool: { calls: 600, windowS: 3_600 },
};

export type LimitScope = keyof WriteLimits;
export interface LimitHit {
  readonly scope: LimitScope;
  readonly limit: WriteLimit;
  /** Whole seconds until one more call fits. */
  readonly retryAfterS: number;
}

export interface Counted {
  readonly tool: string;
  readonly principal: string;
  /** Null while the arguments are not known yet: the limit of the target is left out. */
  readonly target: string | null;
}

/** Principals and targets as their columns hold them: what is longer than 128 characters is told apart by its digest. */
export const columnKey = (text: string): string => (text.length <= 128 ? text : `sha256:${sha256(text)}`);

/**
 * The limits that are used up, the longest wait first. A limit of n calls is used up when the n-th newest counted call is still in the window, and frees when
 * that call leaves it. Exact when the caller holds the tool's lock; the database's clock decides, so replicas agree.
 */
export async function usedUp(db: Db, limits: WriteLimits, counted: Counted): Promise<LimitHit[]> {
  const { tool } = counted;
  const principal = columnKey(counted.principal);
  const target = counted.target === null ? null : columnKey(counted.target);
  const [row] = await db.execute<Record<LimitScope, string | null>>(sql`select
    (select extract(epoch from started_at - clock_timestamp()) from mcp_ops.actuator_calls
      where counted and tool = ${tool} and principal = ${principal}
        and started_at > clock_timestamp() - make_interval(secs => ${limits.principal.windowS})
      order by started_at desc offset ${limits.principal.calls - 1} limit 1)::text as principal,
    (select extract(epoch from started_at - clock_timestamp()) from mcp_ops.actuator_calls
      where counted and tool = ${tool} and target = ${target}::text
        and started_at > clock_timestamp() - make_interval(secs => ${limits.target.windowS})
      order by started_at desc offset ${limits.target.calls - 1} limit 1)::text as target,
    (select extract(epoch from started_at - clock_timestamp()) from mcp_ops.actuator_calls
      where counted and tool = ${tool}
        and started_at > clock_timestamp() - make_interval(secs => ${limits.tool.windowS})
      order by started_at desc offset ${limits.tool.calls - 1} limit 1)::text as tool`);
  const hits: LimitHit[] = [];
  for (const scope of ['principal', 'target', 'tool'] as const) {
    const age = row?.[scope] ?? null;
    if (age === null) continue;
    const limit = limits[scope];
    hits.push({ scope, limit, retryAfterS: Math.max(1, Math.ceil(limit.windowS + Number(age))) });
  }
  return hits.sort((a, b) => b.retryAfterS - a.retryAfterS);
}
