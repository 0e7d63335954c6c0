/**
 * Tables of the live switch, as the tools may see them: read only, and without the columns that hold card secrets. Those are
 * missing here on purpose, so that no query built from these tables can name them; the read role is not granted them either.
 */
import { integer, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { id, num, ts, wideId } from './types.ts';

export const posTransaction = pgTable('pos_transaction', {
  id: id('id').primaryKey(),
  sTidStan: varchar('s_tid_stan', { length: 32 }),
  referenceNo: varchar('reference_no', { length: 12 }),
  acquirerReferenceNo: varchar('acquirer_reference_no', { length: 32 }),
  schemeReferenceNo: varchar('scheme_reference_no', { length: 64 }),
  approvalCode: varchar('approval_code', { length: 6 }),
  responseCode: varchar('response_code', { length: 3 }),
  maskedCardNo: varchar('masked_card_no', { length: 24 }),
  mccCode: varchar('mcc_code', { length: 4 }),
  totalAmount: num('total_amount'),
  mti: varchar('mti', { length: 4 }),
  procCode: varchar('proc_code', { length: 6 }),
  tid: varchar('tid', { length: 8 }).notNull(),
  mid: varchar('mid', { length: 15 }),
  stan: varchar('stan', { length: 6 }),
  currencyCode: varchar('currency_code', { length: 3 }),
  serialNumber: varchar('serial_number', { length: 64 }),
  channel: varchar('channel', { length: 8 }),
  approvedAmount: num('approved_amount'),
  transactionTime: ts('transaction_time').notNull(),
});

export const posTransactionReversal = pgTable('pos_transaction_reversal', {
  id: id('id').primaryKey(),
  originalTempTxnId: wideId('original_temp_txn_id'),
  reversalReferenceNo: varchar('reversal_reference_no', { length: 12 }),
  reversalStatus: varchar('reversal_status', { length: 16 }),
  reversalReason: varchar('reversal_reason', { length: 64 }),
  retryCount: integer('retry_count'),
  maxRetryAttempts: integer('max_retry_attempts'),
  originalAmount: num('original_amount'),
  originalStan: varchar('original_stan', { length: 6 }),
  originalTime: varchar('original_time', { length: 6 }),
  originalDate: varchar('original_date', { length: 4 }),
  errorMessage: text('error_message'),
  tid: varchar('tid', { length: 8 }),
  originalReferenceNo: varchar('original_reference_no', { length: 12 }),
  currencyCode: varchar('currency_code', { length: 3 }),
  insertedAt: ts('inserted_at').notNull(),
});

/** Its columns were never verified against the live schema: a query names only those that the schema check found. */
export const posFailedTransaction = pgTable('pos_failed_transaction', {
  id: id('id').primaryKey(),
  referenceNo: varchar('reference_no', { length: 12 }),
  stan: varchar('stan', { length: 6 }),
  tid: varchar('tid', { length: 8 }),
  mti: varchar('mti', { length: 4 }),
  procCode: varchar('proc_code', { length: 6 }),
  responseCode: varchar('response_code', { length: 3 }),
  totalAmount: num('total_amount'),
  currencyCode: varchar('currency_code', { length: 3 }),
  maskedCardNo: varchar('masked_card_no', { length: 24 }),
  failureReason: text('failure_reason'),
  errorMessage: text('error_message'),
  transactionTime: ts('transaction_time'),
  insertedAt: ts('inserted_at'),
});
