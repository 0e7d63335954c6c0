import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';

/** Short ways to put terminals and what happened to them into the product database. Times are UTC ISO text or `-5 min` like offsets from now. */
type Values = Record<string, string | number | boolean | null>;

const OFFSET = /^-(\d+(?:\.\d+)?) (us|ms|s|min|h|d)$/;
const UNIT: Record<string, number> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `-5 min` is five minutes ago; other text is left alone. */
export function ago(text: string): string {
  const found = OFFSET.exec(text);
  return found ? new Date(Date.now() - Number(found[1]) * UNIT[found[2]!]!).toISOString() : text;
}

async function insert(sql: Sql, table: string, values: Values): Promise<number> {
  const resolved = Object.fromEntries(
    Object.entries({ inserted_at: '-1 d', updated_at: '-1 d', ...values }).map(([key, value]) => [
      key,
      typeof value === 'string' ? ago(value) : value,
    ]),
  );
  const names = Object.keys(resolved);
  const text = `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
    values (${names.map((name, i) => (name === 'content' ? `$${i + 1}::text::jsonb` : `$${i + 1}`)).join(', ')}) returning id`;
  // Instants go as text, so that they are not read in the zone of this process; the driver takes booleans as they are.
  const parameters = Object.values(resolved).map((value) => (typeof value === 'number' ? String(value) : value));
  const [row] = await sql.unsafe(text, parameters, { prepare: false });
  return Number(row?.['id']);
}

export const terminal = (sql: Sql, serial: string, over: Values = {}) =>
  insert(sql, 'tms_terminals', {
    serial_number: serial,
    vendor: 'Novapos',
    model: 'N5',
    area: 'north',
    merchant_id: 'M1',
    mid: '900000000000001',
    tid: 'T0000001',
    group_name: 'north',
    tier: 'silver',
    status: 'online',
    last_seen_at: '-1 min',
    app_version: '2.7.0',
    firmware_version: '1.0',
    parameter_version: '4.1.0',
    emv_config_version: '1.0',
    battery_level: 80,
    signal_dbm: -70,
    latitude: '25.204849',
    longitude: '55.270783',
    ...over,
  });

export const statusLog = (sql: Sql, serial: string, status: string, at: string, over: Values = {}) =>
  insert(sql, 'tms_terminal_status_logs', {
    serial_number: serial,
    status,
    reported_at: at,
    reason: 'heartbeat',
    ...over,
  });

export const push = (sql: Sql, serial: string, over: Values = {}) =>
  insert(sql, 'parameter_push_logs', {
    serial_number: serial,
    config_type: 'parameter',
    version: '4.2.0',
    status: 'succeeded',
    trigger_source: 'portal',
    requested_by: 'operator',
    requested_at: '-2 h',
    ...over,
  });

export const pushEvent = (sql: Sql, pushId: number, seq: number, event: string, over: Values = {}) =>
  insert(sql, 'push_details', { push_log_id: pushId, seq, event, event_at: '-2 h', ...over });

export const template = (sql: Sql, over: Values = {}) =>
  insert(sql, 'parameter_templates', {
    name: 'N5 standard',
    vendor: 'Novapos',
    model: 'N5',
    group_name: null,
    config_type: 'parameter',
    version: '4.2.0',
    content: '{"timeout_s": 30}',
    active: true,
    ...over,
  });

export const parameter = (sql: Sql, serial: string, key: string, value: string, over: Values = {}) =>
  insert(sql, 'terminal_parameters', {
    serial_number: serial,
    config_type: 'parameter',
    param_key: key,
    param_value: value,
    is_secret: false,
    ...over,
  });

export const appPackage = (sql: Sql, over: Values = {}) =>
  insert(sql, 'app_packages', {
    package_name: 'PosApp',
    version: '2.8.0',
    vendor: 'Novapos',
    model: 'N5',
    sha256: createHash('sha256').update(JSON.stringify(over)).digest('hex'),
    size_bytes: 1_000_000,
    storage_key: 'packages/posapp-2.8.0.apk',
    min_from_version: null,
    status: 'approved',
    ...over,
  });

export const deploymentConfig = (sql: Sql, over: Values = {}) =>
  insert(sql, 'app_deployment_configs', {
    name: 'Night',
    install_window: '01:00-05:00',
    allow_on_battery: false,
    min_battery: 40,
    reboot_after: true,
    active: true,
    ...over,
  });

export const deployment = (sql: Sql, serial: string, packageId: number, over: Values = {}) =>
  insert(sql, 'app_package_deployments', {
    package_id: packageId,
    config_id: null,
    serial_number: serial,
    kind: 'deploy',
    from_version: '2.7.0',
    target_version: '2.8.0',
    status: 'succeeded',
    tier: 'T2',
    cohort_size: 1,
    requested_by: 'operator',
    command_id: crypto.randomUUID(),
    requested_at: '-1 h',
    ...over,
  });

/** SHA-256 of every table outside the named ones: what a call must not have touched. */
export async function fingerprint(sql: Sql, except: readonly string[] = []): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'mcp_ops') order by 1`;
  const result: Record<string, string> = {};
  for (const { name } of tables) {
    if (except.some((table) => name === `public.${table}` || name === table)) continue;
    const [row] = await sql.unsafe(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${name} t`,
    );
    result[name] = String(row?.['hash']);
  }
  return result;
}
