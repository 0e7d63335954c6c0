import { type DemoCalendar, SECOND } from './calendar.ts';
import { type Cell, rowsOf, type Table, table } from './copy.ts';
import { CARD_TYPES } from './merchants.ts';
import { CURRENCIES, decimal } from './money.ts';
import { random } from './prng.ts';
import { APPROVED, type Sale } from './sales.ts';
import type { Terminal } from './terminals.ts';

/** What the live switch wrote. The columns of card secrets hold bytes that were never a secret. */
const DUMMY_BYTES = '\\x64656d6f';
const DUMMY_HASH = 'demo, no hash';

export function switchTables(calendar: DemoCalendar, sales: readonly Sale[], terminals: readonly Terminal[]): Table[] {
  return [transactionTable(calendar, sales), reversalTable(calendar, sales), failedTable(calendar, terminals)];
}

function transactionTable(calendar: DemoCalendar, sales: readonly Sale[]): Table {
  const rng = random('switch');
  const messages = sales.map((sale) => ({ sale, at: sale.at, repeat: false }));
  for (const sale of sales) {
    if (sale.repeated) {
      const at = calendar.past(sale.at + rng.int(5, 20) * SECOND);
      messages.push({ sale, at, repeat: true });
    }
  }
  messages.sort(
    (a, b) => a.at - b.at || Number(a.repeat) - Number(b.repeat) || a.sale.terminal.number - b.sale.terminal.number,
  );
  return table(
    'pos_transaction',
    'id s_tid_stan reference_no acquirer_reference_no scheme_reference_no approval_code response_code masked_card_no mcc_code total_amount mti proc_code tid mid stan currency_code serial_number channel approved_amount transaction_time encrypted_pan hash_pan encrypted_track2 encrypted_expiry',
    rowsOf(messages, ({ sale, at, repeat }, i): Cell[] => {
      const { terminal, merchant } = sale;
      const amount = decimal(sale.amount, merchant.currency);
      const card = sale.channel === 'card';
      const approved = sale.response === APPROVED;
      return [
        i + 1,
        `${terminal.tid}${sale.stan}`,
        sale.rrn,
        card && approved && sale.type !== 'authorisation' ? acquirerReference(sale) : null,
        sale.schemeReference,
        sale.approval,
        sale.response,
        card ? (sale.maskedCard ?? maskedCard(sale)) : null,
        merchant.mcc,
        amount,
        repeat ? '0201' : sale.type === 'authorisation' ? '0100' : '0200',
        sale.type === 'refund' ? '200000' : '000000',
        terminal.tid,
        merchant.mid,
        sale.stan,
        CURRENCIES[merchant.currency].numeric,
        terminal.serial,
        sale.channel,
        approved ? amount : null,
        new Date(at),
        card ? DUMMY_BYTES : null,
        card ? DUMMY_HASH : null,
        card ? DUMMY_BYTES : null,
        card ? DUMMY_BYTES : null,
      ];
    }),
    'transaction_time',
  );
}

/** First six, stars, last four; American Express has 15 digits. */
export function maskedCard(sale: Sale): string {
  const bin = CARD_TYPES.find(({ code }) => code === sale.cardType)?.bin ?? '000000';
  return `${bin}${'*'.repeat(sale.cardType === 'amex' ? 5 : 6)}${sale.lastFour}`;
}

/** An acquirer reference number: 23 digits, format code 7, invented acquirer, date YDDD, sequence, Luhn check digit. */
function acquirerReference(sale: Sale): string {
  const digits = `7999999${sale.rrn.slice(0, 4)}${sale.stan}${String(sale.terminal.number).padStart(5, '0')}`;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = digit * 2;
    sum += i % 2 === 1 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

function reversalTable(calendar: DemoCalendar, sales: readonly Sale[]): Table {
  const rng = random('reversals');
  const rows = sales
    .filter(({ reversal }) => reversal !== null)
    .map((sale, i): Cell[] => {
      const status = sale.reversal!;
      const retries = status === 'exhausted' ? 3 : status === 'failed' ? 2 : status === 'pending' ? 1 : rng.int(0, 1);
      const fault = status === 'exhausted' || status === 'failed' ? 'No answer from the acquirer within 30 s.' : null;
      const reason =
        sale.story !== null
          ? 'customer_request'
          : rng.pick(['timeout', 'customer_request', 'chip_declined', 'comm_failure']);
      return [
        i + 1,
        8_000_000 + i,
        `${sale.rrn.slice(0, 6)}${700_000 + i}`,
        status,
        reason,
        retries,
        3,
        decimal(sale.amount, sale.merchant.currency),
        sale.stan,
        new Date(sale.at - calendar.at(sale.day, '00:00')).toISOString().slice(11, 19).replaceAll(':', ''),
        calendar.date(sale.day).slice(5).replace('-', ''),
        fault,
        sale.terminal.tid,
        sale.rrn,
        CURRENCIES[sale.merchant.currency].numeric,
        DUMMY_BYTES,
        DUMMY_BYTES,
        new Date(sale.at + rng.int(30, 300) * SECOND),
      ];
    });
  return table(
    'pos_transaction_reversal',
    'id original_temp_txn_id reversal_reference_no reversal_status reversal_reason retry_count max_retry_attempts original_amount original_stan original_time original_date error_message tid original_reference_no currency_code original_encrypted_pan original_encrypted_expiry_date',
    rows,
  );
}

const FAULTS = [
  ['no_route', '92', 'No route to the issuer.'],
  ['timeout', '68', 'The acquirer did not answer in time.'],
  ['issuer_down', '91', 'The issuer is not available.'],
  ['format', '30', 'A field could not be read.'],
] as const;

function failedTable(calendar: DemoCalendar, terminals: readonly Terminal[]): Table {
  const rng = random('failed transactions');
  const active = terminals.filter(({ status }) => status === 'online');
  const times = Array.from({ length: 300 }, () => rng.int(calendar.at(-14, '00:00'), calendar.asOf - 1)).sort(
    (a, b) => a - b,
  );
  return table(
    'pos_failed_transaction',
    'id reference_no stan tid mti proc_code response_code total_amount currency_code masked_card_no failure_reason error_message transaction_time encrypted_pan hash_pan encrypted_track2 encrypted_expiry',
    times.map((at, i): Cell[] => {
      const { tid, merchant } = rng.pick(active);
      const [reason, code, message] = rng.pick(FAULTS);
      return [
        i + 1,
        `FAIL${String(i + 1).padStart(8, '0')}`,
        String(rng.int(1, 999_999)).padStart(6, '0'),
        tid,
        '0200',
        '000000',
        code,
        decimal(BigInt(rng.int(500, 90_000)), merchant.currency),
        CURRENCIES[merchant.currency].numeric,
        `411111******${String(rng.int(0, 9_999)).padStart(4, '0')}`,
        reason,
        message,
        new Date(at),
        DUMMY_BYTES,
        DUMMY_HASH,
        DUMMY_BYTES,
        DUMMY_BYTES,
      ];
    }),
    'transaction_time',
  );
}
