import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { type AckVerdict, createAckHandler } from '../../src/messaging/acks.ts';
import { registerBusinessRows } from '../../src/messaging/business.ts';
import type { BrokerState, PublishResult } from '../../src/messaging/client.ts';
import { silentLog } from '../../src/messaging/log.ts';
import { OUTBOX_WRITES } from '../../src/messaging/outbox.ts';
import { type CommandRow, outcomeRegistry } from '../../src/messaging/outcomes.ts';
import { createRelay } from '../../src/messaging/relay.ts';
import { createSignals } from '../../src/messaging/signals.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Command, productWithTerminals, type Terminals, topics } from '../support/terminals.ts';
import { until } from '../support/until.ts';

const postgres = await startPostgres();
t.teardown(() => postgres.stop());

interface Acks {
  readonly terminals: Terminals;
  ack(command: Command, seq: number, status: string, more?: Record<string, unknown>): Promise<AckVerdict>;
  raw(topic: string, payload: unknown): Promise<AckVerdict>;
  /** What the relay tells when the time to live has passed. */
  expire(row: CommandRow): Promise<void>;
}

async function setUp(t: Test, scrub: (text: string) => string = (text) => text): Promise<Acks> {
  const terminals = await productWithTerminals(postgres);
  t.teardown(() => terminals.close());
  const outcomes = outcomeRegistry();
  registerBusinessRows(outcomes);
  const { pool } = terminals;
  const handle = createAckHandler({ pool, topics, outcomes, signals: createSignals(), log: silentLog, scrub });
  const raw = (topic: string, payload: unknown) => handle(topic, Buffer.from(JSON.stringify(payload)));
  return {
    terminals,
    raw,
    expire: (row) =>
      pool.transaction(undefined, {}, (tx) => outcomes.tell(tx, row, { kind: 'expired', published: true })),
    ack: ({ serialNumber, commandId }, seq, status, more = {}) =>
      raw(topics.ack(serialNumber, commandId), {
        command_id: commandId,
        seq,
        status,
        at: new Date().toISOString(),
        ...more,
      }),
  };
}

t.test('accepted, in progress, succeeded: outbox and push go forward, one detail row a step', async (t) => {
  const { terminals, ack } = await setUp(t);
  const push = await terminals.push('端末-0007');
  t.equal(await ack(push, 1, 'accepted'), 'applied');
  t.match(await terminals.pushOf(push), { status: 'accepted', done: false });
  t.equal(await ack(push, 2, 'in_progress', { code: 'downloading' }), 'applied');
  t.equal(await ack(push, 3, 'in_progress', { code: 'INSTALLING' }), 'applied');
  t.match(await terminals.pushOf(push), { status: 'in_progress', done: false });
  t.equal(await ack(push, 4, 'succeeded', { versions: { parameter: '4.2.1' } }), 'applied');
  t.match(await terminals.pushOf(push), { status: 'succeeded', done: true, error_code: null });
  t.same(await terminals.events(push), ['1 accepted', '2 downloading', '3 installing', '4 succeeded']);
  const row = await terminals.row(push);
  t.equal(row.state, 'acked');
  t.match(JSON.parse(String(row['ack'])), { seq: 4, status: 'succeeded', versions: { parameter: '4.2.1' } });
});

t.test('the same ack twice, also at the same time, changes nothing', async (t) => {
  const { terminals, ack } = await setUp(t);
  const push = await terminals.push('T-1');
  const verdicts = await Promise.all(Array.from({ length: 8 }, () => ack(push, 1, 'accepted')));
  t.same(verdicts.sort(), ['applied', ...Array(7).fill('duplicate')]);
  t.same(await terminals.events(push), ['1 accepted']);
});

t.test('forward only: after a final answer, and after a later step, an older ack changes nothing', async (t) => {
  const { terminals, ack } = await setUp(t);
  const push = await terminals.push('T-1');
  t.equal(await ack(push, 3, 'in_progress', { code: 'installing' }), 'applied');
  t.equal(await ack(push, 1, 'accepted'), 'stale');
  t.equal(await ack(push, 2, 'in_progress', { code: 'downloading' }), 'stale');
  t.equal(await ack(push, 4, 'succeeded'), 'applied');
  t.equal(await ack(push, 5, 'failed', { code: 'E_LATE' }), 'stale');
  t.equal(await ack(push, 6, 'in_progress'), 'stale');
  t.match(await terminals.pushOf(push), { status: 'succeeded', error_code: null });
  t.equal((await terminals.row(push)).state, 'acked');
  t.same(await terminals.events(push), ['1 installing', '2 succeeded']);
});

t.test('failed and rejected make the row nacked and the push failed, with the code of the terminal', async (t) => {
  const { terminals, ack } = await setUp(t);
  const full = await terminals.push('T-8');
  await ack(full, 1, 'failed', { code: 'E_STORAGE_FULL', message: 'no room' });
  t.match(await terminals.pushOf(full), {
    status: 'failed',
    error_code: 'E_STORAGE_FULL',
    error_message: 'no room',
    done: true,
  });
  t.equal((await terminals.row(full)).state, 'nacked');
  const rejected = await terminals.push('T-7');
  await ack(rejected, 1, 'rejected');
  t.match(await terminals.pushOf(rejected), { status: 'failed', error_code: 'E_REJECTED' });
});

