import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import t from 'tap';
import { DEMO_DATABASES, EmbeddedError, type EmbeddedServer, startEmbedded } from '../../src/storage/embedded.ts';
import { FAST_SETTINGS } from '../support/postgres.ts';

t.setTimeout(120_000);
const dir = await mkdtemp(path.join(tmpdir(), 'penstock-embedded-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

function start(lines: string[] = []): Promise<EmbeddedServer> {
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  return startEmbedded({ dir, log, settings: FAST_SETTINGS });
}

async function query<T>(url: string, text: string): Promise<T[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<T[]>(text))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Starts the server in another process, which then dies by SIGKILL. */
function startAndDie(
  folder: string,
  extra: { uid?: number; gid?: number } = {},
  code = 'process.kill(process.pid, "SIGKILL")',
) {
  const script = `import { startEmbedded } from ${JSON.stringify(new URL('../../src/storage/embedded.ts', import.meta.url).href)};
    const log = { info() {}, warn() {} };
    const server = await startEmbedded({ dir: ${JSON.stringify(folder)}, log, settings: ${JSON.stringify(FAST_SETTINGS)} });
    process.stdout.write(String(server.pid) + '\\n');
    ${code}`;
  return new Promise<{ pid: number; signal: NodeJS.Signals | null; code: number | null; stderr: string }>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      ...extra,
      env: { ...process.env, TSX_DISABLE_CACHE: '1', TMPDIR: tmpdir() },
    });
    let out = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.on('close', (exit, signal) => resolve({ pid: Number.parseInt(out, 10), signal, code: exit, stderr }));
  });
}

t.test('the first start makes the cluster, the databases and the roles', async (t) => {
  const lines: string[] = [];
  const server = await start(lines);
  t.equal(server.created, true);
  const names = await query<{ datname: string }>(server.url('postgres'), 'select datname from pg_database order by 1');
  for (const name of Object.values(DEMO_DATABASES))
    t.ok(
      names.some((row) => row.datname === name),
      name,
    );
  const [settings] = await query<Record<string, string>>(
    server.url('product_demo'),
    `select current_setting('TimeZone') as tz, current_setting('server_encoding') as encoding, datcollate as collate,
      current_setting('password_encryption') as scram from pg_database where datname = current_database()`,
  );
  t.match(settings, { tz: 'UTC', encoding: 'UTF8', collate: 'C', scram: 'scram-sha-256' });

  await t.test('the secret is readable by its owner only and in no log', async (t) => {
    const file = path.join(dir, 'postgres.json');
    t.equal((await stat(file)).mode & 0o777, 0o600);
    const password = new URL(server.url('postgres')).password;
    const serverLog = await readFile(path.join(dir, 'postgres.log'), 'utf8');
    t.notMatch(serverLog + lines.join('\n'), password);
    t.notMatch(await readFile(file, 'utf8'), password);
  });
  await t.test('a wrong password is refused', async (t) => {
    const url = server.url('postgres').replace(/:[^:@/]+@/, ':wrong@');
    await t.rejects(query(url, 'select 1'), { code: '28P01' });
  });
  await t.test('it listens on loopback only', async (t) => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const outside = addresses.filter((entry) => !entry.internal && entry.family === 'IPv4');
    const [listen] = await query<{ v: string }>(
      server.url('postgres'),
      `select current_setting('listen_addresses') as v`,
    );
    t.equal(listen?.v, '127.0.0.1');
    for (const { address } of outside) {
      const refused = await new Promise<boolean>((resolve) => {
        const socket = createConnection({ host: address, port: server.port });
        socket.once('connect', () => resolve(false));
        socket.once('error', () => resolve(true));
      });
      t.ok(refused, address);
    }
  });
  await t.test('roles reach only the databases they have business in', async (t) => {
    const allowed = await query(server.roleUrl('product_demo', 'mcp_ro'), 'select 1');
    t.equal(allowed.length, 1);
    for (const [database, role] of [
      ['gateway', 'mcp_ro'],
      ['gateway', 'mcp_rw'],
      ['product_demo', 'gateway'],
      ['mms_demo', 'mcp_rw'],
    ] as const) {
      await t.rejects(query(server.roleUrl(database, role), 'select 1'), { code: '42501' }, `${role} in ${database}`);
    }
  });
  await t.test(
    'a second gateway on the same folder is refused while the first runs, and the first keeps running',
    async (t) => {
      await t.rejects(start(), { name: 'EmbeddedError', code: 'EMBEDDED_IN_USE' });
      t.equal((await query(server.url('postgres'), 'select 1')).length, 1);
    },
  );
  await query(server.url('product_demo'), 'create table kept (n int); insert into kept values (7)');
  await server.stop();
  await server.stop();
});

