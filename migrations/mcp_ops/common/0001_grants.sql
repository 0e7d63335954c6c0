-- The write role keeps the intents of its writes here and removes them when they have expired.
grant usage on schema mcp_ops to mcp_rw;
grant select, insert, update, delete on mcp_ops.actuator_calls to mcp_rw;
grant usage on sequence mcp_ops.actuator_calls_id_seq to mcp_rw;
