/** Configuration of terminals: templates, own parameters, artifacts, and 30 days of pushes. */
import { createHash } from 'node:crypto';
import { DAY, type DemoCalendar, HOUR, iso, MINUTE } from './calendar.ts';
import { Prng } from './prng.ts';
import { type Row, stamps, type TableRows, tableOf } from './rows.ts';
import { pilotNight, pilotPushAt, type Terminal } from './terminals.ts';

const TEMPLATES = [
  { id: 1, name: 'N5 parameters', vendor: 'Novapos', model: 'N5', group: null, type: 'parameter', version: '4.1.0' },
  {
    id: 2,
    name: 'N5 parameters, pilot',
    vendor: 'Novapos',
    model: 'N5',
    group: 'pilot',
    type: 'parameter',
    version: '4.2.0',
  },
  { id: 3, name: 'N7 parameters', vendor: 'Novapos', model: 'N7', group: null, type: 'parameter', version: '4.1.0' },
  {
    id: 4,
    name: 'K200 parameters',
    vendor: 'Kestrel',
    model: 'K200',
    group: null,
    type: 'parameter',
    version: '3.9.0',
  },
  { id: 5, name: 'N5 EMV', vendor: 'Novapos', model: 'N5', group: null, type: 'emv_config', version: '2.3.0' },
  { id: 6, name: 'N7 EMV', vendor: 'Novapos', model: 'N7', group: null, type: 'emv_config', version: '2.3.0' },
  { id: 7, name: 'K200 EMV', vendor: 'Kestrel', model: 'K200', group: null, type: 'emv_config', version: '2.1.0' },
] as const;
/** Of an earlier time, no longer active. */
const OLD = {
  id: 8,
  name: 'N5 parameters',
  vendor: 'Novapos',
  model: 'N5',
  group: null,
  type: 'parameter',
  version: '4.0.3',
};

type Template = (typeof TEMPLATES)[number];
const templateFor = (terminal: Terminal, type: string): Template | undefined =>
  TEMPLATES.find((t) => t.model === terminal.model && t.type === type && t.group === null);

const PUSHES = 600;

interface Push {
  readonly terminal: Terminal;
  readonly type: 'parameter' | 'emv_config' | 'keys_config' | 'application';
  readonly template: number | null;
  readonly version: string | null;
  readonly status: 'succeeded' | 'failed' | 'expired' | 'superseded' | 'sent';
  readonly source: string;
  readonly requested: number;
  readonly completed: number | null;
  readonly error: readonly [string, string] | null;
}

export function pushTables(terminals: readonly Terminal[], calendar: DemoCalendar): TableRows[] {
  const prng = new Prng('pushes');
  const pushes = [...pilotPushes(terminals, calendar), ...ordinaryPushes(terminals, calendar, prng)];
  pushes.sort((a, b) => a.requested - b.requested || a.terminal.index - b.terminal.index);
  const artifacts = new Map<string, Row>();
  const details: Row[] = [];
  const logs = pushes.map((push, i) => {
    const artifact = artifactOf(push, artifacts, prng);
    details.push(...detailRows(push, i + 1, details.length));
    return {
      id: i + 1,
      serial_number: push.terminal.serial,
      template_id: push.template,
      config_type: push.type,
      version: push.version,
      status: push.status,
      trigger_source: push.source,
      requested_by: push.source === 'portal' ? 'fleet-ops' : push.source,
      artifact_id: artifact,
      command_id: prng.uuid(),
      requested_at: iso(push.requested),
      completed_at: push.completed === null ? null : iso(push.completed),
      error_code: push.error?.[0] ?? null,
      error_message: push.error?.[1] ?? null,
      ...stamps(iso(push.requested), iso(push.completed ?? push.requested)),
    };
  });
  return [
    tableOf('parameter_templates', templateRows(calendar)),
    tableOf('terminal_parameters', parameterRows(terminals, calendar)),
    tableOf('config_artifacts', [...artifacts.values()]),
    tableOf('parameter_push_logs', logs),
    tableOf('push_details', details),
  ];
}

