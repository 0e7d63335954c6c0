import t, { type Test } from 'tap';
import { demoOperation, seed } from '../../support/demo-operation.ts';
import { startPostgres } from '../../support/postgres.ts';

t.setTimeout(300_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const operation = await demoOperation(pg);
await seed(operation, '2026-03-10T12:00:00Z');
const { product, settlement, mms, risk } = operation.sql;

/** Runs a query that looks for what must not be. */
async function none(t: Test, sql: typeof product, what: string, query: string): Promise<void> {
  const rows = await sql.unsafe(`select * from (${query}) as finding limit 3`);
  t.same([...rows], [], what);
}

t.test('terminals, status logs, deployments and pushes tell one story', async (t) => {
  const last = `select distinct on (serial_number) serial_number, status, reported_at
    from tms_terminal_status_logs order by serial_number, reported_at desc, id desc`;
  await none(
    t,
    product,
    'the registry has the status last reported',
    `
    select x.serial_number from tms_terminals x left join (${last}) l using (serial_number) where l.status is distinct from x.status`,
  );
  await none(
    t,
    product,
    'last seen fits the last report',
    `
    select x.serial_number from tms_terminals x join (${last}) l using (serial_number)
    where case when x.status = 'online' then x.last_seen_at < l.reported_at or x.last_seen_at < timestamp '2026-03-10 11:55'
      else x.last_seen_at <> l.reported_at end`,
  );
  await none(
    t,
    product,
    'each report names the one before',
    `
    select id from (select id, previous_status, lag(status) over (partition by serial_number order by reported_at, id) as before
      from tms_terminal_status_logs) r where previous_status is distinct from before`,
  );
  await none(
    t,
    product,
    'an app version comes from the newest succeeded deployment',
    `
    select x.serial_number from tms_terminals x join (select distinct on (serial_number) serial_number, target_version
      from app_package_deployments where status = 'succeeded' order by serial_number, completed_at desc) d using (serial_number)
    where d.target_version <> x.app_version`,
  );
  await none(
    t,
    product,
    'reports carry the app version of their time',
    `
    select l.id from tms_terminal_status_logs l join app_package_deployments d using (serial_number)
    where d.status = 'succeeded' and l.reported_at >= d.completed_at and l.app_version = d.from_version
      and not exists (select 1 from app_package_deployments n where n.serial_number = d.serial_number and n.status = 'succeeded' and n.requested_at > d.requested_at)`,
  );
  await none(
    t,
    product,
    'deployments fit package, vendor and model, and start from a lower version unless they roll back',
    `
    select d.id from app_package_deployments d join app_packages p on p.id = d.package_id join tms_terminals x using (serial_number)
    where p.vendor <> x.vendor or p.model <> x.model or p.version <> d.target_version
      or (d.kind = 'deploy') <> (string_to_array(d.from_version, '.')::int[] < string_to_array(d.target_version, '.')::int[])`,
  );
  for (const [type, column] of [
    ['parameter', 'parameter_version'],
    ['emv_config', 'emv_config_version'],
  ] as const) {
    await none(
      t,
      product,
      `${column} comes from the newest succeeded push`,
      `
      select x.serial_number from tms_terminals x join (select distinct on (serial_number) serial_number, version
        from parameter_push_logs where status = 'succeeded' and config_type = '${type}' order by serial_number, completed_at desc) p using (serial_number)
      where p.version <> x.${column}`,
    );
  }
  await none(
    t,
    product,
    'pushes name the template of their terminal, type and version',
    `
    select p.id from parameter_push_logs p join tms_terminals x using (serial_number) left join parameter_templates t on t.id = p.template_id
    where (p.config_type = 'keys_config') <> (t.id is null) or t.version <> p.version or t.model <> x.model or t.config_type <> p.config_type`,
  );
  await none(
    t,
    product,
    'steps of a push are numbered, in order of time and end with its status',
    `
    select p.id from parameter_push_logs p join lateral (select count(*) as steps, max(seq) as last, array_agg(event_at order by seq) as at,
      array_agg(event_at order by event_at, seq) as sorted, (array_agg(event order by seq desc))[1] as event, max(event_at) as ended
      from push_details d where d.push_log_id = p.id) d on true
    where d.steps <> d.last or d.at <> d.sorted or d.ended > coalesce(p.completed_at, timestamp '2026-03-10 12:00')
      or (p.status in ('succeeded', 'failed', 'expired') and d.event <> p.status)
      or (p.status in ('succeeded', 'failed', 'expired', 'superseded')) <> (p.completed_at is not null)`,
  );
});

t.test('the switch agrees with the terminals, and secrets are dummies', async (t) => {
  await none(
    t,
    product,
    'tid, merchant and serial belong together',
    `
    select p.id from pos_transaction p left join tms_terminals x on x.serial_number = p.serial_number
    where x.tid is distinct from p.tid or x.mid is distinct from p.mid`,
  );
  await none(
    t,
    product,
    'a repeat follows one original with the same values',
    `
    select r.id from pos_transaction r where r.mti = '0201' and 1 <> (select count(*) from pos_transaction o
      where o.s_tid_stan = r.s_tid_stan and o.mti = '0200' and o.total_amount = r.total_amount and o.reference_no = r.reference_no and o.transaction_time <= r.transaction_time)`,
  );
  await none(
    t,
    product,
    'every reversal has its original, of the same amount and local time',
    `
    select v.id from pos_transaction_reversal v where 1 <> (select count(*) from pos_transaction o where o.reference_no = v.original_reference_no
      and o.tid = v.tid and o.stan = v.original_stan and o.response_code = '00' and o.total_amount = v.original_amount
      and to_char(o.transaction_time + interval '4 hours', 'MMDDHH24MISS') = v.original_date || v.original_time and v.inserted_at > o.transaction_time)`,
  );
  await none(
    t,
    product,
    'no more than the test number is unmasked',
    `
    select id from pos_transaction where masked_card_no ~ '\\d{11}' and masked_card_no <> '4111111111111111'`,
  );
  await none(
    t,
    product,
    'secret columns hold dummies',
    `
    select id from pos_transaction where encrypted_pan <> 'demo' or hash_pan <> 'demo, no hash' or encrypted_track2 <> 'demo' or encrypted_expiry <> 'demo'`,
  );
  const [shares] = await product`select
      count(*)::int as all, count(*) filter (where response_code = '00')::int as approved, count(*) filter (where channel = 'qr')::int as qr
    from pos_transaction`;
  t.same({ ...shares }, { all: 30_000, approved: 27_900, qr: 1_200 });
  // Apart from the heartbeat fault of story 2 nobody sells while away.
  await none(
    t,
    product,
    'who is offline does not sell',
    `
    select p.id from pos_transaction p join tms_terminals x using (serial_number)
    where x.status <> 'online' and p.transaction_time > x.last_seen_at + interval '1 minute' and x.serial_number <> 'NV5-000140'`,
  );
});

t.test('every core row traces to the switch and to a dump, but for the planted ones', async (t) => {
  const live = await product<{ key: string; amount: string; currency: string }[]>`
    select reference_no || ' ' || tid || ' ' || stan as key, total_amount::text as amount, currency_code as currency
    from pos_transaction where response_code = '00' and mti = '0200'`;
  const letters: Record<string, string> = { '784': 'AED', '048': 'BHD', '392': 'JPY' };
  const lived = new Map(live.map((row) => [row.key, `${row.amount} ${letters[row.currency]}`]));
  const core = await settlement<{ key: string; amount: string }[]>`
    select rrn || ' ' || tid || ' ' || stan as key, amount::text || ' ' || currency as amount from core_transactions`;
  t.same(
    core.filter(({ key, amount }) => lived.get(key) !== amount),
    [],
  );
  t.equal(lived.size, core.length + 2, 'only the two missing in core are more');

  const dumped = `(exists (select 1 from switch_dump_records d where d.rrn = c.rrn and d.tid = c.tid and d.amount = c.amount and d.currency = c.currency
      and d.business_date = c.business_date and d.auth_number = c.auth_number and d.mid = c.mid)
    or exists (select 1 from qr_scheme_dump_records q where q.scheme_reference_no = c.scheme_reference_no and q.tid = c.tid and q.amount = c.amount and q.business_date = c.business_date))`;
  const strays =
    await settlement.unsafe(`select coalesce(e.exception_type, c.rrn) as why, count(*)::int as count from core_transactions c
    left join reconciliation_exceptions e on e.core_transaction_id = c.id where c.business_date < '2026-03-10' and not ${dumped} group by 1 order by 1`);
  t.same(
    [...strays].map(({ why, count }) => [why, count]),
    [
      ['900100000010', 1],
      ['amount_mismatch', 5],
      ['currency_mismatch', 1],
      ['date_mismatch', 1],
      ['missing_in_dump', 5],
    ],
  );
  const extra = await settlement`select d.rrn from switch_dump_records d
    where not exists (select 1 from core_transactions c where c.rrn = d.rrn and c.tid = d.tid)`;
  const missing =
    await settlement`select rrn from reconciliation_exceptions where exception_type = 'missing_in_core' and status = 'open'`;
  t.same(extra.map(({ rrn }) => rrn).sort(), missing.map(({ rrn }) => rrn).sort());
  await none(
    t,
    settlement,
    'file totals',
    `
    select f.id from dump_files f left join (
      select dump_file_id, count(*) as n, sum(case when proc_code = '200000' then -amount else amount end) filter (where currency <> 'USD') as total from switch_dump_records group by 1
      union all select dump_file_id, count(*), sum(amount) from qr_scheme_dump_records group by 1) r on r.dump_file_id = f.id
    where f.record_count <> coalesce(r.n, 0) or f.total_amount <> coalesce(r.total, 0)`,
  );
  await none(
    t,
    settlement,
    'a refund pays back an earlier sale of the merchant, once',
    `
    select c.id from core_transactions c left join core_transactions o on o.id = c.original_core_transaction_id
    where c.original_core_transaction_id is not null and (c.transaction_type <> 'refund' or o.transaction_type <> 'sale' or o.amount <> c.amount or o.mid <> c.mid or o.transaction_time >= c.transaction_time)
    union all select original_core_transaction_id from core_transactions where original_core_transaction_id is not null group by 1 having count(*) > 1`,
  );
});

t.test('amounts add up from core to payout', async (t) => {
  const exponent = `case c.currency when 'JPY' then 0 when 'BHD' then 3 else 2 end`;
  const tax = `case c.currency when 'AED' then 0.05 else 0.10 end`;
  const joined =
    'settlement_mis_items i join core_transactions c on c.id = i.core_transaction_id join settlement_mis m on m.id = i.settlement_mis_id';
  await none(
    t,
    settlement,
    'a sheet item is its core row',
    `
    select i.id from ${joined} where abs(i.gross_amount) <> c.amount or (i.gross_amount < 0) <> (c.transaction_type = 'refund') or i.mid <> c.mid
      or i.currency <> c.currency or m.currency <> c.currency or i.settlement_date <> c.business_date or m.business_date <> c.business_date
      or c.status not in ('reconciled', 'settled') or c.hold_status <> 'none'`,
  );
  await none(
    t,
    settlement,
    'discount and tax are rounded half up, item by item',
    `
    select i.id from ${joined} where i.net_amount <> i.gross_amount - i.mdr_amount - i.tax_amount
      or (c.transaction_type = 'sale' and (i.mdr_amount <> round(c.amount * i.mdr_rate, ${exponent}) or i.tax_amount <> round(i.mdr_amount * ${tax}, ${exponent})))
      or scale(trim_scale(i.mdr_amount)) > ${exponent} or scale(trim_scale(c.amount)) > ${exponent}`,
  );
  await none(
    t,
    settlement,
    'reconciled or settled means on a sheet, once',
    `
    select c.id from core_transactions c left join settlement_mis_items i on i.core_transaction_id = c.id
    where c.status in ('reconciled', 'settled') group by c.id having count(i.id) <> 1`,
  );
  await none(
    t,
    settlement,
    'sheet totals',
    `
    select m.id from settlement_mis m left join settlement_mis_items i on i.settlement_mis_id = m.id group by m.id
    having m.item_count <> count(i.id) or m.gross_total <> sum(i.gross_amount) or m.mdr_total <> sum(i.mdr_amount) or m.tax_total <> sum(i.tax_amount) or m.net_total <> sum(i.net_amount)`,
  );
  await none(
    t,
    settlement,
    'payout items',
    `
    select p.id from payout_items p left join settlement_mis_items i on i.payout_item_id = p.id group by p.id
    having p.amount <> sum(i.net_amount) or p.item_count <> count(i.id) or min(i.mid) <> p.mid or max(i.mid) <> p.mid or min(i.currency) <> p.currency
      or max(i.settlement_date) > p.payout_date`,
  );
  await none(
    t,
    settlement,
    'payout batches',
    `
    select b.id from payout_batches b left join payout_items p on p.payout_batch_id = b.id group by b.id
    having b.total_amount <> sum(p.amount) or b.item_count <> count(p.id) or min(p.currency) <> b.currency or max(p.payout_date) <> b.payout_date`,
  );
  const rates = await mms<{ key: string; rate: string }[]>`
    select a.mid || ' ' || t.code as key, r.rate::text as rate from merchant_mdr_assignments a join mdr_rates r using (mdr_template_id)
    join card_types t on t.id = r.card_type_id where a.valid_to is null and r.valid_to is null`;
  const rateOf = new Map(rates.map(({ key, rate }) => [key, rate]));
  const used = await settlement<{ key: string; rate: string }[]>`
    select distinct i.mid || ' ' || c.card_type as key, i.mdr_rate::text as rate
    from settlement_mis_items i join core_transactions c on c.id = i.core_transaction_id where c.transaction_type = 'sale'`;
  t.ok(used.length > 150);
  t.same(
    used.filter(({ key, rate }) => rateOf.get(key) !== rate),
    [],
    'the rates are those of the merchants',
  );
});

t.test('merchants, exceptions, jobs and risk hits refer to what there is', async (t) => {
  const mids = await mms<{ mid: string; reference: string; mcc: string }[]>`
    select mid, merchant_reference_number as reference, mcc_code as mcc from user_metadata`;
  const known = new Set(mids.map(({ mid, reference, mcc }) => `${mid} ${reference} ${mcc}`));
  const used = await settlement<{ key: string }[]>`
    select distinct mid || ' ' || merchant_reference_number || ' ' || mcc_code as key from core_transactions`;
  t.equal(used.length, 40);
  t.same(
    used.filter(({ key }) => !known.has(key)),
    [],
  );
  const tiers =
    await mms`select c.risk_tier as tier, count(*)::int as count from user_metadata m join mccs c on c.code = m.mcc_code
    where m.risk_tier = c.risk_tier group by 1 order by 1`;
  t.same(
    [...tiers].map(({ tier, count }) => [tier, count]),
    [
      ['high', 4],
      ['low', 24],
      ['medium', 12],
    ],
  );
  await none(
    t,
    mms,
    'nothing looks real',
    `
    select u.id from users u join user_metadata m on m.user_id = u.id
    where u.email not like '%@example.invalid' or m.trade_name not like 'Demo Merchant %' or substr(m.iban, 3, 2) <> '00'`,
  );
  await none(
    t,
    settlement,
    'exceptions name their core row',
    `
    select e.id from reconciliation_exceptions e left join core_transactions c on c.id = e.core_transaction_id
    where (e.core_transaction_id is null) <> (e.exception_type = 'missing_in_core' and e.status = 'open')
      or c.rrn <> e.rrn or c.mid <> e.mid or c.business_date <> e.business_date or (c.hold_status = 'held') <> (e.status = 'held')`,
  );
  const runs = await settlement`select oban_job_id::int as id from reconciliation_runs order by 1`;
  const jobs = await product`select id::int as id from oban_jobs
    where worker = 'SettlementCore.Workers.ReconciliationWorker' and state = 'completed' order by 1`;
  t.same([...runs], [...jobs]);
  const hits = await risk<{ id: string; rrn: string; mid: string; at: string }[]>`
    select id::text as id, transaction_id as rrn, merchant_id as mid, triggered_at::text as at from risk_rule_hits`;
  const sales = await product<{ key: string }[]>`select reference_no || ' ' || mid as key from pos_transaction
    where reference_no = any(${hits.map(({ rrn }) => rrn)})`;
  const sold = new Set(sales.map(({ key }) => key));
  t.same(
    hits.filter(({ rrn, mid }) => !sold.has(`${rrn} ${mid}`)),
    [],
  );
  await none(
    t,
    risk,
    'audit records and metadata agree',
    `
    select a.id from risk_audit_logs a left join risk_rule_hits h on h.id = a.hit_id
    where h.id is null or a.after -> 'evidence' is distinct from h.metadata #> '{mcp,evidence,0}'
      or a.after -> 'proposed_category' is distinct from h.metadata #> '{mcp,proposed_category}' or a.at < h.triggered_at`,
  );
  await none(
    t,
    risk,
    'only closed and escalated hits have been acted on',
    `
    select id from risk_rule_hits where (action_taken is null) <> (action_at is null) or (status = 'closed' and action_taken is null)
      or (status = 'open' and (action_taken is not null or supervisor_id is not null)) or action_at < triggered_at`,
  );
});
