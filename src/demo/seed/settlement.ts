import { type DemoCalendar, HOUR, MINUTE } from './calendar.ts';
import { type Cell, rowsOf, type Table, table } from './copy.ts';
import { groupBy } from './grouping.ts';
import { ratePpm } from './merchants.ts';
import { CURRENCIES, type Currency, decimal, fraction, share } from './money.ts';
import { type Batch, batchOf, buildPayouts, isOnHold, SETTLED_UP_TO } from './payouts.ts';
import type { Sale } from './sales.ts';
import { SALE_DAYS } from './transactions.ts';

/** Core transactions, the settlement sheets (MIS) of D-14 to D-2, and the payouts made of them. */
export type CoreStatus = 'captured' | 'reconciled' | 'settled' | 'reversed';
const MIS_UP_TO = -2;

interface MisItem {
  readonly id: number;
  readonly sale: Sale;
  readonly misId: number;
  readonly batch: Batch | null;
  readonly ppm: number;
  readonly gross: bigint;
  readonly mdr: bigint;
  readonly tax: bigint;
  readonly net: bigint;
}

export function coreStatus(sale: Sale): CoreStatus {
  const { departure, day, merchant } = sale;
  if (sale.reversal === 'completed' && departure?.core !== 'settled although reversed') return 'reversed';
  if (departure?.core === 'unreconciled' || departure?.core === 'held' || day > MIS_UP_TO) return 'captured';
  const batch = batchOf(day, merchant.currency);
  return batch === null || isOnHold(batch, merchant.mid) ? 'reconciled' : 'settled';
}

export function settlementTables(calendar: DemoCalendar, sales: readonly Sale[]): Table[] {
  const cores = sales.filter(({ coreId }) => coreId !== null).sort((a, b) => a.coreId! - b.coreId!);
  const sheets: { id: number; day: number; currency: Currency }[] = [];
  for (let day = -SALE_DAYS; day <= MIS_UP_TO; day++) {
    for (const currency of Object.keys(CURRENCIES) as Currency[]) sheets.push({ id: sheets.length + 1, day, currency });
  }
  const sheetOf = new Map(sheets.map((sheet) => [`${sheet.day} ${sheet.currency}`, sheet.id]));
  const onSheet = sales.filter((sale) => {
    const status = sale.coreId === null ? 'captured' : coreStatus(sale);
    return status === 'reconciled' || status === 'settled';
  });
  const items = onSheet.map((sale, i): MisItem => {
    const { merchant, day } = sale;
    const misId = sheetOf.get(`${day} ${merchant.currency}`)!;
    return { id: i + 1, sale, misId, batch: batchOf(day, merchant.currency), ...amountsOf(sale) };
  });
  const payouts = buildPayouts(
    calendar,
    items.flatMap(({ batch, sale, net }) => (batch ? [{ batch, mid: sale.merchant.mid, net }] : [])),
  );
  const itemRows = rowsOf(items, ({ id, sale, misId, batch, ppm, gross, mdr, tax, net }): Cell[] => {
    const { currency, mid } = sale.merchant;
    const paid =
      batch?.status === 'paid' || (batch?.status === 'released' && currency === 'AED' && !isOnHold(batch, mid));
    return [
      id,
      misId,
      sale.coreId,
      batch && payouts.itemId(batch, mid),
      mid,
      decimal(gross, currency),
      decimal(mdr, currency),
      decimal(tax, currency),
      decimal(net, currency),
      fraction(ppm),
      currency,
      calendar.date(sale.day),
      batch === null ? 'pending' : paid ? 'paid' : 'included',
      generatedAt(calendar, sale.day),
    ];
  });
  return [
    coreTable(calendar, cores),
    sheetTable(calendar, sheets, items),
    ...payouts.tables,
    table(
      'settlement_mis_items',
      'id settlement_mis_id core_transaction_id payout_item_id mid gross_amount mdr_amount tax_amount net_amount mdr_rate currency settlement_date status',
      itemRows,
    ),
  ];
}

/** A refund takes back the gross amount; the discount of its sale stays. */
function amountsOf(sale: Sale): Pick<MisItem, 'ppm' | 'gross' | 'mdr' | 'tax' | 'net'> {
  if (sale.type === 'refund') return { ppm: 0, gross: -sale.amount, mdr: 0n, tax: 0n, net: -sale.amount };
  const ppm = ratePpm(sale.merchant, sale.cardType);
  if (ppm === null) throw new RangeError(`${sale.merchant.mid} has no rate for ${sale.cardType}`);
  const mdr = share(sale.amount, ppm);
  const tax = share(mdr, CURRENCIES[sale.merchant.currency].taxPpm);
  return { ppm, gross: sale.amount, mdr, tax, net: sale.amount - mdr - tax };
}

export function generatedAt(calendar: DemoCalendar, day: number): Date {
  return new Date(calendar.at(day + 1, '06:10'));
}

export function approvedAt(calendar: DemoCalendar, day: number): Date {
  return new Date(calendar.at(day + 2, '10:05'));
}

function coreTable(calendar: DemoCalendar, cores: readonly Sale[]): Table {
  return table(
    'core_transactions',
    'id rrn tid mid stan auth_number scheme_reference_no merchant_reference_number channel transaction_type original_core_transaction_id amount currency card_type mcc_code response_code status hold_status held_at held_by business_date transaction_time',
    rowsOf(cores, (sale): Cell[] => {
      const { merchant, terminal } = sale;
      const held = sale.departure?.core === 'held';
      return [
        sale.coreId,
        sale.rrn,
        terminal.tid,
        merchant.mid,
        sale.stan,
        sale.approval,
        sale.schemeReference,
        merchant.reference,
        sale.channel,
        sale.type,
        sale.refunded?.coreId ?? null,
        decimal(sale.amount, merchant.currency),
        merchant.currency,
        sale.cardType,
        merchant.mcc,
        sale.response,
        coreStatus(sale),
        held ? 'held' : 'none',
        held ? new Date(heldAt(calendar, sale)) : null,
        held ? 'demo-operator-2' : null,
        calendar.date(sale.day),
        new Date(sale.at),
      ];
    }),
    'transaction_time',
  );
}

/** Held in the morning after, before the sheet was made. */
export function heldAt(calendar: DemoCalendar, sale: Sale): number {
  return calendar.at(sale.day + 1, '05:00') + (sale.coreId! % 50) * MINUTE;
}

function sheetTable(
  calendar: DemoCalendar,
  sheets: readonly { id: number; day: number; currency: Currency }[],
  items: readonly MisItem[],
): Table {
  const itemsOf = groupBy(items, ({ misId }) => misId);
  const rows = sheets.map(({ id, day, currency }): Cell[] => {
    const own = itemsOf.get(id) ?? [];
    const total = (column: 'gross' | 'mdr' | 'tax' | 'net') =>
      decimal(
        own.reduce((sum, item) => sum + item[column], 0n),
        currency,
      );
    const approved = day <= SETTLED_UP_TO;
    return [
      id,
      calendar.date(day),
      currency,
      approved ? 'approved' : 'pending_approval',
      own.length,
      total('gross'),
      total('mdr'),
      total('tax'),
      total('net'),
      generatedAt(calendar, day),
      approved ? approvedAt(calendar, day) : null,
      approved ? 'demo-finance-1' : null,
      new Date(generatedAt(calendar, day).getTime() - HOUR / 60),
    ];
  });
  return table(
    'settlement_mis',
    'id business_date currency status item_count gross_total mdr_total tax_total net_total generated_at approved_at approved_by',
    rows,
  );
}
