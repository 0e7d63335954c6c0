import { DAY, type DemoCalendar, HOUR, MINUTE } from './calendar.ts';
import { type Table, table } from './copy.ts';
import type { Merchant } from './merchants.ts';
import { type Random, random } from './prng.ts';
import type { VersionHistory } from './versions.ts';

/** 240 terminals: who has them, where they stand, and when each of them was not there. */
export type TerminalStatus = 'online' | 'offline' | 'unknown' | 'maintenance' | 'decommissioned';
export type StatusReason = 'heartbeat' | 'lwt' | 'push_failed' | 'reboot' | 'manual';

/** A time in which a terminal was not online: [from, to), to = null while it lasts. */
export interface Absence {
  readonly from: number;
  readonly to: number | null;
  readonly status: Exclude<TerminalStatus, 'online'>;
  readonly reason: StatusReason;
  readonly back: StatusReason;
}

export interface Terminal {
  readonly number: number;
  readonly serial: string;
  readonly vendor: 'Novapos' | 'Kestrel';
  readonly model: 'N5' | 'N7' | 'K200';
  readonly area: string;
  readonly merchant: Merchant;
  readonly tid: string;
  readonly group: 'pilot' | 'north' | 'south';
  readonly tier: 'gold' | 'silver' | 'bronze';
  /** In order, apart from each other. */
  readonly absences: readonly Absence[];
  readonly status: TerminalStatus;
  readonly lastSeen: number;
}

export const HISTORY_DAYS = 30;
export const PILOT: readonly number[] = [131, 132, 133, 134, 135, 136, 137, 138, 139, 140];
/** Story 1: seven of the ten went offline after the push, 137 exactly four minutes after it. */
export const PILOT_OFFLINE: readonly number[] = [131, 132, 134, 135, 137, 138, 140];
/** Terminals that a story or a first try of a tool needs present all the time. */
const STEADY: ReadonlySet<number> = new Set([...PILOT, 21, 22, 101, 108, 109, 111, 112, 188, 217]);
const LASTING: Readonly<Record<number, Absence['status']>> = {
  43: 'offline',
  66: 'offline',
  93: 'offline',
  149: 'offline',
  172: 'offline',
  199: 'offline',
  229: 'offline',
  58: 'unknown',
  166: 'unknown',
  233: 'unknown',
  77: 'maintenance',
  121: 'maintenance',
  183: 'maintenance',
  219: 'maintenance',
  99: 'decommissioned',
  159: 'decommissioned',
  239: 'decommissioned',
};
const AREAS = ['Demo Bay', 'Demo Creek', 'Demo Heights', 'Demo Marina', 'Demo Old Town', 'Demo Port'];
const STRETCHES = 10;

export function buildTerminals(calendar: DemoCalendar, merchants: readonly Merchant[]): Terminal[] {
  const rng = random('terminals');
  const terminals: Terminal[] = [];
  let outsidePilot = 0;
  for (let number = 1; number <= 240; number++) {
    const group = PILOT.includes(number) ? 'pilot' : ++outsidePilot <= 110 ? 'north' : 'south';
    const absences = absencesOf(rng, calendar, number);
    const last = absences.at(-1);
    const lasting = last?.to === null ? last : undefined;
    terminals.push({
      number,
      ...deviceOf(number),
      area: AREAS[number % AREAS.length]!,
      // Terminal 137 stands at merchant 7.
      merchant: merchants[(number + 29) % merchants.length]!,
      tid: `T${String(number).padStart(7, '0')}`,
      group,
      tier: number % 12 === 0 ? 'gold' : number % 3 === 0 || number % 12 === 1 ? 'silver' : 'bronze',
      absences,
      status: lasting?.status ?? 'online',
      lastSeen: lasting?.from ?? calendar.asOf - rng.int(1, 4 * 60) * 1000,
    });
  }
  return terminals;
}

function deviceOf(number: number): Pick<Terminal, 'serial' | 'vendor' | 'model'> {
  const digits = String(number).padStart(6, '0');
  if (number <= 160) return { serial: `NV5-${digits}`, vendor: 'Novapos', model: 'N5' };
  if (number <= 210) return { serial: `NV7-${digits}`, vendor: 'Novapos', model: 'N7' };
  return { serial: number === 217 ? '端末-0007' : `KST-${digits}`, vendor: 'Kestrel', model: 'K200' };
}

