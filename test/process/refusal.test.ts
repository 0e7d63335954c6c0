import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { dataFolder, runPenstock, startGateway } from '../support/gateway-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

/** Starts that are refused or interrupted, and a start on an operation's own databases: none leaves anything of its own running. */
t.setTimeout(280_000);

t.test('each start that must not be is one line and exit code 78, before anything is started', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const refusals: [string, Record<string, string>, RegExp][] = [
    ['a port in use', { PORT: String(port) }, new RegExp(`^http\\.port ${port} \\(PORT\\) is in use`)],
    ['an unknown profile', { NEQSIM_MCP_PROFILE: 'ENGINER' }, /^profiles: there is no deployment profile "ENGINER"/],
    ['a wide listener without authentication', { HOST: '0.0.0.0' }, /http\.host is 0\.0\.0\.0.*authentication/],
    ['a short secret', { NEQSIM_MCP_ADMIN_TOKEN: 'shorty' }, /neqsim\.adminToken .*at least 32 characters/],
    ['a misspelt setting', { PENSTOCK_LIMITS_WRITES: '3' }, /^configuration: PENSTOCK_LIMITS_WRITES is not a setting/],
  ];
  const judge = async ([what, env, line]: (typeof refusals)[number]): Promise<void> => {
    const dataDir = join(dataFolder(t), 'data');
    const run = await runPenstock(['serve'], { PORT: '0', PENSTOCK_DATA_DIR: dataDir, ...env });
    t.match(run, { code: 78, out: '', err: line }, what);
    t.equal(run.err.trim().split('\n').length, 1, `${what}: one line`);
    t.notMatch(run.err, /shorty|\n\s+at /, `${what}: no secret, no stack`);
    t.notOk(existsSync(dataDir), `${what}: nothing was started`);
  };
  const lane = async (from: number) => {
    for (let at = from; at < refusals.length; at += 2) await judge(refusals[at]!);
  };
  await Promise.all([lane(0), lane(1)]);
});

t.test('a start that is interrupted half-way leaves nothing running', async (t) => {
  const dataDir = dataFolder(t);
  const lock = join(dataDir, 'postgres', 'postmaster.pid');
  const run = await runPenstock(['serve'], { PORT: '0', PENSTOCK_DATA_DIR: dataDir }, 120_000, async (child) => {
    await until(() => existsSync(lock), 60_000);
    child.kill('SIGTERM');
  });
  t.match(run, { code: 0, out: '', err: /Stopping/ });
  t.notOk(existsSync(lock), 'PostgreSQL is stopped');
});

t.test('with a configured database nothing embedded starts', async (t) => {
  const postgres = await startPostgres();
  t.teardown(() => postgres.stop());
  const [own, product] = [await postgres.database('gateway'), await postgres.database('product')];
  const gateway = await startGateway(t, {
    env: {
      PENSTOCK_DATABASES_GATEWAY_URL: own.gateway,
      PENSTOCK_DATABASES_GATEWAY_OWNER_URL: own.owner,
      PAYMENTS_DB_PRODUCT_URL: product.write,
      PAYMENTS_DB_PRODUCT_RO_URL: product.read,
    },
  });
  t.match(
    await gateway.call('tms', 'get_terminal', { serial_number: 'NV5-000137' }),
    { isError: true, code: 'NOT_FOUND' },
    'the configured database answers, and has no demo terminal',
  );
  t.match(
    await gateway.call('tms', 'trigger_config_push', { serial_number: 'NV5-000137', config_type: 'parameter' }),
    { isError: true },
    'and no broker was started for it',
  );
  t.notOk(existsSync(join(gateway.dataDir, 'postgres.json')));
  t.notOk((await gateway.processes()).some((line) => line.includes('postgres')));
  t.same(await gateway.kill('SIGTERM'), { code: 0, signal: null });
  const [row] = await postgres.connect(own.owner)<{ n: number }[]>`select count(*)::int as n from audit_records`;
  t.ok(row!.n >= 2, 'its records are in the configured database, which still runs');
});
