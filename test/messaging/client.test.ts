import mqtt from 'mqtt';
import t from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { type BrokerClient, createBrokerClient, NO_MATCHING_SUBSCRIBERS } from '../../src/messaging/client.ts';
import { silentLog } from '../../src/messaging/log.ts';
import { topicsUnder } from '../../src/messaging/topics.ts';
import { freePort, startMosquitto } from '../support/mosquitto.ts';
import { until } from '../support/until.ts';

const topics = topicsUnder('tms/v1');
const command = '7f0c8a52-1f0e-4c5e-9b1a-0d8f2f6a1c11';
const options = { expirySeconds: 600, responseTopic: topics.ack('T-1', command), correlation: command };
const clientFor = (url: string, clientId?: string): BrokerClient =>
  createBrokerClient({
    url,
    topics,
    log: silentLog,
    ...(clientId === undefined ? {} : { clientId }),
    backoff: { firstMs: 50, longestMs: 200 },
  });
const connected = (client: BrokerClient) => until(() => client.state.status === 'connected');

t.test('a broker that refuses MQTT 5 is spoken to in 3.1.1, and acks come by a plain subscription', async (t) => {
  const broker = await startBroker({ port: 0 });
  t.teardown(() => broker.stop());
  const client = clientFor(broker.url);
  t.teardown(() => client.close());
  const acks: string[] = [];
  client.start(async (topic, payload) => {
    acks.push(`${topic} ${Buffer.from(payload).toString()}`);
  });
  await connected(client);
  t.equal(client.state.protocol, '3.1.1');
  t.same(await client.publish(topics.command('T-1', 'reboot'), '{}', options), { ok: true, reasonCode: 0 });
  const device = await mqtt.connectAsync(broker.url, { protocolVersion: 4 });
  t.teardown(() => device.endAsync());
  await device.publishAsync(topics.ack('T-1', command), 'hello', { qos: 1 });
  await until(() => acks.length > 0);
  t.same(acks, [`${topics.ack('T-1', command)} hello`]);
});

t.test('MQTT 5: expiry, response topic and correlation go along; nothing is retained; 0x10 is told', async (t) => {
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const client = clientFor(broker.url);
  t.teardown(() => client.close());
  client.start(async () => {});
  await connected(client);
  t.equal(client.state.protocol, '5.0');
  t.same(await client.publish(topics.command('T-1', 'reboot'), '{}', options), {
    ok: true,
    reasonCode: NO_MATCHING_SUBSCRIBERS,
  });
  const device = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
  t.teardown(() => device.endAsync());
  await device.subscribeAsync(topics.commandFilter, { qos: 1 });
  const arrived = new Promise<mqtt.IPublishPacket>((resolve) =>
    device.on('message', (_t, _p, packet) => resolve(packet)),
  );
  t.same(await client.publish(topics.command('T-1', 'reboot'), '{"a":1}', options), { ok: true, reasonCode: 0 });
  const packet = await arrived;
  t.equal(packet.qos, 1);
  t.equal(packet.retain, false);
  t.equal(packet.properties?.messageExpiryInterval, 600);
  t.equal(packet.properties?.responseTopic, topics.ack('T-1', command));
  t.equal(packet.properties?.correlationData?.toString(), command);
  const late = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
  t.teardown(() => late.endAsync());
  const retained: unknown[] = [];
  late.on('message', (topic) => retained.push(topic));
  await late.subscribeAsync('#', { qos: 1 });
  await late.publishAsync('marker', 'x', { qos: 1 });
  await until(() => retained.length > 0);
  t.same(retained, ['marker'], 'a subscriber that comes later is not given the command');
});

t.test('MQTT 5: the broker drops a command that waited past its expiry', async (t) => {
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const client = clientFor(broker.url);
  t.teardown(() => client.close());
  client.start(async () => {});
  await connected(client);
  const session = {
    protocolVersion: 5,
    clientId: 'terminal-1',
    clean: false,
    properties: { sessionExpiryInterval: 3600 },
  } as const;
  const before = await mqtt.connectAsync(broker.url, session);
  await before.subscribeAsync(topics.commandFilter, { qos: 1 });
  await before.endAsync();
  t.same(await client.publish(topics.command('T-1', 'reboot'), 'short', { ...options, expirySeconds: 1 }), {
    ok: true,
    reasonCode: 0,
  });
  t.same(await client.publish(topics.command('T-1', 'sync_time'), 'long', options), { ok: true, reasonCode: 0 });
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const got: string[] = [];
  // The listener has to be there before the session brings what waited.
  const after = mqtt.connect(broker.url, session);
  after.on('message', (_topic, payload) => got.push(payload.toString()));
  t.teardown(() => after.endAsync());
  await until(() => got.includes('long'));
  t.same(got, ['long']);
});

t.test('MQTT 5: replicas share the acks, each ack goes to one of them', async (t) => {
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const got: string[][] = [[], []];
  for (const mine of got) {
    const client = clientFor(broker.url);
    t.teardown(() => client.close());
    client.start(async (_topic, payload) => {
      mine.push(Buffer.from(payload).toString());
    });
    await connected(client);
  }
  const device = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
  t.teardown(() => device.endAsync());
  const sent = Array.from({ length: 40 }, (_, index) => `ack ${index}`);
  for (const text of sent) await device.publishAsync(topics.ack('T-1', command), text, { qos: 1 });
  await until(() => got.flat().length >= sent.length);
  t.same(got.flat().sort(), [...sent].sort());
  t.ok(
    got.every((mine) => mine.length > 0),
    'both replicas took part',
  );
});

t.test('an ack whose recording fails is delivered again to a replica with a name', async (t) => {
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const client = clientFor(broker.url, 'replica-1');
  t.teardown(() => client.close());
  let tries = 0;
  client.start(async () => {
    tries += 1;
    // The client tries five times on one connection, then lets the connection go.
    if (tries <= 5) throw new Error('database away');
  });
  await connected(client);
  const device = await mqtt.connectAsync(broker.url, { protocolVersion: 5 });
  t.teardown(() => device.endAsync());
  await device.publishAsync(topics.ack('T-1', command), 'hello', { qos: 1 });
  await until(() => tries === 6, 15_000);
  await connected(client);
  t.equal(tries, 6);
});

t.test('the start does not wait for the broker; without one, publish says so at once', async (t) => {
  const port = await freePort();
  const client = clientFor(`mqtt://127.0.0.1:${port}`);
  t.teardown(() => client.close());
  client.start(async () => {});
  t.same(await client.publish('tms/v1/T-1/cmd/reboot', '{}', options), {
    ok: false,
    kind: 'not_connected',
    reasonCode: null,
  });
  await until(() => client.state.lastFault !== null);
  t.equal(client.state.lastFault, 'ECONNREFUSED');
  const broker = await startBroker({ port });
  t.teardown(() => broker.stop());
  await connected(client);
  t.equal(client.state.protocol, '3.1.1');
});

t.test('a broker that goes away and comes back is connected to again', async (t) => {
  const broker = await startMosquitto();
  t.teardown(() => broker.remove());
  const client = clientFor(broker.url);
  t.teardown(() => client.close());
  let connects = 0;
  client.onConnected(() => {
    connects += 1;
  });
  client.start(async () => {});
  await connected(client);
  await broker.stop();
  await until(() => client.state.status !== 'connected');
  t.equal((await client.publish(topics.command('T-1', 'reboot'), '{}', options)).ok, false);
  await broker.start();
  await connected(client);
  t.equal(connects, 2);
  t.equal((await client.publish(topics.command('T-1', 'reboot'), '{}', options)).ok, true);
});
