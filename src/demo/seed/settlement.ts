/**
 * The tables of settlement, told from the transactions. The day's course, for business day B: the files come at 00:40 of B+1, are
 * reconciled at 03:00, the MIS is made at 05:00 and approved at 10:00 of B+2, which pays out at 15:00. D-2 waits for its open
 * exceptions, so the last days paid are D-3.
 */
import { type Anomaly, anomaliesOf, exceptionRows, findExceptions, unsettled } from './anomalies.ts';
import { type DemoCalendar, iso, MINUTE } from './calendar.ts';
import { rateOf } from './merchants.ts';
import { type Currency, major, NUMERIC_CODE, share } from './money.ts';
import { charged, DAYS, isFinancial, type Transaction } from './payments.ts';
import { type Row, stamps, type TableRows, tableOf } from './rows.ts';
import { masked, mti, procCode } from './switch.ts';

const CURRENCIES: readonly Currency[] = ['AED', 'BHD', 'JPY'];
/** VAT on the discount, in parts per million. */
const TAX = 50_000;
/** The newest business day whose MIS is approved and paid. */
const PAID_DAY = 3;

interface Cleared {
  readonly t: Transaction;
  readonly anomaly: Anomaly;
  readonly coreId: number | null;
  readonly status: string;
}

export function settlementTables(transactions: readonly Transaction[], calendar: DemoCalendar): TableRows[] {
  const exceptions = findExceptions(transactions);
  const anomalies = anomaliesOf(transactions, exceptions);
  const waiting = unsettled(exceptions);
  let coreId = 0;
  const cleared: Cleared[] = transactions.filter(isFinancial).map((t, i) => {
    const anomaly = anomalies.get(t) ?? {};
    const id = anomaly.core === 'missing' ? null : (t.coreId ?? ++coreId);
    return { t, anomaly, coreId: id, status: coreStatus(t, waiting, i) };
  });
  const coreIds = new Map<Transaction, number>();
  for (const row of cleared) if (row.coreId !== null) coreIds.set(row.t, row.coreId);
  const inCore = cleared.filter((row) => row.coreId !== null);
  const dumps = dumpTables(cleared, calendar);
  const money = misTables(cleared, calendar);
  return [
    ...dumps,
    tableOf('core_transactions', inCore, (row) => coreRow(row, calendar)),
    ...money,
    tableOf('reconciliation_runs', runRows(cleared, exceptions, calendar)),
    tableOf('reconciliation_exceptions', exceptionRows(exceptions, coreIds, calendar)),
    tableOf('sla_checkpoints', slaRows(calendar)),
  ];
}

function coreStatus(t: Transaction, waiting: ReadonlySet<Transaction>, i: number): string {
  // Story 8: reversed, and settled all the same.
  if (t.reversal === 'completed' && t.planted?.story !== 8) return 'reversed';
  if (t.day === 0 || waiting.has(t)) return 'captured';
  if (t.day < PAID_DAY || onHold(t)) return 'reconciled';
  return i % 250 === 249 && !t.planted ? 'rejected' : 'settled';
}

/** The payout of one merchant and day waits for a check of its bank account. */
const onHold = (t: Transaction): boolean => t.day === 11 && t.terminal.merchant.mid === 'M1012';

/** Refunds are negative from here on. */
const signed = (t: Transaction): bigint => (t.kind === 'refund' ? -charged(t) : charged(t));

function coreRow({ t, anomaly, coreId, status }: Cleared, calendar: DemoCalendar): Row {
  const held = anomaly.held ? iso(calendar.upTo(calendar.at(t.day - 1, 8, 30))) : null;
  return {
    id: coreId,
    rrn: t.rrn,
    tid: t.terminal.tid,
    mid: t.terminal.merchant.mid,
    stan: t.stan,
    auth_number: t.auth,
    scheme_reference_no: t.schemeReference,
    merchant_reference_number: t.terminal.merchant.reference,
    channel: t.scheme === null ? 'card' : 'qr',
    transaction_type: t.kind,
    original_core_transaction_id: null,
    amount: major(signed(t), t.currency),
    currency: t.currency,
    card_type: t.cardType,
    mcc_code: t.terminal.merchant.mcc,
    response_code: t.code,
    status,
    hold_status: held === null ? 'none' : 'held',
    held_at: held,
    held_by: held === null ? null : 'settlement-ops',
    business_date: calendar.date(t.day),
    transaction_time: iso(t.at),
    inserted_at: iso(t.at + 1_500),
    updated_at: held ?? iso(t.at + 1_500),
  };
}

interface DumpRow {
  readonly t: Transaction;
  readonly day: number;
  readonly amount: bigint;
}

