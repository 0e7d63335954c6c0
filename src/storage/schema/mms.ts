/**
 * Tables of the merchant management database, as the tools may see them: read only. IBAN and e-mail address are not columns here;
 * only what may leave of them is, computed in SQL.
 */
import { type SQL, sql } from 'drizzle-orm';
import { boolean, char, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { day, decimal, id, num, ts } from './types.ts';

const stamps = { insertedAt: ts('inserted_at').notNull(), updatedAt: ts('updated_at').notNull() };
const key = () => id('id').primaryKey();
const rate = (name: string) => decimal(name, { precision: 9, scale: 6 });

export const userMetadata = pgTable('user_metadata', {
  id: key(),
  userId: id('user_id').notNull(),
  merchantReferenceNumber: varchar('merchant_reference_number', { length: 32 }),
  mid: varchar('mid', { length: 15 }),
  legalName: varchar('legal_name', { length: 256 }),
  tradeName: varchar('trade_name', { length: 256 }),
  mccCode: varchar('mcc_code', { length: 4 }),
  riskTier: varchar('risk_tier', { length: 16 }),
  status: varchar('status', { length: 16 }),
  onboardingDate: day('onboarding_date'),
  expectedMonthlyVolume: num('expected_monthly_volume'),
  currency: varchar('currency', { length: 3 }),
  countryCode: char('country_code', { length: 2 }),
  settlementFrequency: varchar('settlement_frequency', { length: 16 }),
  ...stamps,
});

/** Last four characters of the merchant's IBAN. */
export const ibanLast4: SQL<string | null> = sql<string | null>`right(${userMetadata}.iban, 4)`;

export const users = pgTable('users', {
  id: key(),
  status: varchar('status', { length: 16 }),
  role: varchar('role', { length: 32 }),
  lastLoginAt: ts('last_login_at'),
  insertedAt: ts('inserted_at').notNull(),
});

/** First character, `***`, `@` and the domain of the user's e-mail address. Text without an @ is masked whole. */
export const emailMasked: SQL<string | null> = sql<string | null>`case when ${users}.email is null then null
  when position('@' in ${users}.email) > 1 then left(${users}.email, 1) || '***@' || split_part(${users}.email, '@', 2) else '***' end`;

export const kycRequests = pgTable('kyc_requests', {
  id: key(),
  userId: id('user_id').notNull(),
  method: varchar('method', { length: 32 }).notNull(),
  required: boolean('required').notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  submittedAt: ts('submitted_at'),
  reviewedAt: ts('reviewed_at'),
  expiresAt: ts('expires_at'),
  rejectionReason: text('rejection_reason'),
  ...stamps,
});

export const mccs = pgTable('mccs', {
  code: varchar('code', { length: 4 }).primaryKey(),
  description: varchar('description', { length: 256 }),
  riskTier: varchar('risk_tier', { length: 16 }),
  ...stamps,
});

export const cardTypes = pgTable('card_types', {
  id: key(),
  code: varchar('code', { length: 32 }),
  scheme: varchar('scheme', { length: 32 }),
  domestic: boolean('domestic'),
  ...stamps,
});

export const mdrTemplates = pgTable('mdr_templates', {
  id: key(),
  name: varchar('name', { length: 128 }),
  active: boolean('active'),
  validFrom: day('valid_from'),
  validTo: day('valid_to'),
  currency: varchar('currency', { length: 3 }),
  ...stamps,
});

export const merchantMdrAssignments = pgTable('merchant_mdr_assignments', {
  id: key(),
  mid: varchar('mid', { length: 15 }),
  mdrTemplateId: id('mdr_template_id'),
  validFrom: day('valid_from'),
  validTo: day('valid_to'),
  ...stamps,
});

export const mdrRates = pgTable('mdr_rates', {
  id: key(),
  mdrTemplateId: id('mdr_template_id'),
  cardTypeId: id('card_type_id'),
  rate: rate('rate').notNull(),
  fixedFee: num('fixed_fee'),
  minFee: num('min_fee'),
  maxFee: num('max_fee'),
  validFrom: day('valid_from'),
  validTo: day('valid_to'),
  ...stamps,
});

export const mccMdrRates = pgTable('mcc_mdr_rates', {
  id: key(),
  mccCode: varchar('mcc_code', { length: 4 }),
  cardTypeId: id('card_type_id'),
  rate: rate('rate'),
  fixedFee: num('fixed_fee'),
  validFrom: day('valid_from'),
  validTo: day('valid_to'),
  ...stamps,
});
