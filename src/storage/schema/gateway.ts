/** The gateway's own tables, in the database `gateway`. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { instant } from './types.ts';

export type AuditPhase = 'started' | 'completed' | 'reconciled' | 'event';

/**
 * One row for every decision, each holding the hash of the one before. The table belongs to a role that cannot log in; the gateway
 * may add and read rows, not change or remove them. A call of a write tool has two rows, `started` before the effect and
 * `completed` after it (or `reconciled`, when a later run found the outcome of a call that was cut off); other calls have one.
 * `event` rows are decisions that are no call: a vote on an approval, a changed key, a start with another catalogue.
 */
export const auditRecords = pgTable(
  'audit_records',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    phase: varchar('phase', { length: 16 }).$type<AuditPhase>().notNull(),
    callId: uuid('call_id').notNull(),
    requestId: uuid('request_id'),
    traceId: char('trace_id', { length: 32 }),
    server: varchar('server', { length: 64 }).notNull(),
    tool: varchar('tool', { length: 128 }).notNull(),
    tier: varchar('tier', { length: 8 }),
    principal: varchar('principal', { length: 256 }).notNull(),
    issuer: varchar('issuer', { length: 512 }),
    client: varchar('client', { length: 256 }),
    onBehalfOf: varchar('on_behalf_of', { length: 256 }),
    profile: varchar('profile', { length: 64 }),
    policyVersion: varchar('policy_version', { length: 64 }),
    catalogueDigest: char('catalogue_digest', { length: 64 }),
    argsDigest: char('args_digest', { length: 64 }),
    /** Only the fields a tool's schema marks auditable, scrubbed. */
    args: jsonb('args'),
    status: varchar('status', { length: 24 }),
    code: varchar('code', { length: 64 }),
    rows: integer('rows'),
    redactions: integer('redactions'),
    approvalId: uuid('approval_id'),
    approvers: text('approvers').array(),
    idempotencyKey: varchar('idempotency_key', { length: 128 }),
    replayed: boolean('replayed'),
    durationMs: integer('duration_ms'),
    /** What else explains the decision: the gate that refused, a tier raised by arguments, the vote. Scrubbed. */
    detail: jsonb('detail'),
    prevHash: char('prev_hash', { length: 64 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  (t) => [
    index('audit_records_at').on(t.at),
    index('audit_records_call_id').on(t.callId),
    index('audit_records_request_id').on(t.requestId),
    index('audit_records_principal').on(t.principal, t.at),
    index('audit_records_tool').on(t.server, t.tool, t.at),
    index('audit_records_approval_id').on(t.approvalId).where(sql`approval_id is not null`),
    check('audit_records_phase', sql`phase in ('started', 'completed', 'reconciled', 'event')`),
    check('audit_records_seq', sql`seq > 0`),
  ],
);

/** The end of the chain, one row: locked to add a record, so that all replicas write one chain; records cut off the end are missed. */
export const auditHead = pgTable(
  'audit_head',
  {
    single: boolean('single').primaryKey().default(true),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
  },
  () => [check('audit_head_single', sql`single`)],
);

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'consumed' | 'expired' | 'superseded';

/** A single-use grant for one exact call. */
export const approvals = pgTable(
  'approvals',
  {
    id: uuid('id').primaryKey(),
    principal: varchar('principal', { length: 256 }).notNull(),
    issuer: varchar('issuer', { length: 512 }),
    client: varchar('client', { length: 256 }),
    /** The human for whom the requester acts; neither of the two may approve. */
    onBehalfOf: varchar('on_behalf_of', { length: 256 }),
    server: varchar('server', { length: 64 }).notNull(),
    tool: varchar('tool', { length: 128 }).notNull(),
    tier: varchar('tier', { length: 8 }).notNull(),
    argsDigest: char('args_digest', { length: 64 }).notNull(),
    /** The arguments as an approver sees them, scrubbed. */
    args: jsonb('args').notNull(),
    reason: text('reason'),
    summary: text('summary').notNull(),
    preconditions: jsonb('preconditions').notNull(),
    requiredApprovals: smallint('required_approvals').notNull(),
    policyVersion: varchar('policy_version', { length: 64 }).notNull(),
    status: varchar('status', { length: 16 }).$type<ApprovalStatus>().notNull().default('pending'),
    requestedAt: instant('requested_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    approvedAt: instant('approved_at'),
    deniedAt: instant('denied_at'),
    deniedBy: varchar('denied_by', { length: 256 }),
    consumedAt: instant('consumed_at'),
    consumedByCall: uuid('consumed_by_call'),
  },
  (t) => [
    // One open request for one exact call: asking again finds it.
    uniqueIndex('approvals_open')
      .on(t.principal, t.server, t.tool, t.argsDigest)
      .where(sql`status in ('pending', 'approved')`),
    index('approvals_status').on(t.status, t.expiresAt),
    index('approvals_call').on(t.principal, t.server, t.tool, t.argsDigest, t.requestedAt.desc().nullsFirst()),
    check(
      'approvals_status_check',
      sql`status in ('pending', 'approved', 'denied', 'consumed', 'expired', 'superseded')`,
    ),
    check('approvals_required_check', sql`required_approvals between 1 and 9`),
    check('approvals_consumed_check', sql`(status = 'consumed') = (consumed_at is not null)`),
  ],
);

/** One vote of one human on one request. */
export const approvalVotes = pgTable(
  'approval_votes',
  {
    approvalId: uuid('approval_id')
      .notNull()
      .references(() => approvals.id),
    approver: varchar('approver', { length: 256 }).notNull(),
    issuer: varchar('issuer', { length: 512 }).notNull().default(''),
    vote: varchar('vote', { length: 8 }).$type<'approve' | 'deny'>().notNull(),
    comment: text('comment'),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'approval_votes_pk', columns: [t.approvalId, t.issuer, t.approver] }),
    check('approval_votes_vote', sql`vote in ('approve', 'deny')`),
  ],
);

/** Idempotency of write tools whose effect lies in no database of the operation. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    server: varchar('server', { length: 64 }).notNull(),
    tool: varchar('tool', { length: 128 }).notNull(),
    principal: varchar('principal', { length: 256 }).notNull(),
    key: varchar('key', { length: 128 }).notNull(),
    argsDigest: char('args_digest', { length: 64 }).notNull(),
    target: varchar('target', { length: 256 }),
    state: varchar('state', { length: 16 }).$type<'started' | 'done' | 'failed'>().notNull(),
    response: jsonb('response'),
    callId: uuid('call_id').notNull(),
    requestId: uuid('request_id'),
    recordedAt: instant('recorded_at'),
    startedAt: instant('started_at').notNull().default(sql`now()`),
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pk', columns: [t.server, t.tool, t.principal, t.key] }),
    index('idempotency_keys_expires_at').on(t.expiresAt),
    index('idempotency_keys_target').on(t.server, t.tool, t.target, t.startedAt.desc().nullsFirst()),
    index('idempotency_keys_principal').on(t.server, t.tool, t.principal, t.startedAt.desc().nullsFirst()),
    check('idempotency_keys_state', sql`state in ('started', 'done', 'failed')`),
  ],
);

/** Counts of reads by all replicas, one row a scope and window, added to about once a second. */
export const readCounters = pgTable(
  'read_counters',
  {
    scope: varchar('scope', { length: 512 }).notNull(),
    windowStart: instant('window_start').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [
    primaryKey({ name: 'read_counters_pk', columns: [t.scope, t.windowStart] }),
    index('read_counters_window').on(t.windowStart),
  ],
);

/** API keys. The key itself is shown once when made; stored is its HMAC under the gateway's own secret. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    name: varchar('name', { length: 128 }).notNull(),
    /** First characters of the key, to recognise it in a list. */
    prefix: varchar('prefix', { length: 16 }).notNull(),
    keyHash: char('key_hash', { length: 64 }).notNull(),
    principal: varchar('principal', { length: 256 }).notNull(),
    roles: text('roles').array().notNull(),
    scopes: text('scopes').array().notNull(),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    createdBy: varchar('created_by', { length: 256 }).notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    revokedBy: varchar('revoked_by', { length: 256 }),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [unique('api_keys_hash').on(t.keyHash), index('api_keys_principal').on(t.principal)],
);
