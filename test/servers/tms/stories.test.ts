import t from 'tap';
import { startBroker } from '../../../src/demo/broker.ts';
import { startDevices } from '../../../src/demo/devices.ts';
import { DEMO_CUTOVER, DEMO_TIME_ZONE } from '../../../src/demo/seed/calendar.ts';
import { NEW_PACKAGE } from '../../../src/demo/seed/packages.ts';
import { createMessaging } from '../../../src/messaging/index.ts';
import { silentLog } from '../../../src/messaging/log.ts';
import { tms } from '../../../src/servers/tms/index.ts';
import { Connections } from '../../../src/storage/connections.ts';
import { demoOperation, seed } from '../../support/demo-operation.ts';
import { fingerprint } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';
import { until } from '../../support/until.ts';

/** The planted stories of the demo operation, through this server's tools, with the device simulator behind a real broker. */
t.setTimeout(300_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const operation = await demoOperation(pg);
await seed(operation, new Date().toISOString());
const database = operation.databases.product;
const broker = await startBroker({ port: 0 });
t.teardown(() => broker.stop());
const devices = await startDevices({ url: broker.url, prefix: 'tms/v1' });
t.teardown(() => devices.stop());
const connections = new Connections({ urls: { product: { write: database.write } } });
t.teardown(() => connections.close());
const messaging = createMessaging({
  pool: connections.ownTables('product'),
  prefix: 'tms/v1',
  broker: { url: broker.url, backoff: { firstMs: 50, longestMs: 200 } },
  log: silentLog,
  scrub: (text) => text,
});
messaging.start();
t.teardown(() => messaging.stop());
const world = await toolWorld(pg, {
  database,
  outbox: messaging.outbox,
  timeZone: DEMO_TIME_ZONE,
  cutover: DEMO_CUTOVER,
});
t.teardown(() => world.close());
const { owner } = world;
const toolNamed = (name: string) => tms.tools.find((tool) => tool.name === name)!;
const call = async (name: string, args: object) => (await world.run(toolNamed(name), args)).data;

t.test('story 1: NV5-000137 took 4.2.0 and went silent minutes later, with most of the pilot group', async (t) => {
  t.match(await call('get_terminal', { serial_number: 'NV5-000137' }), {
    terminal: {
      status: 'offline',
      parameter_version: '4.2.0',
      merchant_id: 'M1007',
      tid: 'T0000137',
      group: 'pilot',
      stale: false,
      open_push: null,
    },
  });
  const stats = await call('get_push_outcome_stats', { filters: { version: '4.2.0' }, group_by: ['group'] });
  t.match(stats, {
    rows: [{ key: { group: 'pilot' }, total: 10, succeeded: 10, success_rate: 1 }],
    totals: { total: 10 },
  });

  const history = (await call('get_push_history', {
    serial_number: 'NV5-000137',
    from: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  })) as {
    pushes: { version: string; status: string; completed_at: string; details: { event: string }[] }[];
  };
  const [push] = history.pushes.filter((row) => row.version === '4.2.0');
  t.match(push, { status: 'succeeded' });
  t.equal(push!.details.at(-1)!.event, 'succeeded');

  const log = (await call('get_terminal_status_history', {
    serial_number: 'NV5-000137',
    from: push!.completed_at,
  })) as {
    entries: { status: string; reported_at: string }[];
    summary: { offline_seconds: number; online_seconds: number };
  };
  t.equal(log.entries[0]!.status, 'offline');
  const minutes = (Date.parse(log.entries[0]!.reported_at) - Date.parse(push!.completed_at)) / 60_000;
  t.ok(minutes > 0 && minutes <= 5, `${minutes} minutes after the push`);
  t.ok(log.summary.online_seconds <= 300, 'online for minutes only');
  t.ok(log.summary.offline_seconds > log.summary.online_seconds);

  const groups = (await call('get_fleet_snapshot', { group_by: 'group' })) as {
    groups: { key: string; offline: number; total: number }[];
  };
  t.match(
    groups.groups.find((group) => group.key === 'pilot'),
    { offline: 7, total: 10 },
  );
});

t.test('the fleet is as large as told', async (t) => {
  t.match(await call('find_terminals', { filters: {}, limit: 500 }), { total: 240, total_is_exact: true });
  t.match(await call('find_terminals', { filters: { vendor: 'Novapos', model: 'N5' }, limit: 1 }), { total: 160 });
  t.match(await call('find_terminals', { filters: { group: 'pilot' } }), { total: 10 });
  const gone = (await call('find_terminals', { filters: { status: 'decommissioned' } }))['total'] as number;
  t.ok(gone < 10);
  t.match(await call('get_fleet_snapshot', {}), { now: { total: 240 - gone } });
  const days = (await call('get_fleet_snapshot', {
    from: new Date(Date.now() - 20 * 86_400_000).toISOString(),
    group_by: 'day',
  })) as { groups: { total: number; unknown: number }[] };
  t.ok(days.groups.length >= 20);
  t.ok(days.groups.every((group) => group.total === 240 - gone));
});

t.test('no read changes anything', async (t) => {
  const before = await fingerprint(owner);
  for (const tool of tms.tools.filter((candidate) => candidate.access.risk === 'read')) {
    const one = tool.input.shape['serial_number']
      ? { serial_number: 'NV5-000137' }
      : tool.input.shape['filters']
        ? { filters: {} }
        : {};
    await world.run(tool, one);
  }
  t.same(await fingerprint(owner), before);
});

t.test('story 18: the sixth N5 terminal of package 3 within a day needs two people', async (t) => {
  const args = { serial_number: 'NV5-000101', package_id: NEW_PACKAGE, config_id: 2 };
  t.equal(await world.tier(toolNamed('deploy_app_package'), args), 'T3');
  t.match(await world.preconditions(toolNamed('deploy_app_package'), args), {
    cohort_size: 6,
    threshold: 5,
    package: 'PosApp 2.8.0',
  });
});

t.test(
  'story 19: the terminal with a unicode serial is like any other, and its topic is percent-encoded',
  async (t) => {
    t.match(await call('get_terminal', { serial_number: '端末-0007' }), {
      terminal: { model: 'K200', status: 'online' },
    });
    const pushed = await call('trigger_config_push', { serial_number: '端末-0007', config_type: 'parameter' });
    t.match(pushed, { duplicate: false, delivery: 'published' });
    const [row] = await owner`select topic from mcp_ops.mqtt_outbox where command_id = ${String(pushed['command_id'])}`;
    t.equal(row!['topic'], 'tms/v1/%E7%AB%AF%E6%9C%AB-0007/cmd/config_update');
  },
);

t.test('story 20: devices acknowledge, refuse or stay silent by their serial', async (t) => {
  const statusOf = async (id: unknown) =>
    (
      await owner<
        { status: string; error_code: string | null }[]
      >`select status, error_code from parameter_push_logs where id = ${Number(id)}`
    )[0];
  const serials = async (pattern: string) =>
    (
      await owner<{ serial_number: string }[]>`
      select serial_number from tms_terminals t where serial_number like ${pattern} and model = 'N5' and status <> 'decommissioned'
        and not exists (select 1 from parameter_push_logs p where p.serial_number = t.serial_number and p.config_type = 'emv_config'
          and (p.status in ('queued', 'sent', 'accepted', 'in_progress') or p.trigger_source = 'mcp'))
      order by 1 limit 1`
    )[0]!.serial_number;
  const outcomes: Record<string, { id: unknown }> = {};
  for (const digit of ['1', '8', '9']) {
    const answer = await call('trigger_config_push', {
      serial_number: await serials(`NV5-0001_${digit}`),
      config_type: 'emv_config',
    });
    t.match(answer, { duplicate: false, delivery: 'published', config_type: 'emv_config' });
    outcomes[digit] = { id: answer['push_log_id'] };
  }
  await until(async () => (await statusOf(outcomes['1']!.id))?.status === 'succeeded');
  await until(async () => (await statusOf(outcomes['8']!.id))?.status === 'failed');
  t.match(await statusOf(outcomes['8']!.id), { error_code: 'E_STORAGE_FULL' });
  t.match(await statusOf(outcomes['9']!.id), { status: 'sent' });
});
