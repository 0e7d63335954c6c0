import t from 'tap';
import { demoOperation, seed } from '../../support/demo-operation.ts';
import { startPostgres } from '../../support/postgres.ts';

t.setTimeout(300_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const operation = await demoOperation(pg);
// 16:00 in Dubai on 10 March: D-1 is the 9th.
await seed(operation, '2026-03-10T12:00:00Z');
const { product, settlement, mms, risk } = operation.sql;

async function rows(sql: typeof product, query: string): Promise<Record<string, unknown>[]> {
  return (await sql.unsafe(query)).map((row) => ({ ...row }));
}

t.test('1: the pilot took 4.2.0 and seven of ten went offline', async (t) => {
  t.same(
    await rows(
      product,
      `select mid, tid, group_name, status, parameter_version, last_seen_at::text from tms_terminals where serial_number = 'NV5-000137'`,
    ),
    [
      {
        mid: 'M1007',
        tid: 'T0000137',
        group_name: 'pilot',
        status: 'offline',
        parameter_version: '4.2.0',
        last_seen_at: '2026-03-09 21:14:00',
      },
    ],
  );
  t.same(
    await rows(
      product,
      `select status, completed_at::text from parameter_push_logs where serial_number = 'NV5-000137' and version = '4.2.0'`,
    ),
    [{ status: 'succeeded', completed_at: '2026-03-09 21:10:00' }],
  );
  t.same(
    await rows(
      product,
      `select x.group_name, x.status, count(*)::int from parameter_push_logs p join tms_terminals x using (serial_number)
      where p.version = '4.2.0' and p.status = 'succeeded' group by 1, 2 order by 2`,
    ),
    [
      { group_name: 'pilot', status: 'offline', count: 7 },
      { group_name: 'pilot', status: 'online', count: 3 },
    ],
  );
  t.same(
    await rows(
      product,
      `select status, previous_status, reason, reported_at::text from tms_terminal_status_logs
      where serial_number = 'NV5-000137' order by reported_at desc limit 1`,
    ),
    [{ status: 'offline', previous_status: 'online', reason: 'lwt', reported_at: '2026-03-09 21:14:00' }],
  );
});

t.test('2: NV5-000140 is offline by heartbeat and sells', async (t) => {
  const [terminal] = await rows(
    product,
    `select status, last_seen_at < timestamp '2026-03-09 21:21' as gone from tms_terminals where serial_number = 'NV5-000140'`,
  );
  t.same(terminal, { status: 'offline', gone: true });
  const [sales] = await rows(
    product,
    `select count(*)::int as count, max(transaction_time)::text as newest from pos_transaction
    where serial_number = 'NV5-000140' and response_code = '00' and transaction_time > timestamp '2026-03-10 07:00'`,
  );
  t.same(sales, { count: 12, newest: '2026-03-10 11:55:00' });
});

t.test('3, 4: what the dump lacks and what it has wrong', async (t) => {
  const facts = (rrn: string) =>
    rows(
      settlement,
      `select c.id::int, c.amount::numeric(18,2)::text as core, d.amount::numeric(18,2)::text as dump,
      c.business_date::text as date, e.exception_type as type, e.status from core_transactions c
    left join switch_dump_records d on d.rrn = c.rrn left join reconciliation_exceptions e on e.core_transaction_id = c.id where c.rrn = '${rrn}'`,
    );
  t.same(await facts('900100000003'), [
    { id: 700003, core: '250.00', dump: null, date: '2026-03-08', type: 'missing_in_dump', status: 'open' },
  ]);
  t.same(await facts('900100000004'), [
    { id: 700004, core: '1150.00', dump: '1105.00', date: '2026-03-07', type: 'amount_mismatch', status: 'open' },
  ]);
  t.same(
    await rows(
      product,
      `select reference_no, total_amount::numeric(18,2)::text as amount, response_code, currency_code from pos_transaction
    where reference_no in ('900100000003', '900100000004') order by 1`,
    ),
    [
      { reference_no: '900100000003', amount: '250.00', response_code: '00', currency_code: '784' },
      { reference_no: '900100000004', amount: '1150.00', response_code: '00', currency_code: '784' },
    ],
  );
  const [file] = await rows(
    settlement,
    `select count(*)::int from dump_files where business_date = '2026-03-08' and status = 'loaded'`,
  );
  t.same(file, { count: 5 });
});

t.test('5: one retrieval reference on two terminals on one day', async (t) => {
  const seen = [
    { tid: 'T0000021', day: '2026-03-06' },
    { tid: 'T0000188', day: '2026-03-06' },
  ];
  t.same(
    await rows(
      product,
      `select tid, (transaction_time + interval '4 hours')::date::text as day from pos_transaction where reference_no = '900100000005' order by 1`,
    ),
    seen,
  );
  t.same(
    await rows(
      settlement,
      `select tid, business_date::text as day from core_transactions where rrn = '900100000005' order by 1`,
    ),
    seen,
  );
});

t.test('6, 7, 8, 10, 13: the ways to the payout', async (t) => {
  const way = (where: string) =>
    rows(
      settlement,
      `select c.channel, c.amount::numeric(18,2)::text as amount, c.status, i.status as item, p.status as payout,
      p.hold_reason as hold, b.batch_reference as batch, b.status as batch_status, b.payout_date::text as paid
    from core_transactions c left join settlement_mis_items i on i.core_transaction_id = c.id left join payout_items p on p.id = i.payout_item_id
    left join payout_batches b on b.id = p.payout_batch_id where ${where}`,
    );
  t.same(await way(`c.rrn = '900100000006'`), [
    {
      channel: 'qr',
      amount: '42.00',
      status: 'settled',
      item: 'paid',
      payout: 'paid',
      hold: null,
      batch: 'PB-DEMO-10',
      batch_status: 'paid',
      paid: '2026-03-07',
    },
  ]);
  t.same(
    await rows(
      settlement,
      `select q.amount::numeric(18,2)::text as amount, q.status from qr_scheme_dump_records q join core_transactions c using (scheme_reference_no)
    where c.rrn = '900100000006'`,
    ),
    [{ amount: '42.00', status: 'settled' }],
  );
  t.same(await way('c.id = 700007'), [
    {
      channel: 'card',
      amount: '780.00',
      status: 'reconciled',
      item: 'included',
      payout: 'on_hold',
      hold: 'bank account change under review',
      batch: 'PB-DEMO-07',
      batch_status: 'released',
      paid: '2026-03-04',
    },
  ]);
  t.same(await rows(settlement, `select mid from payout_items where status = 'on_hold'`), [{ mid: 'M1012' }]);
  const [reversed] = await way('c.id = 700008');
  t.match(reversed, { status: 'settled', payout: 'paid' });
  const [{ rrn }] = (await rows(settlement, 'select rrn from core_transactions where id = 700008')) as [
    { rrn: string },
  ];
  t.same(
    await rows(
      product,
      `select v.reversal_status as status, v.original_amount = p.total_amount as whole from pos_transaction_reversal v
    join pos_transaction p on p.reference_no = v.original_reference_no where v.original_reference_no = '${rrn}'`,
    ),
    [{ status: 'completed', whole: true }],
  );
  const [late] = await way(`c.rrn = '900100000010'`);
  t.match(late, { status: 'settled', payout: 'paid', batch_status: 'paid' });
  t.same(
    await rows(
      settlement,
      `select c.business_date::text as core, (c.transaction_time + interval '4 hours')::text as local, d.business_date::text as dump, f.business_date::text as file
    from core_transactions c join switch_dump_records d using (rrn) join dump_files f on f.id = d.dump_file_id where c.rrn = '900100000010'`,
    ),
    [{ core: '2026-03-07', local: '2026-03-07 23:59:58', dump: '2026-03-08', file: '2026-03-08' }],
  );
  t.same(await rows(product, `select masked_card_no from pos_transaction where reference_no = '900100000013'`), [
    { masked_card_no: '4111111111111111' },
  ]);
  const [unmasked] = await way(`c.rrn = '900100000013'`);
  t.match(unmasked, { status: 'settled', payout: 'paid' });
});

t.test('9: a declined sale goes nowhere', async (t) => {
  t.same(
    await rows(product, `select response_code, approval_code from pos_transaction where reference_no = '900100000009'`),
    [{ response_code: '51', approval_code: null }],
  );
  for (const table of ['core_transactions', 'switch_dump_records', 'reconciliation_exceptions']) {
    t.same(await rows(settlement, `select 1 from ${table} where rrn = '900100000009'`), [], table);
  }
});

t.test('11, 12: risk hits with card data and with lookalikes', async (t) => {
  const [card] = (await rows(risk, 'select notes, metadata::text from risk_rule_hits where id = 5001')) as [
    { notes: string; metadata: string },
  ];
  t.equal(card.notes, 'customer card 4111 1111 1111 1111 used 6x');
  t.match(card.metadata, /４１１１１１１１１１１１１１１１/);
  t.ok(card.metadata.includes(';4111111111111111=30121011234567890?'));
  const [plain] = (await rows(risk, 'select notes from risk_rule_hits where id = 5002')) as [{ notes: string }];
  t.match(plain.notes, /1234 5678 9012 3456.*[0-9a-f]{8}-[0-9a-f]{4}-/);
  const digits = [...'1234567890123456'].reverse().map((digit, i) => (i % 2 ? Number(digit) * 2 : Number(digit)));
  t.not(digits.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) % 10, 0, 'fails Luhn');
  const [counts] = await rows(
    risk,
    `select count(*)::int as all, count(*) filter (where status = 'open')::int as open from risk_rule_hits`,
  );
  t.same(counts, { all: 120, open: 48 });
});

