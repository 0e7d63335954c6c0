import type { Sql } from 'postgres';
import t from 'tap';
import type { MigratedDatabase } from '../../src/storage/migrate.ts';
import { startPostgres, type TestDatabase } from '../support/postgres.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const kinds = ['product', 'settlement', 'risk', 'mms'] as const satisfies readonly MigratedDatabase[];
const databases = new Map<MigratedDatabase, TestDatabase>();
for (const kind of [...kinds, 'gateway' as const]) databases.set(kind, await pg.database(kind));
const url = (kind: MigratedDatabase, role: 'owner' | 'read' | 'write' | 'gateway') => databases.get(kind)?.[role] ?? '';

async function tables(kind: MigratedDatabase): Promise<{ schema: string; name: string; column: string }[]> {
  const sql = pg.connect(url(kind, 'owner'));
  return sql`select n.nspname as schema, c.relname as name, (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum = 1) as column
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'mcp_ops') order by 1, 2`;
}

/** What PostgreSQL says to a statement: the SQLSTATE of its refusal, or `done`. */
async function verdict(sql: Sql, statement: string): Promise<string> {
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe('set transaction read write');
      await tx.unsafe(statement);
      throw new Error('rolled back');
    });
    return 'done';
  } catch (error) {
    if (error instanceof Error && error.message === 'rolled back') return 'done';
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}

const DENIED = '42501';
const READ_ONLY_TRANSACTION = '25006';

t.test('the read role is refused every write on every table by PostgreSQL itself', async (t) => {
  for (const kind of kinds) {
    const sql = pg.connect(url(kind, 'read'));
    for (const { schema, name, column } of await tables(kind)) {
      const table = `${schema}.${name}`;
      t.equal(await verdict(sql, `insert into ${table} default values`), DENIED, `insert ${table}`);
      t.equal(await verdict(sql, `update ${table} set ${column} = default`), DENIED, `update ${table}`);
      t.equal(await verdict(sql, `delete from ${table}`), DENIED, `delete ${table}`);
      t.equal(await verdict(sql, `truncate ${table}`), DENIED, `truncate ${table}`);
    }
    t.equal(await verdict(sql, 'create table public.mine (n int)'), DENIED, `create table in ${kind}`);
    t.equal(await verdict(sql, 'create temp table mine (n int)'), DENIED, `temporary table in ${kind}`);
  }
});

t.test('without being told, a session of the read role is read-only', async (t) => {
  const sql = pg.connect(url('product', 'read'));
  const [row] = await sql<{ v: string }[]>`select current_setting('transaction_read_only') as v`;
  t.equal(row?.v, 'on');
  await t.rejects(sql`create table public.mine (n int)`, { code: READ_ONLY_TRANSACTION });
});

t.test('columns that hold secrets are closed to both roles', async (t) => {
  const secrets: Record<string, readonly string[]> = {
    pos_transaction: ['encrypted_pan', 'hash_pan', 'encrypted_track2', 'encrypted_expiry'],
    pos_transaction_reversal: ['original_encrypted_pan', 'original_encrypted_expiry_date'],
    pos_failed_transaction: ['encrypted_pan', 'hash_pan', 'encrypted_track2', 'encrypted_expiry'],
    pos_temp_transaction: ['id', 'encrypted_pan', 'encrypted_track2'],
  };
  for (const role of ['read', 'write'] as const) {
    const sql = pg.connect(url('product', role));
    for (const [table, columns] of Object.entries(secrets)) {
      for (const column of columns)
        t.equal(await verdict(sql, `select ${column} from ${table}`), DENIED, `${role} ${table}.${column}`);
      t.equal(await verdict(sql, `select * from ${table}`), DENIED, `${role} ${table}.*`);
      t.equal(await verdict(sql, `select ${table} from ${table}`), DENIED, `${role} whole row of ${table}`);
    }
  }
  const mms = pg.connect(url('mms', 'read'));
  for (const column of ['password_hash', 'reset_token', '*'])
    t.equal(await verdict(mms, `select ${column} from users`), DENIED, column);
  t.equal(await verdict(mms, 'select id, email from users'), 'done');
});

