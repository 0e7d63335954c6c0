import { randomUUID } from 'node:crypto';
import mqtt from 'mqtt';
import t, { type Test } from 'tap';
import type { JsonObject } from '../../src/kit/index.ts';
import { topicsUnder } from '../../src/messaging/topics.ts';
import { template, terminal } from '../support/fleet.ts';
import { callTool, runPenstock, startGateway, type ToolAnswer } from '../support/gateway-process.ts';
import { startMosquitto } from '../support/mosquitto.ts';
import { until } from '../support/until.ts';

/**
 * `kill -9` in the middle of a hundred configuration pushes, over the real process, its PostgreSQL, and a broker that lives on.
 * What must hold afterwards is said once, in `killed`; the tests differ in the moment.
 */
t.setTimeout(280_000);
const AT_ONCE = 12;

const broker = await startMosquitto();
t.teardown(() => broker.remove());

/** A terminal fleet that hears everything and answers only when told to. Its session lasts, so it misses nothing. */
const fleet = await mqtt.connectAsync(broker.url, {
  protocolVersion: 5,
  clientId: `fleet-${randomUUID()}`,
  clean: false,
  properties: { sessionExpiryInterval: 3600 },
});
t.teardown(() => fleet.endAsync(true));
const heard: { readonly commandId: string; readonly serial: string }[] = [];
let onHeard: () => void = () => {};
let answering = false;
const topics = topicsUnder('tms/v1');
fleet.on('message', (_topic, bytes) => {
  const { command_id: commandId, serial_number: serial } = JSON.parse(bytes.toString());
  heard.push({ commandId, serial });
  if (answering) {
    const at = new Date().toISOString();
    const ack = { command_id: commandId, seq: 1, status: 'accepted', code: null, message: null, at, versions: null };
    fleet.publish(topics.ack(serial, commandId), JSON.stringify(ack), { qos: 1 });
  }
  onHeard();
});
await fleet.subscribeAsync(topics.commandFilter, { qos: 1 });

