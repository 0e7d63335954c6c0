/** Oban's job table (migration version 14). Its schema is configurable, so the table is made for a prefix. */
import { sql } from 'drizzle-orm';
import { integer, pgSchema, pgTable, text } from 'drizzle-orm/pg-core';
import { jsonText, jsonTextArray, ts, wideId } from './types.ts';

export const OBAN_JOB_STATES = [
  'available',
  'suspended',
  'scheduled',
  'executing',
  'retryable',
  'completed',
  'discarded',
  'cancelled',
] as const;
export type ObanJobState = (typeof OBAN_JOB_STATES)[number];

const columns = {
  id: wideId('id').primaryKey().default(sql`nextval('oban_jobs_id_seq')`),
  state: text('state').$type<ObanJobState>().notNull().default('available'),
  queue: text('queue').notNull().default('default'),
  worker: text('worker').notNull(),
  args: jsonText('args').notNull().default('{}'),
  meta: jsonText('meta').default('{}'),
  tags: text('tags').array(),
  errors: jsonTextArray('errors').notNull().default([]),
  attempt: integer('attempt').notNull().default(0),
  maxAttempts: integer('max_attempts').notNull().default(20),
  priority: integer('priority').notNull().default(0),
  insertedAt: ts('inserted_at').notNull().default(sql`timezone('UTC', now())`),
  scheduledAt: ts('scheduled_at').notNull().default(sql`timezone('UTC', now())`),
  attemptedAt: ts('attempted_at'),
  completedAt: ts('completed_at'),
  discardedAt: ts('discarded_at'),
  cancelledAt: ts('cancelled_at'),
  attemptedBy: text('attempted_by').array(),
};

/** The table in the schema that Oban was given. drizzle leaves `public` unqualified. */
export function obanJobsIn(prefix: string): ObanJobs {
  return prefix === 'public' ? obanJobs : (pgSchema(prefix).table('oban_jobs', columns) as unknown as ObanJobs);
}

export const obanJobs = pgTable('oban_jobs', columns);
export type ObanJobs = typeof obanJobs;
