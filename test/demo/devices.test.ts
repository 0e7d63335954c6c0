import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import mqtt from 'mqtt';
import t, { type Test } from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { answersOf, startDevices } from '../../src/demo/devices.ts';
import { type AckPayload, type CommandPayload, parseAckPayload } from '../../src/messaging/payloads.ts';
import { topicsUnder } from '../../src/messaging/topics.ts';
import { freePort } from '../support/mosquitto.ts';
import { until } from '../support/until.ts';

const topics = topicsUnder('tms/v1');
const command = (serialNumber: string, expiresInMs = 60_000): CommandPayload => ({
  v: 1,
  command_id: randomUUID(),
  command_type: 'config_update',
  serial_number: serialNumber,
  issued_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + expiresInMs).toISOString(),
  params: { config_type: 'parameter', version: '4.2.1' },
});

async function setUp(t: Test) {
  const broker = await startBroker({ port: 0 });
  const devices = await startDevices({ url: broker.url, prefix: 'tms/v1' });
  const client = await mqtt.connectAsync(broker.url, { protocolVersion: 4 });
  const acks: (AckPayload & { serial: string })[] = [];
  client.on('message', (topic, bytes) => {
    const ack = parseAckPayload(bytes);
    const address = topics.parseAck(topic);
    if (ack !== null && address?.commandId === ack.command_id) acks.push({ ...ack, serial: address.serialNumber });
  });
  await client.subscribeAsync(topics.ackFilter, { qos: 1 });
  t.teardown(async () => {
    await client.endAsync(true);
    await devices.stop();
    await broker.stop();
  });
  const send = (sent: CommandPayload, topic = topics.command(sent.serial_number, sent.command_type)) =>
    client.publishAsync(topic, JSON.stringify(sent), { qos: 1 });
  return { acks, devices, send };
}

t.test('the last digit decides first, then the prefix', async (t) => {
  const plan = (serial: string) => answersOf(command(serial));
  const statuses = (serial: string) => plan(serial).map(({ status }) => status);
  const last = (serial: string) => plan(serial).at(-1)?.afterMs ?? 0;
  t.same(statuses('NV5-000137'), ['accepted', 'in_progress', 'succeeded']);
  t.ok(last('NV5-000137') < 1000, 'within a second');
  t.same(statuses('NV5-000139'), []);
  t.same(statuses('NV5-000138'), ['accepted', 'failed']);
  t.match(plan('NV5-000138').at(-1), { code: 'E_STORAGE_FULL' });
  t.ok(last('NV5-000138') < 1000);
  t.same(statuses('端末-0007'), ['accepted', 'in_progress', 'succeeded']);
  for (const serial of ['端末-0007', 'K200-000010', 'NV5-000241']) {
    t.ok(last(serial) >= 1000 && last(serial) <= 3000, `${serial} takes 1 to 3 s`);
    t.same(
      plan(serial).map(({ afterMs }) => afterMs),
      plan(serial).map(({ afterMs }) => afterMs),
    );
  }
  t.same(statuses('K200-000019x'), [], 'the last digit, not the last character');
});

t.test('terminals answer over the broker, each for itself, in order', async (t) => {
  const { acks, send } = await setUp(t);
  for (const serial of ['NV5-000137', 'NV5-000138', 'NV5-000139', '端末-0007']) await send(command(serial));
  await until(() => acks.filter(({ serial }) => serial === '端末-0007').length === 3);
  const of = (serial: string) =>
    acks.filter((ack) => ack.serial === serial).map(({ seq, status }) => `${seq} ${status}`);
  t.same(of('NV5-000137'), ['1 accepted', '2 in_progress', '3 succeeded']);
  t.same(of('NV5-000138'), ['1 accepted', '2 failed']);
  t.same(of('NV5-000139'), []);
  t.same(of('端末-0007'), ['1 accepted', '2 in_progress', '3 succeeded']);
  t.same(acks.find(({ status }) => status === 'succeeded')?.versions, { parameter: '4.2.1' });
});

t.test('a command id already seen, a command past its time, and one for another terminal are dropped', async (t) => {
  const { acks, devices, send } = await setUp(t);
  const twice = command('NV5-000137');
  await send(twice);
  await send(twice);
  await send(command('NV5-000136', -1000));
  await send(command('NV5-000135'), topics.command('NV5-000134', 'config_update'));
  await until(() => acks.length === 3);
  t.equal(devices.handled, 1);
  t.same(new Set(acks.map(({ command_id }) => command_id)), new Set([twice.command_id]));
});

t.test('the broker takes a free port where its own is taken', async (t) => {
  const port = await freePort();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
  t.teardown(() => squatter.close());
  const broker = await startBroker({ port });
  t.teardown(() => broker.stop());
  t.not(broker.port, port);
  const client = await mqtt.connectAsync(broker.url, { protocolVersion: 4 });
  t.equal(client.connected, true);
  await client.endAsync(true);
});
