/**
 * Finds how writes ended whose process ended first, and records it.
 *
 * Guarantees: an intent that is still `started` after `staleS` had no effect (its effect would have made it `done` in the same transaction);
 * it turns `failed`, and a transaction of it that is somehow still open can then no longer commit. Every intent gets a record of its
 * outcome: the one its call wrote, or one of kind `reconciled`. Several replicas may run this at once: a row is worked on by one of them, and a
 * replica that dies in between leaves it to the next. A `started` record without any intent is completed too.
 * Leaves to others: how often it runs (at start and each minute), and messages that the effect left in the outbox.
 */
import { sql } from 'drizzle-orm';
import type { JsonValue } from '../kit/json.ts';
import type { Db, Pool } from '../storage/pool.ts';
import type { AuditEntry, AuditOutcome } from './audit/entry.ts';
import type { AuditLog } from './audit/log.ts';

export interface EffectStore {
  readonly database: string;
  /** Write role of the database that holds `mcp_ops.actuator_calls` (`Connections.ownTables`). */
  readonly pool: Pool;
}

export interface ReconcileOptions {
  readonly stores: readonly EffectStore[];
  /** The gateway's own database. One connection is held while records are written, so the pool needs two. */
  readonly gateway: Pool;
  readonly audit: AuditLog;
  /** Older than this a call can't be running any more: above the longest deadline, seconds. */
  readonly staleS: number;
  /** How far back `started` records without an intent are looked for, seconds. */
  readonly lookBackS?: number;
  /** True when calls of this tool keep their intent in one of `stores`. */
  readonly keepsIntent: (server: string, tool: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface Reconciled {
  /** Intents without an effect. */
  readonly failed: number;
  /** Intents whose effect is there but whose outcome was not recorded. */
  readonly done: number;
  /** `started` records whose intent is gone or never was. */
  readonly orphaned: number;
  /** Databases whose intents could not be settled now, and why; they are left to the next run. */
  readonly unreachable: readonly { readonly database: string; readonly error: unknown }[];
}

const AT_ONCE = 100;

type Intent = {
  readonly id: string;
  readonly call_id: string;
  readonly request_id: string | null;
  readonly tool: string;
  readonly principal: string;
  readonly idempotency_key: string;
  readonly args_hash: string;
  readonly state: 'started' | 'done' | 'failed';
  readonly response: string | null;
};

type StartedRecord = {
  readonly call_id: string;
  readonly request_id: string | null;
  readonly trace_id: string | null;
  readonly server: string;
  readonly tool: string;
  readonly tier: string | null;
  readonly principal: string;
  readonly issuer: string | null;
  readonly client: string | null;
  readonly on_behalf_of: string | null;
  readonly profile: string | null;
  readonly policy_version: string | null;
  readonly catalogue_digest: string | null;
  readonly args_digest: string | null;
  readonly approval_id: string | null;
  readonly approvers: string | null;
  readonly idempotency_key: string | null;
};
const STARTED_COLUMNS =
  sql.raw(`call_id::text as call_id, request_id::text as request_id, trace_id, server, tool, tier, principal, issuer, client,
  on_behalf_of, profile, policy_version, catalogue_digest, args_digest, approval_id::text as approval_id,
  array_to_json(approvers)::text as approvers, idempotency_key`);

export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const total = { failed: 0, done: 0, orphaned: 0 };
  const unreachable: { database: string; error: unknown }[] = [];
  for (const store of options.stores) {
    try {
      for (let more = true; more; ) {
        options.signal?.throwIfAborted();
        const part = await reconcileIntents(options, store);
        total.failed += part.failed;
        total.done += part.done;
        more = part.seen === AT_ONCE;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      // The other databases still get their turn.
      unreachable.push({ database: store.database, error });
    }
  }
  // Whether an intent exists anywhere can only be told when every database answers.
  if (unreachable.length === 0) total.orphaned = await reconcileOrphans(options);
  return { ...total, unreachable };
}

/** One batch of intents of one database. Their rows stay locked until the records are in the log, so no other replica takes them. */
async function reconcileIntents(
  { gateway, audit, staleS, signal }: ReconcileOptions,
  { database, pool }: EffectStore,
): Promise<{ seen: number; failed: number; done: number }> {
  return pool.transaction(signal, {}, async (tx) => {
    const intents = await tx.execute<Intent>(sql`
      select id::text as id, call_id::text as call_id, request_id::text as request_id, tool, principal, idempotency_key, args_hash, state,
        response::text as response
      from mcp_ops.actuator_calls
      where recorded_at is null and started_at < clock_timestamp() - make_interval(secs => ${staleS})
      order by id limit ${AT_ONCE} for update skip locked`);
    if (intents.length === 0) return { seen: 0, failed: 0, done: 0 };
    const ids = intents.map((intent) => intent.id);
    await tx.execute(sql`update mcp_ops.actuator_calls
      set state = 'failed', idempotency_key = 'freed/' || call_id, finished_at = clock_timestamp()
      where id in ${ids} and state = 'started'`);
    const calls = intents.map((intent) => intent.call_id);
    const { ended, started } = await gateway.run(signal, async (db) => ({
      ended: await endedCalls(db, calls),
      started: await startedRecords(db, calls),
    }));
    let failed = 0;
    let done = 0;
    await Promise.all(
      intents.map(async (intent) => {
        if (ended.has(intent.call_id)) return;
        if (intent.state === 'done') done += 1;
        else failed += 1;
        await audit.write(entryOf(intent, started.get(intent.call_id), database));
      }),
    );
    await tx.execute(sql`update mcp_ops.actuator_calls set recorded_at = clock_timestamp() where id in ${ids}`);
    return { seen: intents.length, failed, done };
  });
}

async function endedCalls(db: Db, calls: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ call_id: string }>(sql`select distinct call_id::text as call_id from audit_records
    where call_id in ${calls} and phase in ('completed', 'reconciled')`);
  return new Set(rows.map((row) => row.call_id));
}

async function startedRecords(db: Db, calls: readonly string[]): Promise<Map<string, StartedRecord>> {
  const rows = await db.execute<StartedRecord>(sql`select ${STARTED_COLUMNS} from audit_records
    where call_id in ${calls} and phase = 'started'`);
  return new Map(rows.map((row) => [row.call_id, row]));
}

/** A `started` record whose call left no intent: the claim was given back, or the record came first and nothing after it. */
async function reconcileOrphans(options: ReconcileOptions): Promise<number> {
  const { gateway, audit, staleS, stores, keepsIntent, signal } = options;
  const lookBackS = options.lookBackS ?? 7 * 86_400;
  return gateway.transaction(signal, {}, async (tx) => {
    const [lock] = await tx.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('reconcile orphans', 0)) as held`,
    );
    if (!lock!.held) return 0;
    const records = await tx.execute<StartedRecord>(sql`select ${STARTED_COLUMNS} from audit_records s
      where s.phase = 'started' and s.at < clock_timestamp() - make_interval(secs => ${staleS})
        and s.at > clock_timestamp() - make_interval(secs => ${lookBackS})
        and not exists (select from audit_records e where e.call_id = s.call_id and e.phase in ('completed', 'reconciled'))
      order by s.seq limit ${AT_ONCE}`);
    if (records.length === 0) return 0;
    const kept = new Set<string>();
    const calls = records.map((record) => record.call_id);
    for (const { pool } of stores) {
      const rows = await pool.run(signal, (db) =>
        db.execute<{ call_id: string }>(
          sql`select call_id::text as call_id from mcp_ops.actuator_calls where call_id in ${calls}`,
        ),
      );
      for (const row of rows) kept.add(row.call_id);
    }
    const orphans = records.filter((record) => !kept.has(record.call_id));
    await Promise.all(
      orphans.map((record) =>
        audit.write({
          ...fromStarted(record),
          ...FAILED,
          detail: { effect: keepsIntent(record.server, record.tool) ? 'none' : 'unknown' },
        }),
      ),
    );
    return orphans.length;
  });
}

const FAILED = { status: 'error', errorCode: 'INTERNAL', outcome: 'error' as AuditOutcome };

function entryOf(intent: Intent, record: StartedRecord | undefined, database: string): AuditEntry {
  const known = record
    ? fromStarted(record)
    : // The process ended between the claim and its record: the intent is all there is.
      fromStarted({
        ...NOTHING,
        call_id: intent.call_id,
        request_id: intent.request_id,
        tool: intent.tool,
        principal: intent.principal,
        args_digest: intent.args_hash,
        idempotency_key: /^(auto:|freed\/)/.test(intent.idempotency_key) ? null : intent.idempotency_key,
      });
  if (intent.state !== 'done') return { ...known, ...FAILED, detail: { database, effect: 'none' } };
  const { status, errorCode } = answered(intent.response === null ? null : (JSON.parse(intent.response) as JsonValue));
  const outcome: AuditOutcome = status === 'success' ? 'allow' : 'error';
  return { ...known, status, errorCode, outcome, detail: { database, effect: 'found' } };
}

/** Status and code of the stored answer, where it is a whole result; data alone was a success. */
function answered(response: JsonValue): { status: string; errorCode: string | null } {
  if (response !== null && typeof response === 'object' && !Array.isArray(response)) {
    const { status, code } = response;
    if (status === 'error' || status === 'blocked')
      return { status, errorCode: typeof code === 'string' ? code : null };
  }
  return { status: 'success', errorCode: null };
}

const NOTHING: StartedRecord = {
  call_id: '',
  request_id: null,
  trace_id: null,
  server: '',
  tool: '',
  tier: null,
  principal: '',
  issuer: null,
  client: null,
  on_behalf_of: null,
  profile: null,
  policy_version: null,
  catalogue_digest: null,
  args_digest: null,
  approval_id: null,
  approvers: null,
  idempotency_key: null,
};

const fromStarted = (record: StartedRecord) => ({
  kind: 'reconciled' as const,
  phase: 'completed' as const,
  callId: record.call_id,
  requestId: record.request_id,
  traceId: record.trace_id,
  principal: { id: record.principal, issuer: record.issuer, client: record.client, onBehalfOf: record.on_behalf_of },
  profile: record.profile,
  policyVersion: record.policy_version,
  server: record.server,
  tool: record.tool,
  tier: record.tier,
  argsDigest: record.args_digest,
  auditable: null,
  catalogueDigest: record.catalogue_digest,
  rows: null,
  redactions: null,
  approvalId: record.approval_id,
  approvers: record.approvers === null ? [] : (JSON.parse(record.approvers) as string[]),
  idempotencyKey: record.idempotency_key,
  durationMs: null,
});
