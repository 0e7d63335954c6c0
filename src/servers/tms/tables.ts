import type { ColumnFamily, TableUse, WriteTarget } from '../../kit/index.ts';

/**
 * The tables this server reads and writes, as the start check compares them with the live schema. One place, so that a renamed column is a
 * one-line change here and in the drizzle table.
 */
type Columns = Readonly<Record<string, ColumnFamily>>;

function use(table: string, required: Columns, optional: Columns = {}): TableUse {
  const columns: Record<string, { family: ColumnFamily; required: boolean }> = {};
  for (const [name, family] of Object.entries(required)) columns[name] = { family, required: true };
  for (const [name, family] of Object.entries(optional)) columns[name] = { family, required: false };
  return { db: 'product', table, columns };
}

const identity: Columns = { id: 'int', serial_number: 'text', status: 'text' };

export const TERMINAL_FULL = use(
  'tms_terminals',
  { ...identity, vendor: 'text', model: 'text', last_seen_at: 'ts', app_version: 'text' },
  {
    area: 'text',
    merchant_id: 'text',
    mid: 'text',
    tid: 'text',
    group_name: 'text',
    tier: 'text',
    firmware_version: 'text',
    parameter_version: 'text',
    emv_config_version: 'text',
    battery_level: 'int',
    signal_dbm: 'int',
    latitude: 'numeric',
    longitude: 'numeric',
  },
);
export const TERMINAL_LIST = use(
  'tms_terminals',
  {
    ...identity,
    vendor: 'text',
    model: 'text',
    area: 'text',
    merchant_id: 'text',
    group_name: 'text',
    tier: 'text',
    last_seen_at: 'ts',
    app_version: 'text',
  },
  { mid: 'text', tid: 'text' },
);
export const TERMINAL_EXISTS = use('tms_terminals', { id: 'int', serial_number: 'text' });
export const TERMINAL_FLEET = use('tms_terminals', {
  ...identity,
  vendor: 'text',
  model: 'text',
  area: 'text',
  group_name: 'text',
  tier: 'text',
  merchant_id: 'text',
});
export const TERMINAL_DIMENSIONS = use(
  'tms_terminals',
  { id: 'int', serial_number: 'text' },
  { vendor: 'text', model: 'text', area: 'text', group_name: 'text' },
);
export const TERMINAL_PUSH = use('tms_terminals', { ...identity, vendor: 'text', model: 'text', group_name: 'text' });
export const TERMINAL_COMMAND = use('tms_terminals', { ...identity, last_seen_at: 'ts' });
export const TERMINAL_DEPLOY = use(
  'tms_terminals',
  { ...identity, vendor: 'text', model: 'text', app_version: 'text' },
  { tier: 'text' },
);

export const STATUS_LOGS = use('tms_terminal_status_logs', { ...identity, reported_at: 'ts' });
export const STATUS_HISTORY = use(
  'tms_terminal_status_logs',
  { ...identity, reported_at: 'ts' },
  { previous_status: 'text', reason: 'text', battery_level: 'int', signal_dbm: 'int', app_version: 'text' },
);