const gateway = await startGateway(t, {
  env: {
    PENSTOCK_DEMO: 'false',
    PAYMENTS_MQTT_URL: broker.url,
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

/** Works through a list, some at once. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>, enough = () => false) {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined && !enough(); item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Pushes to as many terminals, some at once, and a signal when `moment` says so. */
async function cutRound(
  name: string,
  moment: (answers: number, published: number) => boolean,
  { calls = 40, signal = 'SIGKILL' as 'SIGKILL' | 'SIGTERM' } = {},
): Promise<Round> {
  const serials = Array.from({ length: calls }, (_, n) => `KILL-${name}-${String(n).padStart(3, '0')}`);
  for (const serial of serials) await terminal(product, serial);
  const answered = new Map<string, number>();
  const before = heard.length;
  let cut: Promise<unknown> | null = null;
  const look = () => {
    if (cut === null && moment(answered.size, heard.length - before)) cut = gateway.kill(signal);
  };
  onHeard = look;
  await inParallel(
    serials,
    async (serial) => {
      const answer = await push(serial).catch(() => null);
      if (answer?.envelope['status'] === 'success') answered.set(serial, Number(answer.data['push_log_id']));
      look();
    },
    () => cut !== null,
  );
  if (cut === null) throw new Error('the moment never came');
  await cut;
  onHeard = () => {};
  return { serials, answered };
}

/** What would happen while nobody looks: leases run out, and so does the time after which a call is given up. */
async function timePasses(): Promise<void> {
  await product`update mcp_ops.actuator_calls set started_at = started_at - interval '5 minutes' where recorded_at is null`;
  await product`update mcp_ops.mqtt_outbox set claimed_at = claimed_at - interval '2 minutes' where state = 'publishing'`;
}

interface PushRow {
  readonly serial: string;
  readonly push: number;
  readonly command: string;
  readonly state: string | null;
}
const pushesTo = (serials: readonly string[]): Promise<readonly PushRow[]> =>
  product<PushRow[]>`
    select p.serial_number as serial, p.id::int as push, p.command_id::text as command, o.state
    from parameter_push_logs p left join mcp_ops.mqtt_outbox o on o.command_id = p.command_id
    where p.serial_number in ${product(serials)} order by p.id`;
const distinct = (values: readonly string[]) => new Set(values).size;

/** What is there after the cut, before anything starts again. Returns the pushes whose command a relay had in its hands. */
async function afterCut(t: Test, { serials, answered }: Round): Promise<readonly PushRow[]> {
  const rows = await pushesTo(serials);
  t.ok(
    answered.size < serials.length,
    `${answered.size} of ${serials.length} calls were answered, ${rows.length} had their effect`,
  );
  t.equal(distinct(rows.map((row) => row.serial)), rows.length, 'no push has two rows');
  const numbers = new Map(rows.map((row) => [row.serial, row.push]));
  t.same(
    [...answered].filter(([serial, push]) => numbers.get(serial) !== push),
    [],
    'no answered push is lost',
  );
  t.same(
    rows.filter((row) => row.state === null),
    [],
    'each push has its command in the outbox',
  );
  return rows;
}

/** The same calls again, with their keys, on the gateway that was started again. */
async function callAgain(t: Test, { serials }: Round, before: readonly PushRow[]): Promise<readonly PushRow[]> {
  const again = new Map<string, ToolAnswer>();
  await inParallel(serials, async (serial) => {
    again.set(serial, await push(serial));
  });
  const failed = [...again].filter(([, answer]) => answer.envelope['status'] !== 'success');
  t.same(
    failed.map(([serial, answer]) => [serial, answer.envelope['error']]),
    [],
    'every call succeeds when it is made again',
  );
  const rows = await pushesTo(serials);
  t.equal(rows.length, serials.length, 'one push for each key');
  t.equal(distinct(rows.map((row) => row.serial)), serials.length, 'each to its own terminal');
  t.same(
    rows.filter((row) => again.get(row.serial)!.data['push_log_id'] !== row.push),
    [],
    'each answer names the one push there is',
  );
  const kept = new Map(rows.map((row) => [row.serial, row]));
  t.same(
    before.filter((row) => kept.get(row.serial)!.push !== row.push || kept.get(row.serial)!.command !== row.command),
    [],
    'a push that was made before is the same push',
  );
  const replayed = (serial: string) =>
    ((again.get(serial)!.envelope['provenance'] as JsonObject)['idempotency'] as JsonObject | undefined)?.['replayed'];
  t.same(
    before.filter((row) => replayed(row.serial) !== true),
    [],
    'and is answered from what was stored',
  );
  return rows;
}

/**
 * What reached the terminals. A relay that is killed between the broker's PUBACK and its own note of it sends that command again, under the
 * same command id, which a terminal drops: at least once is what QoS 1 and the contract give. More than that must not happen.
 */
async function afterPublishing(t: Test, rows: readonly PushRow[], inDoubt: ReadonlySet<string>): Promise<void> {
  const serials = rows.map((row) => row.serial);
  const mine = new Set(serials);
  const wire = () => heard.filter((message) => mine.has(message.serial)).map((message) => message.commandId);
  await until(
    async () => (await pushesTo(serials)).every((row) => row.state === 'published' || row.state === 'acked'),
    60_000,
  );
  await until(() => distinct(wire()) >= serials.length, 10_000);
  t.same(new Set(wire()), new Set(rows.map((row) => row.command)), 'each push reached its terminal as one command');
  const twice = wire().filter((id, at, all) => all.indexOf(id) !== at);
  t.comment(
    `${twice.length} of ${serials.length} commands went out again under their command id (${inDoubt.size} were in doubt)`,
  );
  t.equal(distinct(twice), twice.length, 'none went out three times');
  t.same(
    twice.filter((id) => !inDoubt.has(id)),
    [],
    'only a command that was in the hands of the killed relay may go out again',
  );
}

async function everythingIsRecorded(t: Test, { serials }: Round): Promise<void> {
  const calls = await product<{ call: string; state: string }[]>`
    select call_id::text as call, state from mcp_ops.actuator_calls where target in ${product(serials)}`;
  const outcomes = await records<{ call: string; started: number; ended: number }[]>`
    select call_id::text as call, count(*) filter (where phase = 'started')::int as started,
      count(*) filter (where phase in ('completed', 'reconciled'))::int as ended
    from audit_records where call_id in (select call_id from audit_records where phase = 'started')
      or call_id in ${records(calls.map((row) => row.call))} group by 1`;
  const ended = new Map(outcomes.map((row) => [row.call, row.ended]));
  t.same(
    calls.filter((row) => ended.get(row.call) !== 1 || row.state === 'started'),
    [],
    'every intent is closed and has one record of its outcome',
  );
  t.same(
    outcomes.filter((row) => row.ended !== 1 || row.started > 1),
    [],
    'every started record has one record of its end',
  );
}

const inDoubtAmong = (rows: readonly PushRow[]) =>
  new Set(rows.filter((row) => row.state === 'publishing').map((row) => row.command));

async function killed(t: Test, round: Round): Promise<void> {
  const left = await afterCut(t, round);
  await timePasses();
  await gateway.restart();
  const rows = await callAgain(t, round, left);
  // A terminal that answers is never sent a command again: its answer waited at the broker.
  await afterPublishing(t, rows, answering ? new Set() : inDoubtAmong(left));
  await everythingIsRecorded(t, round);
}

t.test('killed while the first calls are under way', async (t) => {
  await killed(t, await cutRound('first', (answers) => answers >= 1));
});

t.test('killed in the middle of a hundred', async (t) => {
  await killed(t, await cutRound('middle', (answers) => answers >= 50, { calls: 100 }));
});

t.test('killed at the moment a terminal gets its command, and the terminals answer at once', async (t) => {
  answering = true;
  await killed(t, await cutRound('handed', (_answers, published) => published >= 15));
  answering = false;
});

t.test('killed near the end', async (t) => {
  await killed(t, await cutRound('end', (answers) => answers >= 40 - AT_ONCE));
});

t.test('told to stop in the middle, it leaves nothing in doubt and nothing running', async (t) => {
  const round = await cutRound('term', (answers) => answers >= 10, { signal: 'SIGTERM' });
  t.same(await gateway.processes(), [], 'no process is left');
  await gateway.restart();
  const left = await afterCut(t, round);
  t.same(
    left.filter((row) => row.state !== 'published'),
    [],
    'what had its effect was published before the end',
  );
  const rows = await callAgain(t, round, left);
  await afterPublishing(t, rows, new Set());
  await everythingIsRecorded(t, round);
});

t.test('the audit log is whole after all of it', async (t) => {
  const run = await runPenstock(['audit', 'verify'], { PENSTOCK_DATA_DIR: gateway.dataDir });
  t.match(run, { code: 0, out: /The audit log is whole/ });
});