function absencesOf(rng: Random, calendar: DemoCalendar, number: number): Absence[] {
  const absences: Absence[] = [];
  const lasting = lastingAbsence(rng, calendar, number);
  if (!STEADY.has(number)) {
    // One absence in each stretch of three days, so that they never touch.
    const begin = calendar.asOf - HISTORY_DAYS * DAY;
    const stretch = (HISTORY_DAYS * DAY - 2 * HOUR) / STRETCHES;
    for (let i = 0; i < STRETCHES; i++) {
      const from = begin + i * stretch + rng.int(1, Math.floor(stretch * 0.8));
      const length = rng.weighted([
        [rng.int(4, 25) * MINUTE, 60],
        [rng.int(26, 120) * MINUTE, 30],
        [rng.int(2, 10) * HOUR, 10],
      ]);
      const to = from + length + rng.int(0, 59_999);
      if (lasting !== null && to >= lasting.from - HOUR) break;
      const reason = rng.weighted([
        ['lwt', 80],
        ['heartbeat', 15],
        ['reboot', 5],
      ] as const);
      absences.push({ from, to, status: 'offline', reason, back: reason === 'reboot' ? 'reboot' : 'heartbeat' });
    }
  }
  if (lasting !== null) absences.push(lasting);
  return absences;
}

function lastingAbsence(rng: Random, calendar: DemoCalendar, number: number): Absence | null {
  const common = { to: null, back: 'heartbeat' } as const;
  if (PILOT_OFFLINE.includes(number)) {
    const from = calendar.pilotPush + (number === 137 ? 4 * MINUTE : rng.int(2 * 60, 9 * 60) * 1000);
    // Story 2: this one only stopped reporting; its connection was never seen to break.
    return { ...common, from, status: 'offline', reason: number === 140 ? 'heartbeat' : 'lwt' };
  }
  const status = LASTING[number];
  if (status === undefined) return null;
  if (status === 'decommissioned') {
    return { ...common, from: calendar.asOf - rng.int(9 * 24, 20 * 24) * HOUR, status, reason: 'manual' };
  }
  const from = calendar.asOf - rng.int(20, 70) * HOUR - rng.int(0, 3_599_999);
  return {
    ...common,
    from,
    status,
    reason: status === 'maintenance' ? 'manual' : status === 'unknown' ? 'heartbeat' : 'lwt',
  };
}

export function isOnline(terminal: Terminal, at: number): boolean {
  return !terminal.absences.some(({ from, to }) => from <= at && (to === null || at < to));
}

export function terminalTable(
  calendar: DemoCalendar,
  terminals: readonly Terminal[],
  versions: { app: VersionHistory<Terminal>; parameter: VersionHistory<Terminal>; emv: VersionHistory<Terminal> },
): Table {
  const rng = random('terminal readings');
  const firmware = { N5: '5.14.2', N7: '7.3.0', K200: '1.9.8' } as const;
  const older = { N5: '5.13.9', N7: '7.2.4', K200: '1.9.6' } as const;
  const made = new Date(calendar.asOf - 365 * DAY);
  const rows = terminals.map((terminal) => [
    terminal.number,
    terminal.serial,
    terminal.vendor,
    terminal.model,
    terminal.area,
    terminal.merchant.mid,
    terminal.merchant.mid,
    terminal.tid,
    terminal.group,
    terminal.tier,
    terminal.status,
    new Date(terminal.lastSeen),
    versions.app.last(terminal),
    (rng.chance(85) || terminal.group === 'pilot' ? firmware : older)[terminal.model],
    versions.parameter.last(terminal),
    versions.emv.last(terminal),
    rng.int(35, 100),
    -rng.int(51, 97),
    `demo-terminal-${String(terminal.number).padStart(3, '0')}`,
    `25.${rng.int(10_000, 30_000)}`,
    `55.${rng.int(10_000, 40_000)}`,
    made,
  ]);
  return table(
    'tms_terminals',
    'id serial_number vendor model area merchant_id mid tid group_name tier status last_seen_at app_version firmware_version parameter_version emv_config_version battery_level signal_dbm mqtt_client_id latitude longitude',
    rows,
  );
}
