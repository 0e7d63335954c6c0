import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { SeedError, seedDemo } from '../../src/demo/seed/index.ts';
import { silentLog } from '../../src/storage/log.ts';
import { type DemoOperation, type DemoRole, demoOperation, seed, tableDigests } from '../support/demo-operation.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

t.setTimeout(300_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const AS_OF = '2026-03-10T12:34:56Z';
let uninterrupted: Record<string, string>;

async function count(operation: DemoOperation, role: DemoRole, table: string): Promise<number> {
  const sql = operation.sql[role];
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${sql(table)}`;
  return row!.count;
}

t.test('the same as-of gives the same rows, and a second seeding changes nothing', async (t) => {
  const one = await demoOperation(pg);
  const two = await demoOperation(pg);
  const first = await seed(one, AS_OF);
  // Another minute of the same hour.
  await seed(two, '2026-03-10T12:01:00Z');
  t.equal(first.seeded, true);
  const digests = await tableDigests(one);
  t.same(await tableDigests(two), digests);
  const empty = Object.keys(digests).filter((name) => digests[name] === 'empty');
  t.same(empty, ['product.config_artifacts', 'product.pos_temp_transaction', 'product.remote_log_sessions']);

  const again = await seed(one, '2026-04-01T00:00:00Z');
  t.same(again, { seeded: false, rows: first.rows });
  t.same(await tableDigests(one), digests, 'nothing changed');
  uninterrupted = digests;

  // Ids were given, so the sequences have to stand behind them.
  for (const role of ['product', 'settlement', 'mms', 'risk'] as const) {
    const sql = one.sql[role];
    const columns = await sql<{ table: string }[]>`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name = 'id' and column_default like 'nextval(%'`;
    for (const { table } of columns) {
      const [row] = await sql<{ free: boolean }[]>`
        select nextval(pg_get_serial_sequence(${table}, 'id')) > coalesce((select max(id) from ${sql(table)}), 0) as free`;
      t.equal(row!.free, true, `${table}: the next id is free`);
    }
  }
});

t.test('two seedings at once take turns', async (t) => {
  const operation = await demoOperation(pg);
  const results = await Promise.all([seed(operation, AS_OF), seed(operation, AS_OF)]);
  t.same(results.map(({ seeded }) => seeded).sort(), [false, true]);
  t.equal(await count(operation, 'settlement', 'payout_batches'), 26);
});

t.test('a seeding that was killed half-way is finished as of its own hour', async (t) => {
  const operation = await demoOperation(pg);
  const { settlement, product } = operation.sql;
  const child = await settlement.begin(async (tx) => {
    // Nobody can write payout items now, so the settlement database cannot be finished.
    await tx`lock table payout_items in share mode`;
    const script = fileURLToPath(new URL('./fixtures/seed-child.ts', import.meta.url));
    const args = ['--import=tsx', script, JSON.stringify({ urls: operation.urls, asOf: AS_OF })];
    const process = spawn(globalThis.process.execPath, args, { stdio: 'ignore' });
    for (const role of ['product', 'mms', 'risk'] as const) {
      await until(async () => {
        const [row] = await operation.sql[role]<{ there: boolean }[]>`
          select to_regclass('penstock.demo_seed') is not null as there`;
        return row!.there;
      }, 60_000);
    }
    process.kill('SIGKILL');
    await once(process, 'exit');
    return process;
  });
  t.equal(child.signalCode, 'SIGKILL');
  t.equal(await count(operation, 'product', 'pos_transaction'), 30_000);
  t.equal(await count(operation, 'settlement', 'core_transactions'), 0, 'nothing of the unfinished database');

  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  const result = await seedDemo({ urls: operation.urls, asOf: new Date('2026-05-05T05:05:00Z'), log });
  t.equal(result.seeded, true);
  t.match(lines, [/left unfinished/, /as of 2026-03-10T12:00:00.000Z/]);
  t.equal(result.rows['pos_transaction'], 30_000, 'rows of all databases are told');
  const [dump] = await settlement`select max(business_date)::text as newest from dump_files`;
  t.equal(dump!['newest'], '2026-03-09', 'the rest belongs to the same hour');
  t.same(await tableDigests(operation), uninterrupted);

  await product`update penstock.demo_seed set as_of = as_of - interval '1 hour'`;
  await t.rejects(seed(operation, AS_OF), { code: 'SEED_MIXED' });
});

t.test('databases of other names and databases in use are refused before anything is written', async (t) => {
  const operation = await demoOperation(pg);
  for (const role of ['product', 'settlement', 'mms', 'risk'] as const) {
    const urls = { ...operation.urls, [role]: pg.server.url('postgres') };
    const refusal: unknown = await seedDemo({ urls, log: silentLog }).catch((error: unknown) => error);
    t.ok(refusal instanceof SeedError && refusal.code === 'SEED_REFUSED' && !refusal.message.includes('\n'), role);
  }
  await operation.sql.mms`insert into mccs (code, inserted_at, updated_at) values ('0742', now(), now())`;
  await t.rejects(seed(operation, AS_OF), { code: 'SEED_NOT_EMPTY' });
  t.equal(await count(operation, 'product', 'tms_terminals'), 0);
  t.equal(await count(operation, 'mms', 'mccs'), 1);
});
