import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { ToolError } from '../../src/kit/index.ts';
import { MAX_PENDING, OUTBOX_WRITES } from '../../src/messaging/outbox.ts';
import { UndeclaredWriteError } from '../../src/storage/writer.ts';
import { startPostgres } from '../support/postgres.ts';
import { productWithTerminals } from '../support/terminals.ts';

const postgres = await startPostgres();
t.teardown(() => postgres.stop());
const never = new AbortController().signal;

async function setUp(t: Test) {
  const terminals = await productWithTerminals(postgres);
  t.teardown(() => terminals.close());
  return terminals;
}
const command = (serialNumber: string, commandId = randomUUID()) => ({
  commandId,
  serialNumber,
  commandType: 'sync_time',
  params: {},
  expiresAt: new Date(Date.now() + 600_000),
  ref: null,
});

t.test('the row holds the payload of the contract and waits from now on', async (t) => {
  const { send, row } = await setUp(t);
  const sent = await send('端末-7', { text: 'hello' });
  const { payload, ...rest } = await row(sent);
  t.match(rest, {
    topic: 'tms/v1/%E7%AB%AF%E6%9C%AB-7/cmd/display_message',
    serial_number: '端末-7',
    state: 'pending',
    attempts: 0,
    ref_table: null,
  });
  t.match(payload, {
    v: 1,
    command_id: sent.commandId,
    command_type: 'display_message',
    serial_number: '端末-7',
    issued_at: /^\d{4}-.*Z$/,
    expires_at: (rest['expires_at'] as Date).toISOString(),
    params: { text: 'hello' },
  });
});

t.test('an effect that rolls back leaves no command', async (t) => {
  const { connections, outbox, owner } = await setUp(t);
  const failing = connections.writer('product').transaction(undefined, async (tx) => {
    await outbox.enqueue(tx.writer(OUTBOX_WRITES), command('T-1'));
    throw new Error('the effect fails');
  });
  await t.rejects(failing, { message: 'the effect fails' });
  t.same(await owner`select * from mcp_ops.mqtt_outbox`, []);
});

t.test('a tool that does not declare the outbox cannot write to it', async (t) => {
  const { connections, outbox } = await setUp(t);
  const undeclared = connections
    .writer('product')
    .transaction(undefined, (tx) => outbox.enqueue(tx.writer([]), command('T-1')));
  await t.rejects(undeclared, UndeclaredWriteError);
});

t.test('a serial number too long for a topic is refused with a reason, before anything is written', async (t) => {
  const { send, owner } = await setUp(t);
  const fault = await send('\u{1F600}'.repeat(64)).then(
    () => null,
    (error: unknown) => error,
  );
  t.ok(fault instanceof ToolError);
  t.match(fault, { code: 'INVALID_ARGUMENT', details: { issues: [{ path: 'serial_number' }] } });
  t.same(await owner`select * from mcp_ops.mqtt_outbox`, []);
});

t.test('a pending command can be taken back; one that a relay has cannot', async (t) => {
  const { send, row, connections, outbox, owner } = await setUp(t);
  const cancel = (commandId: string) =>
    connections.writer('product').transaction(undefined, (tx) => outbox.cancel(tx.writer(OUTBOX_WRITES), commandId));
  const one = await send('T-1');
  t.equal(await cancel(one.commandId), true);
  t.equal((await row(one)).state, 'cancelled');
  t.equal(await cancel(one.commandId), false);
  const two = await send('T-2');
  await owner`update mcp_ops.mqtt_outbox set state = 'publishing' where command_id = ${two.commandId}`;
  t.equal(await cancel(two.commandId), false);
  t.equal((await row(two)).state, 'publishing');
});

t.test('more than 10,000 pending commands: no more are taken', async (t) => {
  const { outbox, owner } = await setUp(t);
  const fill = (from: number, to: number) => owner`
    insert into mcp_ops.mqtt_outbox (command_id, serial_number, topic, command_type, payload, state, next_attempt_at, expires_at)
    select gen_random_uuid(), 'T-' || n % 500, 'x', 'x', '{}', 'pending', now(), now() + interval '1 h'
    from generate_series(${from}::int, ${to}::int) n`;
  await fill(1, MAX_PENDING);
  await outbox.refuseWhenOverloaded();
  t.match(await outbox.backlog(), { pending: MAX_PENDING });
  await fill(0, 0);
  const refusal = outbox.refuseWhenOverloaded();
  await t.rejects(refusal, {
    code: 'DEPENDENCY_UNAVAILABLE',
    details: { dependency: 'mqtt', pending: MAX_PENDING + 1 },
  });
});

t.test('the oldest due command 15 minutes late: no more are taken', async (t) => {
  const { send, outbox, owner } = await setUp(t);
  await outbox.refuseWhenOverloaded();
  const late = await send('T-1');
  const set = (commandId: string, minutes: number) =>
    owner`update mcp_ops.mqtt_outbox set next_attempt_at = now() - make_interval(mins => ${minutes}) where command_id = ${commandId}`;
  await set(late.commandId, 14);
  await outbox.refuseWhenOverloaded();
  await set(late.commandId, 16);
  await t.rejects(outbox.refuseWhenOverloaded(), { code: 'DEPENDENCY_UNAVAILABLE' });
  // Waiting behind a command in back-off is order, not a broker that is away.
  const behind = await send('T-1');
  await set(late.commandId, -4);
  await set(behind.commandId, 30);
  await outbox.refuseWhenOverloaded();
  t.match(await outbox.backlog(), { pending: 2, oldestDueSeconds: 0 });
});

t.test('waiting never turns a committed effect into a failure', async (t) => {
  const { send, outbox, connections } = await setUp(t);
  const sent = await send('T-1');
  const queued = { delivery: 'queued', warnings: [{ code: 'DELIVERY_PENDING' }] };
  t.match(await outbox.waitPublished(sent.commandId, 50, never), queued, 'no relay');
  const gone = new AbortController();
  const waiting = outbox.waitPublished(sent.commandId, 600_000, gone.signal);
  gone.abort();
  t.match(await waiting, queued, 'the caller went away');
  t.match(await outbox.waitPublished(sent.commandId, 600_000, gone.signal), queued, 'the caller is gone already');
  await connections.close();
  t.match(await outbox.waitPublished(sent.commandId, 5000, never), queued, 'the database is away');
});