t.test('an ack that comes before the relay has written `published` is kept', async (t) => {
  const { terminals, ack } = await setUp(t);
  const push = await terminals.push('T-1');
  let confirm: (result: PublishResult) => void = () => {};
  const state: BrokerState = { status: 'connected', protocol: '5.0', lastFault: null };
  const sent = new Promise<void>((resolve) => {
    const outcomes = outcomeRegistry();
    registerBusinessRows(outcomes);
    const relay = createRelay({
      pool: terminals.pool,
      topics,
      outcomes,
      signals: createSignals(),
      log: silentLog,
      client: {
        state,
        onConnected: () => {},
        publish: () => {
          resolve();
          return new Promise((done) => {
            confirm = done;
          });
        },
      },
    });
    relay.start();
    t.teardown(() => relay.stop());
  });
  await sent;
  t.equal((await terminals.row(push)).state, 'publishing');
  t.equal(await ack(push, 1, 'succeeded'), 'applied');
  confirm({ ok: true, reasonCode: 0 });
  await until(async () => (await terminals.row(push))['published_at'] !== null);
  t.match(await terminals.row(push), { state: 'acked', puback_reason: 0 });
  t.match(await terminals.pushOf(push), { status: 'succeeded' });
  t.same(await terminals.events(push), ['1 succeeded']);
});

t.test('unknown commands, another terminal, and a topic that names another command are dropped', async (t) => {
  const { terminals, ack, raw } = await setUp(t);
  const push = await terminals.push('T-1');
  t.equal(await ack({ commandId: randomUUID(), serialNumber: 'T-1' }, 1, 'succeeded'), 'unknown_command');
  t.equal(await ack({ ...push, serialNumber: 'T-2' }, 1, 'succeeded'), 'mismatch');
  const body = { command_id: push.commandId, seq: 1, status: 'succeeded', at: new Date().toISOString() };
  t.equal(await raw(topics.ack('T-1', randomUUID()), body), 'mismatch');
  t.equal(await raw(`tms/v1/%54-1/ack/${push.commandId}`, body), 'malformed', 'another spelling of the serial');
  t.equal(await raw(topics.ack('T-1', push.commandId), { ...body, status: 'done' }), 'malformed');
  t.match(await terminals.pushOf(push), { status: 'queued' });
  t.equal((await terminals.row(push)).state, 'pending');
  t.same(await terminals.owner`select * from mcp_ops.outbox_inbox`, []);
});

t.test('the final answer of a terminal outranks `expired`; an unfinished one does not', async (t) => {
  const { terminals, ack } = await setUp(t);
  const late = await terminals.push('T-1');
  await terminals.owner`update mcp_ops.mqtt_outbox set state = 'expired', next_attempt_at = 'infinity'`;
  await terminals.owner`update parameter_push_logs set status = 'expired', completed_at = requested_at`;
  t.equal(await ack(late, 1, 'accepted'), 'applied');
  t.match(await terminals.pushOf(late), { status: 'expired' });
  t.equal(await ack(late, 2, 'succeeded'), 'applied');
  t.match(await terminals.pushOf(late), { status: 'succeeded' });
  t.equal((await terminals.row(late)).state, 'acked');
});

t.test('a superseded push and a cancelled command stay what they are', async (t) => {
  const { terminals, ack } = await setUp(t);
  const superseded = await terminals.push('T-1');
  await terminals.owner`update parameter_push_logs set status = 'superseded' where id = ${superseded.pushId}`;
  await ack(superseded, 1, 'succeeded');
  t.match(await terminals.pushOf(superseded), { status: 'superseded' });
  t.same(await terminals.events(superseded), []);
  const cancelled = await terminals.push('T-2');
  await terminals.owner`update mcp_ops.mqtt_outbox set state = 'cancelled' where command_id = ${cancelled.commandId}`;
  await ack(cancelled, 1, 'succeeded');
  t.equal((await terminals.row(cancelled)).state, 'cancelled');
  t.match(await terminals.pushOf(cancelled), { status: 'queued' });
});

t.test('what a terminal wrote is scrubbed before it is stored', async (t) => {
  const { terminals, ack } = await setUp(t, (text) => text.replace(/4111\d+/, '411111******1111'));
  const push = await terminals.push('T-1');
  await ack(push, 1, 'failed', {
    code: 'E_X',
    message: 'card 4111111111111111',
    versions: { app: '4111111111111111' },
  });
  const [all] = await terminals.owner<[{ text: string }]>`
    select concat_ws(' ', (select string_agg(p::text, ' ') from parameter_push_logs p),
      (select string_agg(d::text, ' ') from push_details d), (select string_agg(o::text, ' ') from mcp_ops.mqtt_outbox o)) as text`;
  t.notMatch(all.text, /4111111111111111/);
  t.match(all.text, /411111\*{6}1111/);
});

