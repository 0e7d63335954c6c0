import type { JsonObject } from './json.ts';
import type { Principal } from './principal.ts';

/**
 * What a tool may ask for by name in `needs`. Empty here on purpose: the room that owns a resource adds it with
 * `declare module '../kit/context.ts' { interface Resources { ... } }`, so that kit imports nothing.
 */
// biome-ignore lint/suspicious/noEmptyInterface: members come in by declaration merging from the rooms that own them
export interface Resources {}

/** The transaction in which an actuator changes something. Members come from storage (reads that lock, the writer) by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: members come in by declaration merging from the storage room
export interface EffectTransaction {}

export interface ToolContext<Need extends keyof Resources = never> {
  readonly server: string;
  readonly tool: string;
  /** One id a call; the audit records and the intent row carry it. */
  readonly callId: string;
  readonly principal: Principal;
  /** Fires on deadline, on client disconnect, and on shutdown. Hand it to every query, request and worker. */
  readonly signal: AbortSignal;
  /** When the signal fires at the latest [ms, as performance.now()]. For work that can hand in a part before. */
  readonly deadline: number;
  readonly use: Pick<Resources, Need>;
  /** The approval this call consumed, for tools that store it. */
  readonly approval: { readonly id: string; readonly approvedBy: readonly string[]; readonly tier: string } | null;
  /** The caller's `reason`, for tools that store it. Already screened for card data. */
  readonly reason: string | null;
  /** The tier this call runs under (after the tier function). */
  readonly tier: string;
  /** The caller gave an idempotency_key: the window in which an equal action counts as a duplicate does not apply (an action in flight still does). */
  readonly keyed: boolean;
  /** Optional columns of the tool's `reads` that the database lacks now, as `product.tms_terminals.battery_level`. They read as null. */
  readonly drift: ReadonlySet<string>;
  /** Tells the client how far a long call is. Calls without a progress token ignore it. */
  progress(done: number, total?: number, message?: string): void;
  log(message: string, fields?: JsonObject): void;
  /**
   * Runs `work` in one transaction of the database that the tool's `writes` name. `work` returns the `data` of the answer as it stands at
   * commit (`delivery: "queued"`, say). The intent row of this call turns `done` in that same transaction with that data as the answer to
   * replay, so effect and record are committed together or not at all; what the tool returns in the end replaces it. Once only a call.
   * `work` may throw a ToolError or ApprovalOutdated: then nothing is committed. Not offered to read tools (throws).
   */
  effect<T>(work: (tx: EffectTransaction) => Promise<T>): Promise<T>;
}
