import { spawnSync } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import t from 'tap';
import { Connections, openGatewayPool } from '../../src/storage/connections.ts';
import { StorageError } from '../../src/storage/errors.ts';
import { approvals } from '../../src/storage/schema/gateway.ts';
import { tmsTerminals } from '../../src/storage/schema/product.ts';
import { riskRuleHits } from '../../src/storage/schema/risk.ts';
import { coreTransactions } from '../../src/storage/schema/settlement.ts';
import { exactInstant } from '../../src/storage/schema/types.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const product = await pg.database('product');
const settlement = await pg.database('settlement');
const risk = await pg.database('risk');
const gateway = await pg.database('gateway');
const connections = new Connections({
  urls: {
    product: { read: product.read, write: product.write },
    settlement: { read: settlement.read, write: settlement.write },
    risk: { read: risk.read, write: risk.write },
  },
});
t.teardown(() => connections.close());

const failureOf = async (work: Promise<unknown>): Promise<StorageError> => {
  const error = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (error instanceof StorageError) return error;
  throw new Error(`expected a StorageError, got ${String(error)}`);
};

const ownerOfProduct = pg.connect(product.owner);
await ownerOfProduct`insert into tms_terminals (serial_number, status, last_seen_at, latitude, inserted_at, updated_at)
  values ('NV5-000137', 'online', '2026-03-01 23:59:59.123999', 25.204849, '2026-03-01', '2026-03-01')`;

t.test('values come as they are in the database', async (t) => {
  const reader = connections.reader('product', undefined);
  const [row] = await reader.read((db) =>
    db.select().from(tmsTerminals).where(eq(tmsTerminals.serialNumber, 'NV5-000137')),
  );
  t.match(row, {
    id: 1,
    lastSeenAt: '2026-03-01T23:59:59.123Z',
    insertedAt: '2026-03-01T00:00:00.000Z',
    latitude: '25.204849',
    tid: null,
  });
  const [exact] = await reader.read((db) =>
    db.select({ at: exactInstant(tmsTerminals.lastSeenAt) }).from(tmsTerminals),
  );
  t.equal(exact?.at, '2026-03-01T23:59:59.123999Z');
  const [raw] = await reader.read((db) =>
    db.execute(sql`select 9007199254740991::bigint as safe, 9007199254740993::bigint as wide, 100.0000::numeric(18,4) as money,
      '{"pan": 4111111111111111111, "b": [1.10]}'::jsonb as document, date '2026-02-28' as day, timestamptz '2026-03-01 04:00+04' as instant,
      count(*) as n, array['a','b'] as list, null::timestamp as nothing from tms_terminals`),
  );
  t.same(raw, {
    safe: 9007199254740991,
    wide: '9007199254740993',
    money: '100.0000',
    document: '{"b": [1.10], "pan": 4111111111111111111}',
    day: '2026-02-28',
    instant: '2026-03-01T00:00:00.000Z',
    n: 1,
    list: ['a', 'b'],
    nothing: null,
  });
});

t.test('ids beyond 2^53 stay exact where they may occur', async (t) => {
  const owner = pg.connect(settlement.owner);
  await owner`insert into core_transactions (id, channel, transaction_type, amount, currency, status, business_date, transaction_time, inserted_at, updated_at)
    values (9223372036854775807, 'card', 'sale', 1, 'AED', 'captured', '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01')`;
  const reader = connections.reader('settlement', undefined);
  const rows = await reader.read((db) =>
    db.select({ id: coreTransactions.id }).from(coreTransactions).where(eq(coreTransactions.id, '9223372036854775807')),
  );
  t.same(rows, [{ id: '9223372036854775807' }]);
});

t.test('free JSON is read as text, so that long numbers keep their digits', async (t) => {
  const owner = pg.connect(risk.owner);
  await owner.unsafe(`insert into risk_rule_hits (rule_id, triggered_at, metadata, inserted_at, updated_at)
    values ('R', '2026-01-01', '{"n": 4111111111111111111}', '2026-01-01', '2026-01-01')`);
  const [hit] = await connections
    .reader('risk', undefined)
    .read((db) => db.select({ metadata: riskRuleHits.metadata }).from(riskRuleHits));
  t.equal(hit?.metadata, '{"n": 4111111111111111111}');
});