t.test('what is granted can be read', async (t) => {
  for (const kind of kinds) {
    const sql = pg.connect(url(kind, 'read'));
    for (const { schema, name } of await tables(kind)) {
      if (schema !== 'public' || /^pos_|^users$/.test(name)) continue;
      t.equal(await verdict(sql, `select * from ${name}`), 'done', `${kind}.${name}`);
    }
  }
  const product = pg.connect(url('product', 'read'));
  t.equal(await verdict(product, 'select id, masked_card_no, total_amount from pos_transaction'), 'done');
});

t.test('operations that must never exist are refused to the write role', async (t) => {
  const refused: [MigratedDatabase, string][] = [
    ['product', `insert into pos_transaction (tid) values ('T')`],
    ['product', `update pos_transaction set response_code = '00'`],
    ['product', 'delete from pos_transaction'],
    ['product', `update pos_transaction_reversal set reversal_status = 'completed'`],
    ['product', `insert into pos_failed_transaction (tid) values ('T')`],
    ['product', 'delete from pos_temp_transaction'],
    ['product', `update tms_terminals set status = 'online'`],
    ['product', `insert into tms_terminals (serial_number, status) values ('x', 'online')`],
    ['product', `update app_packages set status = 'approved'`],
    ['product', `insert into app_packages (package_name) values ('x')`],
    ['product', `update terminal_parameters set param_value = 'x'`],
    ['product', `update parameter_templates set active = true`],
    ['product', `update config_artifacts set sha256 = 'x'`],
    ['product', `update parameter_push_logs set serial_number = 'x'`],
    ['product', `update app_package_deployments set approval_id = null`],
    ['product', `update remote_log_sessions set requested_by = 'x'`],
    ['product', `update oban_jobs set worker = 'Payout'`],
    ['product', `update oban_jobs set args = '{}'`],
    ['product', `update oban_jobs set attempt = 0`],
    ['product', 'delete from oban_jobs'],
    ['product', 'delete from parameter_push_logs'],
    ['product', 'truncate push_details'],
    ['settlement', `update payout_batches set status = 'released'`],
    ['settlement', `update payout_batches set approved_by = 'x'`],
    ['settlement', `insert into payout_batches (batch_reference) values ('x')`],
    ['settlement', `update payout_items set status = 'paid'`],
    ['settlement', `update payout_items set hold_reason = null`],
    ['settlement', 'delete from payout_items'],
    ['settlement', `update settlement_mis set status = 'approved'`],
    ['settlement', `update settlement_mis_items set net_amount = 1`],
    ['settlement', `update core_transactions set amount = 1`],
    ['settlement', `update core_transactions set status = 'settled'`],
    ['settlement', `insert into core_transactions (channel) values ('card')`],
    ['settlement', `update reconciliation_exceptions set resolved_by = 'x'`],
    ['settlement', `update reconciliation_exceptions set resolved_at = now()`],
    ['settlement', `update reconciliation_exceptions set exception_type = 'x'`],
    ['settlement', 'delete from reconciliation_exceptions'],
    ['settlement', `update switch_dump_records set amount = 1`],
    ['settlement', `update dump_files set status = 'loaded'`],
    ['settlement', `update sla_checkpoints set status = 'met'`],
    ['risk', `update risk_rule_hits set status = 'closed'`],
    ['risk', `update risk_rule_hits set action_taken = 'released'`],
    ['risk', 'update risk_rule_hits set action_at = now()'],
    ['risk', `update risk_rule_hits set supervisor_id = 'x'`],
    ['risk', `update risk_rule_hits set category = 'x'`],
    ['risk', `insert into risk_rule_hits (rule_id) values ('x')`],
    ['risk', 'delete from risk_rule_hits'],
    ['risk', `update risk_audit_logs set actor = 'x'`],
    ['risk', 'delete from risk_audit_logs'],
  ];
  for (const [kind, statement] of refused) {
    t.equal(await verdict(pg.connect(url(kind, 'write')), statement), DENIED, `${kind}: ${statement}`);
  }
  const mms = pg.connect(url('mms', 'write'));
  t.equal(
    await verdict(mms, `update user_metadata set risk_tier = 'low'`),
    DENIED,
    'the write role cannot even connect to mms',
  );
});

