/**
 * The outbox of device commands in the product database. A row commits together with the business rows it belongs to; the relay
 * publishes afterwards.
 */
import { sql } from 'drizzle-orm';
import {
  bigserial,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { mcpOps } from './mcp-ops.ts';
import { instant } from './types.ts';

export const OUTBOX_STATES = [
  'pending',
  'publishing',
  'published',
  'acked',
  'nacked',
  'expired',
  'dead',
  'cancelled',
] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

export const mqttOutbox = mcpOps.table(
  'mqtt_outbox',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    commandId: uuid('command_id').notNull(),
    serialNumber: varchar('serial_number', { length: 64 }).notNull(),
    topic: varchar('topic', { length: 512 }).notNull(),
    commandType: varchar('command_type', { length: 64 }).notNull(),
    payload: jsonb('payload').notNull(),
    state: varchar('state', { length: 16 }).$type<OutboxState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When the relay took the row; a row left in `publishing` by a relay that died is recognised by it. */
    claimedAt: instant('claimed_at'),
    publishedAt: instant('published_at'),
    ackedAt: instant('acked_at'),
    pubackReason: smallint('puback_reason'),
    ack: jsonb('ack'),
    lastError: text('last_error'),
    refTable: varchar('ref_table', { length: 64 }),
    refId: varchar('ref_id', { length: 64 }),
    createdAt: instant('created_at').notNull().default(sql`now()`),
  },
  (t) => [
    unique('mqtt_outbox_command_id').on(t.commandId),
    index('mqtt_outbox_due').on(t.state, t.nextAttemptAt, t.id),
    index('mqtt_outbox_serial_number').on(t.serialNumber, t.id),
    check(
      'mqtt_outbox_state',
      sql`state in ('pending', 'publishing', 'published', 'acked', 'nacked', 'expired', 'dead', 'cancelled')`,
    ),
  ],
);

/** Acknowledgements already worked on, so that a second delivery of one changes nothing. */
export const outboxInbox = mcpOps.table(
  'outbox_inbox',
  {
    commandId: uuid('command_id').notNull(),
    ackSeq: integer('ack_seq').notNull(),
    at: instant('at').notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ name: 'outbox_inbox_pk', columns: [t.commandId, t.ackSeq] }), index('outbox_inbox_at').on(t.at)],
);
