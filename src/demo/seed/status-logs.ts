import { DAY, type DemoCalendar, HOUR } from './calendar.ts';
import { rowsOf, type Table, table } from './copy.ts';
import { random } from './prng.ts';
import { HISTORY_DAYS, isOnline, type StatusReason, type Terminal, type TerminalStatus } from './terminals.ts';
import type { VersionHistory } from './versions.ts';

/** What terminals reported: every change, and a heartbeat each eight hours while they were there. */
interface Report {
  readonly terminal: Terminal;
  readonly at: number;
  readonly status: TerminalStatus;
  readonly previous: TerminalStatus | null;
  readonly reason: StatusReason;
}

const HEARTBEAT = 8 * HOUR;

export function statusLogTable(
  calendar: DemoCalendar,
  terminals: readonly Terminal[],
  app: VersionHistory<Terminal>,
): Table {
  const rng = random('status logs');
  const begin = calendar.asOf - HISTORY_DAYS * DAY;
  const reports: Report[] = [];
  for (const terminal of terminals) {
    const own: Omit<Report, 'previous'>[] = [];
    for (const { from, to, status, reason, back } of terminal.absences) {
      own.push({ terminal, at: from, status, reason });
      if (to !== null) own.push({ terminal, at: to, status: 'online', reason: back });
    }
    for (let at = begin + rng.int(0, HEARTBEAT - 1); at <= terminal.lastSeen; at += HEARTBEAT) {
      if (isOnline(terminal, at)) own.push({ terminal, at, status: 'online', reason: 'heartbeat' });
    }
    own.sort((a, b) => a.at - b.at);
    let previous: TerminalStatus | null = null;
    for (const report of own) {
      reports.push({ ...report, previous });
      previous = report.status;
    }
  }
  reports.sort((a, b) => a.at - b.at || a.terminal.number - b.terminal.number);
  return table(
    'tms_terminal_status_logs',
    'id serial_number status previous_status reason battery_level signal_dbm app_version reported_at',
    rowsOf(reports, (report, i) => [
      i + 1,
      report.terminal.serial,
      report.status,
      report.previous,
      report.reason,
      report.status === 'online' ? rng.int(35, 100) : null,
      report.status === 'online' ? -rng.int(51, 97) : null,
      app.at(report.terminal, report.at),
      new Date(report.at),
    ]),
    'reported_at',
  );
}
