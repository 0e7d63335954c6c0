-- The merchant management database is read only: the write role gets nothing here, not even to look.
-- users.password_hash and users.reset_token are granted to nobody.
grant usage on schema public to mcp_ro;
grant select (id, status, role, email, last_login_at, inserted_at) on users to mcp_ro;
grant select on user_metadata, kyc_requests, mccs, card_types, mdr_templates, merchant_mdr_assignments, mdr_rates, mcc_mdr_rates to mcp_ro;