function pilotPushes(terminals: readonly Terminal[], calendar: DemoCalendar): Push[] {
  return terminals.flatMap((terminal) => {
    const completed = pilotPushAt(terminal.index, calendar);
    if (completed === undefined) return [];
    const push: Push = {
      terminal,
      type: 'parameter',
      template: 2,
      version: '4.2.0',
      status: 'succeeded',
      source: 'portal',
      requested: completed - 90_000,
      completed,
      error: null,
    };
    return [push];
  });
}

const ERRORS = [
  ['E_STORAGE_FULL', 'not enough space for the new files'],
  ['E_CHECKSUM', 'the file received does not fit its checksum'],
  ['E_TIMEOUT', 'the download did not end in time'],
  ['E_BUSY', 'a transaction was running'],
] as const;

function ordinaryPushes(terminals: readonly Terminal[], calendar: DemoCalendar, prng: Prng): Push[] {
  // The pilot terminals had no push but that one since their versions were last changed.
  const targets = terminals.filter((terminal) => terminal.group !== 'pilot' && terminal.status !== 'decommissioned');
  // Exact shares: 92 % of all succeeded.
  const outcomes: Push['status'][] = [
    ...Array<Push['status']>(542).fill('succeeded'),
    ...Array<Push['status']>(30).fill('failed'),
    ...Array<Push['status']>(10).fill('expired'),
    ...Array<Push['status']>(5).fill('superseded'),
    ...Array<Push['status']>(3).fill('sent'),
  ];
  const offline = targets.filter((terminal) => terminal.status === 'offline');
  return Array.from({ length: PUSHES - 10 }, (_, i) => {
    const status = outcomes[i] ?? 'succeeded';
    const waiting = status === 'sent';
    const terminal = waiting ? (offline[i % offline.length] ?? prng.pick(targets)) : prng.pick(targets);
    const type = waiting
      ? 'parameter'
      : prng.weighted([
          ['parameter', 60],
          ['emv_config', 20],
          ['application', 12],
          ['keys_config', 8],
        ] as const);
    const template = templateFor(terminal, type);
    const end = Math.min(terminal.since ?? calendar.asOf, pilotNight(calendar));
    const requested = waiting
      ? calendar.asOf - prng.int(1, 8) * HOUR - prng.int(1, 50) * MINUTE
      : end - 2 * DAY - prng.int(0, 26 * 24 * 60) * MINUTE;
    const took = {
      succeeded: prng.int(20, 300) * 1000,
      failed: prng.int(10, 200) * 1000,
      expired: DAY,
      superseded: 3 * HOUR,
    };
    return {
      terminal,
      type,
      template: template?.id ?? null,
      version: type === 'application' ? terminal.appVersion : (template?.version ?? null),
      status,
      source: prng.weighted([
        ['scheduler', 55],
        ['portal', 25],
        ['mcp', 12],
        ['terminal', 8],
      ] as const),
      requested,
      completed: status === 'sent' ? null : requested + took[status],
      error: status === 'failed' ? prng.pick(ERRORS) : null,
    };
  });
}

function artifactOf(push: Push, artifacts: Map<string, Row>, prng: Prng): number | null {
  if (push.type !== 'parameter' && push.type !== 'emv_config') return null;
  const version = `${push.version}.1`;
  const key = `${push.terminal.serial} ${push.type} ${version}`;
  const known = artifacts.get(key);
  if (known) return Number(known['id']);
  const id = artifacts.size + 1;
  const sha256 = prng.hex(64);
  artifacts.set(key, {
    id,
    serial_number: push.terminal.serial,
    config_type: push.type,
    version,
    sha256,
    size_bytes: prng.int(1_800, 9_600),
    storage_key: `${sha256.slice(0, 2)}/${sha256}.zip`,
    source_hash: prng.hex(64),
    built_at: iso(push.requested - 5_000),
    built_by: push.source,
    ...stamps(iso(push.requested - 5_000)),
  });
  return id;
}

