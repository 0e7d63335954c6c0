import type { DemoCalendar } from './calendar.ts';
import { type Cell, type Table, table } from './copy.ts';
import { type Currency, decimal } from './money.ts';
import { HELD_PAYOUT } from './stories.ts';

/**
 * The payout calendar: AED and BHD are paid out for each settlement date D-14 to D-3 two days later, JPY twice in that time. Batches are
 * numbered AED, BHD, JPY, each in order of date, so `PB-DEMO-07` is AED of D-8.
 */
export const SETTLED_UP_TO = -3;
const FIRST = -14;

export interface Batch {
  readonly id: number;
  readonly reference: string;
  readonly currency: Currency;
  readonly payoutDay: number;
  readonly status: 'paid' | 'released';
}

const BATCHES: readonly Batch[] = (() => {
  const days = Array.from({ length: SETTLED_UP_TO - FIRST + 1 }, (_, i) => FIRST + i);
  const plan: { currency: Currency; payoutDay: number }[] = [
    ...days.map((day) => ({ currency: 'AED' as const, payoutDay: day + 2 })),
    ...days.map((day) => ({ currency: 'BHD' as const, payoutDay: day + 2 })),
    { currency: 'JPY', payoutDay: -7 },
    { currency: 'JPY', payoutDay: -1 },
  ];
  return plan.map(({ currency, payoutDay }, i) => {
    const reference = `PB-DEMO-${String(i + 1).padStart(2, '0')}`;
    // The held batch is out but for one item; the last ones of BHD and JPY are with the bank.
    const open = reference === HELD_PAYOUT.batch || (currency !== 'AED' && payoutDay === -1);
    return { id: i + 1, reference, currency, payoutDay, status: open ? 'released' : 'paid' };
  });
})();

/** The batch that pays a settlement date; null while it is not settled. */
export function batchOf(day: number, currency: Currency): Batch | null {
  if (day > SETTLED_UP_TO) return null;
  return BATCHES.find((batch) => batch.currency === currency && batch.payoutDay >= day + 2) ?? null;
}

export function isOnHold(batch: Batch, mid: string): boolean {
  return batch.reference === HELD_PAYOUT.batch && mid === HELD_PAYOUT.mid;
}

/** What the payouts are made of: one net amount of one merchant. */
export interface PayoutPart {
  readonly batch: Batch;
  readonly mid: string;
  readonly net: bigint;
}

export interface Payouts {
  readonly tables: readonly Table[];
  itemId(batch: Batch, mid: string): number;
}

export function buildPayouts(calendar: DemoCalendar, parts: readonly PayoutPart[]): Payouts {
  const items = new Map<string, { batch: Batch; mid: string; net: bigint; count: number }>();
  const keyOf = (batch: Batch, mid: string) => `${String(batch.id).padStart(2, '0')} ${mid}`;
  for (const { batch, mid, net } of parts) {
    const key = keyOf(batch, mid);
    const item = items.get(key) ?? { batch, mid, net: 0n, count: 0 };
    items.set(key, { ...item, net: item.net + net, count: item.count + 1 });
  }
  const ordered = [...items.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const ids = new Map(ordered.map(([key], i) => [key, i + 1]));
  const released = ({ payoutDay }: Batch) => new Date(calendar.at(payoutDay, '14:30'));
  const itemRows = ordered.map(([, { batch, mid, net, count }], i): Cell[] => {
    const held = isOnHold(batch, mid);
    return [
      i + 1,
      batch.id,
      mid,
      decimal(net, batch.currency),
      batch.currency,
      count,
      calendar.date(batch.payoutDay),
      held ? 'on_hold' : batch.reference === HELD_PAYOUT.batch ? 'paid' : batch.status,
      held ? HELD_PAYOUT.reason : null,
      held ? null : `DEMOBANK-${String(batch.id).padStart(2, '0')}${mid.slice(1)}`,
      released(batch),
    ];
  });
  const batchRows = BATCHES.map((batch): Cell[] => {
    const own = ordered.filter(([, item]) => item.batch === batch).map(([, item]) => item);
    const total = own.reduce((sum, { net }) => sum + net, 0n);
    return [
      batch.id,
      batch.reference,
      calendar.date(batch.payoutDay),
      batch.currency,
      batch.status,
      decimal(total, batch.currency),
      own.length,
      'demo-finance-1',
      new Date(calendar.at(batch.payoutDay, '11:20')),
      released(batch),
      new Date(calendar.at(batch.payoutDay, '10:40')),
    ];
  });
  return {
    tables: [
      table(
        'payout_batches',
        'id batch_reference payout_date currency status total_amount item_count approved_by approved_at released_at',
        batchRows,
      ),
      table(
        'payout_items',
        'id payout_batch_id mid amount currency item_count payout_date status hold_reason bank_reference',
        itemRows,
      ),
    ],
    itemId: (batch, mid) => ids.get(keyOf(batch, mid))!,
  };
}