const pushCore: Columns = { ...identity, config_type: 'text', requested_at: 'ts', completed_at: 'ts' };
export const OPEN_PUSHES = use('parameter_push_logs', pushCore, { version: 'text' });
export const PUSH_HISTORY = use(
  'parameter_push_logs',
  { ...pushCore, template_id: 'int' },
  { version: 'text', trigger_source: 'text', requested_by: 'text', error_code: 'text', error_message: 'text' },
);
export const PUSH_STATS = use('parameter_push_logs', pushCore, {
  template_id: 'int',
  version: 'text',
  trigger_source: 'text',
  error_code: 'text',
});
export const PUSH_ACTION = use('parameter_push_logs', {
  ...pushCore,
  template_id: 'int',
  version: 'text',
  trigger_source: 'text',
  requested_by: 'text',
  artifact_id: 'int',
  command_id: 'uuid',
});
export const PUSH_DETAILS = use(
  'push_details',
  { id: 'int', push_log_id: 'int', event: 'text', event_at: 'ts' },
  { seq: 'int', message: 'text' },
);
export const TEMPLATE_NAMES = use('parameter_templates', { id: 'int' }, { name: 'text' });
export const TEMPLATES = use('parameter_templates', {
  id: 'int',
  vendor: 'text',
  model: 'text',
  group_name: 'text',
  config_type: 'text',
  version: 'text',
  content: 'json',
  active: 'bool',
  inserted_at: 'ts',
});
export const TERMINAL_PARAMETERS = use('terminal_parameters', {
  serial_number: 'text',
  config_type: 'text',
  param_key: 'text',
  param_value: 'text',
});
export const ARTIFACTS = use('config_artifacts', {
  id: 'int',
  serial_number: 'text',
  config_type: 'text',
  version: 'text',
  sha256: 'text',
  size_bytes: 'int',
  storage_key: 'text',
  source_hash: 'text',
  built_at: 'ts',
});
export const PACKAGES = use('app_packages', {
  id: 'int',
  package_name: 'text',
  version: 'text',
  vendor: 'text',
  model: 'text',
  sha256: 'text',
  size_bytes: 'int',
  storage_key: 'text',
  min_from_version: 'text',
  status: 'text',
});
export const DEPLOYMENT_CONFIGS = use('app_deployment_configs', {
  id: 'int',
  name: 'text',
  install_window: 'text',
  allow_on_battery: 'bool',
  min_battery: 'int',
  reboot_after: 'bool',
  active: 'bool',
});
export const DEPLOYMENTS = use('app_package_deployments', {
  ...identity,
  package_id: 'int',
  config_id: 'int',
  kind: 'text',
  from_version: 'text',
  target_version: 'text',
  tier: 'text',
  cohort_size: 'int',
  command_id: 'uuid',
  requested_at: 'ts',
});
export const LOG_SESSIONS = use('remote_log_sessions', {
  id: 'uuid',
  serial_number: 'text',
  status: 'text',
  started_at: 'ts',
});
export const SALES = use('pos_transaction', { transaction_time: 'ts' }, { serial_number: 'text' });

const insert = (table: string, columns: readonly string[], values?: WriteTarget['values']): WriteTarget => ({
  db: 'product',
  table,
  columns: [...columns, 'inserted_at', 'updated_at'],
  operation: 'insert',
  ...(values ? { values } : {}),
});

export const WRITE_PUSH: readonly WriteTarget[] = [
  insert(
    'parameter_push_logs',
    [
      'serial_number',
      'template_id',
      'config_type',
      'version',
      'status',
      'trigger_source',
      'requested_by',
      'artifact_id',
      'command_id',
      'requested_at',
    ],
    { status: ['queued'], trigger_source: ['mcp'] },
  ),
  {
    db: 'product',
    table: 'parameter_push_logs',
    columns: ['status', 'completed_at', 'updated_at'],
    values: { status: ['superseded'] },
    operation: 'update',
  },
  insert('push_details', ['push_log_id', 'seq', 'event', 'message', 'event_at'], { event: ['queued'] }),
];
export const WRITE_ARTIFACT: WriteTarget = insert('config_artifacts', [
  'serial_number',
  'config_type',
  'version',
  'sha256',
  'size_bytes',
  'storage_key',
  'source_hash',
  'built_at',
  'built_by',
]);
export const WRITE_DEPLOYMENT: WriteTarget = insert(
  'app_package_deployments',
  [
    'package_id',
    'config_id',
    'serial_number',
    'kind',
    'from_version',
    'target_version',
    'status',
    'tier',
    'cohort_size',
    'requested_by',
    'approval_id',
    'command_id',
    'requested_at',
  ],
  { status: ['queued'], kind: ['deploy'] },
);