t.test('the time zone of the process changes nothing', async (t) => {
  const script = `import { Connections } from ${JSON.stringify(new URL('../../src/storage/connections.ts', import.meta.url).href)};
    import { tmsTerminals } from ${JSON.stringify(new URL('../../src/storage/schema/product.ts', import.meta.url).href)};
    const connections = new Connections({ urls: { product: { read: process.env.READ_URL } } });
    const rows = await connections.reader('product', undefined).read((db) => db.select().from(tmsTerminals));
    console.log(JSON.stringify(rows));
    await connections.close();`;
  const outputs = ['UTC', 'Asia/Kolkata', 'America/New_York'].map((TZ) => {
    const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      env: { ...process.env, TZ, READ_URL: product.read },
      encoding: 'utf8',
    });
    t.equal(run.status, 0, run.stderr);
    return run.stdout;
  });
  t.match(outputs[0], '2026-03-01T23:59:59.123Z');
  t.equal(outputs[1], outputs[0]);
  t.equal(outputs[2], outputs[0]);
});

t.test('an instant with an offset is refused on the way in: PostgreSQL would drop the offset', async (t) => {
  const reader = connections.reader('product', undefined);
  const find = (at: string) =>
    reader.read((db) => db.select({ id: tmsTerminals.id }).from(tmsTerminals).where(eq(tmsTerminals.lastSeenAt, at)));
  t.same(await find('2026-03-01T23:59:59.123999Z'), [{ id: 1 }]);
  await t.rejects(find('2026-03-02T03:59:59.123999+04:00'));
});

t.test('the read handle has nothing that writes, and PostgreSQL refuses SQL that does', async (t) => {
  const reader = connections.reader('product', undefined);
  const error = await failureOf(
    reader.read(async (db) => {
      t.notOk('insert' in db || 'update' in db || 'delete' in db || 'transaction' in db);
      return db.execute(sql`update tms_terminals set status = 'offline'`);
    }),
  );
  t.match(error, { kind: 'other' });
  t.match(error.sqlstate, /^(25006|42501)$/);
});

t.test('sessions are in UTC, read-only, and under their timeouts', async (t) => {
  const settings = sql`select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('transaction_read_only') as readonly, current_setting('application_name') as name`;
  const [read] = await connections.reader('product', undefined).read((db) => db.execute(settings));
  t.match(read, { zone: 'UTC', statement: '5s', lock: '2s', readonly: 'on', name: 'penstock product read' });
  const [write] = await connections.ownTables('product').run(undefined, (db) => db.execute(settings));
  t.match(write, { zone: 'UTC', statement: '10s', lock: '2s', readonly: 'off', name: 'penstock product write' });
  const [narrow] = await connections
    .reader('product', undefined)
    .read((db) => db.execute(settings), { statementTimeoutMs: 2000 });
  t.match(narrow, { statement: '2s', readonly: 'on' });
});

t.test('a snapshot sees one moment', async (t) => {
  await connections.reader('product', undefined).snapshot(async (db) => {
    const count = async () => (await db.execute(sql`select count(*) as n from tms_terminals`))[0]?.n;
    t.equal(await count(), 1);
    await ownerOfProduct`insert into tms_terminals (serial_number, status, inserted_at, updated_at) values ('later', 'online', '2026-01-01', '2026-01-01')`;
    t.equal(await count(), 1);
  });
  await ownerOfProduct`delete from tms_terminals where serial_number = 'later'`;
});

const running = async (marker: string) => {
  const rows = await pg.connect(
    pg.server.url('postgres'),
  )`select pid from pg_stat_activity where state = 'active' and query like ${`%${marker}%`} and pid <> pg_backend_pid()`;
  return rows.length;
};
const until = async (check: () => Promise<boolean>) => {
  for (let i = 0; i < 200; i += 1) {
    if (await check()) return true;
    await sleep(20);
  }
  return false;
};

