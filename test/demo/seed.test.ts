import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import t from 'tap';
import { buildDemo } from '../../src/demo/seed/build.ts';
import { SeedError, seedDemo } from '../../src/demo/seed/index.ts';
import { silentLog } from '../../src/storage/log.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(600_000);
const AS_OF = new Date('2026-03-10T08:00:00Z');
const pg = await startPostgres();
t.teardown(() => pg.stop());
const names = ['product', 'settlement', 'mms', 'risk'] as const;

async function emptyDatabases() {
  const urls: Record<string, string> = {};
  for (const name of names) urls[name] = (await pg.database(name)).owner;
  return urls as Record<(typeof names)[number], string>;
}

const urls = await emptyDatabases();
const product = pg.connect(urls.product);
const settlement = pg.connect(urls.settlement);
const mms = pg.connect(urls.mms);
const risk = pg.connect(urls.risk);
const first = await seedDemo({ urls, log: silentLog, asOf: new Date('2026-03-10T08:59:59Z') });

/** One row of plain values. */
const one = async <T extends Record<string, unknown>>(query: Promise<readonly T[]>) => {
  const [row] = await query;
  if (!row) throw new Error('no row');
  return { ...row };
};
const D = (n: number) => new Date(Date.parse('2026-03-10') - n * 86_400_000).toISOString().slice(0, 10);

t.test('it says what it did, and a second start finds it done', async (t) => {
  t.match(first, { seeded: true, asOf: AS_OF.toISOString() });
  t.ok(first.rows > 130_000);
  t.match(await seedDemo({ urls, log: silentLog }), { seeded: false, asOf: AS_OF.toISOString(), rows: 0 });
});

