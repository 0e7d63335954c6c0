import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { freePort, startMosquitto } from '../support/mosquitto.ts';
import { startPostgres } from '../support/postgres.ts';
import { listener, productWithTerminals, topics } from '../support/terminals.ts';
import { until } from '../support/until.ts';

const postgres = await startPostgres();
t.teardown(() => postgres.stop());
const never = new AbortController().signal;

async function setUp(t: Test) {
  const terminals = await productWithTerminals(postgres);
  t.teardown(() => terminals.close());
  return terminals;
}
const aedes = async (t: Test) => {
  const broker = await startBroker({ port: 0 });
  t.teardown(() => broker.stop());
  return broker;
};
const listenTo = async (t: Test, url: string, version: 4 | 5 = 4) => {
  const device = await listener(url, version);
  t.teardown(() => device.close());
  return device;
};

t.test('a committed command goes out, and its push says so', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  const device = await listenTo(t, broker.url);
  const messaging = terminals.messaging(broker.url);
  await until(() => messaging.broker.status === 'connected');
  const push = await terminals.push('端末-0007');
  const delivery = await messaging.outbox.waitPublished(push.commandId, 2000, never);
  t.match(delivery, { delivery: 'published', state: 'published', warnings: [] });
  await until(() => device.got.length === 1);
  t.match(device.got, [
    {
      topic: 'tms/v1/%E7%AB%AF%E6%9C%AB-0007/cmd/config_update',
      commandId: push.commandId,
      params: { config_type: 'parameter', version: '4.2.1' },
    },
  ]);
  t.match(await terminals.row(push), { state: 'published', attempts: 1, puback_reason: 0, last_error: null });
  t.match(await terminals.pushOf(push), { status: 'sent', done: false });
  t.same(await terminals.events(push), ['1 published']);
});

t.test(
  'without a broker the answer is queued; when the broker is there, everything goes out, in order, once',
  async (t) => {
    const terminals = await setUp(t);
    const port = await freePort();
    const messaging = terminals.messaging(`mqtt://127.0.0.1:${port}`);
    const sent: string[] = [];
    for (let n = 0; n < 12; n += 1) sent.push((await terminals.push(`T-${n % 3}`)).commandId);
    const delivery = await messaging.outbox.waitPublished(sent[0]!, 300, never);
    t.match(delivery, { delivery: 'queued', state: 'pending', warnings: [{ code: 'DELIVERY_PENDING' }] });
    // Time without a broker costs no tries: a long outage must not make commands dead.
    t.same(await terminals.owner`select sum(attempts)::int as tries from mcp_ops.mqtt_outbox`, [{ tries: 0 }]);

    const broker = await aedes(t);
    const device = await listenTo(t, broker.url);
    const door = createServer((socket) => {
      socket.on('error', () => {});
      socket
        .pipe(connect(broker.port, '127.0.0.1'))
        .on('error', () => {})
        .pipe(socket);
    });
    await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve));
    t.teardown(() => door.close());
    await until(async () => (await terminals.outbox.backlog()).pending === 0);
    await until(() => device.got.length >= 12);
    const heard = device.got.map(({ commandId }) => commandId);
    t.same([...heard].sort(), [...sent].sort(), 'each once');
    for (let serial = 0; serial < 3; serial += 1) {
      const mine = heard.map((id) => sent.indexOf(id)).filter((n) => n % 3 === serial);
      t.same(
        mine,
        [...mine].sort((x, y) => x - y),
        `T-${serial} in order`,
      );
    }
  },
);

t.test('a broker that stops and starts again loses nothing', async (t) => {
  const terminals = await setUp(t);
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const device = await listenTo(t, broker.url, 5);
  const messaging = terminals.messaging(broker.url);
  await until(() => messaging.broker.status === 'connected');
  const sent: string[] = [];
  const push = async (n: number) => sent.push((await terminals.push(`T-${n % 4}`)).commandId);
  for (let n = 0; n < 10; n += 1) await push(n);
  await until(() => device.got.length === 10);
  await broker.stop();
  for (let n = 10; n < 20; n += 1) await push(n);
  const delivery = await messaging.outbox.waitPublished(sent[19]!, 200, never);
  t.equal(delivery.delivery, 'queued');
  await broker.start();
  await until(() => new Set(device.got.map((message) => message.commandId)).size === 20, 20_000);
  t.same(new Set(device.got.map((message) => message.commandId)), new Set(sent));
  for (let n = 0; n < 4; n += 1) {
    const mine = device.got.filter(({ topic }) => topic === topics.command(`T-${n}`, 'config_update'));
    const order = mine.map(({ commandId }) => sent.indexOf(commandId));
    t.same(
      order,
      [...order].sort((a, b) => a - b),
      `T-${n} in order`,
    );
  }
});

