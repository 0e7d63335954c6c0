/** The tables of the live switch. What would be secret in them holds the word "demo" and nothing else. */
import { DAY, type DemoCalendar, iso, MINUTE } from './calendar.ts';
import { CARD_TYPES } from './merchants.ts';
import { EXPONENT, major, NUMERIC_CODE } from './money.ts';
import { charged, isApproved, REVERSALS, type Transaction } from './payments.ts';
import { Prng } from './prng.ts';
import { type Row, stamps, type TableRows, tableOf } from './rows.ts';
import type { Terminal } from './terminals.ts';

const DUMMY = '\\x64656d6f';
const FAILED = 300;
const PROC_CODE = { sale: '000000', refund: '200000', cash_advance: '010000', authorisation: '000000' } as const;

export function masked(t: Transaction): string | null {
  if (t.scheme !== null) return null;
  const bin = CARD_TYPES.find((type) => type.code === t.cardType)?.bin ?? '';
  return `${bin}${t.cardType === 'amex' ? '*****' : '******'}${t.last4}`;
}

export const procCode = (t: Transaction): string => PROC_CODE[t.kind];

export function mti(t: Transaction): string {
  return `0${t.kind === 'authorisation' ? '1' : '2'}0${t.repeat ? '1' : '0'}`;
}

export function switchTables(
  transactions: readonly Transaction[],
  terminals: readonly Terminal[],
  calendar: DemoCalendar,
): TableRows[] {
  const prng = new Prng('switch');
  const live = (t: Transaction, i: number): Row => ({
    id: i + 1,
    s_tid_stan: `${t.terminal.tid}${t.stan}`,
    reference_no: t.rrn,
    acquirer_reference_no: isApproved(t) && t.scheme === null ? acquirerReference(t, i, calendar) : null,
    scheme_reference_no: t.schemeReference,
    approval_code: t.auth,
    response_code: t.code,
    masked_card_no: t.planted?.maskedCardNo ?? masked(t),
    mcc_code: t.terminal.merchant.mcc,
    total_amount: major(t.amount, t.currency),
    mti: mti(t),
    proc_code: procCode(t),
    tid: t.terminal.tid,
    mid: t.terminal.merchant.mid,
    stan: t.stan,
    currency_code: NUMERIC_CODE[t.currency],
    serial_number: t.terminal.serial,
    channel: t.scheme === null ? 'card' : 'qr',
    approved_amount: isApproved(t) ? major(charged(t), t.currency) : null,
    transaction_time: iso(t.at),
    encrypted_pan: t.scheme === null ? DUMMY : null,
    hash_pan: t.scheme === null ? 'demo' : null,
    encrypted_track2: t.scheme === null ? DUMMY : null,
    encrypted_expiry: t.scheme === null ? DUMMY : null,
    inserted_at: iso(t.at),
    updated_at: iso(t.at),
  });
  return [
    tableOf('pos_transaction', transactions, live),
    tableOf('pos_transaction_reversal', reversalRows(transactions, calendar, prng)),
    tableOf('pos_failed_transaction', failedRows(terminals, calendar, prng)),
    tableOf('pos_temp_transaction', inFlight(terminals, calendar)),
  ];
}

/** 23 digits: format, acquirer, date, sequence, check digit. */
function acquirerReference(t: Transaction, i: number, calendar: DemoCalendar): string {
  const { year, dayOfYear } = calendar.local(t.at);
  const body = `7400001${year % 10}${String(dayOfYear).padStart(3, '0')}${String(i).padStart(11, '0')}`;
  let sum = 0;
  [...body].reverse().forEach((digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const REASONS = ['timeout', 'customer_cancelled', 'printer_failure', 'late_response', 'card_removed'];

function reversalRows(transactions: readonly Transaction[], calendar: DemoCalendar, prng: Prng): Row[] {
  const reversed = transactions.filter((t) => t.reversal !== null);
  if (reversed.length !== REVERSALS) throw new RangeError(`${reversed.length} reversals`);
  return reversed.map((t, i) => {
    const tries = { completed: prng.int(0, 2), failed: prng.int(1, 2), exhausted: 3, pending: prng.int(0, 1) }[
      t.reversal ?? 'pending'
    ];
    const local = calendar.local(t.at);
    const started = t.at + prng.int(20, 90) * 1000;
    return {
      id: i + 1,
      original_temp_txn_id: 800_000 + i,
      reversal_reference_no: `R${String(local.dayOfYear).padStart(3, '0')}${String(i).padStart(8, '0')}`,
      reversal_status: t.reversal,
      reversal_reason: prng.pick(REASONS),
      retry_count: tries,
      max_retry_attempts: 3,
      original_amount: major(t.amount, t.currency),
      original_stan: t.stan,
      original_time: local.time,
      original_date: local.date,
      error_message: t.reversal === 'completed' ? null : 'no answer from the acquirer host',
      tid: t.terminal.tid,
      original_reference_no: t.rrn,
      currency_code: NUMERIC_CODE[t.currency],
      original_encrypted_pan: DUMMY,
      original_encrypted_expiry_date: DUMMY,
      ...stamps(iso(started), iso(started + tries * 30_000)),
    };
  });
}

const FAILURES = [
  ['host_unreachable', 'the acquirer host did not accept a connection', '91'],
  ['format_error', 'field 55 could not be parsed', '30'],
  ['mac_failure', 'the message authentication code does not fit', '96'],
  ['timeout', 'no answer within 30 s', '68'],
] as const;

function failedRows(terminals: readonly Terminal[], calendar: DemoCalendar, prng: Prng): Row[] {
  const selling = terminals.filter((terminal) => terminal.status === 'online');
  return Array.from({ length: FAILED }, (_, i) => {
    const terminal = prng.pick(selling);
    const { currency } = terminal.merchant;
    const at = calendar.asOf - 14 * DAY + Math.floor((i * 14 * DAY) / FAILED) + prng.int(0, 40) * MINUTE;
    const [reason, message, code] = prng.pick(FAILURES);
    const when = iso(calendar.upTo(at));
    return {
      id: i + 1,
      reference_no: `F${String(100_000 + i)}`,
      stan: String(500_000 + i),
      tid: terminal.tid,
      mti: '0200',
      proc_code: '000000',
      response_code: code,
      total_amount: major(BigInt(prng.int(10, 900)) * 10n ** BigInt(EXPONENT[currency]), currency),
      currency_code: NUMERIC_CODE[currency],
      masked_card_no: `411111******${String(prng.int(0, 9999)).padStart(4, '0')}`,
      failure_reason: reason,
      error_message: message,
      transaction_time: when,
      encrypted_pan: DUMMY,
      hash_pan: 'demo',
      encrypted_track2: DUMMY,
      encrypted_expiry: DUMMY,
      ...stamps(when),
    };
  });
}

function inFlight(terminals: readonly Terminal[], calendar: DemoCalendar): Row[] {
  return terminals.slice(0, 12).map((terminal, i) => ({
    id: 900_000 + i,
    tid: terminal.tid,
    stan: String(700_000 + i),
    mti: '0200',
    encrypted_pan: DUMMY,
    encrypted_track2: DUMMY,
    ...stamps(iso(calendar.asOf - (i + 1) * 1000)),
  }));
}