function detailRows(push: Push, pushId: number, before: number): Row[] {
  const end = push.completed ?? push.requested + 60_000;
  const step = (share: number) => push.requested + Math.round((end - push.requested) * share);
  const events: [string, number][] = [
    ['queued', push.requested],
    ['published', push.requested + 800],
  ];
  if (push.status === 'succeeded') events.push(['accepted', step(0.3)], ['installing', step(0.7)], ['succeeded', end]);
  if (push.status === 'failed') events.push(['accepted', step(0.4)], ['downloading', step(0.6)], ['failed', end]);
  if (push.status === 'expired') events.push(['expired', end]);
  return events.map(([event, at], i) => ({
    id: before + i + 1,
    push_log_id: pushId,
    seq: i + 1,
    event,
    message: event === 'failed' ? (push.error?.[1] ?? null) : null,
    event_at: iso(at),
    payload: null,
    ...stamps(iso(at)),
  }));
}

function templateRows(calendar: DemoCalendar): Row[] {
  return [...TEMPLATES, OLD].map((template) => {
    const at = iso(template.id === 2 ? pilotNight(calendar) - 8 * HOUR : calendar.startOf(60 - template.id));
    return {
      id: template.id,
      name: template.name,
      vendor: template.vendor,
      model: template.model,
      group_name: template.group,
      config_type: template.type,
      version: template.version,
      content: JSON.stringify(template.type === 'parameter' ? parameterContent(template.version) : emvContent()),
      active: template.id !== OLD.id,
      ...stamps(at),
    };
  });
}

function parameterContent(version: string) {
  return {
    heartbeat_seconds: version === '4.2.0' ? 30 : 60,
    idle_screen: 'clock',
    offline_limit: '0.00',
    receipt_copies: 2,
    time_zone: 'Asia/Dubai',
    void_allowed: true,
  };
}

/** Complete as EMV asks, and of no scheme: the key is a hash of its own name. */
function emvContent() {
  const modulus = createHash('sha512').update('demo scheme key').digest('hex').toUpperCase().repeat(2);
  const key = { rid: 'A000000003', index: '92', modulus, exponent: '03' };
  const sha1 = createHash('sha1')
    .update(Buffer.from(Object.values(key).join(''), 'hex'))
    .digest('hex')
    .toUpperCase();
  const aid = (id: string, kernel: string) => ({
    aid: id,
    kernel,
    application_version: '008C',
    tac_default: 'DC4000A800',
    tac_denial: '0010000000',
    tac_online: 'DC4004F800',
    floor_limit: '00000000',
    contactless_limit: '30000',
    cvm_limit: '50000',
    no_oda_limit: '0',
    ddol: '9F3704',
    tdol: '',
  });
  return {
    terminal: { '9F35': '22', '9F33': 'E0F8C8', '9F40': 'F000F0A001', '9F1A': '0784', '5F2A': '0784', '5F36': '02' },
    aids: [aid('A0000000031010', 'C3'), aid('A0000000041010', 'C2')],
    capks: [{ ...key, sha1, expiry: '2031-12-31' }],
    exclusions: ['990001'],
  };
}

function parameterRows(terminals: readonly Terminal[], calendar: DemoCalendar): Row[] {
  const at = iso(calendar.startOf(60));
  return terminals.flatMap((terminal) => {
    const own: [string, string, boolean][] = [
      ['merchant_name', terminal.merchant.name, false],
      ['receipt_footer', 'Thank you', false],
      ['supervisor_code', `demo-${terminal.index}`, true],
    ];
    return own.map(([key, value, secret], i) => ({
      id: (terminal.index - 1) * own.length + i + 1,
      serial_number: terminal.serial,
      config_type: 'parameter',
      param_key: key,
      param_value: value,
      is_secret: secret,
      ...stamps(at),
    }));
  });
}