t.test(
  'deployments: each state forward, failed with the code of the terminal, and an expired one makes room for the next',
  async (t) => {
    const { terminals, ack, expire } = await setUp(t);
    const { owner } = terminals;
    const deploy = async (serialNumber: string): Promise<CommandRow & { status(): Promise<unknown> }> => {
      const commandId = randomUUID();
      const [pack] = await owner`
      insert into app_packages (id, package_name, version, vendor, model, sha256, size_bytes, storage_key, status, inserted_at, updated_at)
      values (${Math.floor(Math.random() * 1e9)}, 'PosApp', ${commandId.slice(0, 8)}, 'Novapos', 'N5', ${'0'.repeat(64)}, 1, 'k', 'approved', now(), now())
      returning id`;
      const [row] = await owner`
      insert into app_package_deployments (package_id, serial_number, kind, target_version, status, tier, cohort_size, requested_by,
        command_id, requested_at, inserted_at, updated_at)
      values (${pack!['id']}, ${serialNumber}, 'rollback', '2.8.0', 'queued', 'T2', 1, 'x', ${commandId}, now(), now(), now())
      returning id`;
      await terminals.connections.writer('product').transaction(undefined, (tx) =>
        terminals.outbox.enqueue(tx.writer(OUTBOX_WRITES), {
          commandId,
          serialNumber,
          commandType: 'app_install',
          params: {},
          expiresAt: new Date(Date.now() + 600_000),
          ref: { table: 'app_package_deployments', id: row!['id'] },
        }),
      );
      return {
        commandId,
        serialNumber,
        commandType: 'app_install',
        refTable: 'app_package_deployments',
        refId: String(row!['id']),
        status: async () =>
          (
            await owner`select status, error_code, completed_at is not null as done from app_package_deployments where id = ${row!['id']}`
          )[0],
      };
    };
    const one = await deploy('T-1');
    const seen: unknown[] = [];
    for (const [seq, status, code] of [
      [1, 'accepted', null],
      [2, 'in_progress', 'downloading'],
      [3, 'in_progress', 'verifying'],
      [4, 'succeeded', null],
    ] as const) {
      await ack(one, seq, status, { code });
      seen.push(((await one.status()) as { status: string }).status);
    }
    t.same(seen, ['accepted', 'downloading', 'installing', 'succeeded']);
    t.match(await one.status(), { done: true });
    const two = await deploy('T-8');
    await ack(two, 1, 'failed', { code: 'E_STORAGE_FULL' });
    t.match(await two.status(), { status: 'failed', error_code: 'E_STORAGE_FULL', done: true });
    const three = await deploy('T-3');
    await ack(three, 1, 'in_progress', { code: 'installing' });
    await t.rejects(deploy('T-3'), { code: '23505' }, 'one open deployment a terminal');
    await expire(three);
    t.match(await three.status(), { status: 'expired', done: true });
    await deploy('T-3');
    await ack(three, 2, 'succeeded');
    t.match(await three.status(), { status: 'succeeded' }, 'its own late answer still counts');
  },
);

t.test('log sessions: a start makes them active or failed, a stop makes them stopped', async (t) => {
  const { terminals, ack } = await setUp(t);
  const { owner } = terminals;
  const session = async (serialNumber: string, status: string, commandType: 'log_start' | 'log_stop') => {
    const id = randomUUID();
    const commandId = randomUUID();
    await owner`
      insert into remote_log_sessions (id, serial_number, requested_by, status, log_level, started_at, expires_at, inserted_at, updated_at)
      values (${id}, ${serialNumber}, 'x', ${status}, 'info', now(), now() + interval '15 min', now(), now())`;
    await terminals.connections.writer('product').transaction(undefined, (tx) =>
      terminals.outbox.enqueue(tx.writer(OUTBOX_WRITES), {
        commandId,
        serialNumber,
        commandType,
        params: {},
        expiresAt: new Date(Date.now() + 900_000),
        ref: { table: 'remote_log_sessions', id },
      }),
    );
    const look = async () =>
      (
        await owner`select status, stop_reason, stopped_at is not null as stopped from remote_log_sessions where id = ${id}`
      )[0];
    return { commandId, serialNumber, look };
  };
  const started = await session('T-1', 'requested', 'log_start');
  await ack(started, 1, 'accepted');
  t.match(await started.look(), { status: 'active', stopped: false });
  const refused = await session('T-2', 'requested', 'log_start');
  await ack(refused, 1, 'rejected', { code: 'E_BUSY' });
  t.match(await refused.look(), { status: 'failed', stop_reason: 'E_BUSY', stopped: true });
  const stopping = await session('T-3', 'stopping', 'log_stop');
  await ack(stopping, 1, 'succeeded');
  t.match(await stopping.look(), { status: 'stopped', stopped: true });
  const over = await session('T-4', 'expired', 'log_stop');
  await ack(over, 1, 'succeeded');
  t.match(await over.look(), { status: 'expired' });
});