t.test('14, 15: the discarded jobs', async (t) => {
  t.same(
    await rows(
      product,
      `select id::int, state::text, worker, attempt, max_attempts, (errors[array_length(errors, 1)]) ->> 'error' as error, array_length(errors, 1) as errors
    from oban_jobs where id in (9001, 9002) order by id`,
    ),
    [
      {
        id: 9001,
        state: 'discarded',
        worker: 'SettlementCore.Workers.DumpImportWorker',
        attempt: 20,
        max_attempts: 20,
        error: '** (RuntimeError) file locked',
        errors: 20,
      },
      {
        id: 9002,
        state: 'discarded',
        worker: 'SettlementCore.Workers.PayoutReleaseWorker',
        attempt: 5,
        max_attempts: 5,
        error: '** (RuntimeError) item on hold',
        errors: 5,
      },
    ],
  );
  t.same(await rows(product, 'select state::text, count(*)::int from oban_jobs group by 1 order by 1'), [
    { state: 'available', count: 1 },
    { state: 'completed', count: 18 },
    { state: 'discarded', count: 3 },
    { state: 'executing', count: 1 },
    { state: 'retryable', count: 2 },
  ]);
});

t.test('16, 17: the reconciliation of D-2 ran before the late QR file, and all else was in time', async (t) => {
  t.same(
    await rows(
      settlement,
      `select exception_type, mid, dump_source, count(*)::int from reconciliation_exceptions
    where business_date = '2026-03-08' and dump_source = 'samplepay' and status = 'open' group by 1, 2, 3`,
    ),
    [{ exception_type: 'missing_in_dump', mid: 'M1020', dump_source: 'samplepay', count: 9 }],
  );
  t.same(
    await rows(
      settlement,
      `select count(*)::int from core_transactions c join qr_scheme_dump_records q using (scheme_reference_no)
    where c.business_date = '2026-03-08' and q.dump_source = 'samplepay' and c.amount = q.amount and c.status = 'captured'`,
    ),
    [{ count: 9 }],
    'the rows are there now',
  );
  t.same(
    await rows(
      settlement,
      `select r.status, r.finished_at < f.arrived_at as before from reconciliation_runs r join dump_files f using (business_date)
    where business_date = '2026-03-08' and f.dump_source = 'samplepay'`,
    ),
    [{ status: 'completed', before: true }],
  );
  t.same(await rows(settlement, `select distinct status from settlement_mis where business_date = '2026-03-08'`), [
    { status: 'pending_approval' },
  ]);
  t.same(
    await rows(
      settlement,
      `select checkpoint, business_date::text as date, extract(epoch from achieved_at - due_at)::int / 60 as minutes
    from sla_checkpoints where status in ('late', 'missed')`,
    ),
    [{ checkpoint: 'dump_arrival', date: '2026-03-08', minutes: 95 }],
  );
  t.same(
    await rows(
      settlement,
      `select status, count(*)::int, min(due_at) > timestamp '2026-03-11 07:00' as later from sla_checkpoints group by 1 order by 1`,
    ),
    [
      { status: 'late', count: 1, later: false },
      { status: 'met', count: 67, later: false },
      { status: 'pending', count: 2, later: true },
    ],
  );
  t.same(await rows(settlement, 'select status, count(*)::int from reconciliation_exceptions group by 1 order by 1'), [
    { status: 'held', count: 4 },
    { status: 'open', count: 24 },
    { status: 'released', count: 5 },
    { status: 'resolved', count: 31 },
  ]);
});