t.test('the sizes are those of the demo operation', async (t) => {
  const exact: [typeof product, string, number][] = [
    [mms, 'user_metadata', 40],
    [mms, 'users', 40],
    [mms, 'kyc_requests', 240],
    [product, 'tms_terminals', 240],
    [product, 'parameter_push_logs', 600],
    [product, 'app_packages', 6],
    [product, 'app_deployment_configs', 3],
    [product, 'app_package_deployments', 180],
    [product, 'pos_transaction', 30_000],
    [product, 'pos_transaction_reversal', 450],
    [product, 'pos_failed_transaction', 300],
    [product, 'oban_jobs', 25],
    [settlement, 'payout_batches', 26],
    [settlement, 'reconciliation_exceptions', 64],
    [settlement, 'sla_checkpoints', 70],
    [risk, 'risk_rule_hits', 120],
    [risk, 'risk_audit_logs', 30],
  ];
  for (const [sql, table, rows] of exact) {
    t.equal((await one(sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)).n, rows, table);
  }
  const about: [typeof product, string, number][] = [
    [product, 'tms_terminal_status_logs', 26_000],
    [product, 'push_details', 3_000],
    [settlement, 'switch_dump_records', 25_000],
    [settlement, 'qr_scheme_dump_records', 1_100],
    [settlement, 'core_transactions', 26_000],
    [settlement, 'settlement_mis_items', 24_000],
    [settlement, 'payout_items', 470],
  ];
  for (const [sql, table, rows] of about) {
    const { n } = await one(sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`);
    t.ok(Math.abs(n - rows) < rows * 0.08, `${table}: ${n}, about ${rows}`);
  }
});

t.test('the shares are those of the demo operation', async (t) => {
  t.same(await product`select model, count(*)::int as n from tms_terminals group by 1 order by 1`, [
    { model: 'K200', n: 30 },
    { model: 'N5', n: 160 },
    { model: 'N7', n: 50 },
  ]);
  t.same(await product`select group_name as g, count(*)::int as n from tms_terminals group by 1 order by 1`, [
    { g: 'north', n: 110 },
    { g: 'pilot', n: 10 },
    { g: 'south', n: 120 },
  ]);
  t.same(await product`select tier, count(*)::int as n from tms_terminals group by 1 order by 1`, [
    { tier: 'bronze', n: 140 },
    { tier: 'gold', n: 20 },
    { tier: 'silver', n: 80 },
  ]);
  t.equal((await one(product`select count(distinct area)::int as n from tms_terminals`)).n, 6);
  const pos = await one<
    Record<string, number>
  >(product`select avg((response_code in ('00', '10'))::int)::float as approved,
    avg((channel = 'qr')::int)::float as qr from pos_transaction`);
  t.ok(Math.abs(pos.approved! - 0.93) < 0.01, `approved ${pos.approved}`);
  t.ok(Math.abs(pos.qr! - 0.04) < 0.006, `qr ${pos.qr}`);
  t.equal((await one(product`select count(*)::int as n from parameter_push_logs where status = 'succeeded'`)).n, 552);
  t.same(await settlement`select status, count(*)::int as n from reconciliation_exceptions group by 1 order by 1`, [
    { status: 'held', n: 4 },
    { status: 'open', n: 24 },
    { status: 'released', n: 5 },
    { status: 'resolved', n: 31 },
  ]);
  t.equal((await one(risk`select count(*)::int as n from risk_rule_hits where status = 'open'`)).n, 48);
  t.same(await product`select state::text, count(*)::int as n from oban_jobs group by 1 order by 1`, [
    { state: 'available', n: 1 },
    { state: 'completed', n: 18 },
    { state: 'discarded', n: 3 },
    { state: 'executing', n: 1 },
    { state: 'retryable', n: 2 },
  ]);
  t.same(await mms`select currency, count(*)::int as n from user_metadata group by 1 order by 1`, [
    { currency: 'AED', n: 36 },
    { currency: 'BHD', n: 3 },
    { currency: 'JPY', n: 1 },
  ]);
  t.same(
    await mms`select m.risk_tier as tier, count(*)::int as n from user_metadata u join mccs m on m.code = u.mcc_code group by 1 order by 1`,
    [
      { tier: 'high', n: 4 },
      { tier: 'low', n: 24 },
      { tier: 'medium', n: 12 },
    ],
  );
});

t.test('stories of the terminals', async (t) => {
  const terminal = await one(
    product`select status, tid, merchant_id, parameter_version, last_seen_at::text as seen from tms_terminals where serial_number = 'NV5-000137'`,
  );
  t.match(terminal, {
    status: 'offline',
    tid: 'T0000137',
    merchant_id: 'M1007',
    parameter_version: '4.2.0',
    seen: `${D(1)} 21:14:00`,
  });
  t.match(
    await one(
      product`select version, status, completed_at::text as at from parameter_push_logs where serial_number = 'NV5-000137'`,
    ),
    {
      version: '4.2.0',
      status: 'succeeded',
      at: `${D(1)} 21:10:00`,
    },
  );
  t.same(
    await product`select t.status, count(*)::int as n from parameter_push_logs p join tms_terminals t using (serial_number)
      where p.version = '4.2.0' and t.group_name = 'pilot' and p.status = 'succeeded' group by 1 order by 1`,
    [
      { status: 'offline', n: 7 },
      { status: 'online', n: 3 },
    ],
  );
  t.equal((await one(product`select count(*)::int as n from parameter_push_logs where version = '4.2.0'`)).n, 10);
  t.equal(
    (
      await one(
        product`select count(*)::int as n from pos_transaction where serial_number = 'NV5-000137' and transaction_time > ${`${D(1)} 21:14:00`}`,
      )
    ).n,
    0,
  );

  const silent =
    await one(product`select t.status, (select max(transaction_time)::text from pos_transaction p where p.tid = t.tid and response_code = '00') as sold,
    (select reason from tms_terminal_status_logs l where l.serial_number = t.serial_number order by reported_at desc limit 1) as reason
    from tms_terminals t where serial_number = 'NV5-000140'`);
  t.match(silent, { status: 'offline', reason: 'heartbeat', sold: `${D(0)} 07:55:00` });

  t.match(await one(product`select tid, status from tms_terminals where serial_number = '端末-0007'`), {
    status: 'online',
  });
  t.equal(
    (
      await one(product`select count(distinct serial_number)::int as n from app_package_deployments d join app_packages p on p.id = d.package_id
        where p.id = 3 and p.package_name = 'PosApp' and p.version = '2.8.0' and p.model = 'N5' and requested_at > ${'2026-03-09 09:00:00'}`)
    ).n,
    5,
  );
});

t.test('every terminal is what its last report says', async (t) => {
  const odd = await product`select t.serial_number, t.status, l.status as last from tms_terminals t
    left join lateral (select status from tms_terminal_status_logs l where l.serial_number = t.serial_number order by reported_at desc, id desc limit 1) l on true
    where l.status is distinct from t.status`;
  t.same(
    odd.map((row) => row.last),
    [null],
    'only the one that never reported has no report',
  );
  const wrong = await product`select count(*)::int as n from (select status, previous_status,
    lag(status) over (partition by serial_number order by reported_at, id) as before from tms_terminal_status_logs) x where previous_status is distinct from before`;
  t.same(wrong, [{ n: 0 }]);
});

const live = (rrn: string) =>
  product`select tid, response_code, total_amount::float as amount, masked_card_no from pos_transaction where reference_no = ${rrn}`;
const core = (rrn: string) =>
  settlement`select id::int, tid, status, amount::float as amount, business_date::text as day from core_transactions where rrn = ${rrn}`;
const dump = (rrn: string) =>
  settlement`select amount::float as amount, business_date::text as day from switch_dump_records where rrn = ${rrn}`;
const exceptions = (rrn: string) =>
  settlement`select exception_type as type, status from reconciliation_exceptions where rrn = ${rrn}`;

t.test('stories of the transactions', async (t) => {
  t.match(await live('900100000003'), [{ response_code: '00', amount: 250 }]);
  t.match(await core('900100000003'), [{ amount: 250, day: D(2) }]);
  t.same(await dump('900100000003'), []);
  t.match(await exceptions('900100000003'), [{ type: 'missing_in_dump', status: 'open' }]);

  t.match(
    [await live('900100000004'), await core('900100000004'), await dump('900100000004')],
    [[{ amount: 1150 }], [{ amount: 1150 }], [{ amount: 1105 }]],
  );
  t.match(await exceptions('900100000004'), [{ type: 'amount_mismatch', status: 'open' }]);

  t.same((await live('900100000005')).map((row) => row.tid).sort(), ['T0000021', 'T0000188']);
  t.equal((await core('900100000005')).length, 2);

  t.match(
    await settlement`select c.channel, c.amount::float as amount, m.status as mis, i.status as item, b.status as batch, b.payout_date::text as paid
      from core_transactions c join settlement_mis_items m on m.core_transaction_id = c.id join payout_items i on i.id = m.payout_item_id
      join payout_batches b on b.id = i.payout_batch_id join qr_scheme_dump_records q on q.scheme_reference_no = c.scheme_reference_no
      where c.rrn = '900100000006'`,
    [{ channel: 'qr', amount: 42, mis: 'paid', item: 'paid', batch: 'paid', paid: D(3) }],
  );
  t.match(
    await settlement`select c.mid, i.status, i.hold_reason, b.batch_reference from core_transactions c join settlement_mis_items m on m.core_transaction_id = c.id
      join payout_items i on i.id = m.payout_item_id join payout_batches b on b.id = i.payout_batch_id where c.id = 700007`,
    [
      {
        mid: 'M1012',
        status: 'on_hold',
        hold_reason: 'bank account change under review',
        batch_reference: 'PB-DEMO-07',
      },
    ],
  );
  t.match(await core('900100000008'), [{ id: 700008, status: 'settled' }]);
  t.match(
    await product`select reversal_status from pos_transaction_reversal where original_reference_no = '900100000008'`,
    [{ reversal_status: 'completed' }],
  );
  t.match(await live('900100000009'), [{ response_code: '51' }]);
  t.same([await core('900100000009'), await dump('900100000009')], [[], []]);
  t.match([await core('900100000010'), await dump('900100000010')], [[{ day: D(3) }], [{ day: D(2) }]]);
  t.match(await product`select transaction_time::text as at from pos_transaction where reference_no = '900100000010'`, [
    { at: `${D(3)} 19:59:58` },
  ]);
  t.match(await live('900100000013'), [{ masked_card_no: '4111111111111111' }]);
  t.equal(
    (await one(product`select count(*)::int as n from pos_transaction where masked_card_no ~ '[0-9]{11}'`)).n,
    1,
    'all other numbers are masked',
  );
});

t.test('stories of settlement, risk, jobs and merchants', async (t) => {
  t.match(
    await settlement`select exception_type as type, dump_source, count(*)::int as n from reconciliation_exceptions
      where business_date = ${D(2)} and status = 'open' and dump_source <> 'switch' group by 1, 2`,
    [{ type: 'missing_in_dump', dump_source: 'qrlink', n: 9 }],
  );
  t.match(
    await settlement`select r.finished_at < f.arrived_at as before from reconciliation_runs r join dump_files f using (business_date)
      where business_date = ${D(2)} and dump_source = 'qrlink'`,
    [{ before: true }],
  );
  t.notOk(
    (await settlement`select 1 from settlement_mis where business_date = ${D(2)} and status = 'approved'`).length,
    'D-2 may run again',
  );
  t.match(
    await settlement`select business_date::text as day, checkpoint, extract(epoch from achieved_at - due_at)::int / 60 as minutes from sla_checkpoints where status in ('late', 'missed')`,
    [{ day: D(2), checkpoint: 'dump_arrival', minutes: 95 }],
  );
  t.same(
    await settlement`select business_date::text as day from sla_checkpoints where status = 'pending' and due_at <= ${AS_OF.toISOString().slice(0, 19)}`,
    [],
    'nothing that is pending is due',
  );

  const [hit, other] =
    await risk`select notes, metadata::text as metadata from risk_rule_hits where id in (5001, 5002) order by id`;
  t.match(hit, {
    notes: 'customer card 4111 1111 1111 1111 used 6x',
    metadata: /;4111111111111111=30121011234567890\?/,
  });
  t.match(hit?.metadata, /４１１１１１１１１１１１１１１１/);
  t.match(other?.notes, /1234 5678 9012 3456/);
  t.match(
    await product`select worker, state::text, attempt, max_attempts, errors[1]->>'error' as error from oban_jobs where id in (9001, 9002) order by id`,
    [
      {
        worker: 'SettlementCore.Workers.DumpImportWorker',
        state: 'discarded',
        attempt: 20,
        max_attempts: 20,
        error: /file locked/,
      },
      { worker: 'SettlementCore.Workers.PayoutReleaseWorker', state: 'discarded' },
    ],
  );
  t.same(
    await mms`select u.mcc_code, m.risk_tier, (select round(100.0 * avg((k.status = 'approved')::int), 1)::text from kyc_requests k where k.user_id = u.user_id and k.required) as kyc,
      (select status from kyc_requests k where k.user_id = u.user_id and method = 'site_visit') as visit
      from user_metadata u join mccs m on m.code = u.mcc_code where u.mid = 'M1031'`,
    [{ mcc_code: '7995', risk_tier: 'high', kyc: '66.7', visit: 'rejected' }],
  );
});

t.test('the money adds up', async (t) => {
  const none = async (what: string, query: Promise<readonly unknown[]>) => t.same(await query, [], what);
  await none(
    'an item is its gross less discount and tax',
    settlement`select id from settlement_mis_items where net_amount <> gross_amount - mdr_amount - tax_amount`,
  );
  await none(
    'an item is the core amount',
    settlement`select m.id from settlement_mis_items m join core_transactions c on c.id = m.core_transaction_id where m.gross_amount <> c.amount or m.currency <> c.currency or m.mid <> c.mid`,
  );
  await none(
    'a sheet is the sum of its items',
    settlement`select s.id from settlement_mis s left join settlement_mis_items m on m.settlement_mis_id = s.id group by s.id
    having s.item_count <> count(m.id) or s.net_total <> coalesce(sum(m.net_amount), 0) or s.gross_total <> coalesce(sum(m.gross_amount), 0)`,
  );
  await none(
    'a payout item is the sum of its MIS items',
    settlement`select p.id from payout_items p left join settlement_mis_items m on m.payout_item_id = p.id group by p.id
    having p.amount <> coalesce(sum(m.net_amount), 0) or p.item_count <> count(m.id) or bool_or(m.mid <> p.mid or m.currency <> p.currency)`,
  );
  await none(
    'a batch is the sum of its items',
    settlement`select b.id from payout_batches b left join payout_items p on p.payout_batch_id = b.id group by b.id
    having b.total_amount <> coalesce(sum(p.amount), 0) or b.item_count <> count(p.id)`,
  );
  await none(
    'a file is the sum of its rows',
    settlement`select f.id from dump_files f left join (
    select dump_file_id, amount from switch_dump_records union all select dump_file_id, amount from qr_scheme_dump_records) r on r.dump_file_id = f.id
    group by f.id having f.record_count <> count(r.amount) or f.total_amount <> sum(r.amount)`,
  );
  await none(
    'dates follow each other',
    settlement`select m.id from settlement_mis_items m join core_transactions c on c.id = m.core_transaction_id
    left join payout_items p on p.id = m.payout_item_id where m.settlement_date < c.business_date or m.settlement_date > c.business_date + 7 or p.payout_date < m.settlement_date`,
  );
  await none(
    'no core transaction is on two items',
    settlement`select core_transaction_id from settlement_mis_items group by 1 having count(*) > 1`,
  );
  await none(
    'nothing held or reversed is on an item',
    settlement`select m.id from settlement_mis_items m join core_transactions c on c.id = m.core_transaction_id where c.hold_status = 'held' or c.status in ('reversed', 'captured', 'rejected')`,
  );
  await none(
    'money of a currency has no more decimals than it may',
    settlement`select id from settlement_mis_items where (currency = 'AED' and net_amount <> round(net_amount, 2)) or (currency = 'BHD' and net_amount <> round(net_amount, 3)) or (currency = 'JPY' and net_amount <> round(net_amount))`,
  );
});

t.test('core and files differ exactly where an exception is open or held', async (t) => {
  const differences = await settlement`
    with files as (
      select rrn, tid, business_date, amount, count(*) over (partition by rrn, tid) as copies from switch_dump_records
      union all select rrn, tid, business_date, amount, 1 from qr_scheme_dump_records),
    pairs as (
      select coalesce(c.rrn, f.rrn) as rrn, coalesce(c.tid, f.tid) as tid, c.id as core, f.rrn as file, abs(c.amount) as expected, f.amount as actual,
        abs(c.business_date - f.business_date) as days, f.copies
      from (select * from core_transactions where business_date < ${D(0)}) c full join files f on f.rrn = c.rrn and f.tid = c.tid)
    select distinct rrn, tid, case when file is null then 'missing_in_dump' when core is null then 'missing_in_core' when expected <> actual then 'amount_mismatch'
      when copies > 1 then 'duplicate_in_dump' when days > 1 then 'date_mismatch' end as type
    from pairs where file is null or core is null or expected <> actual or copies > 1 or days > 1`;
  const known =
    await settlement`select rrn, tid, exception_type as type from reconciliation_exceptions where status in ('open', 'held')
    and exception_type not in ('manual_hold', 'suspected_fraud', 'status_mismatch') and dump_source = 'switch'`;
  const key = (row: Record<string, unknown>) => `${row.rrn} ${row.tid} ${row.type}`;
  t.same(differences.map(key).sort(), known.map(key).sort());
  t.same(
    await settlement`select rrn from core_transactions where hold_status = 'held' and rrn not in (select rrn from reconciliation_exceptions where status = 'held')`,
    [],
  );
  t.equal((await settlement`select 1 from core_transactions where hold_status = 'held'`).length, 4);
});

t.test('live and core agree', async (t) => {
  const rows =
    await product`select reference_no as rrn, tid, coalesce(approved_amount, total_amount)::float as amount from pos_transaction
    where response_code in ('00', '10') and mti = '0200' and total_amount <> 0`;
  const cores = await settlement`select rrn, tid, abs(amount)::float as amount from core_transactions`;
  const inCore = new Map(cores.map((row) => [`${row.rrn} ${row.tid}`, row.amount]));
  const absent = rows.filter((row) => inCore.get(`${row.rrn} ${row.tid}`) !== row.amount);
  t.equal(absent.length, 3, 'the three that are missing in core');
  t.equal(cores.length, rows.length - 3);
});

t.test('nothing lies in the future, and nothing secret is more than the word demo', async (t) => {
  const latest = await product`select max(transaction_time)::text as at from pos_transaction`;
  t.ok(String(latest[0]?.at) <= '2026-03-10 08:00:00');
  for (const [sql, table, column] of [
    [product, 'tms_terminals', 'last_seen_at'],
    [product, 'tms_terminal_status_logs', 'reported_at'],
    [product, 'parameter_push_logs', 'completed_at'],
    [settlement, 'dump_files', 'arrived_at'],
    [settlement, 'payout_batches', 'released_at'],
    [settlement, 'sla_checkpoints', 'achieved_at'],
    [risk, 'risk_rule_hits', 'action_at'],
  ] as const) {
    t.same(
      await sql`select count(*)::int as n from ${sql(table)} where ${sql(column)} > ${'2026-03-10 08:00:00'}`,
      [{ n: 0 }],
      `${table}.${column}`,
    );
  }
  t.same(
    await product`select distinct convert_from(encrypted_pan, 'UTF8') as pan, hash_pan, convert_from(encrypted_track2, 'UTF8') as track from pos_transaction where channel = 'card'`,
    [{ pan: 'demo', hash_pan: 'demo', track: 'demo' }],
  );
  t.equal((await one(mms`select count(*)::int as n from user_metadata where iban like 'AE00DEMO%'`)).n, 40);
});

t.test('the next row of a table gets the next number', async (t) => {
  const [row] =
    await settlement`insert into reconciliation_runs (business_date, status, trigger, inserted_at, updated_at)
    values ('2026-01-01', 'failed', 'mcp', '2026-01-01', '2026-01-01') returning id::int`;
  t.equal(row?.id, 15);
  t.equal((await product`select nextval('oban_jobs_id_seq')::int as id`)[0]?.id, 9026);
  await settlement`delete from reconciliation_runs where id = 15`;
});

function fingerprint(asOf: Date): string {
  const hash = createHash('sha256');
  for (const [name, tables] of Object.entries(buildDemo(asOf))) {
    for (const table of tables) {
      hash.update(`${name}.${table.table}`);
      for (const row of table.rows()) hash.update(JSON.stringify(row));
    }
  }
  return hash.digest('hex');
}

t.test('same moment, same rows, whatever the time zone of the machine; another moment, other rows', (t) => {
  const script = `import { createHash } from 'node:crypto';
    import { buildDemo } from ${JSON.stringify(new URL('../../src/demo/seed/build.ts', import.meta.url).href)};
    ${fingerprint.toString().replace('asOf: Date', 'asOf').replace('): string', ')')}
    console.log(fingerprint(new Date(${JSON.stringify(AS_OF.toISOString())})));`;
  const here = fingerprint(AS_OF);
  for (const TZ of ['America/New_York', 'Asia/Kolkata']) {
    const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      env: { ...process.env, TZ },
      encoding: 'utf8',
    });
    t.equal(run.stdout.trim(), here, `${TZ} ${run.stderr}`);
  }
  t.not(fingerprint(new Date('2026-03-10T09:00:00Z')), here);
  t.end();
});

t.test('it can be told from any hour: around the cut-over and the night of the pilot as well', (t) => {
  for (const moment of [
    '2026-03-10T20:00:00Z',
    '2026-03-10T21:00:00Z',
    '2028-02-29T23:00:00Z',
  ]) {
    const data = buildDemo(new Date(moment));
    const now = new Date(moment).toISOString();
    const rows = (db: 'product' | 'settlement', name: string) => [
      ...(data[db].find((table) => table.table === name)?.rows() ?? []),
    ];
    t.equal(rows('product', 'pos_transaction').length, 30_000, moment);
    t.equal(rows('settlement', 'reconciliation_exceptions').filter((row) => row.status === 'open').length, 24, moment);
    t.equal(rows('settlement', 'payout_batches').length, 26, moment);
    const pilot = rows('product', 'parameter_push_logs').filter((row) => row.version === '4.2.0');
    t.ok(
      pilot.every((row) => String(row.completed_at) < now),
      `${moment}: the pilot push has happened`,
    );
    const late = rows('product', 'pos_transaction').filter((row) => String(row.transaction_time) > now);
    t.equal(late.length, 0, `${moment}: nothing in the future`);
    t.equal(rows('settlement', 'sla_checkpoints').filter((row) => row.status === 'late').length, 1, moment);
  }
  t.end();
});

t.test('a database of another name is refused, before anything is written', async (t) => {
  const wrong = { ...urls, product: pg.server.url('postgres') };
  await t.rejects(seedDemo({ urls: wrong, log: silentLog }), {
    name: 'SeedError',
    code: 'SEED_REFUSED',
    message: /product/,
  });
  t.same(await pg.connect(pg.server.url('postgres'))`select 1 from pg_namespace where nspname = 'penstock'`, []);
});

t.test('rows of something else are left alone', async (t) => {
  const other = await emptyDatabases();
  await pg.connect(
    other.risk,
  )`insert into risk_rule_hits (rule_id, triggered_at, inserted_at, updated_at) values ('OWN', '2026-01-01', '2026-01-01', '2026-01-01')`;
  const error = await seedDemo({ urls: other, log: silentLog, asOf: AS_OF }).catch((e: unknown) => e);
  t.ok(error instanceof SeedError);
  t.match(error, { code: 'SEED_NOT_EMPTY' });
  t.same(await pg.connect(other.product)`select 1 from tms_terminals limit 1`, []);
});

t.test('cut off between two databases, the next start fills the rest as of the same moment', async (t) => {
  await mms`truncate kyc_requests, users, user_metadata, mccs, card_types, mdr_templates, merchant_mdr_assignments, mdr_rates, mcc_mdr_rates`;
  await mms`delete from penstock.demo_seed`;
  const again = await seedDemo({ urls, log: silentLog, asOf: new Date('2027-07-07T07:00:00Z') });
  t.match(again, { seeded: true, asOf: AS_OF.toISOString() });
  t.equal((await one(mms`select count(*)::int as n from kyc_requests`)).n, 240);
  t.equal((await one(product`select count(*)::int as n from pos_transaction`)).n, 30_000);
});
