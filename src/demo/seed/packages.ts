import { createHash } from 'node:crypto';
import { DAY, type DemoCalendar, HOUR, MINUTE, SECOND } from './calendar.ts';
import { type Cell, type Table, table } from './copy.ts';
import { random } from './prng.ts';
import { isOnline, type Terminal } from './terminals.ts';
import { type VersionHistory, versionHistory } from './versions.ts';

/** App packages, the rules of their installation, and 180 deployments that explain each terminal's app version. */
const PACKAGES = [
  { version: '2.6.0', model: 'N5', min: null, status: 'withdrawn' },
  { version: '2.7.2', model: 'N5', min: '2.5.0', status: 'approved' },
  { version: '2.8.0', model: 'N5', min: '2.6.0', status: 'approved' },
  { version: '2.7.2', model: 'N7', min: '2.5.0', status: 'approved' },
  { version: '2.7.2', model: 'K200', min: '2.5.0', status: 'approved' },
  { version: '2.9.0', model: 'N5', min: '2.7.0', status: 'draft' },
] as const;
/** Story 18: package 3 was deployed to these in the last 24 hours. */
export const NEW_PACKAGE = 3;
export const NEW_PACKAGE_TERMINALS: readonly number[] = [21, 22, 23, 24, 25];
const ROLLED_BACK: readonly number[] = [31, 32, 33, 34, 35];
const FAILURES = [
  ['E_BATTERY_LOW', 'Battery below the minimum of the deployment configuration.'],
  ['E_STORAGE_FULL', 'Not enough storage for the package.'],
  ['E_DOWNLOAD', 'The download broke off three times.'],
] as const;

interface Deployment {
  readonly terminal: Terminal;
  readonly packageId: number;
  readonly kind: 'deploy' | 'rollback';
  readonly status: 'succeeded' | 'failed' | 'expired' | 'sent';
  readonly at: number;
  readonly done: number | null;
}

export interface Deployments {
  readonly app: VersionHistory<Terminal>;
  readonly tables: readonly Table[];
}

export function buildDeployments(calendar: DemoCalendar, terminals: readonly Terminal[]): Deployments {
  const rng = random('packages');
  const plan: Deployment[] = [];
  const when = (terminal: Terminal, from: number, to: number): number => {
    for (let tries = 0; ; tries++) {
      const at = calendar.asOf - rng.int(to, from) - rng.int(0, 999);
      if (tries === 50 || isOnline(terminal, at)) return at;
    }
  };
  const add = (number: number, packageId: number, status: Deployment['status'], from: number, to: number) => {
    const terminal = terminals[number - 1]!;
    const at = when(terminal, from, to);
    const took = status === 'expired' ? 72 * HOUR : rng.int(3 * 60, 26 * 60) * SECOND + rng.int(0, 999);
    plan.push({ terminal, packageId, kind: 'deploy', status, at, done: status === 'sent' ? null : at + took });
  };
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  for (const number of range(1, 110)) {
    const status = number === 39 || number === 78 ? 'expired' : number % 13 === 0 ? 'failed' : 'succeeded';
    add(number, 2, status, 28 * DAY, 9 * DAY);
  }
  for (const number of range(161, 205)) {
    const status = number === 205 ? 'sent' : number % 20 === 0 ? 'failed' : 'succeeded';
    const [from, to] = number === 205 ? [50 * MINUTE, 40 * MINUTE] : [25 * DAY, 5 * DAY];
    add(number, 4, status, from, to);
  }
  for (const number of range(211, 225)) add(number, 5, number === 220 ? 'failed' : 'succeeded', 20 * DAY, 4 * DAY);
  for (const number of NEW_PACKAGE_TERMINALS) add(number, NEW_PACKAGE, 'succeeded', 5 * HOUR, 2 * HOUR);
  for (const number of ROLLED_BACK) {
    const terminal = terminals[number - 1]!;
    const at = when(terminal, 7 * DAY, 4 * DAY);
    plan.push({
      terminal,
      packageId: 1,
      kind: 'rollback',
      status: 'succeeded',
      at,
      done: at + rng.int(4, 15) * MINUTE,
    });
  }
  plan.sort((a, b) => a.at - b.at || a.terminal.number - b.terminal.number);

  const renewed = new Set(plan.filter(({ kind }) => kind === 'deploy').map(({ terminal }) => terminal.number));
  const app = versionHistory((terminal) => (renewed.has(terminal.number) ? '2.6.0' : '2.7.2'));
  for (const { terminal, packageId, status, done } of plan) {
    if (status === 'succeeded') app.set(terminal, done!, PACKAGES[packageId - 1]!.version);
  }
  const rows = plan.map((deployment, i): Cell[] => {
    const { terminal, packageId, kind, status, at, done } = deployment;
    const cohort = kind === 'rollback' ? 1 : cohortOf(plan, deployment);
    const [code, message] = status === 'failed' ? rng.pick(FAILURES) : [null, null];
    return [
      i + 1,
      packageId,
      kind === 'rollback' ? null : packageId === NEW_PACKAGE ? 2 : 1,
      terminal.serial,
      kind,
      app.at(terminal, at),
      PACKAGES[packageId - 1]!.version,
      status,
      kind === 'rollback' || cohort > 5 ? 'T3' : 'T2',
      cohort,
      'A3',
      rng.uuid(),
      rng.uuid(),
      new Date(at),
      done === null ? null : new Date(done),
      status === 'expired' ? 'E_EXPIRED' : code,
      status === 'expired' ? 'The terminal did not answer within 72 hours.' : message,
    ];
  });
  return { app, tables: [packageTable(calendar), configTable(calendar), deploymentTable(rows)] };
}

/** Distinct terminals that the package went to within the 24 hours up to this deployment, itself included. */
function cohortOf(plan: readonly Deployment[], { packageId, at }: Deployment): number {
  const recent = plan.filter(
    (other) =>
      other.packageId === packageId && other.kind === 'deploy' && other.status !== 'expired' && other.at > at - DAY,
  );
  return new Set(recent.filter((other) => other.at <= at).map(({ terminal }) => terminal.number)).size;
}

function packageTable(calendar: DemoCalendar): Table {
  const rng = random('package sizes');
  return table(
    'app_packages',
    'id package_name version vendor model sha256 size_bytes storage_key min_from_version status',
    PACKAGES.map(({ version, model, min, status }, i) => [
      i + 1,
      'PosApp',
      version,
      model === 'K200' ? 'Kestrel' : 'Novapos',
      model,
      createHash('sha256').update(`demo package ${version} ${model}`).digest('hex'),
      rng.int(9_000_000, 24_000_000),
      `demo/packages/${model}/PosApp-${version}.zip`,
      min,
      status,
      new Date(calendar.asOf - (60 - i * 5) * DAY),
    ]),
  );
}

function configTable(calendar: DemoCalendar): Table {
  const made = new Date(calendar.asOf - 200 * DAY);
  return table('app_deployment_configs', 'id name install_window allow_on_battery min_battery reboot_after active', [
    [1, 'Demo night window', '01:00-05:00', false, 40, true, true, made],
    [2, 'Demo at once', '00:00-23:59', true, 60, true, true, made],
    [3, 'Demo weekend window, retired', '02:00-06:00', false, 50, true, false, made],
  ]);
}

function deploymentTable(rows: Cell[][]): Table {
  return table(
    'app_package_deployments',
    'id package_id config_id serial_number kind from_version target_version status tier cohort_size requested_by approval_id command_id requested_at completed_at error_code error_message',
    rows,
    'requested_at',
  );
}
