-- What the gateway's two roles may do in the settlement database. A live operation applies this file to its own tables.
-- Payout tables can be read and by nobody here be written.
grant usage on schema public to mcp_ro, mcp_rw;

grant select on dump_files, switch_dump_records, qr_scheme_dump_records, core_transactions, settlement_mis, settlement_mis_items,
  payout_items, payout_batches, reconciliation_exceptions, reconciliation_runs, sla_checkpoints to mcp_ro;

grant insert, update (status, oban_job_id, started_at, finished_at, matched_count, exception_count, error, updated_at)
  on reconciliation_runs to mcp_rw;
grant insert on reconciliation_exceptions to mcp_rw;
grant update (status, held_by, details, actual_amount, expected_amount, run_id, updated_at) on reconciliation_exceptions to mcp_rw;
grant update (hold_status, held_at, held_by, updated_at) on core_transactions to mcp_rw;
-- What the actuators lock, filter by or return.
grant select on dump_files, switch_dump_records, qr_scheme_dump_records, core_transactions, settlement_mis, settlement_mis_items,
  payout_items, payout_batches, reconciliation_exceptions, reconciliation_runs to mcp_rw;
grant usage on sequence reconciliation_runs_id_seq, reconciliation_exceptions_id_seq to mcp_rw;