t.test('an aborted read is cancelled in PostgreSQL and the pool goes on working', async (t) => {
  const controller = new AbortController();
  const reader = connections.reader('product', controller.signal);
  const reading = failureOf(reader.read((db) => db.execute(sql`select pg_sleep(4) /* marker-read */`)));
  t.ok(await until(async () => (await running('marker-read')) === 1));
  controller.abort();
  t.equal((await reading).kind, 'cancelled');
  t.ok(await until(async () => (await running('marker-read')) === 0));
  t.equal(
    (await failureOf(reader.read((db) => db.execute(sql`select 1`)))).kind,
    'cancelled',
    'nothing starts after the abort',
  );
  t.equal((await connections.reader('product', undefined).read((db) => db.execute(sql`select 1 as one`)))[0]?.one, 1);
});

t.test('an abort rolls a write transaction back', async (t) => {
  const controller = new AbortController();
  const writing = failureOf(
    connections.ownTables('product').transaction(controller.signal, {}, async (db) => {
      await db.execute(sql`insert into mcp_ops.outbox_inbox (command_id, ack_seq) values (gen_random_uuid(), 1)`);
      await db.execute(sql`select pg_sleep(4) /* marker-write */`);
    }),
  );
  t.ok(await until(async () => (await running('marker-write')) === 1));
  controller.abort();
  t.equal((await writing).kind, 'cancelled');
  t.same(await ownerOfProduct`select * from mcp_ops.outbox_inbox`, []);
});

t.test('an abort between two statements of a transaction rolls it back too', async (t) => {
  const controller = new AbortController();
  const error = await failureOf(
    connections.ownTables('product').transaction(controller.signal, {}, async (db) => {
      await db.execute(sql`insert into mcp_ops.outbox_inbox (command_id, ack_seq) values (gen_random_uuid(), 2)`);
      controller.abort();
    }),
  );
  t.equal(error.kind, 'cancelled');
  t.same(await ownerOfProduct`select * from mcp_ops.outbox_inbox`, []);
});

t.test('an abort among many calls on few connections gives nobody the rows of another', async (t) => {
  const few = new Connections({ urls: { product: { read: product.read } }, poolSize: 2 });
  const outcomes = await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const controller = new AbortController();
      if (i % 3 === 0) setTimeout(() => controller.abort(), i % 40);
      const reader = few.reader('product', controller.signal);
      try {
        const rows = await reader.read((db) =>
          Promise.all([
            db.execute(sql`select ${i}::int as n, pg_sleep(0.002)`),
            db.execute(sql`select ${i + 1000}::int as n`),
          ]),
        );
        return rows[0][0]?.n === i && rows[1][0]?.n === i + 1000 ? 'right' : 'wrong';
      } catch (error) {
        return error instanceof StorageError ? error.kind : 'unexpected';
      }
    }),
  );
  const count = (what: string) => outcomes.filter((outcome) => outcome === what).length;
  t.equal(count('wrong'), 0);
  t.equal(count('unexpected') + count('other') + count('timeout'), 0);
  t.ok(count('right') >= 150);
  t.ok(count('cancelled') > 0);
  await few.close();
});

t.test('an abort with several statements under way in one transaction ends it', async (t) => {
  const controller = new AbortController();
  const writing = failureOf(
    connections
      .ownTables('product')
      .transaction(controller.signal, {}, (db) =>
        Promise.all([1, 2, 3, 4].map((n) => db.execute(sql`select ${n}::int, pg_sleep(3) /* marker-many */`))),
      ),
  );
  t.ok(await until(async () => (await running('marker-many')) === 1));
  controller.abort();
  t.equal((await writing).kind, 'cancelled');
  t.ok(await until(async () => (await running('marker-many')) === 0));
});

