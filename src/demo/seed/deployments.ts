/** App packages and who got them. */
import { DAY, type DemoCalendar, HOUR, iso, MINUTE } from './calendar.ts';
import { Prng } from './prng.ts';
import { type Row, stamps, type TableRows, tableOf } from './rows.ts';
import { FAILED_DEPLOYMENTS, FRESH_DEPLOYMENTS, type Terminal } from './terminals.ts';

const PACKAGES = [
  { id: 1, version: '2.6.0', model: 'N5', from: null, status: 'approved' },
  { id: 2, version: '2.7.0', model: 'N5', from: '2.5.0', status: 'approved' },
  { id: 3, version: '2.8.0', model: 'N5', from: '2.6.0', status: 'approved' },
  { id: 4, version: '2.8.0', model: 'N7', from: '2.6.0', status: 'approved' },
  { id: 5, version: '1.9.0', model: 'K200', from: null, status: 'approved' },
  { id: 6, version: '2.9.0', model: 'N5', from: '2.7.0', status: 'draft' },
] as const;

const CONFIGS = [
  { id: 1, name: 'Night', window: '01:00-05:00', battery: false, min: 40, reboot: true },
  { id: 2, name: 'At once', window: null, battery: false, min: 50, reboot: true },
  { id: 3, name: 'Night, on battery', window: '01:00-05:00', battery: true, min: 60, reboot: false },
] as const;

export const DEPLOYMENTS = 180;

export function deploymentTables(terminals: readonly Terminal[], calendar: DemoCalendar): TableRows[] {
  const prng = new Prng('deployments');
  const at = (n: number) => iso(calendar.startOf(90 - n * 8));
  const packages = PACKAGES.map((row) => {
    const sha256 = prng.hex(64);
    return {
      id: row.id,
      package_name: 'PosApp',
      version: row.version,
      vendor: row.model === 'K200' ? 'Kestrel' : 'Novapos',
      model: row.model,
      sha256,
      size_bytes: prng.int(18_000_000, 26_000_000),
      storage_key: `apps/${row.model}/${row.version}.apk`,
      min_from_version: row.from,
      status: row.status,
      ...stamps(at(row.id)),
    };
  });
  const configs = CONFIGS.map((row) => ({
    id: row.id,
    name: row.name,
    install_window: row.window,
    allow_on_battery: row.battery,
    min_battery: row.min,
    reboot_after: row.reboot,
    active: true,
    ...stamps(at(1)),
  }));
  return [
    tableOf('app_packages', packages),
    tableOf('app_deployment_configs', configs),
    tableOf('app_package_deployments', deploymentRows(terminals, calendar, prng)),
  ];
}

function deploymentRows(terminals: readonly Terminal[], calendar: DemoCalendar, prng: Prng): Row[] {
  const fresh = terminals.filter((terminal) => FRESH_DEPLOYMENTS.includes(terminal.index));
  // One earlier deployment each, older than the counting window: where the version that a terminal has came from.
  const earlier = terminals
    .filter((terminal) => terminal.group !== 'pilot' && terminal.status !== 'decommissioned')
    .slice(0, DEPLOYMENTS - fresh.length);
  const rows = [
    ...earlier.map((terminal) => ({
      terminal,
      package: packageOf(terminal),
      failed: FAILED_DEPLOYMENTS.includes(terminal.index),
      requested: calendar.asOf - prng.int(4, 29) * DAY - prng.int(0, 23) * HOUR - prng.int(0, 59) * MINUTE,
    })),
    ...fresh.map((terminal, i) => ({
      terminal,
      package: PACKAGES[2],
      failed: false,
      requested: calendar.asOf - (2 + i) * HOUR - prng.int(0, 50) * MINUTE,
    })),
  ].sort((a, b) => a.requested - b.requested);
  return rows.map(({ terminal, package: target, failed, requested }, i) => {
    const completed = requested + prng.int(4, 40) * MINUTE;
    const again = FRESH_DEPLOYMENTS.includes(terminal.index) && target.id === 3;
    return {
      id: i + 1,
      package_id: target.id,
      config_id: again ? 2 : prng.int(1, 3),
      serial_number: terminal.serial,
      kind: 'deploy',
      from_version: again ? '2.7.0' : { N5: '2.6.0', N7: '2.7.0', K200: '1.8.4' }[target.model],
      target_version: target.version,
      status: failed ? 'failed' : 'succeeded',
      tier: 'T2',
      cohort_size: again ? FRESH_DEPLOYMENTS.indexOf(terminal.index) + 1 : 1,
      requested_by: again ? 'fleet-ops' : 'rollout',
      approval_id: prng.uuid(),
      command_id: prng.uuid(),
      requested_at: iso(requested),
      completed_at: iso(completed),
      error_code: failed ? 'E_BATTERY_LOW' : null,
      error_message: failed ? 'the battery was below the limit of the configuration' : null,
      ...stamps(iso(requested), iso(completed)),
    };
  });
}

function packageOf(terminal: Terminal): (typeof PACKAGES)[number] {
  if (terminal.model === 'N7') return PACKAGES[3];
  if (terminal.model === 'K200') return PACKAGES[4];
  return PACKAGES[1];
}
