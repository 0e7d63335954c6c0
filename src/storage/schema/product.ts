/**
 * Tables of the product database that belong to terminals, as the tools may see them. The columns are the live schema's; the
 * SQL that makes them for the demo is in migrations/operations/product.
 */
import { bigserial, boolean, char, integer, pgTable, smallint, text, uuid, varchar } from 'drizzle-orm/pg-core';
import { decimal, id, jsonText, ts } from './types.ts';

const stamps = { insertedAt: ts('inserted_at').notNull(), updatedAt: ts('updated_at').notNull() };
const key = () => id('id').primaryKey();
/** The database numbers the rows that we insert. */
const serial = () => bigserial('id', { mode: 'number' }).primaryKey();

export const tmsTerminals = pgTable('tms_terminals', {
  id: key(),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  vendor: varchar('vendor', { length: 64 }),
  model: varchar('model', { length: 64 }),
  area: varchar('area', { length: 64 }),
  merchantId: varchar('merchant_id', { length: 32 }),
  mid: varchar('mid', { length: 15 }),
  tid: varchar('tid', { length: 8 }),
  groupName: varchar('group_name', { length: 64 }),
  tier: varchar('tier', { length: 16 }),
  status: varchar('status', { length: 16 }).notNull(),
  lastSeenAt: ts('last_seen_at'),
  appVersion: varchar('app_version', { length: 32 }),
  firmwareVersion: varchar('firmware_version', { length: 32 }),
  parameterVersion: varchar('parameter_version', { length: 32 }),
  emvConfigVersion: varchar('emv_config_version', { length: 32 }),
  batteryLevel: smallint('battery_level'),
  signalDbm: smallint('signal_dbm'),
  mqttClientId: varchar('mqtt_client_id', { length: 128 }),
  latitude: decimal('latitude', { precision: 9, scale: 6 }),
  longitude: decimal('longitude', { precision: 9, scale: 6 }),
  ...stamps,
});

export const tmsTerminalStatusLogs = pgTable('tms_terminal_status_logs', {
  id: key(),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  previousStatus: varchar('previous_status', { length: 16 }),
  reason: varchar('reason', { length: 128 }),
  batteryLevel: smallint('battery_level'),
  signalDbm: smallint('signal_dbm'),
  appVersion: varchar('app_version', { length: 32 }),
  reportedAt: ts('reported_at').notNull(),
  ...stamps,
});

export const parameterPushLogs = pgTable('parameter_push_logs', {
  id: serial(),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  templateId: id('template_id'),
  configType: varchar('config_type', { length: 16 }).notNull(),
  version: varchar('version', { length: 32 }),
  status: varchar('status', { length: 16 }).notNull(),
  triggerSource: varchar('trigger_source', { length: 32 }).notNull(),
  requestedBy: varchar('requested_by', { length: 128 }),
  artifactId: id('artifact_id'),
  commandId: uuid('command_id'),
  requestedAt: ts('requested_at').notNull(),
  completedAt: ts('completed_at'),
  errorCode: varchar('error_code', { length: 64 }),
  errorMessage: text('error_message'),
  ...stamps,
});

export const pushDetails = pgTable('push_details', {
  id: serial(),
  pushLogId: id('push_log_id').notNull(),
  seq: integer('seq').notNull(),
  event: varchar('event', { length: 32 }).notNull(),
  message: text('message'),
  eventAt: ts('event_at').notNull(),
  payload: jsonText('payload'),
  ...stamps,
});

export const parameterTemplates = pgTable('parameter_templates', {
  id: key(),
  name: varchar('name', { length: 128 }).notNull(),
  vendor: varchar('vendor', { length: 64 }),
  model: varchar('model', { length: 64 }),
  groupName: varchar('group_name', { length: 64 }),
  configType: varchar('config_type', { length: 16 }).notNull(),
  version: varchar('version', { length: 32 }).notNull(),
  content: jsonText('content').notNull(),
  active: boolean('active').notNull(),
  ...stamps,
});

export const terminalParameters = pgTable('terminal_parameters', {
  id: key(),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  configType: varchar('config_type', { length: 16 }).notNull(),
  paramKey: varchar('param_key', { length: 128 }).notNull(),
  /** Goes into artifacts; where `isSecret` is true it goes into no answer and no log. */
  paramValue: text('param_value'),
  isSecret: boolean('is_secret').notNull(),
  ...stamps,
});

export const configArtifacts = pgTable('config_artifacts', {
  id: serial(),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  configType: varchar('config_type', { length: 16 }).notNull(),
  version: varchar('version', { length: 32 }).notNull(),
  sha256: char('sha256', { length: 64 }).notNull(),
  sizeBytes: id('size_bytes').notNull(),
  storageKey: varchar('storage_key', { length: 256 }).notNull(),
  sourceHash: char('source_hash', { length: 64 }).notNull(),
  builtAt: ts('built_at').notNull(),
  builtBy: varchar('built_by', { length: 128 }),
  ...stamps,
});

export const appPackages = pgTable('app_packages', {
  id: key(),
  packageName: varchar('package_name', { length: 128 }).notNull(),
  version: varchar('version', { length: 32 }).notNull(),
  vendor: varchar('vendor', { length: 64 }).notNull(),
  model: varchar('model', { length: 64 }).notNull(),
  sha256: char('sha256', { length: 64 }).notNull(),
  sizeBytes: id('size_bytes').notNull(),
  storageKey: varchar('storage_key', { length: 256 }).notNull(),
  minFromVersion: varchar('min_from_version', { length: 32 }),
  status: varchar('status', { length: 16 }).notNull(),
  ...stamps,
});

export const appDeploymentConfigs = pgTable('app_deployment_configs', {
  id: key(),
  name: varchar('name', { length: 128 }).notNull(),
  installWindow: varchar('install_window', { length: 64 }),
  allowOnBattery: boolean('allow_on_battery').notNull(),
  minBattery: smallint('min_battery'),
  rebootAfter: boolean('reboot_after').notNull(),
  active: boolean('active').notNull(),
  ...stamps,
});

export const appPackageDeployments = pgTable('app_package_deployments', {
  id: serial(),
  packageId: id('package_id').notNull(),
  configId: id('config_id'),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  kind: varchar('kind', { length: 16 }).notNull(),
  fromVersion: varchar('from_version', { length: 32 }),
  targetVersion: varchar('target_version', { length: 32 }).notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  tier: varchar('tier', { length: 4 }).notNull(),
  cohortSize: integer('cohort_size').notNull(),
  requestedBy: varchar('requested_by', { length: 128 }).notNull(),
  approvalId: uuid('approval_id'),
  commandId: uuid('command_id').notNull(),
  requestedAt: ts('requested_at').notNull(),
  completedAt: ts('completed_at'),
  errorCode: varchar('error_code', { length: 64 }),
  errorMessage: text('error_message'),
  ...stamps,
});

export const remoteLogSessions = pgTable('remote_log_sessions', {
  id: uuid('id').primaryKey(),
  serialNumber: varchar('serial_number', { length: 64 }).notNull(),
  requestedBy: varchar('requested_by', { length: 128 }).notNull(),
  status: varchar('status', { length: 16 }).notNull(),
  logLevel: varchar('log_level', { length: 8 }).notNull(),
  startedAt: ts('started_at').notNull(),
  expiresAt: ts('expires_at').notNull(),
  stoppedAt: ts('stopped_at'),
  stopReason: varchar('stop_reason', { length: 64 }),
  bytesReceived: id('bytes_received').notNull().default(0),
  storageKey: varchar('storage_key', { length: 256 }),
  ...stamps,
});
