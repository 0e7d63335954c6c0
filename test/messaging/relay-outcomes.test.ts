import t, { type Test } from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { startDevices } from '../../src/demo/devices.ts';
import { backoffSeconds } from '../../src/messaging/relay.ts';
import { startMosquitto } from '../support/mosquitto.ts';
import { startPostgres } from '../support/postgres.ts';
import { listener, productWithTerminals } from '../support/terminals.ts';
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

t.test('a command whose time to live passes expires with its push, and is not published any more', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  const device = await listenTo(t, broker.url);
  const push = await terminals.push('T-1');
  await terminals.lapse(push);
  const next = await terminals.send('T-1');
  terminals.messaging(broker.url);
  await until(async () => (await terminals.row(next)).state === 'published');
  t.match(await terminals.row(push), { state: 'expired', attempts: 0 });
  t.match(await terminals.pushOf(push), { status: 'expired', done: true });
  t.same(await terminals.events(push), ['1 expired']);
  t.same(
    device.got.map(({ commandId }) => commandId),
    [next.commandId],
  );
});

t.test(
  'a published command that nobody answers expires; one answered without an end keeps its state, its push expires',
  async (t) => {
    const terminals = await setUp(t);
    const broker = await aedes(t);
    const device = await listenTo(t, broker.url);
    terminals.messaging(broker.url);
    const silent = await terminals.push('T-9');
    const stuck = await terminals.push('T-1');
    await until(async () => (await terminals.row(stuck)).state === 'published');
    await device.ack(stuck, 1, 'accepted');
    await until(async () => (await terminals.row(stuck)).state === 'acked');
    await until(async () => (await terminals.row(silent)).state === 'published');
    await terminals.lapse(silent);
    await terminals.lapse(stuck);
    await until(async () => (await terminals.pushOf(stuck)).status === 'expired');
    await until(async () => (await terminals.pushOf(silent)).status === 'expired');
    t.equal((await terminals.row(silent)).state, 'expired');
    t.equal((await terminals.row(stuck)).state, 'acked');
    t.same(await terminals.events(silent), ['1 published', '2 expired']);
    t.same(await terminals.events(stuck), ['1 published', '2 accepted', '3 expired']);
  },
);

t.test(
  'a command the broker refuses is tried with back-off and is dead after 20 tries; other terminals go on',
  async (t) => {
    const terminals = await setUp(t);
    const broker = await startMosquitto({ acl: 'topic read #\ntopic write tms/v1/T-2/#\n' });
    t.teardown(() => broker.remove());
    terminals.messaging(broker.url);
    const refused = await terminals.push('T-1');
    await until(
      async () => (await terminals.row(refused)).attempts === 1 && (await terminals.row(refused)).state === 'pending',
    );
    t.equal((await terminals.row(refused))['last_error'], 'refused 135');
    const behind = await terminals.send('T-1');
    const other = await terminals.send('T-2');
    await until(async () => (await terminals.row(other)).state === 'published');
    t.equal((await terminals.row(behind)).state, 'pending', 'order holds: what is behind it waits');
    await until(async () => {
      // Between two tries only: a try that is under way keeps its own count.
      const skipped = await terminals.owner`
        update mcp_ops.mqtt_outbox set attempts = 19, next_attempt_at = now()
        where command_id = ${refused.commandId} and state = 'pending'`;
      return skipped.count === 1;
    });
    await until(async () => (await terminals.row(refused)).state === 'dead');
    t.equal((await terminals.row(refused)).attempts, 20);
    t.match(await terminals.pushOf(refused), { status: 'failed', error_code: 'E_NOT_DELIVERED', done: true });
    await until(async () => (await terminals.row(behind)).attempts > 0);
  },
);

t.test('0x10 from an MQTT 5 broker is told as DEVICE_NOT_SUBSCRIBED', async (t) => {
  const terminals = await setUp(t);
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const messaging = terminals.messaging(broker.url);
  await until(() => messaging.broker.status === 'connected');
  const push = await terminals.push('T-1');
  const delivery = await messaging.outbox.waitPublished(push.commandId, 2000, never);
  t.match(delivery, { delivery: 'published', warnings: [{ code: 'DEVICE_NOT_SUBSCRIBED' }] });
  t.match(await terminals.row(push), { state: 'published', puback_reason: 16, last_error: 'DEVICE_NOT_SUBSCRIBED' });
});

t.test('a business row that may not be moved does not hold up the outbox', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  await terminals.owner`revoke update on parameter_push_logs from mcp_rw`;
  await terminals.owner`revoke update (status, completed_at, error_code, error_message, updated_at) on parameter_push_logs from mcp_rw`;
  const push = await terminals.push('T-1');
  const late = await terminals.push('T-2');
  await terminals.lapse(late);
  terminals.messaging(broker.url);
  await until(async () => (await terminals.row(push)).state === 'published');
  await until(async () => (await terminals.row(late)).state === 'expired');
  t.equal((await terminals.pushOf(push)).status, 'queued');
});

t.test('two replicas on a 3.1.1 broker both hear an ack; it counts once', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  const device = await listenTo(t, broker.url);
  const replicas = [terminals.messaging(broker.url), terminals.messaging(broker.url)];
  await until(() => replicas.every((replica) => replica.broker.status === 'connected'));
  const push = await terminals.push('T-1');
  await until(async () => (await terminals.row(push)).state === 'published');
  await device.ack(push, 1, 'accepted');
  await device.ack(push, 2, 'succeeded');
  await until(async () => (await terminals.pushOf(push)).status === 'succeeded');
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.same(await terminals.events(push), ['1 published', '2 accepted', '3 succeeded']);
});

t.test('from the commit to the answer of a simulated terminal', async (t) => {
  const terminals = await setUp(t);
  const broker = await aedes(t);
  const devices = await startDevices({ url: broker.url, prefix: 'tms/v1' });
  t.teardown(() => devices.stop());
  terminals.messaging(broker.url);
  const good = await terminals.push('NV5-000137');
  const full = await terminals.push('NV5-000148');
  const silent = await terminals.push('NV5-000149');
  const unicode = await terminals.push('端末-0007');
  const settled = async (push: typeof good) => !['queued', 'sent'].includes((await terminals.pushOf(push)).status);
  await until(async () => (await terminals.pushOf(unicode)).done);
  t.match(await terminals.pushOf(unicode), { status: 'succeeded' });
  t.match(await terminals.pushOf(good), { status: 'succeeded', error_code: null });
  t.match(await terminals.pushOf(full), { status: 'failed', error_code: 'E_STORAGE_FULL' });
  t.equal(await settled(silent), false);
  t.same(await terminals.events(unicode), ['1 published', '2 accepted', '3 installing', '4 succeeded']);
});

t.test('back-off doubles from one second to five minutes, spread by a quarter', async (t) => {
  const middle = (tries: number) => backoffSeconds(tries, () => 0.5);
  t.same([1, 2, 3, 9, 10, 20].map(middle), [1, 2, 4, 256, 300, 300]);
  t.equal(
    backoffSeconds(1, () => 0),
    0.75,
  );
  t.equal(
    backoffSeconds(20, () => 1),
    375,
  );
});