t.test('a restart keeps the data and the port', async (t) => {
  const server = await start();
  t.equal(server.created, false);
  t.same(await query(server.url('product_demo'), 'select n from kept'), [{ n: 7 }]);
  const { port } = server;
  await server.stop();
  const again = await start();
  t.equal(again.port, port);
  await again.stop();
});

t.test('a gateway killed with SIGKILL leaves a server that the next start takes over', async (t) => {
  const dead = await startAndDie(dir);
  t.equal(dead.signal, 'SIGKILL', dead.stderr);
  process.kill(dead.pid, 0);
  const lines: string[] = [];
  const server = await start(lines);
  t.equal(server.pid, dead.pid);
  t.match(lines.join('\n'), /taking over/);
  t.same(await query(server.url('product_demo'), 'select n from kept'), [{ n: 7 }]);
  await server.stop();
  await t.rejects(query(server.url('postgres'), 'select 1'), { code: 'ECONNREFUSED' });
});

t.test('a server killed with SIGKILL leaves a stale lock that the next start clears', async (t) => {
  const dead = await startAndDie(dir);
  process.kill(dead.pid, 'SIGKILL');
  const server = await start();
  t.not(server.pid, dead.pid);
  t.same(await query(server.url('product_demo'), 'select n from kept'), [{ n: 7 }]);
  await server.stop();
});

t.test('a lock that names a process of something else is stale too', async (t) => {
  const cluster = path.join(dir, 'postgres');
  await writeFile(
    path.join(cluster, 'postmaster.pid'),
    `${process.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n0 0\nready   \n`,
  );
  const server = await start();
  t.not(server.pid, process.pid);
  t.same(await query(server.url('product_demo'), 'select n from kept'), [{ n: 7 }]);
  await server.stop();
});

t.test('another program on the kept port makes it take another one', async (t) => {
  const first = await start();
  await first.stop();
  const { createServer } = await import('node:net');
  const squatter = createServer().listen(first.port, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const server = await start();
  t.not(server.port, first.port);
  t.equal((await query(server.url('postgres'), 'select 1')).length, 1);
  await server.stop();
  await new Promise((resolve) => squatter.close(resolve));
});

t.test('database files without their secret are not thrown away', async (t) => {
  const file = path.join(dir, 'postgres.json');
  const kept = await readFile(file, 'utf8');
  await rm(file);
  await t.rejects(start(), { code: 'EMBEDDED_INIT_FAILED' });
  await writeFile(file, kept);
  const server = await start();
  t.same(await query(server.url('product_demo'), 'select n from kept'), [{ n: 7 }]);
  await server.stop();
});

t.test('files of another PostgreSQL version are refused in one line', async (t) => {
  const other = await mkdtemp(path.join(tmpdir(), 'penstock-embedded-'));
  t.teardown(() => rm(other, { recursive: true, force: true }));
  const log = { info() {}, warn() {} };
  const server = await startEmbedded({ dir: other, log, databases: [], settings: FAST_SETTINGS });
  await server.stop();
  await writeFile(path.join(other, 'postgres', 'PG_VERSION'), '9.6\n');
  const error = await startEmbedded({ dir: other, log, databases: [] }).then(
    () => undefined,
    (e: unknown) => e,
  );
  t.ok(error instanceof EmbeddedError);
  t.match(error, { code: 'EMBEDDED_VERSION', message: /9\.6/ });
});

t.test(
  'it runs for a normal user as well',
  { skip: process.getuid?.() !== 0 && 'every other test here already does' },
  async (t) => {
    const home = await mkdtemp(path.join(tmpdir(), 'penstock-user-'));
    t.teardown(() => rm(home, { recursive: true, force: true }));
    const { chown } = await import('node:fs/promises');
    await chown(home, 65534, 65534);
    const done = await startAndDie(path.join(home, 'data'), { uid: 65534, gid: 65534 }, 'await server.stop()');
    t.equal(done.code, 0, done.stderr);
    t.ok(done.pid > 1);
    t.equal((await stat(path.join(home, 'data', 'postgres', 'PG_VERSION'))).uid, 65534);
  },
);

t.test(
  'as root, a folder its account cannot reach does not stop it',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async (t) => {
    const closed = await mkdtemp(path.join(tmpdir(), 'penstock-closed-'));
    t.teardown(() => rm(closed, { recursive: true, force: true }));
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line), warn: () => {} };
    const folder = path.join(closed, 'data');
    const server = await startEmbedded({ dir: folder, log, databases: [], settings: FAST_SETTINGS });
    t.equal((await query(server.url('postgres'), 'select 1')).length, 1);
    t.equal((await stat(closed)).mode & 0o777, 0o700, 'the closed folder stays closed');
    const [where] = await query<{ v: string }>(server.url('postgres'), `select current_setting('data_directory') as v`);
    await server.stop();
    t.match(lines.join('\n'), String(where?.v).replace(/\/postgres$/, ''));
    await rm(path.dirname(String(where?.v)), { recursive: true, force: true });
  },
);
