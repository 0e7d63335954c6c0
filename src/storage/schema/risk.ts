/** Tables of the risk database. `notes` and `metadata` are free text from people and rules: scrub before they leave. */
import { bigserial, pgTable, text, uuid, varchar } from 'drizzle-orm/pg-core';
import { id, jsonText, ts } from './types.ts';

const stamps = { insertedAt: ts('inserted_at').notNull(), updatedAt: ts('updated_at').notNull() };

export const riskRuleHits = pgTable('risk_rule_hits', {
  id: id('id').primaryKey(),
  ruleId: varchar('rule_id', { length: 64 }).notNull(),
  transactionId: varchar('transaction_id', { length: 64 }),
  transactionType: varchar('transaction_type', { length: 32 }),
  merchantId: varchar('merchant_id', { length: 32 }),
  category: varchar('category', { length: 32 }),
  status: varchar('status', { length: 16 }),
  triggeredAt: ts('triggered_at').notNull(),
  supervisorId: varchar('supervisor_id', { length: 64 }),
  actionTaken: varchar('action_taken', { length: 32 }),
  actionAt: ts('action_at'),
  notes: text('notes'),
  metadata: jsonText('metadata'),
  ...stamps,
});

export const riskAuditLogs = pgTable('risk_audit_logs', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  hitId: id('hit_id').notNull(),
  event: varchar('event', { length: 32 }).notNull(),
  actor: varchar('actor', { length: 128 }).notNull(),
  before: jsonText('before'),
  after: jsonText('after'),
  requestId: uuid('request_id'),
  at: ts('at').notNull(),
  ...stamps,
});
