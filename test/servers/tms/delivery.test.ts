import mqtt from 'mqtt';
import t from 'tap';
import { startBroker } from '../../../src/demo/broker.ts';
import { createMessaging } from '../../../src/messaging/index.ts';
import { silentLog } from '../../../src/messaging/log.ts';
import { sendMqttCommand } from '../../../src/servers/tms/tools/send-mqtt-command.ts';
import { triggerConfigPush } from '../../../src/servers/tms/tools/trigger-config-push.ts';
import { Connections } from '../../../src/storage/connections.ts';
import { template, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';
import { until } from '../../support/until.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const database = await pg.database('product');
const connections = new Connections({ urls: { product: { write: database.write } } });
t.teardown(() => connections.close());
let broker = await startBroker({ port: 0 });
t.teardown(() => broker.stop());
const messaging = createMessaging({
  pool: connections.ownTables('product'),
  prefix: 'tms/v1',
  broker: { url: broker.url, backoff: { firstMs: 50, longestMs: 200 } },
  log: silentLog,
  scrub: (text) => text,
});
messaging.start();
t.teardown(() => messaging.stop());
const world = await toolWorld(pg, { database, outbox: messaging.outbox });
t.teardown(() => world.close());
const { owner } = world;
await template(owner);

interface Packet {
  topic: string;
  retain: boolean;
  qos: number;
  payload: { command_id: string; expires_at: string; params: Record<string, unknown> };
}
async function device(answer: (packet: Packet, client: mqtt.MqttClient) => void) {
  const client = await mqtt.connectAsync(broker.url, { protocolVersion: 4 });
  const got: Packet[] = [];
  client.on('message', (topic, bytes, { retain, qos }) => {
    const packet = { topic, retain, qos, payload: JSON.parse(bytes.toString()) as Packet['payload'] };
    got.push(packet);
    answer(packet, client);
  });
  await client.subscribeAsync('tms/v1/+/cmd/+', { qos: 1 });
  return { client, got };
}
const statusOf = async (serial: string) =>
  (await owner<{ status: string }[]>`select status from parameter_push_logs where serial_number = ${serial}`)[0]
    ?.status;

t.test('a push reaches the device once, not retained, with its expiry, and the answer says so', async (t) => {
  await terminal(owner, '端末-7');
  const { client, got } = await device(() => {});
  t.teardown(() => client.endAsync(true));
  const answer = await world.run(triggerConfigPush, { serial_number: '端末-7', config_type: 'parameter' });
  t.match(answer.data, { delivery: 'published', status: 'sent' });
  t.same(answer.warnings, []);
  await until(() => got.length > 0);
  t.match(got, [{ topic: 'tms/v1/%E7%AB%AF%E6%9C%AB-7/cmd/config_update', retain: false, qos: 1 }]);
  t.match(got[0]!.payload, { command_id: answer.data['command_id'], expires_at: answer.data['expires_at'] });
  await until(async () => (await statusOf('端末-7')) === 'sent');
  await terminal(owner, 'CMD');
  t.match((await world.run(sendMqttCommand, { serial_number: 'CMD', command_type: 'sync_time', params: {} })).data, {
    state: 'published',
  });
});

t.test('a device that answers at once is not overtaken by the note that its command was published', async (t) => {
  await terminal(owner, 'QUICK');
  const { client } = await device(({ topic, payload }, self) => {
    const ack = {
      command_id: payload.command_id,
      seq: 1,
      status: 'succeeded',
      code: null,
      message: null,
      at: new Date().toISOString(),
      versions: null,
    };
    self.publish(topic.replace(/cmd\/.*$/, `ack/${payload.command_id}`), JSON.stringify(ack), { qos: 1 });
  });
  t.teardown(() => client.endAsync(true));
  await world.run(triggerConfigPush, { serial_number: 'QUICK', config_type: 'parameter' });
  await until(async () => (await statusOf('QUICK')) === 'succeeded');
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(await statusOf('QUICK'), 'succeeded');
});

t.test('with the broker away a push is a success that waits, and goes out when the broker is back', async (t) => {
  await terminal(owner, 'WAIT');
  const { port } = broker;
  await broker.stop();
  const answer = await world.run(triggerConfigPush, { serial_number: 'WAIT', config_type: 'parameter' });
  t.match(answer.data, { delivery: 'queued', status: 'queued' });
  t.same(
    answer.warnings.map((warning) => warning.code),
    ['DELIVERY_PENDING'],
  );
  broker = await startBroker({ port });
  t.equal(broker.port, port);
  const { client, got } = await device(() => {});
  t.teardown(() => client.endAsync(true));
  await until(() => got.some((packet) => packet.payload.command_id === answer.data['command_id']), 20_000);
  await until(async () => (await statusOf('WAIT')) === 'sent');
  t.equal(got.filter((packet) => packet.payload.command_id === answer.data['command_id']).length, 1);
});

t.test('a command that nobody took in time ends its push, with an event', async (t) => {
  await terminal(owner, 'LATE');
  const answer = await world.run(triggerConfigPush, { serial_number: 'LATE', config_type: 'parameter' });
  await owner`update mcp_ops.mqtt_outbox set expires_at = now() - interval '1 second', next_attempt_at = now() where command_id = ${String(answer.data['command_id'])}`;
  await until(async () => (await statusOf('LATE')) === 'expired', 20_000);
  const events = await owner<
    { event: string }[]
  >`select event from push_details where push_log_id = ${Number(answer.data['push_log_id'])} order by seq`;
  t.same(
    events.map((row) => row.event).filter((event) => event !== 'published'),
    ['queued', 'expired'],
  );
});
