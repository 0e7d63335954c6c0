/** Tables of the settlement database. The SQL that makes them for the demo is in migrations/operations/settlement. */
import { bigserial, integer, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { day, decimal, id, jsonText, num, ts, wideId } from './types.ts';

const stamps = { insertedAt: ts('inserted_at').notNull(), updatedAt: ts('updated_at').notNull() };
const key = () => id('id').primaryKey();
/** The database numbers the rows that we insert. */
const serial = () => bigserial('id', { mode: 'number' }).primaryKey();

export const dumpFiles = pgTable('dump_files', {
  id: key(),
  dumpSource: varchar('dump_source', { length: 32 }).notNull(),
  businessDate: day('business_date').notNull(),
  fileName: varchar('file_name', { length: 256 }),
  arrivedAt: ts('arrived_at').notNull(),
  recordCount: integer('record_count'),
  totalAmount: num('total_amount'),
  currency: varchar('currency', { length: 3 }),
  status: varchar('status', { length: 16 }).notNull(),
  ...stamps,
});

export const switchDumpRecords = pgTable('switch_dump_records', {
  id: key(),
  dumpFileId: id('dump_file_id'),
  dumpSource: varchar('dump_source', { length: 32 }).notNull(),
  businessDate: day('business_date').notNull(),
  rrn: varchar('rrn', { length: 12 }),
  stan: varchar('stan', { length: 6 }),
  tid: varchar('tid', { length: 8 }),
  mid: varchar('mid', { length: 15 }),
  authNumber: varchar('auth_number', { length: 6 }),
  mti: varchar('mti', { length: 4 }),
  procCode: varchar('proc_code', { length: 6 }),
  responseCode: varchar('response_code', { length: 3 }),
  amount: num('amount').notNull(),
  currency: varchar('currency', { length: 3 }),
  transactionTime: ts('transaction_time'),
  maskedCardNo: varchar('masked_card_no', { length: 24 }),
  lineNo: integer('line_no'),
  ...stamps,
});

export const qrSchemeDumpRecords = pgTable('qr_scheme_dump_records', {
  id: key(),
  dumpFileId: id('dump_file_id'),
  dumpSource: varchar('dump_source', { length: 32 }).notNull(),
  businessDate: day('business_date').notNull(),
  schemeReferenceNo: varchar('scheme_reference_no', { length: 64 }),
  rrn: varchar('rrn', { length: 12 }),
  tid: varchar('tid', { length: 8 }),
  mid: varchar('mid', { length: 15 }),
  amount: num('amount').notNull(),
  currency: varchar('currency', { length: 3 }),
  status: varchar('status', { length: 16 }),
  transactionTime: ts('transaction_time'),
  ...stamps,
});

export const coreTransactions = pgTable('core_transactions', {
  id: wideId('id').primaryKey(),
  rrn: varchar('rrn', { length: 12 }),
  tid: varchar('tid', { length: 8 }),
  mid: varchar('mid', { length: 15 }),
  stan: varchar('stan', { length: 6 }),
  authNumber: varchar('auth_number', { length: 6 }),
  schemeReferenceNo: varchar('scheme_reference_no', { length: 64 }),
  merchantReferenceNumber: varchar('merchant_reference_number', { length: 32 }),
  channel: varchar('channel', { length: 8 }).notNull(),
  transactionType: varchar('transaction_type', { length: 16 }).notNull(),
  originalCoreTransactionId: wideId('original_core_transaction_id'),
  amount: num('amount').notNull(),
  currency: varchar('currency', { length: 3 }).notNull(),
  cardType: varchar('card_type', { length: 16 }),
  mccCode: varchar('mcc_code', { length: 4 }),
  responseCode: varchar('response_code', { length: 3 }),
  status: varchar('status', { length: 16 }).notNull(),
  holdStatus: varchar('hold_status', { length: 8 }).notNull(),
  heldAt: ts('held_at'),
  heldBy: varchar('held_by', { length: 128 }),
  businessDate: day('business_date').notNull(),
  transactionTime: ts('transaction_time').notNull(),
  ...stamps,
});

export const settlementMis = pgTable('settlement_mis', {
  id: key(),
  businessDate: day('business_date').notNull(),
  currency: varchar('currency', { length: 3 }).notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  itemCount: integer('item_count'),
  grossTotal: num('gross_total'),
  mdrTotal: num('mdr_total'),
  taxTotal: num('tax_total'),
  netTotal: num('net_total'),
  generatedAt: ts('generated_at'),
  approvedAt: ts('approved_at'),
  approvedBy: varchar('approved_by', { length: 128 }),
  ...stamps,
});

export const settlementMisItems = pgTable('settlement_mis_items', {
  id: key(),
  settlementMisId: id('settlement_mis_id').notNull(),
  coreTransactionId: wideId('core_transaction_id').notNull(),
  payoutItemId: id('payout_item_id'),
  mid: varchar('mid', { length: 15 }).notNull(),
  grossAmount: num('gross_amount').notNull(),
  mdrAmount: num('mdr_amount').notNull(),
  taxAmount: num('tax_amount').notNull(),
  netAmount: num('net_amount').notNull(),
  mdrRate: decimal('mdr_rate', { precision: 9, scale: 6 }),
  currency: varchar('currency', { length: 3 }).notNull(),
  settlementDate: day('settlement_date').notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  ...stamps,
});

export const payoutItems = pgTable('payout_items', {
  id: key(),
  payoutBatchId: id('payout_batch_id').notNull(),
  mid: varchar('mid', { length: 15 }).notNull(),
  amount: num('amount').notNull(),
  currency: varchar('currency', { length: 3 }).notNull(),
  itemCount: integer('item_count'),
  payoutDate: day('payout_date').notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  holdReason: varchar('hold_reason', { length: 128 }),
  bankReference: varchar('bank_reference', { length: 64 }),
  ...stamps,
});

export const payoutBatches = pgTable('payout_batches', {
  id: key(),
  batchReference: varchar('batch_reference', { length: 64 }).notNull(),
  payoutDate: day('payout_date').notNull(),
  currency: varchar('currency', { length: 3 }).notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  totalAmount: num('total_amount').notNull(),
  itemCount: integer('item_count').notNull(),
  approvedBy: varchar('approved_by', { length: 128 }),
  approvedAt: ts('approved_at'),
  releasedAt: ts('released_at'),
  ...stamps,
});

export const reconciliationExceptions = pgTable('reconciliation_exceptions', {
  id: serial(),
  businessDate: day('business_date').notNull(),
  exceptionType: varchar('exception_type', { length: 32 }).notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  coreTransactionId: wideId('core_transaction_id'),
  rrn: varchar('rrn', { length: 12 }),
  tid: varchar('tid', { length: 8 }),
  mid: varchar('mid', { length: 15 }),
  dumpSource: varchar('dump_source', { length: 32 }),
  expectedAmount: num('expected_amount'),
  actualAmount: num('actual_amount'),
  currency: varchar('currency', { length: 3 }),
  details: jsonText('details'),
  openedAt: ts('opened_at').notNull(),
  heldBy: varchar('held_by', { length: 128 }),
  resolvedAt: ts('resolved_at'),
  resolvedBy: varchar('resolved_by', { length: 128 }),
  runId: id('run_id'),
  ...stamps,
});

export const reconciliationRuns = pgTable('reconciliation_runs', {
  id: serial(),
  businessDate: day('business_date').notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  trigger: varchar('trigger', { length: 16 }).notNull(),
  requestedBy: varchar('requested_by', { length: 128 }),
  obanJobId: wideId('oban_job_id'),
  startedAt: ts('started_at'),
  finishedAt: ts('finished_at'),
  matchedCount: integer('matched_count'),
  exceptionCount: integer('exception_count'),
  error: text('error'),
  ...stamps,
});

export const slaCheckpoints = pgTable('sla_checkpoints', {
  id: key(),
  businessDate: day('business_date').notNull(),
  checkpoint: varchar('checkpoint', { length: 32 }).notNull(),
  dueAt: ts('due_at').notNull(),
  achievedAt: ts('achieved_at'),
  status: varchar('status', { length: 8 }).notNull(),
  checkedAt: ts('checked_at').notNull(),
  details: jsonText('details'),
  ...stamps,
});
