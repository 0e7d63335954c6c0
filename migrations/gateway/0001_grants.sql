-- The audit trail belongs to a role that cannot log in. The gateway adds and reads records; it cannot change or remove them.
insert into audit_head (seq, hash) values (0, repeat('0', 64));
grant create on schema public to gateway_audit;
alter table audit_records owner to gateway_audit;
alter table audit_head owner to gateway_audit;
revoke create on schema public from gateway_audit;

grant usage on schema public to gateway;
grant select, insert on audit_records to gateway;
grant select, update (seq, hash) on audit_head to gateway;
grant select, insert on approvals, approval_votes to gateway;
grant update (status, approved_at, denied_at, denied_by, consumed_at, consumed_by_call) on approvals to gateway;
grant select, insert, update, delete on idempotency_keys, read_counters to gateway;
grant select, insert, update on api_keys to gateway;