function dumpTables(cleared: readonly Cleared[], calendar: DemoCalendar): TableRows[] {
  const files = new Map<string, DumpRow[]>();
  for (const { t, anomaly } of cleared) {
    const day = anomaly.dumpDay ?? t.day;
    if (day === 0 || anomaly.dump === 'missing') continue;
    const amount = charged(t) + (typeof anomaly.dump === 'object' ? anomaly.dump.amount : 0n);
    const key = `${String(DAYS - day).padStart(2, '0')} ${t.scheme ?? 'switch'} ${t.currency}`;
    const rows = files.get(key) ?? [];
    files.set(key, rows);
    for (let n = 0; n < (anomaly.dump === 'twice' ? 2 : 1); n += 1) rows.push({ t, day, amount });
  }
  const fileRows: Row[] = [];
  const card: DumpLine[] = [];
  const qr: DumpLine[] = [];
  for (const [key, rows] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [, source = '', currency = ''] = key.split(' ');
    const day = rows[0]?.day ?? 1;
    const fileId = fileRows.length + 1;
    const arrived = calendar.upTo(arrivalOf(source, day, calendar));
    fileRows.push({
      id: fileId,
      dump_source: source,
      business_date: calendar.date(day),
      file_name: `${source.toUpperCase()}_${currency}_${calendar.date(day).replaceAll('-', '')}.dat`,
      arrived_at: iso(arrived),
      record_count: rows.length,
      total_amount: major(
        rows.reduce((sum, row) => sum + row.amount, 0n),
        currency as Currency,
      ),
      currency,
      status: 'loaded',
      ...stamps(iso(arrived)),
    });
    const file = { id: fileId, source, date: calendar.date(day), at: iso(arrived) };
    for (const [line, row] of rows.entries()) (row.t.scheme === null ? card : qr).push({ row, line, file });
  }
  return [
    tableOf('dump_files', fileRows),
    tableOf('switch_dump_records', card, cardDumpRow),
    tableOf('qr_scheme_dump_records', qr, qrDumpRow),
  ];
}

interface DumpLine {
  readonly row: DumpRow;
  readonly line: number;
  readonly file: { readonly id: number; readonly source: string; readonly date: string; readonly at: string };
}

function cardDumpRow({ row: { t, amount }, line, file }: DumpLine, i: number): Row {
  return {
    id: i + 1,
    dump_file_id: file.id,
    dump_source: file.source,
    business_date: file.date,
    rrn: t.rrn,
    stan: t.stan,
    tid: t.terminal.tid,
    mid: t.terminal.merchant.mid,
    auth_number: t.auth,
    mti: mti(t),
    proc_code: procCode(t),
    response_code: t.code,
    amount: major(amount, t.currency),
    currency: NUMERIC_CODE[t.currency],
    transaction_time: iso(t.at),
    masked_card_no: masked(t),
    line_no: line + 1,
    inserted_at: file.at,
    updated_at: file.at,
  };
}

function qrDumpRow({ row: { t, amount }, file }: DumpLine, i: number): Row {
  return {
    id: i + 1,
    dump_file_id: file.id,
    dump_source: file.source,
    business_date: file.date,
    scheme_reference_no: t.schemeReference,
    rrn: t.rrn,
    tid: t.terminal.tid,
    mid: t.terminal.merchant.mid,
    amount: major(amount, t.currency),
    currency: t.currency,
    status: 'success',
    transaction_time: iso(t.at),
    inserted_at: file.at,
    updated_at: file.at,
  };
}

/** The small scheme's file of D-2 came 95 minutes after 02:00, when it was due. */
function arrivalOf(source: string, day: number, calendar: DemoCalendar): number {
  const planned = calendar.at(day - 1, 0, source === 'switch' ? 40 : 55);
  return source === 'qrlink' && day === 2 ? calendar.at(1, 2) + 95 * MINUTE : planned;
}