t.test('two relays at once: every command goes out once, and in order for each terminal', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  const device = await listenTo(t, broker.url);
  const sent: string[] = [];
  for (let n = 0; n < 60; n += 1) sent.push((await terminals.send(`T-${n % 5}`, { n: String(n) })).commandId);
  const replicas = [terminals.messaging(broker.url), terminals.messaging(broker.url)];
  for (let n = 60; n < 120; n += 1) {
    const { commandId } = await terminals.send(`T-${n % 5}`, { n: String(n) });
    sent.push(commandId);
    await replicas[n % 2]!.outbox.waitPublished(commandId, 0, never);
  }
  await until(() => device.got.length >= 120);
  await until(async () => (await terminals.outbox.backlog()).pending === 0);
  // A second publish would come right behind; give it the time to.
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(device.got.length, 120);
  t.equal(new Set(device.got.map(({ commandId }) => commandId)).size, 120);
  for (let serial = 0; serial < 5; serial += 1) {
    const mine = device.got.filter(({ topic }) => topic === topics.command(`T-${serial}`, 'display_message'));
    const order = mine.map(({ params }) => Number(params['n']));
    t.same(
      order,
      [...order].sort((a, b) => a - b),
      `T-${serial} in order`,
    );
  }
  t.same(await terminals.owner`select state, attempts, count(*)::int from mcp_ops.mqtt_outbox group by 1, 2`, [
    { state: 'published', attempts: 1, count: 120 },
  ]);
});

t.test(
  'a relay killed between the confirmation and the record: the command goes out again, never less than once',
  async (t) => {
    const terminals = await setUp(t);
    const broker = await aedes(t);
    const device = await listenTo(t, broker.url);
    const push = await terminals.push('T-1');
    const after = await terminals.send('T-1');
    const database = new URL(postgres.server.roleUrl('postgres', 'mcp_rw'));
    const [{ name }] = await terminals.owner<[{ name: string }]>`select current_database() as name`;
    database.pathname = `/${name}`;
    const fixture = fileURLToPath(new URL('./fixtures/killed-relay.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import=tsx', fixture], {
      env: { ...process.env, DATABASE_URL: database.href, BROKER_URL: broker.url },
      stdio: 'ignore',
    });
    const signal = await new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)));
    t.equal(signal, 'SIGKILL');
    await until(() => device.got.length === 1);
    t.match(await terminals.row(push), { state: 'publishing', attempts: 1, published_at: null });

    const messaging = terminals.messaging(broker.url);
    await messaging.outbox.waitPublished(after.commandId, 1500, never);
    t.equal((await terminals.row(push)).state, 'publishing', 'the lease of the dead relay is respected');
    t.equal((await terminals.row(after)).state, 'pending', 'and the next command of the terminal waits behind it');
    await terminals.owner`update mcp_ops.mqtt_outbox set claimed_at = claimed_at - interval '60 s' where state = 'publishing'`;
    await until(async () => (await terminals.row(after)).state === 'published');
    await until(() => device.got.length === 3);
    t.same(
      device.got.map(({ commandId }) => commandId),
      [push.commandId, push.commandId, after.commandId],
    );
    t.match(await terminals.row(push), { state: 'published', attempts: 2 });
  },
);

t.test('a backlog that grew faster than the statistics of the database goes out all the same', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  const device = await listenTo(t, broker.url);
  await terminals.owner`analyze mcp_ops.mqtt_outbox`;
  await terminals.owner`
    insert into mcp_ops.mqtt_outbox (command_id, serial_number, topic, command_type, payload, state, next_attempt_at, expires_at)
    select gen_random_uuid(), 'B-' || n % 1500, 'tms/v1/B-' || n % 1500 || '/cmd/sync_time', 'sync_time', '{"params": {}}', 'pending',
      now(), now() + interval '1 h'
    from generate_series(1, 3000) n`;
  terminals.messaging(broker.url);
  await until(() => device.got.length >= 3000, 60_000);
  t.equal(device.got.length, 3000);
});
