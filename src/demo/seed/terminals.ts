/** The 240 terminals and 30 days of what they reported. */
import { DAY, type DemoCalendar, HOUR, iso, MINUTE } from './calendar.ts';
import type { Merchant } from './merchants.ts';
import { Prng } from './prng.ts';
import { stamps, type TableRows, tableOf } from './rows.ts';

export type TerminalStatus = 'online' | 'offline' | 'unknown' | 'maintenance' | 'decommissioned';

export interface Terminal {
  readonly index: number;
  readonly serial: string;
  readonly tid: string;
  readonly vendor: string;
  readonly model: string;
  readonly area: string;
  readonly group: 'pilot' | 'north' | 'south';
  readonly tier: 'gold' | 'silver' | 'bronze';
  readonly merchant: Merchant;
  readonly status: TerminalStatus;
  /** When it left `online`; null while it is online. */
  readonly since: number | null;
  /** It sells although it is not online: only its heartbeat is broken. */
  readonly stillSells: boolean;
  readonly parameterVersion: string;
  readonly appVersion: string;
}

/** The ten terminals of the pilot group, and minutes after 21:00 UTC at which each took version 4.2.0. */
const PILOT = new Map(
  [131, 132, 133, 134, 135, 136, 137, 138, 139, 140].map((index, i) => [index, 2 + ((i * 4 + 4) % 20)]),
);
/** Seven of the ten went offline after it. */
const PILOT_OFFLINE = new Set([131, 132, 134, 135, 137, 138, 140]);
PILOT.set(137, 10);

/** The night of the pilot push: 21:00 UTC of D-1, or of the day before while that lies ahead. */
export function pilotNight(calendar: DemoCalendar): number {
  const last = Date.parse(`${calendar.date(1)}T21:00:00Z`);
  return last + HOUR <= calendar.asOf ? last : last - DAY;
}

/** When a pilot terminal reported 4.2.0 as installed; undefined for all others. */
export function pilotPushAt(index: number, calendar: DemoCalendar): number | undefined {
  const minutes = PILOT.get(index);
  return minutes === undefined ? undefined : pilotNight(calendar) + minutes * MINUTE;
}

const AREAS = ['Deira', 'Marina', 'Jumeirah', 'Al Quoz', 'Business Bay', 'Silicon Oasis'];

export function buildTerminals(merchants: readonly Merchant[], calendar: DemoCalendar): Terminal[] {
  const prng = new Prng('terminals');
  return Array.from({ length: 240 }, (_, i) => {
    const index = i + 1;
    const { vendor, model, prefix } = modelOf(index);
    const number = String(index).padStart(6, '0');
    const merchant = merchants[(index * 7 + 7) % 40];
    if (!merchant) throw new RangeError('a terminal without a merchant');
    const pilot = pilotPushAt(index, calendar);
    const status = statusOf(index, pilot !== undefined);
    // 4 minutes after the push; the others left at some time in the last days.
    const since =
      status === 'online'
        ? null
        : pilot !== undefined
          ? pilot + 4 * MINUTE
          : calendar.asOf - prng.int(3, 90) * HOUR - prng.int(0, 59) * MINUTE;
    return {
      index,
      serial: index === 240 ? '端末-0007' : `${prefix}${number}`,
      tid: `T${String(index).padStart(7, '0')}`,
      vendor,
      model,
      area: AREAS[index % 6] ?? 'Deira',
      group: pilot !== undefined ? 'pilot' : groupOf(index),
      tier: index % 12 === 0 ? 'gold' : index % 3 === 0 || index % 12 === 1 ? 'silver' : 'bronze',
      merchant,
      status,
      since,
      stillSells: index === 140,
      parameterVersion: pilot !== undefined ? '4.2.0' : parameterVersion(index, model),
      appVersion: appVersion(index, model),
    };
  });
}

function modelOf(index: number) {
  if (index <= 160) return { vendor: 'Novapos', model: 'N5', prefix: 'NV5-' };
  if (index <= 210) return { vendor: 'Novapos', model: 'N7', prefix: 'NV7-' };
  return { vendor: 'Kestrel', model: 'K200', prefix: 'KS2-' };
}

/** 110 north and 120 south beside the ten of the pilot. */
function groupOf(index: number): 'north' | 'south' {
  return index <= 110 ? 'north' : 'south';
}

function statusOf(index: number, pilot: boolean): TerminalStatus {
  if (pilot) return PILOT_OFFLINE.has(index) ? 'offline' : 'online';
  if ([88, 175, 222].includes(index)) return 'decommissioned';
  if ([17, 96, 183, 231].includes(index)) return 'maintenance';
  if ([58, 166, 219].includes(index)) return 'unknown';
  return index % 17 === 9 ? 'offline' : 'online';
}

/** Some terminals stayed behind: they are what a missing-version push is for. */
function parameterVersion(index: number, model: string): string {
  if (model === 'K200') return index % 10 === 4 ? '3.8.2' : '3.9.0';
  return index % 21 === 2 ? '4.0.3' : '4.1.0';
}

/** Five N5 took 2.8.0 in the last 24 hours. */
export const FRESH_DEPLOYMENTS = [11, 12, 13, 14, 15];

/** Their last deployment failed, so they kept what they had. */
export const FAILED_DEPLOYMENTS = [23, 71, 104, 150];

