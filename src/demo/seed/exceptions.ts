import { type DemoCalendar, MINUTE } from './calendar.ts';
import { type Cell, type Table, table } from './copy.ts';
import { groupBy } from './grouping.ts';
import { decimal } from './money.ts';
import { reconciliationJob } from './oban.ts';
import { random } from './prng.ts';
import type { Sale } from './sales.ts';
import { heldAt } from './settlement.ts';

/** Reconciliation runs of D-14 to D-2 and the 64 exceptions they and people made. D-1 waits for its run. */
const FIRST = -14;
const LAST = -2;
const startedAt = (calendar: DemoCalendar, day: number) => calendar.at(day + 1, '03:05');
/** At D-2 this was before the late QR file came, at 03:35. */
export const finishedAt = (calendar: DemoCalendar, day: number) => calendar.at(day + 1, '03:12');
const runId = (day: number) => day - FIRST + 1;

export function exceptionTables(calendar: DemoCalendar, sales: readonly Sale[]): Table[] {
  const rng = random('exceptions');
  const rows = sales
    .filter(({ departure, pastException }) => departure?.exception || pastException)
    .map((sale, i): Cell[] => {
      const { departure, pastException: past, merchant } = sale;
      const type = departure?.exception ?? past!.type;
      const status = departure?.core === 'held' ? 'held' : (past?.status ?? 'open');
      const byHand = type === 'manual_hold' || type === 'suspected_fraud';
      const opened = byHand ? heldAt(calendar, sale) : finishedAt(calendar, sale.day);
      const closed = past && new Date(opened + rng.int(4 * 60, 40 * 60) * MINUTE);
      const { expected, actual } = sidesOf(sale, type, rng.int(1, 40));
      const amount = (minor: bigint | null) => (minor === null ? null : decimal(minor, merchant.currency));
      return [
        i + 1,
        calendar.date(sale.day),
        type,
        status,
        sale.coreId,
        sale.rrn,
        sale.terminal.tid,
        merchant.mid,
        byHand ? null : (sale.scheme ?? 'switch'),
        amount(expected),
        amount(actual),
        merchant.currency,
        JSON.stringify(byHand ? { source: 'portal', reason: 'Demo: under review' } : { source: 'reconciliation' }),
        new Date(opened),
        status === 'held' || status === 'released' ? 'demo-operator-2' : null,
        closed,
        past ? 'demo-operator-1' : null,
        byHand ? null : runId(sale.day),
      ];
    });
  return [
    runTable(calendar, sales),
    table(
      'reconciliation_exceptions',
      'id business_date exception_type status core_transaction_id rrn tid mid dump_source expected_amount actual_amount currency details opened_at held_by resolved_at resolved_by run_id',
      rows,
      'opened_at',
    ),
  ];
}

/** What core expected and what the dump held then, in minor units. */
function sidesOf(sale: Sale, type: string, drift: number): { expected: bigint | null; actual: bigint | null } {
  const { amount, departure } = sale;
  if (type === 'missing_in_dump') return { expected: amount, actual: null };
  if (type === 'missing_in_core') return { expected: null, actual: amount };
  if (type === 'amount_mismatch')
    return { expected: amount, actual: departure?.dumpAmount ?? amount + BigInt(drift * 5) };
  return { expected: amount, actual: amount };
}

function runTable(calendar: DemoCalendar, sales: readonly Sale[]): Table {
  const rows: Cell[][] = [];
  const days = groupBy(sales, ({ day }) => day);
  for (let day = FIRST; day <= LAST; day++) {
    const own = days.get(day) ?? [];
    const found = own.filter(
      ({ departure, pastException }) =>
        (departure?.exception && departure.core !== 'held') || (pastException && pastException.type !== 'manual_hold'),
    );
    const inCore = own.filter((sale) => sale.coreId !== null);
    rows.push([
      runId(day),
      calendar.date(day),
      'completed',
      'schedule',
      'scheduler',
      reconciliationJob(day),
      new Date(startedAt(calendar, day)),
      new Date(finishedAt(calendar, day)),
      inCore.length - found.filter((sale) => sale.coreId !== null).length,
      found.length,
      null,
    ]);
  }
  return table(
    'reconciliation_runs',
    'id business_date status trigger requested_by oban_job_id started_at finished_at matched_count exception_count error',
    rows,
    'started_at',
  );
}
