-- The operation's merchant management database, read only for the gateway. For the demo and the tests; a live operation has its own.

create table users (
  id bigserial primary key,
  status varchar(16),
  role varchar(32),
  email varchar(256),
  password_hash varchar(255),
  reset_token varchar(255),
  last_login_at timestamp(6),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

create table user_metadata (
  id bigserial primary key,
  user_id bigint not null,
  merchant_reference_number varchar(32),
  mid varchar(15),
  legal_name varchar(256),
  trade_name varchar(256),
  mcc_code varchar(4),
  risk_tier varchar(16),
  status varchar(16),
  onboarding_date date,
  expected_monthly_volume numeric(18,4),
  currency varchar(3),
  country_code char(2),
  settlement_frequency varchar(16),
  iban varchar(34),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index user_metadata_merchant_reference_number_index on user_metadata (merchant_reference_number);
create index user_metadata_mid_index on user_metadata (mid);

create table kyc_requests (
  id bigserial primary key,
  user_id bigint not null,
  method varchar(32) not null,
  required boolean not null default true,
  status varchar(16) not null,
  submitted_at timestamp(6),
  reviewed_at timestamp(6),
  expires_at timestamp(6),
  rejection_reason text,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index kyc_requests_user_id_index on kyc_requests (user_id);

create table mccs (
  code varchar(4) primary key,
  description varchar(256),
  risk_tier varchar(16),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

create table card_types (
  id bigserial primary key,
  code varchar(32),
  scheme varchar(32),
  domestic boolean,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create unique index card_types_code_index on card_types (code);

create table mdr_templates (
  id bigserial primary key,
  name varchar(128),
  active boolean,
  valid_from date,
  valid_to date,
  currency varchar(3),
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

create table merchant_mdr_assignments (
  id bigserial primary key,
  mid varchar(15),
  mdr_template_id bigint,
  valid_from date,
  valid_to date,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index merchant_mdr_assignments_mid_index on merchant_mdr_assignments (mid);

create table mdr_rates (
  id bigserial primary key,
  mdr_template_id bigint,
  card_type_id bigint,
  rate numeric(9,6) not null,
  fixed_fee numeric(18,4),
  min_fee numeric(18,4),
  max_fee numeric(18,4),
  valid_from date,
  valid_to date,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index mdr_rates_mdr_template_id_index on mdr_rates (mdr_template_id);

create table mcc_mdr_rates (
  id bigserial primary key,
  mcc_code varchar(4),
  card_type_id bigint,
  rate numeric(9,6),
  fixed_fee numeric(18,4),
  valid_from date,
  valid_to date,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index mcc_mdr_rates_mcc_code_index on mcc_mdr_rates (mcc_code);
