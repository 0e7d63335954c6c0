/**
 * What went wrong between the switch, the files of the day and the core: the exceptions, and how the rows are bent so that each
 * exception that is still open or held can be found again in the data. Of one that was resolved nothing remains but its row.
 */
import { type DemoCalendar, HOUR, iso } from './calendar.ts';
import { major } from './money.ts';
import { charged, isFinancial, type Transaction } from './payments.ts';
import { type Row, stamps } from './rows.ts';

export interface Anomaly {
  readonly dump?: 'missing' | 'twice' | { readonly amount: bigint };
  readonly dumpDay?: number;
  readonly core?: 'missing';
  readonly held?: true;
}

interface Exception {
  readonly transaction: Transaction;
  readonly type: string;
  readonly status: 'open' | 'held' | 'released' | 'resolved';
  readonly anomaly: Anomaly;
}

const OPEN: readonly [string, number, Anomaly][] = [
  ['missing_in_dump', 1, { dump: 'missing' }],
  ['missing_in_dump', 1, { dump: 'missing' }],
  ['missing_in_dump', 1, { dump: 'missing' }],
  ['missing_in_core', 1, { core: 'missing' }],
  ['missing_in_core', 1, { core: 'missing' }],
  ['missing_in_core', 2, { core: 'missing' }],
  ['amount_mismatch', 1, { dump: { amount: -900n } }],
  ['amount_mismatch', 1, { dump: { amount: 90n } }],
  ['amount_mismatch', 1, { dump: { amount: -2_700n } }],
  ['duplicate_in_dump', 1, { dump: 'twice' }],
  ['duplicate_in_dump', 2, { dump: 'twice' }],
  ['date_mismatch', 5, { dumpDay: 3 }],
];
const HELD: readonly [string, number, Anomaly][] = [
  ['manual_hold', 2, { held: true }],
  ['manual_hold', 2, { held: true }],
  ['suspected_fraud', 1, { held: true }],
  ['amount_mismatch', 1, { held: true, dump: { amount: -1_800n } }],
];
const CLOSED = ['missing_in_dump', 'amount_mismatch', 'missing_in_core', 'duplicate_in_dump', 'status_mismatch'];

export function findExceptions(transactions: readonly Transaction[]): Exception[] {
  const ordinary = transactions.filter(
    (t) =>
      isFinancial(t) &&
      !t.planted &&
      t.currency === 'AED' &&
      t.kind === 'sale' &&
      t.scheme === null &&
      !t.reversal &&
      charged(t) > 5_000n,
  );
  const byDay = new Map<number, Transaction[]>();
  for (const t of ordinary) {
    const list = byDay.get(t.day);
    if (list) list.push(t);
    else byDay.set(t.day, [t]);
  }
  const used = new Map<number, number>();
  // Every 31st of a day, so that they lie on different terminals.
  const next = (day: number): Transaction => {
    const place = (used.get(day) ?? 0) + 31;
    used.set(day, place);
    const found = byDay.get(day)?.[place];
    if (!found) throw new RangeError(`no transaction of D-${day} for an exception`);
    return found;
  };
  const exceptions: Exception[] = [];
  for (const [type, day, anomaly] of OPEN) exceptions.push({ transaction: next(day), type, status: 'open', anomaly });
  for (const [type, day, anomaly] of HELD) exceptions.push({ transaction: next(day), type, status: 'held', anomaly });
  for (let i = 0; i < 36; i += 1) {
    const type = i >= 31 ? 'manual_hold' : (CLOSED[i % CLOSED.length] ?? 'missing_in_dump');
    exceptions.push({ transaction: next(14 - (i % 12)), type, status: i < 31 ? 'resolved' : 'released', anomaly: {} });
  }
  for (const t of transactions) {
    if (t.repeat || !t.planted) {
      // The reconciliation of D-2 ran before the file of the small scheme had come.
      if (t.scheme === 'qrlink' && t.day === 2 && isFinancial(t)) {
        exceptions.push({ transaction: t, type: 'missing_in_dump', status: 'open', anomaly: {} });
      }
      continue;
    }
    const { dump, dumpDay, story } = t.planted;
    const bent: Anomaly = {
      ...(dump === 'missing' && { dump }),
      // The story tells the amount itself, the rest tell the difference.
      ...(dump && dump !== 'missing' && { dump: { amount: dump.amount - charged(t) } }),
      ...(dumpDay !== undefined && { dumpDay }),
    };
    const type = { 3: 'missing_in_dump', 4: 'amount_mismatch', 8: 'status_mismatch' }[story];
    if (type) exceptions.push({ transaction: t, type, status: 'open', anomaly: bent });
  }
  return exceptions;
}

export function anomaliesOf(
  transactions: readonly Transaction[],
  exceptions: readonly Exception[],
): Map<Transaction, Anomaly> {
  const found = new Map<Transaction, Anomaly>();
  for (const { transaction, anomaly } of exceptions) found.set(transaction, anomaly);
  // Drift over the cut-over, which is no exception.
  for (const t of transactions) {
    if (t.planted?.dumpDay !== undefined && !t.repeat) found.set(t, { dumpDay: t.planted.dumpDay });
  }
  return found;
}

/** Open or held: not reconciled, so not on the MIS. */
export function unsettled(exceptions: readonly Exception[]): Set<Transaction> {
  const open = exceptions.filter(
    ({ status, transaction }) => (status === 'open' || status === 'held') && transaction.day <= 2,
  );
  return new Set(open.map(({ transaction }) => transaction));
}

export function exceptionRows(
  exceptions: readonly Exception[],
  coreIds: ReadonlyMap<Transaction, number>,
  calendar: DemoCalendar,
): Row[] {
  const sorted = [...exceptions].sort(
    (a, b) => b.transaction.day - a.transaction.day || a.transaction.at - b.transaction.at,
  );
  return sorted.map(({ transaction: t, type, status, anomaly }, i) => {
    const opened = calendar.upTo(calendar.at(t.day - 1, 3, 0, 40 + (i % 20)));
    const closed =
      status === 'resolved' || status === 'released' ? calendar.upTo(opened + (6 + (i % 18)) * HOUR) : null;
    const amount = charged(t);
    const other = typeof anomaly.dump === 'object' ? amount + anomaly.dump.amount : null;
    const missing = type === 'missing_in_dump';
    return {
      id: 3001 + i,
      business_date: calendar.date(t.day),
      exception_type: type,
      status,
      core_transaction_id: coreIds.get(t) ?? null,
      rrn: t.rrn,
      tid: t.terminal.tid,
      mid: t.terminal.merchant.mid,
      dump_source: t.scheme ?? 'switch',
      expected_amount: type === 'missing_in_core' ? null : major(amount, t.currency),
      actual_amount: missing ? null : major(other ?? amount, t.currency),
      currency: t.currency,
      details: JSON.stringify(detailsOf(type, status)),
      opened_at: iso(opened),
      held_by: status === 'held' ? 'settlement-ops' : null,
      resolved_at: closed === null ? null : iso(closed),
      resolved_by: closed === null ? null : 'settlement-ops',
      run_id: 15 - t.day,
      ...stamps(iso(opened), iso(closed ?? opened)),
    };
  });
}

function detailsOf(type: string, status: string): Record<string, string> {
  if (status === 'held' || type === 'manual_hold') return { source: 'portal', reason: 'asked for by the risk desk' };
  if (status === 'resolved') return { source: 'reconciliation', outcome: 'corrected by a later file' };
  return { source: 'reconciliation' };
}
