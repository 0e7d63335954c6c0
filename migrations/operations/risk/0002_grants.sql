-- What the gateway's two roles may do in the risk database. A live operation applies this file to its own tables.
-- status, action_taken, action_at, supervisor_id and category of a hit are decided by people elsewhere: no grant to change them.
grant usage on schema public to mcp_ro, mcp_rw;

grant select on risk_rule_hits, risk_audit_logs to mcp_ro;

grant update (notes, metadata, updated_at) on risk_rule_hits to mcp_rw;
grant insert on risk_audit_logs to mcp_rw;
-- What the actuators lock, filter by or return.
grant select on risk_rule_hits, risk_audit_logs to mcp_rw;
grant usage on sequence risk_audit_logs_id_seq to mcp_rw;
