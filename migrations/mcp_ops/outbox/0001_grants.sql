grant select, insert, update, delete on mcp_ops.mqtt_outbox, mcp_ops.outbox_inbox to mcp_rw;
grant usage on sequence mcp_ops.mqtt_outbox_id_seq to mcp_rw;