t.test('the writes of the contract are granted, and nothing beyond them', async (t) => {
  const expected: Record<string, Record<string, readonly string[]>> = {
    product: {
      parameter_push_logs: ['INSERT', 'completed_at', 'error_code', 'error_message', 'status', 'updated_at'],
      push_details: ['INSERT'],
      config_artifacts: ['INSERT'],
      app_package_deployments: ['INSERT', 'completed_at', 'error_code', 'error_message', 'status', 'updated_at'],
      remote_log_sessions: ['INSERT', 'status', 'stop_reason', 'stopped_at', 'updated_at'],
      oban_jobs: ['INSERT', 'cancelled_at', 'completed_at', 'discarded_at', 'max_attempts', 'scheduled_at', 'state'],
    },
    settlement: {
      reconciliation_runs: [
        'INSERT',
        'error',
        'exception_count',
        'finished_at',
        'matched_count',
        'oban_job_id',
        'started_at',
        'status',
        'updated_at',
      ],
      reconciliation_exceptions: [
        'INSERT',
        'actual_amount',
        'details',
        'expected_amount',
        'held_by',
        'run_id',
        'status',
        'updated_at',
      ],
      core_transactions: ['held_at', 'held_by', 'hold_status', 'updated_at'],
    },
    risk: { risk_rule_hits: ['metadata', 'notes', 'updated_at'], risk_audit_logs: ['INSERT'] },
    mms: {},
  };
  for (const kind of kinds) {
    const sql = pg.connect(url(kind, 'owner'));
    const rows = await sql<{ name: string; grants: string[] }[]>`
      select c.relname as name, array_remove(
        array_agg(distinct a.attname::text order by a.attname::text) filter (where has_column_privilege('mcp_rw', c.oid, a.attnum, 'UPDATE')), null) as grants,
        bool_or(has_table_privilege('mcp_rw', c.oid, 'INSERT')) as may_insert
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.relname`;
    const found: Record<string, string[]> = {};
    for (const row of rows as unknown as { name: string; grants: string[] | null; may_insert: boolean }[]) {
      const grants = [...(row.may_insert ? ['INSERT'] : []), ...(row.grants ?? [])];
      if (grants.length > 0) found[row.name] = grants;
    }
    t.same(found, expected[kind], kind);
  }
});

t.test('inserts of the write role find their sequences', async (t) => {
  const stamp = `timezone('utc', now())`;
  const product = pg.connect(url('product', 'write'));
  t.equal(
    await verdict(product, `insert into oban_jobs (queue, worker, args) values ('q', 'W', '{}') returning id`),
    'done',
  );
  t.equal(
    await verdict(
      product,
      `insert into parameter_push_logs (serial_number, config_type, status, trigger_source, requested_at, inserted_at, updated_at)
      values ('S', 'parameter', 'queued', 'mcp', ${stamp}, ${stamp}, ${stamp}) returning id`,
    ),
    'done',
  );
  const settlement = pg.connect(url('settlement', 'write'));
  t.equal(
    await verdict(
      settlement,
      `insert into reconciliation_runs (business_date, status, trigger, inserted_at, updated_at)
      values ('2026-01-01', 'queued', 'mcp', ${stamp}, ${stamp}) returning id`,
    ),
    'done',
  );
  t.equal(await verdict(settlement, 'select id from core_transactions for update'), 'done');
});

t.test('the gateway adds audit records and can neither change nor remove them', async (t) => {
  const sql = pg.connect(url('gateway', 'gateway'));
  const add = `insert into audit_records (seq, at, phase, call_id, server, tool, principal, prev_hash, hash)
    values (1, now(), 'completed', gen_random_uuid(), 's', 't', 'p', repeat('0', 64), repeat('1', 64))`;
  t.equal(await verdict(sql, add), 'done');
  for (const statement of [
    `update audit_records set status = 'success'`,
    'delete from audit_records',
    'truncate audit_records',
    'drop table audit_records',
    'alter table audit_records disable trigger all',
    'alter table audit_records owner to gateway',
    'delete from audit_head',
    'insert into audit_head (single, seq, hash) values (true, 0, repeat($$0$$, 64))',
    'set role gateway_audit',
    'delete from approvals',
    `update approvals set args_digest = 'x'`,
    'delete from approval_votes',
    `update approval_votes set vote = 'approve'`,
  ]) {
    t.equal(await verdict(sql, statement), DENIED, statement);
  }
  t.equal(await verdict(sql, 'select seq, hash from audit_head for update'), 'done');
});
