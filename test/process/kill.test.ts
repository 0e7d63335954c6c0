import { randomUUID } from 'node:crypto';
import mqtt from 'mqtt';
import type { Sql } from 'postgres';
import t, { type Test } from 'tap';
import { topicsUnder } from '../../src/messaging/topics.ts';
import { template, terminal } from '../support/fleet.ts';
import { callTool, runPenstock, startGateway, type ToolAnswer } from '../support/gateway-process.ts';
import { startMosquitto } from '../support/mosquitto.ts';
import { until } from '../support/until.ts';

/**
 * `kill -9` in the middle of a hundred configuration pushes, over the real process, its PostgreSQL, and a broker that lives on.
 * What must hold afterwards is said once, in `settled`; the tests differ in the moment of the kill.
 */
t.setTimeout(280_000);
const CALLS = 100;
const AT_ONCE = 12;

const broker = await startMosquitto();
t.teardown(() => broker.remove());

/** A terminal fleet that hears everything and answers nothing. Its session lasts, so it misses nothing. */
const fleet = await mqtt.connectAsync(broker.url, {
  protocolVersion: 5,
  clientId: `fleet-${randomUUID()}`,
  clean: false,
  properties: { sessionExpiryInterval: 3600 },
});
t.teardown(() => fleet.endAsync(true));
const heard: { readonly commandId: string; readonly serial: string }[] = [];
let onHeard: () => void = () => {};
fleet.on('message', (_topic, bytes) => {
  const { command_id: commandId, serial_number: serial } = JSON.parse(bytes.toString());
  heard.push({ commandId, serial });
  onHeard();
});
await fleet.subscribeAsync(topicsUnder('tms/v1').commandFilter, { qos: 1 });

const gateway = await startGateway(t, {
  env: {
    PENSTOCK_DEMO: 'false',
    PAYMENTS_MQTT_URL: broker.url,
    PENSTOCK_MQTT_CLIENT_ID: 'gateway-under-test',
    PENSTOCK_LIMITS_WRITES_PER_MINUTE: '100000',
    PENSTOCK_LIMITS_WRITES_PER_TOOL_PER_HOUR: '100000',
  },
});
const product = await gateway.connect('product');
const records = await gateway.connect('gateway');
await template(product);

interface Round {
  readonly serials: readonly string[];
  /** The push that was answered before the kill, by serial. */
  readonly answered: ReadonlyMap<string, number>;
}
const keyOf = (serial: string) => `key-${serial}`;
const push = (serial: string): Promise<ToolAnswer> =>
  callTool(gateway.url, 'tms', 'trigger_config_push', {
    serial_number: serial,
    config_type: 'parameter',
    idempotency_key: keyOf(serial),
  });

