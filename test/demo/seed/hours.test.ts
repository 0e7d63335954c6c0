import t from 'tap';
import { demoCalendar } from '../../../src/demo/seed/calendar.ts';
import type { Cell, Table } from '../../../src/demo/seed/copy.ts';
import { demoTables } from '../../../src/demo/seed/plan.ts';

t.setTimeout(120_000);

/** Columns that tell of plans. */
const PLANNED = new Set(['due_at', 'expires_at', 'scheduled_at']);
/** Rows that the contract fixes to a few per cent, whatever the hour of as-of. */
const ABOUT: Record<string, readonly [number, number]> = {
  tms_terminal_status_logs: [26_000, 0.03],
  push_details: [3_000, 0.06],
  switch_dump_records: [25_000, 0.06],
  qr_scheme_dump_records: [1_100, 0.05],
  core_transactions: [26_000, 0.04],
  settlement_mis_items: [24_000, 0.07],
};
const EXACT: Record<string, number> = {
  pos_transaction: 30_000,
  pos_transaction_reversal: 450,
  payout_batches: 26,
  payout_items: 470,
  reconciliation_exceptions: 64,
  sla_checkpoints: 70,
  risk_rule_hits: 120,
};

// The first and last hour of a business day, those around the pilot's evening, and the middle of a day at the turn of a year.
for (const asOf of ['2026-02-28T20:00:00Z', '2026-02-28T21:00:00Z', '2026-03-01T19:00:00Z', '2026-12-31T22:00:00Z']) {
  t.test(`as of ${asOf}: the sizes hold, ids are unique and nothing lies in the future`, async (t) => {
    const calendar = demoCalendar(new Date(asOf));
    const sizes = new Map<string, number>();
    for (const table of Object.values(demoTables(calendar)).flat()) {
      const rows = [...table.rows] as Cell[][];
      sizes.set(table.name, rows.length);
      t.equal(new Set(rows.map((row) => row[0])).size, rows.length, `${table.name} has unique keys`);
      const late = rows.flatMap((row) => futureCells(table, row, calendar.asOf));
      t.same(late.slice(0, 3), [], `${table.name} has no future`);
    }
    for (const [name, count] of Object.entries(EXACT)) t.equal(sizes.get(name), count, name);
    for (const [name, [count, share]] of Object.entries(ABOUT)) {
      t.ok(Math.abs(sizes.get(name)! - count) <= count * share, `${name}: ${sizes.get(name)} of about ${count}`);
    }
  });
}

function futureCells(table: Table, row: readonly Cell[], asOf: number): string[] {
  return row.flatMap((cell, i) => {
    const column = table.columns[i] ?? 'made';
    if (!(cell instanceof Date) || PLANNED.has(column) || cell.getTime() <= asOf) return [];
    return [`${column} ${cell.toISOString()}`];
  });
}