t.test('18: package 3 went to five terminals in the last day', async (t) => {
  t.same(
    await rows(
      product,
      `select p.package_name || ' ' || p.version as package, p.model, p.status, count(distinct d.serial_number)::int as terminals, max(d.cohort_size) as cohort
    from app_packages p join app_package_deployments d on d.package_id = p.id where p.id = 3 and d.requested_at > timestamp '2026-03-09 12:00' group by 1, 2, 3`,
    ),
    [{ package: 'PosApp 2.8.0', model: 'N5', status: 'approved', terminals: 5, cohort: 5 }],
  );
  // The sixth may take it: its version lies between the least and the package's, and nothing is under way.
  t.same(
    await rows(
      product,
      `select app_version, model from tms_terminals x where serial_number = 'NV5-000101' and status = 'online'
    and not exists (select 1 from app_package_deployments d where d.serial_number = x.serial_number and d.completed_at is null)`,
    ),
    [{ app_version: '2.7.2', model: 'N5' }],
  );
});

t.test('19, 20: terminals of the simulator stories have nothing under way', async (t) => {
  t.same(
    await rows(
      product,
      `select serial_number, status from tms_terminals where serial_number in ('端末-0007', 'NV5-000101', 'NV5-000108', 'NV5-000109') order by serial_number`,
    ),
    [
      { serial_number: 'NV5-000101', status: 'online' },
      { serial_number: 'NV5-000108', status: 'online' },
      { serial_number: 'NV5-000109', status: 'online' },
      { serial_number: '端末-0007', status: 'online' },
    ],
  );
  t.same(
    await rows(
      product,
      `select serial_number from parameter_push_logs where completed_at is null
    and (serial_number like 'NV5-0001%' or serial_number = '端末-0007')`,
    ),
    [],
  );
});

t.test('21: the betting merchant', async (t) => {
  t.same(
    await rows(
      mms,
      `select m.mcc_code, c.risk_tier, m.risk_tier as own from user_metadata m join mccs c on c.code = m.mcc_code where m.mid = 'M1031'`,
    ),
    [{ mcc_code: '7995', risk_tier: 'high', own: 'high' }],
  );
  t.same(
    await rows(
      mms,
      `select round(100.0 * count(*) filter (where k.status = 'approved' and k.expires_at > timestamp '2026-03-11') / count(*), 1)::text as percent,
      string_agg(k.method || ' ' || k.status, ', ') filter (where k.status = 'rejected') as rejected
    from kyc_requests k join user_metadata m using (user_id) where m.mid = 'M1031' and k.required`,
    ),
    [{ percent: '66.7', rejected: 'site_visit rejected' }],
  );
});
