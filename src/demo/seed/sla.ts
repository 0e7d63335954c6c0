import type { DemoCalendar } from './calendar.ts';
import { type Cell, type Table, table } from './copy.ts';
import { type Dumps, LATE_DAY } from './dumps.ts';
import { finishedAt } from './exceptions.ts';
import { SETTLED_UP_TO } from './payouts.ts';
import { approvedAt, generatedAt } from './settlement.ts';

/**
 * Five checkpoints for each of the fourteen business days D-15 to D-2. D-1 has none yet: they are made when a day's dumps are reconciled.
 * At D-2 the dumps came 95 minutes late (story 17); its sheet waits for approval, which is due tomorrow, as is the payout.
 */
const FIRST = -15;
const LAST = -2;

export function slaTable(calendar: DemoCalendar, dumps: Dumps): Table {
  const rows: Cell[][] = [];
  for (let day = FIRST; day <= LAST; day++) {
    const settled = day <= SETTLED_UP_TO;
    const checkpoints: readonly (readonly [string, number, number | null])[] = [
      ['dump_arrival', calendar.at(day + 1, '02:00'), dumps.arrival(day)],
      ['recon_complete', calendar.at(day + 1, '05:00'), finishedAt(calendar, day)],
      ['mis_generated', calendar.at(day + 1, '08:00'), generatedAt(calendar, day).getTime()],
      ['mis_approved', calendar.at(day + 3, '12:00'), settled ? approvedAt(calendar, day).getTime() : null],
      ['payout_released', calendar.at(day + 3, '16:00'), settled ? calendar.at(day + 2, '14:30') : null],
    ];
    for (const [checkpoint, due, achieved] of checkpoints) {
      const late = achieved !== null && achieved > due;
      rows.push([
        rows.length + 1,
        calendar.date(day),
        checkpoint,
        new Date(due),
        achieved === null ? null : new Date(achieved),
        achieved === null ? 'pending' : late ? 'late' : 'met',
        new Date(calendar.past(due)),
        late && day === LATE_DAY ? JSON.stringify({ last_file: 'samplepay' }) : null,
        new Date(calendar.at(day + 1, '00:00')),
      ]);
    }
  }
  return table('sla_checkpoints', 'id business_date checkpoint due_at achieved_at status checked_at details', rows);
}
