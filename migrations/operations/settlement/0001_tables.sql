-- The operation's settlement database. For the demo and the tests; a live operation has its own.

create table dump_files (
  id bigserial primary key,
  dump_source varchar(32) not null,
  business_date date not null,
  file_name varchar(256),
  arrived_at timestamp(6) not null,
  record_count integer,
  total_amount numeric(18,4),
  currency varchar(3),
  status varchar(16) not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index dump_files_source_index on dump_files (dump_source, business_date, file_name);
create index dump_files_business_date_index on dump_files (business_date);

create table switch_dump_records (
  id bigserial primary key,
  dump_file_id bigint references dump_files,
  dump_source varchar(32) not null,
  business_date date not null,
  rrn varchar(12),
  stan varchar(6),
  tid varchar(8),
  mid varchar(15),
  auth_number varchar(6),
  mti varchar(4),
  proc_code varchar(6),
  response_code varchar(3),
  amount numeric(18,4) not null,
  currency varchar(3),
  transaction_time timestamp(6),
  masked_card_no varchar(24),
  line_no integer,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index switch_dump_records_rrn_index on switch_dump_records (rrn, business_date);
create index switch_dump_records_tid_index on switch_dump_records (tid, auth_number, business_date);

create table qr_scheme_dump_records (
  id bigserial primary key,
  dump_file_id bigint references dump_files,
  dump_source varchar(32) not null,
  business_date date not null,
  scheme_reference_no varchar(64),
  rrn varchar(12),
  tid varchar(8),
  mid varchar(15),
  amount numeric(18,4) not null,
  currency varchar(3),
  status varchar(16),
  transaction_time timestamp(6),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index qr_scheme_dump_records_scheme_reference_no_index on qr_scheme_dump_records (scheme_reference_no);
create index qr_scheme_dump_records_rrn_index on qr_scheme_dump_records (rrn, business_date);

create table core_transactions (
  id bigserial primary key,
  rrn varchar(12),
  tid varchar(8),
  mid varchar(15),
  stan varchar(6),
  auth_number varchar(6),
  scheme_reference_no varchar(64),
  merchant_reference_number varchar(32),
  channel varchar(8) not null,
  transaction_type varchar(16) not null,
  original_core_transaction_id bigint,
  amount numeric(18,4) not null,
  currency varchar(3) not null,
  card_type varchar(16),
  mcc_code varchar(4),
  response_code varchar(3),
  status varchar(16) not null,
  hold_status varchar(8) not null default 'none',
  held_at timestamp(6),
  held_by varchar(128),
  business_date date not null,
  transaction_time timestamp(6) not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index core_transactions_rrn_index on core_transactions (rrn, business_date);
create index core_transactions_tid_index on core_transactions (tid, auth_number, business_date);
create index core_transactions_mid_index on core_transactions (mid, business_date);
create index core_transactions_scheme_reference_no_index on core_transactions (scheme_reference_no);
create index core_transactions_merchant_reference_number_index on core_transactions (merchant_reference_number);
create index core_transactions_business_date_index on core_transactions (business_date, id);

create table settlement_mis (
  id bigserial primary key,
  business_date date not null,
  currency varchar(3) not null,
  status varchar(16) not null,
  item_count integer,
  gross_total numeric(18,4),
  mdr_total numeric(18,4),
  tax_total numeric(18,4),
  net_total numeric(18,4),
  generated_at timestamp(6),
  approved_at timestamp(6),
  approved_by varchar(128),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index settlement_mis_business_date_index on settlement_mis (business_date);

create table payout_batches (
  id bigserial primary key,
  batch_reference varchar(64) not null,
  payout_date date not null,
  currency varchar(3) not null,
  status varchar(16) not null,
  total_amount numeric(18,4) not null,
  item_count integer not null,
  approved_by varchar(128),
  approved_at timestamp(6),
  released_at timestamp(6),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index payout_batches_batch_reference_index on payout_batches (batch_reference);

create table payout_items (
  id bigserial primary key,
  payout_batch_id bigint not null references payout_batches,
  mid varchar(15) not null,
  amount numeric(18,4) not null,
  currency varchar(3) not null,
  item_count integer,
  payout_date date not null,
  status varchar(16) not null,
  hold_reason varchar(128),
  bank_reference varchar(64),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index payout_items_payout_batch_id_index on payout_items (payout_batch_id);
create index payout_items_mid_index on payout_items (mid, payout_date);

create table settlement_mis_items (
  id bigserial primary key,
  settlement_mis_id bigint not null references settlement_mis,
  core_transaction_id bigint not null,
  payout_item_id bigint,
  mid varchar(15) not null,
  gross_amount numeric(18,4) not null,
  mdr_amount numeric(18,4) not null,
  tax_amount numeric(18,4) not null default 0,
  net_amount numeric(18,4) not null,
  mdr_rate numeric(9,6),
  currency varchar(3) not null,
  settlement_date date not null,
  status varchar(16) not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index settlement_mis_items_core_transaction_id_index on settlement_mis_items (core_transaction_id);
create index settlement_mis_items_payout_item_id_index on settlement_mis_items (payout_item_id);
create index settlement_mis_items_mid_index on settlement_mis_items (mid, settlement_date);

create table reconciliation_runs (
  id bigserial primary key,
  business_date date not null,
  status varchar(16) not null,
  trigger varchar(16) not null,
  requested_by varchar(128),
  oban_job_id bigint,
  started_at timestamp(6),
  finished_at timestamp(6),
  matched_count integer,
  exception_count integer,
  error text,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index reconciliation_runs_business_date_index on reconciliation_runs (business_date);
create unique index reconciliation_runs_active_index on reconciliation_runs (business_date) where status in ('queued', 'running');

create table reconciliation_exceptions (
  id bigserial primary key,
  business_date date not null,
  exception_type varchar(32) not null,
  status varchar(16) not null,
  core_transaction_id bigint,
  rrn varchar(12),
  tid varchar(8),
  mid varchar(15),
  dump_source varchar(32),
  expected_amount numeric(18,4),
  actual_amount numeric(18,4),
  currency varchar(3),
  details jsonb,
  opened_at timestamp(6) not null,
  held_by varchar(128),
  resolved_at timestamp(6),
  resolved_by varchar(128),
  run_id bigint,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index reconciliation_exceptions_business_date_index on reconciliation_exceptions (business_date, id);
create index reconciliation_exceptions_status_index on reconciliation_exceptions (status, business_date);
create index reconciliation_exceptions_core_transaction_id_index on reconciliation_exceptions (core_transaction_id);
create index reconciliation_exceptions_rrn_index on reconciliation_exceptions (rrn);
create index reconciliation_exceptions_mid_index on reconciliation_exceptions (mid, business_date);
create unique index reconciliation_exceptions_core_open_index on reconciliation_exceptions (core_transaction_id, exception_type)
  where status in ('open', 'held') and core_transaction_id is not null;
create unique index reconciliation_exceptions_rrn_open_index on reconciliation_exceptions (business_date, rrn, tid, exception_type)
  where status in ('open', 'held') and core_transaction_id is null;

create table sla_checkpoints (
  id bigserial primary key,
  business_date date not null,
  checkpoint varchar(32) not null,
  due_at timestamp(6) not null,
  achieved_at timestamp(6),
  status varchar(8) not null,
  checked_at timestamp(6) not null,
  details jsonb,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index sla_checkpoints_checkpoint_index on sla_checkpoints (business_date, checkpoint);
create index sla_checkpoints_business_date_index on sla_checkpoints (business_date);
