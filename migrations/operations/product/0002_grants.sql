-- What the gateway's two roles may do in the product database. A live operation applies this file to its own tables.
-- Not granted to anyone here: columns with card secrets, pos_temp_transaction, and every write on pos_* tables.
grant usage on schema public to mcp_ro, mcp_rw;

grant select on tms_terminals, tms_terminal_status_logs, parameter_push_logs, push_details, parameter_templates, terminal_parameters,
  config_artifacts, app_packages, app_deployment_configs, app_package_deployments, remote_log_sessions, oban_jobs to mcp_ro;
grant select (id, s_tid_stan, reference_no, acquirer_reference_no, scheme_reference_no, approval_code, response_code, masked_card_no,
  mcc_code, total_amount, mti, proc_code, tid, mid, stan, currency_code, serial_number, channel, approved_amount, transaction_time)
  on pos_transaction to mcp_ro;
grant select (id, original_temp_txn_id, reversal_reference_no, reversal_status, reversal_reason, retry_count, max_retry_attempts,
  original_amount, original_stan, original_time, original_date, error_message, tid, original_reference_no, currency_code, inserted_at)
  on pos_transaction_reversal to mcp_ro;
grant select (id, reference_no, stan, tid, mti, proc_code, response_code, total_amount, currency_code, masked_card_no, failure_reason,
  error_message, transaction_time, inserted_at) on pos_failed_transaction to mcp_ro;

grant insert on parameter_push_logs, push_details, config_artifacts, app_package_deployments, remote_log_sessions to mcp_rw;
grant update (status, completed_at, error_code, error_message, updated_at) on parameter_push_logs, app_package_deployments to mcp_rw;
grant update (status, stopped_at, stop_reason, updated_at) on remote_log_sessions to mcp_rw;
grant insert on oban_jobs to mcp_rw;
grant update (state, max_attempts, scheduled_at, completed_at, cancelled_at, discarded_at) on oban_jobs to mcp_rw;
-- What the actuators lock, filter by or return.
grant select on tms_terminals, parameter_push_logs, push_details, parameter_templates, terminal_parameters, config_artifacts, app_packages,
  app_deployment_configs, app_package_deployments, remote_log_sessions, oban_jobs to mcp_rw;
grant usage on sequence parameter_push_logs_id_seq, push_details_id_seq, config_artifacts_id_seq, app_package_deployments_id_seq,
  oban_jobs_id_seq to mcp_rw;
