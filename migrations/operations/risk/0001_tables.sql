-- The operation's risk database. For the demo and the tests; a live operation has its own.

create table risk_rule_hits (
  id bigserial primary key,
  rule_id varchar(64) not null,
  transaction_id varchar(64),
  transaction_type varchar(32),
  merchant_id varchar(32),
  category varchar(32),
  status varchar(16),
  triggered_at timestamp(6) not null,
  supervisor_id varchar(64),
  action_taken varchar(32),
  action_at timestamp(6),
  notes text,
  metadata jsonb,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index risk_rule_hits_rule_id_index on risk_rule_hits (rule_id, triggered_at);
create index risk_rule_hits_transaction_id_index on risk_rule_hits (transaction_id);
create index risk_rule_hits_merchant_id_index on risk_rule_hits (merchant_id, triggered_at desc);
create index risk_rule_hits_status_index on risk_rule_hits (status, triggered_at desc);
create index risk_rule_hits_triggered_at_index on risk_rule_hits (triggered_at desc, id desc);

create table risk_audit_logs (
  id bigserial primary key,
  hit_id bigint not null,
  event varchar(32) not null,
  actor varchar(128) not null,
  before jsonb,
  after jsonb,
  request_id uuid,
  at timestamp(6) not null,
  inserted_at timestamp(6) not null,
  updated_at timestamp(6) not null
);
create index risk_audit_logs_hit_id_index on risk_audit_logs (hit_id);
