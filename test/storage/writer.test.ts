import { and, eq, inArray, sql } from 'drizzle-orm';
import t from 'tap';
import type { WriteTarget } from '../../src/kit/tool.ts';
import { Connections } from '../../src/storage/connections.ts';
import { obanJobs } from '../../src/storage/schema/oban.ts';
import { mqttOutbox } from '../../src/storage/schema/outbox.ts';
import { parameterPushLogs, pushDetails, tmsTerminals } from '../../src/storage/schema/product.ts';
import { reconciliationExceptions } from '../../src/storage/schema/settlement.ts';
import { UndeclaredWriteError, utcNow, type Writer } from '../../src/storage/writer.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const product = await pg.database('product');
const settlement = await pg.database('settlement');
const connections = new Connections({
  urls: {
    product: { read: product.read, write: product.write },
    settlement: { read: settlement.read, write: settlement.write },
  },
});
t.teardown(() => connections.close());
const owner = pg.connect(product.owner);

const NOW = '2026-03-01T10:00:00.000Z';
const PUSH = {
  serialNumber: '端末-0007',
  configType: 'parameter',
  status: 'queued',
  triggerSource: 'mcp',
  requestedAt: NOW,
  insertedAt: NOW,
  updatedAt: NOW,
};
const PUSH_COLUMNS = [
  'serial_number',
  'config_type',
  'status',
  'trigger_source',
  'requested_at',
  'inserted_at',
  'updated_at',
  'command_id',
];
const rules: WriteTarget[] = [
  { db: 'product', table: 'parameter_push_logs', operation: 'insert', columns: PUSH_COLUMNS },
  { db: 'product', table: 'parameter_push_logs', operation: 'update', columns: ['status', 'updated_at'] },
  {
    db: 'product',
    table: 'push_details',
    operation: 'insert',
    columns: ['push_log_id', 'seq', 'event', 'event_at', 'payload', 'inserted_at', 'updated_at'],
  },
  {
    db: 'product',
    table: 'mcp_ops.mqtt_outbox',
    operation: 'insert',
    columns: [
      'command_id',
      'serial_number',
      'topic',
      'command_type',
      'payload',
      'state',
      'next_attempt_at',
      'expires_at',
    ],
    values: { state: ['pending'] },
  },
  { db: 'product', table: 'tms_terminals', operation: 'update', columns: ['status'] },
  {
    db: 'product',
    table: 'oban_jobs',
    operation: 'update',
    columns: ['state', 'max_attempts', 'scheduled_at', 'completed_at'],
    values: { state: ['available'] },
  },
];
const inProduct = <T>(work: (w: Writer) => Promise<T>) =>
  connections.writer('product').transaction(undefined, (tx) => work(tx.writer(rules)));

t.test('declared writes go through, typed both ways', async (t) => {
  const command = '00000000-0000-4000-8000-000000000001';
  const [push] = await inProduct(async (w) => {
    await w.serialise('tms:端末-0007');
    const rows = await w.insert(
      parameterPushLogs,
      { ...PUSH, commandId: command },
      { returning: { id: parameterPushLogs.id, at: parameterPushLogs.requestedAt } },
    );
    const id = rows[0]?.id ?? 0;
    await w.insert(pushDetails, [
      { pushLogId: id, seq: 1, event: 'queued', eventAt: NOW, payload: '{"a": 1}', insertedAt: NOW, updatedAt: NOW },
      { pushLogId: id, seq: 2, event: 'published', eventAt: NOW, insertedAt: utcNow, updatedAt: utcNow },
    ]);
    await w.insert(mqttOutbox, {
      commandId: command,
      serialNumber: PUSH.serialNumber,
      topic: 'tms/v1/x/cmd/config_update',
      commandType: 'config_update',
      payload: { v: 1, list: [1, 2] },
      state: 'pending',
      nextAttemptAt: NOW,
      expiresAt: NOW,
    });
    return rows;
  });
  t.match(push, { id: 1, at: NOW });
  t.match(await owner`select payload->'list'->>1 as second, state from mcp_ops.mqtt_outbox`, [
    { second: '2', state: 'pending' },
  ]);
  t.match(await owner`select seq, payload->>'a' as a from push_details order by seq`, [
    { seq: 1, a: '1' },
    { seq: 2, a: null },
  ]);
});

t.test('an update says which rows it changed', async (t) => {
  const changed = await inProduct((w) =>
    w.update(parameterPushLogs, {
      set: { status: 'superseded', updatedAt: utcNow },
      where: inArray(parameterPushLogs.status, ['queued']),
      returning: { id: parameterPushLogs.id },
    }),
  );
  t.same(changed, [{ id: 1 }]);
  const none = await inProduct((w) =>
    w.update(parameterPushLogs, {
      set: { status: 'failed' },
      where: eq(parameterPushLogs.id, 99),
      returning: { id: parameterPushLogs.id },
    }),
  );
  t.same(none, []);
});