/** MIS, payouts and batches. AED and BHD are paid daily, JPY in two weekly batches. */
function misTables(cleared: readonly Cleared[], calendar: DemoCalendar): TableRows[] {
  const sheets = new Map<string, { row: Record<string, Row[string]>; sums: [bigint, bigint, bigint, bigint] }>();
  for (let day = DAYS; day >= 1; day -= 1) {
    for (const currency of CURRENCIES) {
      const made = calendar.upTo(calendar.at(day - 1, 5));
      const approved = day >= PAID_DAY ? calendar.at(day - 2, 10) : null;
      sheets.set(`${day} ${currency}`, {
        sums: [0n, 0n, 0n, 0n],
        row: {
          id: sheets.size + 1,
          business_date: calendar.date(day),
          currency,
          status: approved !== null ? 'approved' : day === 2 ? 'pending_approval' : 'generated',
          item_count: 0,
          gross_total: null,
          mdr_total: null,
          tax_total: null,
          net_total: null,
          generated_at: iso(made),
          approved_at: approved === null ? null : iso(approved),
          approved_by: approved === null ? null : 'settlement-ops',
          ...stamps(iso(made), iso(approved ?? made)),
        },
      });
    }
  }
  const payouts = new Payouts(calendar);
  const items: MisItem[] = [];
  for (const { t, coreId, status } of cleared) {
    if (coreId === null || t.day === 0 || (status !== 'reconciled' && status !== 'settled')) continue;
    const sheet = sheets.get(`${t.day} ${t.currency}`);
    if (!sheet) throw new RangeError('an item without a sheet');
    const ppm = rateOf(t.terminal.merchant, t.cardType);
    const gross = signed(t);
    const mdr = share(gross, ppm);
    const tax = share(mdr, TAX);
    const net = gross - mdr - tax;
    sheet.sums = [sheet.sums[0] + gross, sheet.sums[1] + mdr, sheet.sums[2] + tax, sheet.sums[3] + net];
    sheet.row['item_count'] = Number(sheet.row['item_count']) + 1;
    const payout = t.day >= PAID_DAY ? payouts.add(t, net) : null;
    items.push({ t, coreId, payout, gross, mdr, tax, net, ppm, sheet: sheet.row });
  }
  const itemRow = ({ t, coreId, payout, gross, mdr, tax, net, ppm, sheet }: MisItem, i: number): Row => ({
    id: i + 1,
    settlement_mis_id: sheet['id'] ?? null,
    core_transaction_id: coreId,
    payout_item_id: payout,
    mid: t.terminal.merchant.mid,
    gross_amount: major(gross, t.currency),
    mdr_amount: major(mdr, t.currency),
    tax_amount: major(tax, t.currency),
    net_amount: major(net, t.currency),
    mdr_rate: `0.${String(ppm).padStart(6, '0')}`,
    currency: t.currency,
    settlement_date: calendar.date(t.day - 1),
    status: payout === null ? 'pending' : onHold(t) ? 'included' : 'paid',
    inserted_at: sheet['inserted_at'] ?? null,
    updated_at: sheet['updated_at'] ?? null,
  });
  const mis = [...sheets.values()].map(({ row, sums }) => {
    const currency = row['currency'] as Currency;
    const [gross_total, mdr_total, tax_total, net_total] = sums.map((sum) => major(sum, currency));
    return { ...row, gross_total, mdr_total, tax_total, net_total } as Row;
  });
  return [tableOf('settlement_mis', mis), ...payouts.tables(), tableOf('settlement_mis_items', items, itemRow)];
}

interface MisItem {
  readonly t: Transaction;
  readonly coreId: number;
  readonly payout: number | null;
  readonly gross: bigint;
  readonly mdr: bigint;
  readonly tax: bigint;
  readonly net: bigint;
  readonly ppm: number;
  readonly sheet: Row;
}

interface Batch {
  readonly number: number;
  readonly currency: Currency;
  /** Business day, counted back from D0, on which it is paid. */
  readonly payoutDay: number;
}

class Payouts {
  readonly #calendar: DemoCalendar;
  readonly #batches: Batch[] = [];
  readonly #items = new Map<
    string,
    { id: number; batch: Batch; t: Transaction; amount: bigint; count: number; held: boolean }
  >();

  constructor(calendar: DemoCalendar) {
    this.#calendar = calendar;
    for (let day = DAYS; day >= PAID_DAY; day -= 1) {
      for (const currency of ['AED', 'BHD'] as const) this.#open(currency, day - 2);
    }
    this.#open('JPY', 7);
    this.#open('JPY', 1);
  }

