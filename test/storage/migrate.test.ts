import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { silentLog } from '../../src/storage/log.ts';
import { MIGRATION_SETS, migrate } from '../../src/storage/migrate.ts';
import { ensureDatabases } from '../../src/storage/provision.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const admin = pg.connect(pg.server.url('postgres'));

async function emptyDatabase(name: string): Promise<string> {
  await ensureDatabases(admin, [name]);
  return pg.server.url(name);
}

async function folder(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'penstock-migrations-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  await mkdir(path.join(root, 'set'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, 'set', name), text);
  return root;
}

t.test('every database is migrated once, and a second run finds nothing to do', async (t) => {
  for (const [kind, sets] of Object.entries(MIGRATION_SETS)) {
    const url = await emptyDatabase(`${kind}_test_once`);
    const first = await migrate({ url, sets, log: silentLog });
    t.ok(first.length >= 2, kind);
    t.same(await migrate({ url, sets, log: silentLog }), []);
  }
});

t.test('several replicas may start at once: each file is applied by one of them', async (t) => {
  const url = await emptyDatabase('product_test_many');
  const runs = await Promise.all(
    Array.from({ length: 5 }, () => migrate({ url, sets: MIGRATION_SETS.product, log: silentLog })),
  );
  const applied = runs.flat();
  t.equal(new Set(applied).size, applied.length);
  t.ok(applied.length > 0);
});

t.test('a file changed after it was applied stops the start', async (t) => {
  const url = await emptyDatabase('changed_test');
  const root = await folder({ '0001_a.sql': 'create table a (n int);' });
  await migrate({ url, sets: ['set'], log: silentLog, root });
  await writeFile(path.join(root, 'set', '0001_a.sql'), 'create table a (n bigint);');
  await t.rejects(migrate({ url, sets: ['set'], log: silentLog, root }), { code: 'MIGRATION_CHANGED' });
});

t.test('line ends do not count as a change', async (t) => {
  const url = await emptyDatabase('lines_test');
  const root = await folder({ '0001_a.sql': 'create table a (n int);\n' });
  await migrate({ url, sets: ['set'], log: silentLog, root });
  await writeFile(path.join(root, 'set', '0001_a.sql'), 'create table a (n int);\r\n');
  t.same(await migrate({ url, sets: ['set'], log: silentLog, root }), []);
});

t.test('a file that turns up before an applied one stops the start', async (t) => {
  const url = await emptyDatabase('order_test');
  const root = await folder({ '0001_a.sql': 'create table a (n int);', '0003_c.sql': 'create table c (n int);' });
  await migrate({ url, sets: ['set'], log: silentLog, root });
  await writeFile(path.join(root, 'set', '0002_b.sql'), 'create table b (n int);');
  await t.rejects(migrate({ url, sets: ['set'], log: silentLog, root }), { code: 'MIGRATION_OUT_OF_ORDER' });
});

t.test('a failing file leaves nothing behind and is tried again', async (t) => {
  const url = await emptyDatabase('failing_test');
  const root = await folder({ '0001_a.sql': 'create table a (n int); create table a (n int);' });
  await t.rejects(migrate({ url, sets: ['set'], log: silentLog, root }), {
    code: 'MIGRATION_FAILED',
    message: /0001_a/,
  });
  await writeFile(path.join(root, 'set', '0001_a.sql'), 'create table a (n int);');
  t.same(await migrate({ url, sets: ['set'], log: silentLog, root }), ['set/0001_a.sql']);
});

t.test('records of a newer release do not stop an older one', async (t) => {
  const url = await emptyDatabase('newer_test');
  const root = await folder({ '0001_a.sql': 'create table a (n int);', '0002_b.sql': 'create table b (n int);' });
  await migrate({ url, sets: ['set'], log: silentLog, root });
  await rm(path.join(root, 'set', '0002_b.sql'));
  t.same(await migrate({ url, sets: ['set'], log: silentLog, root }), []);
});
