import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { runPenstock, startGateway } from '../support/gateway-process.ts';
import { freePort } from '../support/mosquitto.ts';
import { until } from '../support/until.ts';

/** Starting and stopping, as a person and a process manager see it. */
t.setTimeout(280_000);

t.test('one data folder through its life', async (t) => {
  // The address of a broker that is not there: a command then waits two seconds before its call is answered.
  const nowhere = { PAYMENTS_MQTT_URL: `mqtt://127.0.0.1:${await freePort()}` };
  const gateway = await startGateway(t, { env: nowhere });
  let product = await gateway.connect('product');
  const push = (serial: string) =>
    gateway.call('tms', 'trigger_config_push', { serial_number: serial, config_type: 'parameter' });
  const pushes = async () => (await product<{ n: number }[]>`select count(*)::int as n from parameter_push_logs`)[0]!.n;
  let before = 0;

  await t.test('a first start has the demo operation and says how to connect', async (t) => {
    t.match(gateway.out, /Servers:\n {2}tms .*\n {2}neqsim /);
    t.match(gateway.out, /npm run -s call -- tms get_terminal/);
    t.match(gateway.out, /curl -s http:\/\/127\.0\.0\.1:\d+\/mcp\/tms/);
    const clients = JSON.parse(/^\{"mcpServers".*$/m.exec(gateway.out)![0]);
    t.equal(clients.mcpServers.tms.url, `${gateway.url}/mcp/tms`);
    const answer = await gateway.call('tms', 'get_terminal', { serial_number: 'NV5-000137' });
    t.match(answer, { isError: false, data: { terminal: { serial_number: 'NV5-000137' } } });
    t.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
  });

  await t.test('a second gateway on the folder is refused and harms nothing', async (t) => {
    const run = await runPenstock(['serve'], { PORT: '0', PENSTOCK_DATA_DIR: gateway.dataDir });
    t.not(run.code, 0);
    t.match(run.err.trim().split('\n').at(-1), /in use by another running gateway/);
    t.match(await gateway.call('tms', 'get_terminal', { serial_number: 'NV5-000137' }), { isError: false });
  });

  await t.test('SIGTERM: the call in flight is answered, no new one is taken, nothing is left running', async (t) => {
    before = await pushes();
    const calls = async () =>
      (await product<{ n: number }[]>`select count(*)::int as n from mcp_ops.actuator_calls where state = 'done'`)[0]!
        .n;
    const inFlight = push('NV5-000137');
    await until(async () => (await calls()) === 1);
    const exit = gateway.kill('SIGTERM');
    await until(() => gateway.err.includes('Stopping'));
    const late = await gateway.call('tms', 'get_terminal', { serial_number: 'NV5-000137' }).catch(() => null);
    t.ok(late === null || late.http === 503, 'a new call is refused');
    t.match(await inFlight, { isError: false, data: { delivery: 'queued' } }, 'the running one is answered');
    t.same(await exit, { code: 0, signal: null });
    t.same(await gateway.processes(), []);
    await t.rejects(fetch(`${gateway.url}/livez`), 'nobody listens');
    t.notOk(existsSync(join(gateway.dataDir, 'postgres', 'postmaster.pid')), 'PostgreSQL ended in order');
  });

  await t.test('a second start keeps the data', async (t) => {
    await gateway.restart();
    product = await gateway.connect('product');
    t.equal(await pushes(), before + 1);
    t.notMatch(gateway.err, /applied|demo data/, 'nothing is migrated or seeded again');
    const run = await runPenstock(['audit', 'verify'], { PENSTOCK_DATA_DIR: gateway.dataDir });
    t.match(run, { code: 0, out: /whole/ }, 'the audit log can be checked beside a running gateway');
  });

  await t.test('after kill -9 the PostgreSQL that was left is taken over', async (t) => {
    t.match(await gateway.kill('SIGKILL'), { signal: 'SIGKILL' });
    t.ok(
      (await gateway.processes()).some((line) => line.includes('postgres')),
      'it was left',
    );
    await gateway.restart();
    t.equal(await pushes(), before + 1);
    t.match(await push('NV5-000101'), { isError: false });
  });

  await t.test('after kill -9 of both, the stale lock does not stop the next start', async (t) => {
    const lock = join(gateway.dataDir, 'postgres', 'postmaster.pid');
    const postmaster = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    await gateway.kill('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await until(async () => (await gateway.processes()).length === 0);
    t.ok(existsSync(lock), 'the lock is stale');
    await gateway.restart();
    product = await gateway.connect('product');
    t.equal(await pushes(), before + 2, 'what was answered is there');
  });

  await t.test('Ctrl-C ends it too', async (t) => {
    t.same(await gateway.kill('SIGINT'), { code: 0, signal: null });
    t.same(await gateway.processes(), []);
  });
});