  #open(currency: Currency, payoutDay: number): void {
    this.#batches.push({ number: this.#batches.length + 1, currency, payoutDay });
  }

  /** The payout item that an item of the MIS goes into: one a merchant, currency and batch. */
  add(t: Transaction, net: bigint): number {
    const payoutDay = t.currency === 'JPY' ? (t.day >= 9 ? 7 : 1) : t.day - 2;
    const batch = this.#batches.find((b) => b.currency === t.currency && b.payoutDay === payoutDay);
    if (!batch) throw new RangeError('a payout without a batch');
    const key = `${batch.number} ${t.terminal.merchant.mid}`;
    const item = this.#items.get(key) ?? { id: this.#items.size + 1, batch, t, amount: 0n, count: 0, held: onHold(t) };
    item.amount += net;
    item.count += 1;
    this.#items.set(key, item);
    return item.id;
  }

  tables(): TableRows[] {
    const items = [...this.#items.values()];
    const at = (batch: Batch, hours: number) => iso(this.#calendar.at(batch.payoutDay, hours));
    const batchRows = this.#batches.map((batch) => {
      const own = items.filter((item) => item.batch === batch);
      return {
        id: batch.number,
        batch_reference: `PB-DEMO-${String(batch.number).padStart(2, '0')}`,
        payout_date: this.#calendar.date(batch.payoutDay),
        currency: batch.currency,
        // A batch with an item on hold is released, and paid when the last item is.
        status: own.some((item) => item.held) ? 'released' : 'paid',
        total_amount: major(
          own.reduce((sum, item) => sum + item.amount, 0n),
          batch.currency,
        ),
        item_count: own.length,
        approved_by: 'finance-ops',
        approved_at: at(batch, 11),
        released_at: at(batch, 15),
        ...stamps(at(batch, 10), at(batch, 15)),
      };
    });
    const itemRows = items.map(({ id, batch, t, amount, count, held }) => ({
      id,
      payout_batch_id: batch.number,
      mid: t.terminal.merchant.mid,
      amount: major(amount, batch.currency),
      currency: batch.currency,
      item_count: count,
      payout_date: this.#calendar.date(batch.payoutDay),
      status: held ? 'on_hold' : 'paid',
      hold_reason: held ? 'bank account change under review' : null,
      bank_reference: held
        ? null
        : `FT${this.#calendar.date(batch.payoutDay).replaceAll('-', '').slice(2)}${String(id).padStart(4, '0')}`,
      ...stamps(at(batch, 10), at(batch, 15)),
    }));
    return [tableOf('payout_batches', batchRows), tableOf('payout_items', itemRows)];
  }
}

function runRows(
  cleared: readonly Cleared[],
  exceptions: ReturnType<typeof findExceptions>,
  calendar: DemoCalendar,
): Row[] {
  return Array.from({ length: DAYS }, (_, i) => {
    const day = DAYS - i;
    const started = calendar.upTo(calendar.at(day - 1, 3));
    const ended = calendar.upTo(started + 4 * MINUTE);
    const found = exceptions.filter(
      ({ transaction, status, type }) => transaction.day === day && status !== 'held' && type !== 'manual_hold',
    );
    const all = cleared.filter(({ t }) => t.day === day).length;
    return {
      id: i + 1,
      business_date: calendar.date(day),
      status: 'completed',
      trigger: 'schedule',
      requested_by: null,
      oban_job_id: null,
      started_at: iso(started),
      finished_at: iso(ended),
      matched_count: all - found.length,
      exception_count: found.length,
      error: null,
      ...stamps(iso(started), iso(ended)),
    };
  });
}

function slaRows(calendar: DemoCalendar): Row[] {
  return Array.from({ length: DAYS }, (_, i) => DAYS - i).flatMap((day) => {
    const late = day === 2;
    const steps: [string, number, number | null][] = [
      ['dump_arrival', calendar.at(day - 1, 2), late ? calendar.at(1, 2) + 95 * MINUTE : calendar.at(day - 1, 0, 55)],
      ['recon_complete', calendar.at(day - 1, 4), calendar.at(day - 1, 3, 4)],
      ['mis_generated', calendar.at(day - 1, 6), calendar.at(day - 1, 5)],
      ['mis_approved', calendar.at(day - 3, 9), day >= PAID_DAY ? calendar.at(day - 2, 10) : null],
      ['payout_released', calendar.at(day - 3, 12), day >= PAID_DAY ? calendar.at(day - 2, 15) : null],
    ];
    return steps.map(([checkpoint, due, achieved], n) => {
      const at = achieved === null ? null : calendar.upTo(achieved);
      return {
        id: (DAYS - day) * steps.length + n + 1,
        business_date: calendar.date(day),
        checkpoint,
        due_at: iso(due),
        achieved_at: at === null ? null : iso(at),
        status: at === null ? 'pending' : at > due ? 'late' : 'met',
        checked_at: iso(calendar.upTo(Math.max(due, at ?? due) + MINUTE)),
        details: at !== null && at > due ? JSON.stringify({ file: 'qrlink', minutes: (at - due) / MINUTE }) : null,
        ...stamps(iso(calendar.upTo(calendar.at(day - 1, 0, 5))), iso(calendar.upTo(at ?? calendar.at(day - 1, 0, 5)))),
      };
    });
  });
}
