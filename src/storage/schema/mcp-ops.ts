/**
 * The schema `mcp_ops`, ours, in each writable database of the operation. A row of `actuator_calls` is the intent of a write: it
 * is committed in the database of the effect together with the effect, so that after a crash the two can be told apart
 * (effect found or not). `call_id` ties it to the audit records of the call in the gateway database.
 */
import { sql } from 'drizzle-orm';
import { bigserial, boolean, char, check, index, jsonb, pgSchema, unique, uuid, varchar } from 'drizzle-orm/pg-core';
import { instant } from './types.ts';

export const mcpOps = pgSchema('mcp_ops');

export const actuatorCalls = mcpOps.table(
  'actuator_calls',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    tool: varchar('tool', { length: 64 }).notNull(),
    principal: varchar('principal', { length: 128 }).notNull(),
    idempotencyKey: varchar('idempotency_key', { length: 128 }).notNull(),
    argsHash: char('args_hash', { length: 64 }).notNull(),
    target: varchar('target', { length: 128 }).notNull(),
    state: varchar('state', { length: 16 }).$type<'started' | 'done' | 'failed'>().notNull(),
    response: jsonb('response'),
    requestId: uuid('request_id'),
    callId: uuid('call_id').notNull(),
    /** Whether the call uses up the limits on writes: a suppressed duplicate does not. */
    counted: boolean('counted').notNull().default(true),
    /** When the audit trail learnt the outcome of this intent; null is what the reconciliation looks for. */
    recordedAt: instant('recorded_at'),
    startedAt: instant('started_at').notNull().default(sql`now()`),
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    unique('actuator_calls_key').on(t.tool, t.principal, t.idempotencyKey),
    index('actuator_calls_target').on(t.tool, t.target, t.startedAt.desc().nullsFirst()),
    index('actuator_calls_principal').on(t.tool, t.principal, t.startedAt.desc().nullsFirst()),
    index('actuator_calls_started').on(t.tool, t.startedAt.desc()),
    index('actuator_calls_expires_at').on(t.expiresAt),
    index('actuator_calls_unrecorded').on(t.startedAt).where(sql`recorded_at is null`),
    index('actuator_calls_call_id').on(t.callId),
    check('actuator_calls_state', sql`state in ('started', 'done', 'failed')`),
  ],
);
