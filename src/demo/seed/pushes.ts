import { DAY, type DemoCalendar, HOUR, MINUTE, SECOND } from './calendar.ts';
import { type Cell, type Table, table } from './copy.ts';
import { type Random, random } from './prng.ts';
import { EMV, PARAMETER, templateId } from './templates.ts';
import { isOnline, PILOT, type Terminal } from './terminals.ts';
import { type VersionHistory, versionHistory } from './versions.ts';

/** 600 configuration pushes of 30 days with every step they took, and the versions they left on the terminals. */
type ConfigType = 'parameter' | 'emv_config' | 'keys_config';
type PushStatus = 'succeeded' | 'failed' | 'expired' | 'superseded' | 'queued' | 'sent' | 'accepted';

interface Push {
  readonly terminal: Terminal;
  readonly type: ConfigType;
  readonly version: string | null;
  readonly status: PushStatus;
  readonly source: string;
  readonly at: number;
  readonly done: number | null;
  readonly error: readonly [string, string] | null;
}

/** Days before as-of at which the current templates came. */
const CURRENT_SINCE = 20 * DAY;
const ENDS: readonly (readonly [PushStatus, number])[] = [
  ['succeeded', 542],
  ['failed', 26],
  ['expired', 14],
  ['superseded', 4],
];
/** Under way at as-of, on terminals of no story. */
const UNDER_WAY: readonly (readonly [number, PushStatus])[] = [
  [168, 'queued'],
  [172, 'sent'],
  [199, 'sent'],
  [203, 'accepted'],
];
const FAILURES = [
  ['E_STORAGE_FULL', 'Not enough storage.'],
  ['E_HASH', 'The file did not have the hash it should have.'],
  ['E_DOWNLOAD', 'The download broke off.'],
  ['E_PARSE', 'The file could not be read.'],
] as const;
const OFFLINE = ['E_EXPIRED', 'The terminal did not answer within 24 hours.'] as const;

export interface Pushes {
  readonly parameter: VersionHistory<Terminal>;
  readonly emv: VersionHistory<Terminal>;
  readonly tables: readonly Table[];
}

export function buildPushes(calendar: DemoCalendar, terminals: readonly Terminal[]): Pushes {
  const rng = random('pushes');
  const pushes = [...ordinary(rng, calendar, terminals), ...pilotPushes(rng, calendar, terminals)];
  for (const [number, status] of UNDER_WAY) {
    const at = calendar.asOf - rng.int(3, 25) * MINUTE;
    pushes.push({
      terminal: terminals[number - 1]!,
      type: 'emv_config',
      version: EMV.current,
      status,
      source: 'scheduler',
      at,
      done: null,
      error: null,
    });
  }
  pushes.sort((a, b) => a.at - b.at || a.terminal.number - b.terminal.number);

  const parameter = versionHistory(() => PARAMETER.old);
  const emv = versionHistory(() => EMV.old);
  for (const { terminal, type, version, status, done } of [...pushes].sort((a, b) => (a.done ?? 0) - (b.done ?? 0))) {
    if (status !== 'succeeded' || version === null) continue;
    (type === 'parameter' ? parameter : emv).set(terminal, done!, version);
  }
  const details: Cell[][] = [];
  const logs = pushes.map((push, i): Cell[] => {
    for (const [step, [event, at]] of stepsOf(rng, push).entries()) {
      const message = event === 'failed' || event === 'expired' ? (push.error?.[1] ?? null) : null;
      const payload = event === 'accepted' ? JSON.stringify({ free_mb: rng.int(40, 900) }) : null;
      details.push([details.length + 1, i + 1, step + 1, event, message, new Date(at), payload]);
    }
    return [
      i + 1,
      push.terminal.serial,
      push.version === null ? null : templateId(push.terminal.model, push.type, push.version),
      push.type,
      push.version,
      push.status,
      push.source,
      push.source === 'portal' ? 'demo-operator-1' : push.source === 'mcp' ? 'A2' : push.source,
      null,
      rng.uuid(),
      new Date(push.at),
      push.done === null ? null : new Date(push.done),
      push.error?.[0] ?? null,
      push.error?.[1] ?? null,
    ];
  });
  return {
    parameter,
    emv,
    tables: [
      table(
        'parameter_push_logs',
        'id serial_number template_id config_type version status trigger_source requested_by artifact_id command_id requested_at completed_at error_code error_message',
        logs,
        'requested_at',
      ),
      table('push_details', 'id push_log_id seq event message event_at payload', details, 'event_at'),
    ],
  };
}

function ordinary(rng: Random, calendar: DemoCalendar, terminals: readonly Terminal[]): Push[] {
  const ends = rng.shuffled(ENDS.flatMap(([status, count]) => Array<PushStatus>(count).fill(status)));
  const active = terminals.filter(({ status }) => status !== 'decommissioned');
  return ends.map((status) => {
    const type = rng.weighted([
      ['parameter', 50],
      ['emv_config', 38],
      ['keys_config', 12],
    ] as const);
    let terminal: Terminal;
    let at: number;
    do {
      terminal = rng.pick(active);
      // Finished well before the pilot's evening, so that no older push follows it.
      at = calendar.pilotPush - rng.int(30 * HOUR, 28 * DAY) - rng.int(0, 999);
    } while (status !== 'expired' && !isOnline(terminal, at));
    const recent = at > calendar.asOf - CURRENT_SINCE;
    const version =
      type === 'keys_config'
        ? null
        : type === 'parameter'
          ? PARAMETER[recent ? 'current' : 'old']
          : EMV[recent ? 'current' : 'old'];
    const took =
      status === 'expired' ? DAY : status === 'superseded' ? rng.int(1, 20) * MINUTE : rng.int(4_000, 95_000);
    const error = status === 'failed' ? rng.pick(FAILURES) : status === 'expired' ? OFFLINE : null;
    const source = rng.weighted([
      ['scheduler', 50],
      ['portal', 25],
      ['mcp', 20],
      ['terminal', 5],
    ] as const);
    return { terminal, type, version, status, source, at, done: at + took, error };
  });
}

/** Story 1. The push to 137 ended at 21:10:00, the others within the two minutes around it. */
function pilotPushes(rng: Random, calendar: DemoCalendar, terminals: readonly Terminal[]): Push[] {
  return PILOT.map((number) => {
    const done = number === 137 ? calendar.pilotPush : calendar.pilotPush + rng.int(-60_000, 60_000);
    const common = { type: 'parameter', version: PARAMETER.pilot, status: 'succeeded', source: 'portal' } as const;
    return { ...common, terminal: terminals[number - 1]!, at: done - rng.int(8_000, 30_000), done, error: null };
  });
}

function stepsOf(rng: Random, { type, status, at, done }: Push): (readonly [string, number])[] {
  const names = ['queued'];
  if (status !== 'queued') names.push('published');
  if (status === 'accepted' || status === 'succeeded' || status === 'failed') names.push('accepted');
  if (status === 'succeeded' && type === 'emv_config') names.push('downloading');
  if (status === 'succeeded') names.push('installing');
  const until = Math.min(done ?? at + 5 * SECOND, at + 30 * SECOND);
  const steps = names.map(
    (name, i) =>
      [name, at + Math.floor(((until - at) * i) / (names.length + 1)) + (i > 0 ? rng.int(0, 300) : 0)] as const,
  );
  // Superseding is a change of the push alone: the terminal has no part in it.
  return status === 'succeeded' || status === 'failed' || status === 'expired'
    ? [...steps, [status, done!] as const]
    : steps;
}