t.test('the Oban update is expressible: expressions, nulls, a guarded where', async (t) => {
  await owner`insert into oban_jobs (id, state, queue, worker, attempt, max_attempts) values (9001, 'discarded', 'q', 'W', 20, 20)`;
  const again = () =>
    inProduct((w) =>
      w.update(obanJobs, {
        set: {
          state: 'available',
          maxAttempts: sql<number>`greatest(max_attempts, attempt + 1)`,
          scheduledAt: utcNow,
          completedAt: null,
        },
        where: and(eq(obanJobs.id, 9001), sql`${obanJobs.state} in ('retryable', 'discarded')`) ?? sql`false`,
        returning: { id: obanJobs.id, max: obanJobs.maxAttempts, state: obanJobs.state },
      }),
    );
  t.same(await again(), [{ id: 9001, max: 21, state: 'available' }]);
  t.same(await again(), []);
});

t.test('what is not declared is refused before it reaches PostgreSQL', async (t) => {
  const refused: [string, (w: Writer) => Promise<unknown>][] = [
    [
      'another table',
      (w) =>
        w.insert(reconciliationExceptions, {
          businessDate: '2026-01-01',
          exceptionType: 'x',
          status: 'open',
          openedAt: NOW,
          insertedAt: NOW,
          updatedAt: NOW,
        }),
    ],
    [
      'another operation',
      (w) =>
        w.update(pushDetails, { set: { event: 'x' }, where: eq(pushDetails.id, 1), returning: { id: pushDetails.id } }),
    ],
    ['another column', (w) => w.insert(parameterPushLogs, { ...PUSH, requestedBy: 'x' })],
    [
      'a column of another operation',
      (w) =>
        w.update(parameterPushLogs, {
          set: { serialNumber: 'x' },
          where: sql`true`,
          returning: { id: parameterPushLogs.id },
        }),
    ],
    [
      'a value outside the list',
      (w) => w.update(obanJobs, { set: { state: 'completed' }, where: sql`true`, returning: { id: obanJobs.id } }),
    ],
    [
      'an expression where values are listed',
      (w) => w.update(obanJobs, { set: { state: sql`'available'` }, where: sql`true`, returning: { id: obanJobs.id } }),
    ],
    [
      'an update of nothing',
      (w) => w.update(parameterPushLogs, { set: {}, where: sql`true`, returning: { id: parameterPushLogs.id } }),
    ],
  ];
  for (const [name, work] of refused) await t.rejects(inProduct(work), UndeclaredWriteError, name);
});

t.test('a rule for another database does not count', async (t) => {
  const work = connections
    .writer('settlement')
    .transaction(undefined, (tx) => tx.writer(rules).insert(parameterPushLogs, PUSH));
  await t.rejects(work, UndeclaredWriteError);
});

t.test('a declaration that goes beyond the grants is still refused, by PostgreSQL', async (t) => {
  const work = inProduct((w) =>
    w.update(tmsTerminals, { set: { status: 'online' }, where: sql`true`, returning: { id: tmsTerminals.id } }),
  );
  t.match(await work.catch((error: unknown) => error), { name: 'StorageError', sqlstate: '42501' });
});

t.test('writers of one transaction commit together or not at all', async (t) => {
  const before = (await owner`select count(*)::int as n from parameter_push_logs`)[0]?.n;
  const work = connections.writer('product').transaction(undefined, async (tx) => {
    await tx.writer(rules).insert(parameterPushLogs, PUSH);
    await tx.writer(rules).insert(mqttOutbox, {
      commandId: '00000000-0000-4000-8000-000000000001',
      serialNumber: 'x',
      topic: 'x',
      commandType: 'x',
      payload: {},
      state: 'pending',
      nextAttemptAt: NOW,
      expiresAt: NOW,
    });
  });
  t.match(await work.catch((error: unknown) => error), {
    failure: { kind: 'constraint', constraint: 'mqtt_outbox_command_id' },
  });
  t.equal((await owner`select count(*)::int as n from parameter_push_logs`)[0]?.n, before);
});

t.test('two transactions on one target come one after the other', async (t) => {
  const order: string[] = [];
  const first = inProduct(async (w) => {
    await w.serialise('same');
    order.push('first in');
    await owner`select pg_sleep(0.2)`;
    order.push('first out');
  });
  await owner`select pg_sleep(0.05)`;
  const second = inProduct(async (w) => {
    await w.serialise('same');
    order.push('second in');
  });
  await Promise.all([first, second]);
  t.same(order, ['first in', 'first out', 'second in']);
});