t.test('failures are told apart and say nothing of SQL, values or hosts', async (t) => {
  const reader = connections.reader('product', undefined);
  const writes = connections.ownTables('product');
  const timeout = await failureOf(reader.read((db) => db.execute(sql`select pg_sleep(1)`), { statementTimeoutMs: 30 }));
  t.equal(timeout.kind, 'timeout');
  const syntax = await failureOf(
    reader.read((db) => db.execute(sql`select secret_word from nowhere where x = ${'4111111111111111'}`)),
  );
  t.match(syntax, { kind: 'other', sqlstate: '42P01' });
  const insert = sql`insert into mcp_ops.outbox_inbox (command_id, ack_seq) values ('00000000-0000-0000-0000-000000000001', 1)`;
  await writes.run(undefined, (db) => db.execute(insert));
  const constraint = await failureOf(writes.run(undefined, (db) => db.execute(insert)));
  t.match(constraint.failure, { kind: 'constraint', constraint: 'outbox_inbox_pk' });
  await ownerOfProduct.begin(async (tx) => {
    await tx`lock table mcp_ops.outbox_inbox`;
    const locked = await failureOf(writes.run(undefined, (db) => db.execute(sql`select 1 from mcp_ops.outbox_inbox`)));
    t.equal(locked.kind, 'timeout');
  });
  for (const error of [timeout, syntax, constraint]) {
    const everything = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
    t.notMatch(everything, /select|insert|nowhere|secret_word|4111|127\.0\.0\.1/);
  }
  await t.rejects(
    reader.read(async () => {
      throw new TypeError('an error of the caller stays what it is');
    }),
    { name: 'TypeError' },
  );
});

t.test('nothing connects before the first query, and a database that is down is said to be so', async (t) => {
  let connects = 0;
  const sockets: Socket[] = [];
  const mute = createServer((socket) => {
    connects += 1;
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  const address = mute.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const states: string[] = [];
  const down = new Connections({
    urls: { product: { read: `postgres://mcp_ro:x@127.0.0.1:${port}/product_demo` } },
    onBreaker: (pool, state) => states.push(`${pool} ${state}`),
  });
  await sleep(50);
  t.equal(connects, 0);
  t.ok(down.has('product'));
  t.notOk(down.has('mms'));
  t.throws(() => down.reader('mms', undefined), { name: 'StorageError', message: /is not available/ });
  const reader = down.reader('product', undefined);
  t.equal(
    (await failureOf(reader.read((db) => db.execute(sql`select 1`)))).kind,
    'unavailable',
    'a server that says nothing',
  );
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => mute.close(resolve));
  for (let i = 0; i < 4; i += 1) {
    t.equal((await failureOf(reader.read((db) => db.execute(sql`select 1`)))).kind, 'unavailable', 'nobody listening');
  }
  const refused = await failureOf(reader.read((db) => db.execute(sql`select 1`)));
  t.ok(refused.failure.kind === 'unavailable' && (refused.failure.retryAfterMs ?? 0) > 0, 'the breaker is open');
  t.same(states, ['product read open']);
  await down.close();
});

t.test('the pool survives a restart of its connections', async (t) => {
  const reader = connections.reader('product', undefined);
  const ask = () => reader.read((db) => db.execute(sql`select 1 as one`));
  await ask();
  await pg.connect(
    pg.server.url('postgres'),
  )`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'penstock product read'`;
  // A call that meets a connection before its end was noticed is told so; the next one gets a fresh connection.
  t.ok(
    await until(() =>
      ask().then(
        (rows) => rows[0]?.one === 1,
        (error: unknown) => {
          if (error instanceof StorageError && error.kind === 'unavailable') return false;
          throw error;
        },
      ),
    ),
  );
});

t.test("the gateway's own tables are used through drizzle", async (t) => {
  const pool = openGatewayPool({ url: gateway.gateway });
  const row = {
    id: '00000000-0000-4000-8000-000000000001',
    principal: 'p',
    server: 'tms',
    tool: 'send_mqtt_command',
    tier: 'T2',
    argsDigest: 'a'.repeat(64),
    args: { serial_number: 'NV5-000137' },
    summary: 'Reboot NV5-000137',
    preconditions: { status: 'online' },
    requiredApprovals: 1,
    policyVersion: '1',
    requestedAt: '2026-03-01T00:00:00.000Z',
    expiresAt: '2026-03-01T00:30:00.000Z',
  };
  await pool.run(undefined, (db) => db.insert(approvals).values(row));
  const [found] = await pool.run(undefined, (db) => db.select().from(approvals));
  t.match(found, { ...row, status: 'pending' });
  const consumed = await pool.run(undefined, (db) =>
    db
      .update(approvals)
      .set({ status: 'consumed', consumedAt: '2026-03-01T00:10:00.000Z' })
      .where(eq(approvals.status, 'pending'))
      .returning({ id: approvals.id, at: approvals.consumedAt }),
  );
  t.same(consumed, [{ id: row.id, at: '2026-03-01T00:10:00.000Z' }]);
  await pool.close();
});