function appVersion(index: number, model: string): string {
  if (model === 'K200') return '1.9.0';
  if (model === 'N7') return '2.8.0';
  if (FAILED_DEPLOYMENTS.includes(index)) return '2.6.0';
  return FRESH_DEPLOYMENTS.includes(index) ? '2.8.0' : '2.7.0';
}

export function terminalTables(terminals: readonly Terminal[], calendar: DemoCalendar): TableRows[] {
  const prng = new Prng('registry');
  const registry = terminals.map((terminal) => {
    const seen = lastSeen(terminal, calendar, prng);
    return {
      id: terminal.index,
      serial_number: terminal.serial,
      vendor: terminal.vendor,
      model: terminal.model,
      area: terminal.area,
      merchant_id: terminal.merchant.mid,
      mid: terminal.merchant.mid,
      tid: terminal.tid,
      group_name: terminal.group,
      tier: terminal.tier,
      status: terminal.status,
      last_seen_at: seen === null ? null : iso(seen),
      app_version: terminal.appVersion,
      firmware_version: terminal.model === 'K200' ? '1.14.2' : '3.4.1',
      parameter_version: terminal.parameterVersion,
      emv_config_version: terminal.model === 'K200' ? '2.1.0' : '2.3.0',
      battery_level: terminal.model === 'K200' ? null : prng.int(15, 100),
      signal_dbm: -prng.int(51, 97),
      mqtt_client_id: `tms-${terminal.index}`,
      latitude: `25.${String(prng.int(60_000, 280_000)).padStart(6, '0')}`,
      longitude: `55.${String(prng.int(120_000, 420_000)).padStart(6, '0')}`,
      ...stamps(iso(calendar.startOf(400)), iso(seen ?? calendar.startOf(400))),
    };
  });
  return [tableOf('tms_terminals', registry), statusLogs(terminals, calendar)];
}

function lastSeen(terminal: Terminal, calendar: DemoCalendar, prng: Prng): number | null {
  if (terminal.status === 'online') return calendar.asOf - prng.int(5, 580) * 1000;
  // The last word of a terminal came when it left, or shortly before.
  if (terminal.status === 'unknown') return terminal.index === 219 ? null : terminal.since;
  return terminal.since;
}

interface Report {
  readonly at: number;
  readonly status: TerminalStatus;
  readonly reason: string;
}

interface Logged extends Report {
  readonly terminal: Terminal;
  readonly previous: TerminalStatus | null;
  readonly battery: number | null;
  readonly signal: number | null;
}

function statusLogs(terminals: readonly Terminal[], calendar: DemoCalendar): TableRows {
  const prng = new Prng('status logs');
  const reports: Logged[] = [];
  for (const terminal of terminals) {
    // One that never reported: what the fleet views call unknown.
    if (terminal.index === 219) continue;
    const own = timeline(terminal, calendar, prng).sort((a, b) => a.at - b.at);
    let previous: TerminalStatus | null = null;
    for (const report of own) {
      const { at, status, reason } = report;
      const battery = terminal.model === 'K200' ? null : prng.int(15, 100);
      const signal = status === 'offline' ? null : -prng.int(51, 97);
      reports.push({ at, status, reason, terminal, previous, battery, signal });
      previous = report.status;
    }
  }
  reports.sort((a, b) => a.at - b.at || a.terminal.index - b.terminal.index);
  return tableOf(
    'tms_terminal_status_logs',
    reports,
    ({ at, status, reason, terminal, previous, battery, signal }, i) => ({
      id: i + 1,
      serial_number: terminal.serial,
      status,
      previous_status: previous,
      reason,
      battery_level: battery,
      signal_dbm: signal,
      app_version: terminal.appVersion,
      reported_at: iso(at),
      ...stamps(iso(at)),
    }),
  );
}

/** Heartbeats about every seven hours, one to three short outages, and the end that the terminal's status tells of. */
function timeline(terminal: Terminal, calendar: DemoCalendar, prng: Prng): Report[] {
  const start = calendar.asOf - 30 * DAY;
  const end = terminal.since ?? calendar.asOf;
  const outages: { from: number; to: number }[] = [];
  for (let n = prng.int(1, 3); n > 0; n -= 1) {
    const from = start + prng.int(0, 27 * 24 * 60) * MINUTE;
    const to = from + prng.int(20, 400) * MINUTE;
    const free = outages.every((other) => to < other.from - HOUR || from > other.to + HOUR);
    if (free && to < end - HOUR) outages.push({ from, to });
  }
  const reports: Report[] = [];
  for (let at = start + prng.int(0, 400) * MINUTE; at < end - MINUTE; at += prng.int(375, 460) * MINUTE) {
    if (outages.some((outage) => at >= outage.from && at <= outage.to)) continue;
    reports.push({ at, status: 'online', reason: 'heartbeat' });
  }
  for (const { from, to } of outages) {
    const reason = prng.pick(['lwt', 'lwt', 'heartbeat', 'reboot']);
    reports.push({ at: from, status: 'offline', reason }, { at: to, status: 'online', reason: 'heartbeat' });
  }
  if (terminal.since !== null)
    reports.push({ at: terminal.since, status: terminal.status, reason: lastReason(terminal) });
  else reports.push({ at: calendar.asOf - prng.int(60, 900) * 1000, status: 'online', reason: 'heartbeat' });
  return reports;
}

function lastReason(terminal: Terminal): string {
  if (terminal.status === 'maintenance' || terminal.status === 'decommissioned') return 'manual';
  return terminal.stillSells || terminal.status === 'unknown' ? 'heartbeat' : 'lwt';
}