/** A hundred pushes to a hundred terminals, some at once, and a kill when `moment` says so. */
async function killedRound(name: string, moment: (answers: number, published: number) => boolean): Promise<Round> {
  const serials = Array.from({ length: CALLS }, (_, n) => `KILL-${name}-${String(n).padStart(3, '0')}`);
  for (const serial of serials) await terminal(product, serial);
  const answered = new Map<string, number>();
  const before = heard.length;
  let killed: Promise<unknown> | null = null;
  const look = () => {
    if (killed === null && moment(answered.size, heard.length - before)) killed = gateway.kill('SIGKILL');
  };
  onHeard = look;
  const rest = [...serials];
  const worker = async (): Promise<void> => {
    for (let serial = rest.shift(); serial !== undefined && killed === null; serial = rest.shift()) {
      look();
      const answer = await push(serial).catch(() => null);
      if (answer?.envelope['status'] === 'success') answered.set(serial, Number(answer.data['push_log_id']));
      look();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (killed === null) throw new Error('the moment of the kill never came');
  await killed;
  onHeard = () => {};
  return { serials, answered };
}

/** What would happen while nobody looks: leases and the time after which a call is given up run out. */
async function timePasses(): Promise<void> {
  await product`update mcp_ops.actuator_calls set started_at = started_at - interval '5 minutes' where recorded_at is null`;
  await product`update mcp_ops.mqtt_outbox set claimed_at = claimed_at - interval '2 minutes' where state = 'publishing'`;
}

const serialsOf = (sql: Sql, serials: readonly string[]) =>
  sql<{ serial: string; push: number; command: string; state: string }[]>`
    select p.serial_number as serial, p.id::int as push, p.command_id::text as command, o.state
    from parameter_push_logs p left join mcp_ops.mqtt_outbox o on o.command_id = p.command_id
    where p.serial_number in ${sql(serials)} order by p.id`;

async function settled(t: Test, round: Round): Promise<void> {
  const { serials, answered } = round;
  const after = await serialsOf(product, serials);
  t.ok(answered.size < CALLS, `${answered.size} of ${CALLS} calls were answered, ${after.length} had their effect`);
  t.ok(after.length >= answered.size, 'no answered push is lost');
  t.equal(new Set(after.map((row) => row.serial)).size, after.length, 'no push has two rows');
  for (const [serial, id] of answered) t.match(after.find((row) => row.serial === serial) ?? {}, { push: id });
  t.notOk(
    after.some((row) => row.state === null),
    'each push has its command in the outbox',
  );

  await timePasses();
  await gateway.restart();
  // The same hundred calls again, with their keys.
  const again = new Map<string, ToolAnswer>();
  for (const serial of serials) again.set(serial, await push(serial));
  const wrong = [...again].filter(([, answer]) => answer.envelope['status'] !== 'success');
  t.same(
    wrong.map(([serial, answer]) => [serial, answer.envelope['error']]),
    [],
    'every retry succeeds',
  );
  const rows = await serialsOf(product, serials);
  t.equal(rows.length, CALLS, 'one row a terminal');
  t.equal(new Set(rows.map((row) => row.serial)).size, CALLS);
  for (const row of rows) t.equal(again.get(row.serial)!.data['push_log_id'], row.push);
  for (const row of after) {
    t.equal(again.get(row.serial)!.data['push_log_id'], row.push, 'a retry gives the push that was made');
    t.match(again.get(row.serial)!.envelope, { provenance: { idempotency: { replayed: true } } });
  }

  const commands = new Set(rows.map((row) => row.command));
  t.equal(commands.size, CALLS, 'one command a push');
  const mine = () => heard.filter((message) => serials.includes(message.serial));
  await until(() => new Set(mine().map((message) => message.commandId)).size >= CALLS, 30_000);
  await until(async () => (await serialsOf(product, serials)).every((row) => row.state === 'published'), 30_000);
  t.same(new Set(mine().map((message) => message.commandId)), commands, 'each push is published, and nothing else');
  t.comment(`${mine().length - CALLS} of ${CALLS} commands went out twice under the same command id`);
  t.equal(mine().length, CALLS, 'none is published twice');

  const calls = await product<{ call: string; state: string }[]>`
    select call_id::text as call, state from mcp_ops.actuator_calls where target in ${product(serials)}`;
  const outcomes = await records<{ call: string; started: number; ended: number }[]>`
    select call_id::text as call, count(*) filter (where phase = 'started')::int as started,
      count(*) filter (where phase in ('completed', 'reconciled'))::int as ended
    from audit_records where call_id in (select call_id from audit_records where phase = 'started')
      or call_id in ${records(calls.map((row) => row.call))} group by 1`;
  const ended = new Map(outcomes.map((row) => [row.call, row.ended]));
  t.same(
    calls.filter((row) => ended.get(row.call) !== 1),
    [],
    'every intent has exactly one record of its outcome',
  );
  t.same(
    outcomes.filter((row) => row.ended !== 1 || row.started > 1),
    [],
    'every started record has exactly one record of its end',
  );
  t.same(
    calls.filter((row) => row.state === 'started'),
    [],
    'no intent is left open',
  );
}

t.test('killed while the first calls are under way', async (t) => {
  await settled(t, await killedRound('A', (answers) => answers >= 1));
});

t.test('killed in the middle', async (t) => {
  await settled(t, await killedRound('B', (answers) => answers >= 50));
});

t.test('killed at the moment the broker hands out a command', async (t) => {
  await settled(t, await killedRound('C', (_answers, published) => published >= 30));
});

t.test('killed near the end', async (t) => {
  await settled(t, await killedRound('D', (answers) => answers >= CALLS - AT_ONCE));
});

t.test('the audit log is whole after all of it', async (t) => {
  const run = await runPenstock(['audit', 'verify'], { PENSTOCK_DATA_DIR: gateway.dataDir });
  t.match(run, { code: 0, out: /The audit log is whole/ });
});
