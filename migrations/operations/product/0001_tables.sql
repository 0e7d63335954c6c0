-- The operation's product database: terminals, switch, Oban. For the demo and the tests; a live operation has its own.
-- Times are timestamp without time zone holding UTC. Every table has inserted_at and updated_at, as Ecto makes them.

create table tms_terminals (
  id bigserial primary key,
  serial_number varchar(64) not null,
  vendor varchar(64),
  model varchar(64),
  area varchar(64),
  merchant_id varchar(32),
  mid varchar(15),
  tid varchar(8),
  group_name varchar(64),
  tier varchar(16),
  status varchar(16) not null,
  last_seen_at timestamp(6),
  app_version varchar(32),
  firmware_version varchar(32),
  parameter_version varchar(32),
  emv_config_version varchar(32),
  battery_level int2,
  signal_dbm int2,
  mqtt_client_id varchar(128),
  latitude numeric(9,6),
  longitude numeric(9,6),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index tms_terminals_serial_number_index on tms_terminals (serial_number);
create index tms_terminals_vendor_model_index on tms_terminals (vendor, model);
create index tms_terminals_area_index on tms_terminals (area);
create index tms_terminals_merchant_id_index on tms_terminals (merchant_id);
create index tms_terminals_mid_index on tms_terminals (mid);
create index tms_terminals_tid_index on tms_terminals (tid);
create index tms_terminals_group_name_index on tms_terminals (group_name);
create index tms_terminals_tier_index on tms_terminals (tier);
create index tms_terminals_status_last_seen_at_index on tms_terminals (status, last_seen_at);

create table tms_terminal_status_logs (
  id bigserial primary key,
  serial_number varchar(64) not null,
  status varchar(16) not null,
  previous_status varchar(16),
  reason varchar(128),
  battery_level int2,
  signal_dbm int2,
  app_version varchar(32),
  reported_at timestamp(6) not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index tms_terminal_status_logs_serial_number_index on tms_terminal_status_logs (serial_number, reported_at desc, id desc);
create index tms_terminal_status_logs_reported_at_index on tms_terminal_status_logs (reported_at, status);

create table parameter_templates (
  id bigserial primary key,
  name varchar(128) not null,
  vendor varchar(64),
  model varchar(64),
  group_name varchar(64),
  config_type varchar(16) not null,
  version varchar(32) not null,
  content jsonb not null,
  active boolean not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index parameter_templates_config_type_index on parameter_templates (config_type, vendor, model, active);

create table terminal_parameters (
  id bigserial primary key,
  serial_number varchar(64) not null,
  config_type varchar(16) not null,
  param_key varchar(128) not null,
  param_value text,
  is_secret boolean not null default false,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index terminal_parameters_key_index on terminal_parameters (serial_number, config_type, param_key);

create table config_artifacts (
  id bigserial primary key,
  serial_number varchar(64) not null,
  config_type varchar(16) not null,
  version varchar(32) not null,
  sha256 char(64) not null,
  size_bytes bigint not null,
  storage_key varchar(256) not null,
  source_hash char(64) not null,
  built_at timestamp(6) not null,
  built_by varchar(128),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index config_artifacts_version_index on config_artifacts (serial_number, config_type, version);
create index config_artifacts_built_at_index on config_artifacts (serial_number, config_type, built_at desc);

create table parameter_push_logs (
  id bigserial primary key,
  serial_number varchar(64) not null,
  template_id bigint,
  config_type varchar(16) not null,
  version varchar(32),
  status varchar(16) not null,
  trigger_source varchar(32) not null,
  requested_by varchar(128),
  artifact_id bigint references config_artifacts,
  command_id uuid,
  requested_at timestamp(6) not null,
  completed_at timestamp(6),
  error_code varchar(64),
  error_message text,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index parameter_push_logs_command_id_index on parameter_push_logs (command_id);
create index parameter_push_logs_serial_number_index on parameter_push_logs (serial_number, requested_at desc, id desc);
create index parameter_push_logs_template_id_index on parameter_push_logs (template_id, requested_at desc);
create index parameter_push_logs_status_index on parameter_push_logs (status, requested_at);

create table push_details (
  id bigserial primary key,
  push_log_id bigint not null references parameter_push_logs,
  seq integer not null,
  event varchar(32) not null,
  message text,
  event_at timestamp(6) not null,
  payload jsonb,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index push_details_push_log_id_index on push_details (push_log_id, seq);

create table app_packages (
  id bigserial primary key,
  package_name varchar(128) not null,
  version varchar(32) not null,
  vendor varchar(64) not null,
  model varchar(64) not null,
  sha256 char(64) not null,
  size_bytes bigint not null,
  storage_key varchar(256) not null,
  min_from_version varchar(32),
  status varchar(16) not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index app_packages_name_index on app_packages (package_name, version, vendor, model);

create table app_deployment_configs (
  id bigserial primary key,
  name varchar(128) not null,
  install_window varchar(64),
  allow_on_battery boolean not null default false,
  min_battery int2 default 40,
  reboot_after boolean not null default true,
  active boolean not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

create table app_package_deployments (
  id bigserial primary key,
  package_id bigint not null references app_packages,
  config_id bigint references app_deployment_configs,
  serial_number varchar(64) not null,
  kind varchar(16) not null,
  from_version varchar(32),
  target_version varchar(32) not null,
  status varchar(16) not null,
  tier varchar(4) not null,
  cohort_size integer not null,
  requested_by varchar(128) not null,
  approval_id uuid,
  command_id uuid not null,
  requested_at timestamp(6) not null,
  completed_at timestamp(6),
  error_code varchar(64),
  error_message text,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null,
  -- Only a rollback goes without an installation configuration.
  constraint app_package_deployments_config_check check (kind = 'rollback' or config_id is not null)
);
create unique index app_package_deployments_command_id_index on app_package_deployments (command_id);
create index app_package_deployments_package_id_index on app_package_deployments (package_id, requested_at desc);
create index app_package_deployments_serial_number_index on app_package_deployments (serial_number, requested_at desc);
create unique index app_package_deployments_in_flight_index on app_package_deployments (serial_number)
  where status in ('queued', 'sent', 'accepted', 'downloading', 'installing');

create table remote_log_sessions (
  id uuid primary key,
  serial_number varchar(64) not null,
  requested_by varchar(128) not null,
  status varchar(16) not null,
  log_level varchar(8) not null,
  started_at timestamp(6) not null,
  expires_at timestamp(6) not null,
  stopped_at timestamp(6),
  stop_reason varchar(64),
  bytes_received bigint not null default 0,
  storage_key varchar(256),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index remote_log_sessions_open_index on remote_log_sessions (serial_number)
  where status in ('requested', 'active', 'stopping');

create table pos_transaction (
  id bigserial primary key,
  s_tid_stan varchar(32),
  reference_no varchar(12),
  acquirer_reference_no varchar(32),
  scheme_reference_no varchar(64),
  approval_code varchar(6),
  response_code varchar(3),
  masked_card_no varchar(24),
  mcc_code varchar(4),
  total_amount numeric(18,4),
  mti varchar(4),
  proc_code varchar(6),
  tid varchar(8) not null,
  mid varchar(15),
  stan varchar(6),
  currency_code varchar(3),
  serial_number varchar(64),
  channel varchar(8),
  approved_amount numeric(18,4),
  transaction_time timestamp(6) not null,
  encrypted_pan bytea,
  hash_pan text,
  encrypted_track2 bytea,
  encrypted_expiry bytea,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index pos_transaction_s_tid_stan_index on pos_transaction (s_tid_stan);
create index pos_transaction_reference_no_index on pos_transaction (reference_no);
create index pos_transaction_acquirer_reference_no_index on pos_transaction (acquirer_reference_no);
create index pos_transaction_scheme_reference_no_index on pos_transaction (scheme_reference_no);
create index pos_transaction_tid_approval_code_index on pos_transaction (tid, approval_code, transaction_time desc);
create index pos_transaction_tid_index on pos_transaction (tid, transaction_time desc);
create index pos_transaction_stan_index on pos_transaction (stan, transaction_time desc);
create index pos_transaction_serial_number_index on pos_transaction (serial_number, transaction_time desc);

create table pos_transaction_reversal (
  id bigserial primary key,
  original_temp_txn_id bigint,
  reversal_reference_no varchar(12),
  reversal_status varchar(16),
  reversal_reason varchar(64),
  retry_count integer,
  max_retry_attempts integer,
  original_amount numeric(18,4),
  original_stan varchar(6),
  original_time varchar(6),
  original_date varchar(4),
  error_message text,
  tid varchar(8),
  original_reference_no varchar(12),
  currency_code varchar(3),
  original_encrypted_pan bytea,
  original_encrypted_expiry_date bytea,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index pos_transaction_reversal_temp_txn_index on pos_transaction_reversal (original_temp_txn_id);
create index pos_transaction_reversal_reference_no_index on pos_transaction_reversal (reversal_reference_no);
create index pos_transaction_reversal_tid_index on pos_transaction_reversal (tid, inserted_at desc);
create index pos_transaction_reversal_original_reference_no_index on pos_transaction_reversal (original_reference_no);

create table pos_failed_transaction (
  id bigserial primary key,
  reference_no varchar(12),
  stan varchar(6),
  tid varchar(8),
  mti varchar(4),
  proc_code varchar(6),
  response_code varchar(3),
  total_amount numeric(18,4),
  currency_code varchar(3),
  masked_card_no varchar(24),
  failure_reason text,
  error_message text,
  transaction_time timestamp(6),
  encrypted_pan bytea,
  hash_pan text,
  encrypted_track2 bytea,
  encrypted_expiry bytea,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index pos_failed_transaction_reference_no_index on pos_failed_transaction (reference_no);
create index pos_failed_transaction_tid_index on pos_failed_transaction (tid, transaction_time desc);
create index pos_failed_transaction_stan_index on pos_failed_transaction (stan, transaction_time desc);

create table pos_temp_transaction (
  id bigserial primary key,
  tid varchar(8),
  stan varchar(6),
  mti varchar(4),
  encrypted_pan bytea,
  encrypted_track2 bytea,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

-- Oban, as its public migrations leave it at version 14.
create type oban_job_state as enum
  ('available', 'suspended', 'scheduled', 'executing', 'retryable', 'completed', 'discarded', 'cancelled');
create table oban_jobs (
  id bigserial primary key,
  state oban_job_state not null default 'available',
  queue text not null default 'default',
  worker text not null,
  args jsonb not null default '{}',
  errors jsonb[] not null default array[]::jsonb[],
  attempt integer not null default 0,
  max_attempts integer not null default 20,
  inserted_at timestamp without time zone not null default timezone('UTC', now()),
  scheduled_at timestamp without time zone not null default timezone('UTC', now()),
  attempted_at timestamp without time zone,
  completed_at timestamp without time zone,
  attempted_by text[],
  discarded_at timestamp without time zone,
  priority integer not null default 0,
  tags text[] default array[]::text[],
  meta jsonb default '{}',
  cancelled_at timestamp without time zone,
  constraint attempt_range check (attempt between 0 and max_attempts),
  constraint positive_max_attempts check (max_attempts > 0),
  constraint non_negative_priority check (priority >= 0),
  constraint queue_length check (char_length(queue) > 0 and char_length(queue) < 128),
  constraint worker_length check (char_length(worker) > 0 and char_length(worker) < 128)
);
comment on table oban_jobs is '14';
create index oban_jobs_args_index on oban_jobs using gin (args);
create index oban_jobs_meta_index on oban_jobs using gin (meta);
create index oban_jobs_state_queue_priority_scheduled_at_id_index on oban_jobs (state, queue, priority, scheduled_at, id);
create index oban_jobs_state_cancelled_at_index on oban_jobs (state, cancelled_at);
create index oban_jobs_state_discarded_at_index on oban_jobs (state, discarded_at);
