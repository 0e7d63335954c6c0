import { randomUUID } from 'node:crypto';
import t from 'tap';
import { type AuditEntry, AuditUnavailable } from '../../../src/governance/audit/entry.ts';
import { createAuditLog } from '../../../src/governance/audit/log.ts';
import { verifyAudit } from '../../../src/governance/audit/verify.ts';
import { startFlakyProxy } from '../../support/flaky-proxy.ts';
import { entry, gatewayPool, quiet } from '../../support/governance.ts';
import { startPostgres } from '../../support/postgres.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());

async function fresh() {
  const database = await pg.database('gateway');
  return { database, owner: pg.connect(database.owner), pool: gatewayPool(database.gateway) };
}

t.test('a write is in the log when it settles, and its place is the next of the chain', async (t) => {
  const { owner, pool } = await fresh();
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  t.teardown(async () => {
    await audit.close();
    await pool.close();
  });
  const first = await audit.write(entry({ tool: 'trigger_config_push', tier: 'T1', phase: 'started' }));
  const second = await audit.write(entry({ tool: 'trigger_config_push', tier: 'T1' }));
  t.same([first.seq, second.seq], [1, 2]);
  const rows =
    await owner`select seq::int, phase, tool, principal, prev_hash, hash, duration_ms, detail from audit_records order by seq`;
  t.equal(rows.length, 2);
  t.match(rows[0], {
    phase: 'started',
    tool: 'trigger_config_push',
    principal: 'https://issuer.example|a1',
    duration_ms: 3,
  });
  t.same(rows[0]!['detail'], { kind: 'call', outcome: 'allow' });
  t.equal(rows[1]!['prev_hash'], first.hash);
  t.equal(rows[1]!['hash'], second.hash);
  t.match(await verifyAudit(pool, { expectHead: first }), { ok: true, records: 2, head: second });
});

t.test('queued records are stored together, in the order they came', async (t) => {
  const { owner, pool } = await fresh();
  let batches = 0;
  const metrics = { stored: () => void batches++, failed: () => {}, lost: () => {} };
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes', metrics });
  t.teardown(() => pool.close());
  for (let i = 0; i < 300; i++) await audit.queue(entry({ rows: i }));
  await audit.flush();
  t.ok(batches < 100, `300 records took ${batches} inserts`);
  const rows = await owner<{ rows: number }[]>`select rows from audit_records order by seq`;
  t.same(
    rows.map((row) => row.rows),
    Array.from({ length: 300 }, (_, i) => i),
  );
  await audit.close();
  t.match(await verifyAudit(pool), { ok: true, records: 300 });
});

t.test('several gateways append to one chain at the same time', async (t) => {
  const { database, pool } = await fresh();
  t.teardown(() => pool.close());
  const replicas = [1, 2, 3].map(() => {
    const own = gatewayPool(database.gateway);
    return { own, audit: createAuditLog({ pool: own, log: quiet, strict: 'writes' }) };
  });
  const places = await Promise.all(
    replicas.flatMap(({ audit }) =>
      Array.from({ length: 60 }, async (_, i) => {
        if (i % 3 === 0) return (await audit.write(entry({ tool: 'trigger_config_push', tier: 'T1' }))).seq;
        await audit.queue(entry());
        return null;
      }),
    ),
  );
  for (const { audit, own } of replicas) {
    await audit.close();
    await own.close();
  }
  const written = places.filter((seq) => seq !== null);
  t.equal(new Set(written).size, 60, 'each write has a place of its own');
  t.match(await verifyAudit(pool), { ok: true, records: 180 });
});

t.test('whatever a record holds, it is stored and verifies', async (t) => {
  const { owner, pool } = await fresh();
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  t.teardown(() => pool.close());
  const odd: Partial<AuditEntry>[] = [
    { auditable: { n: [0, -0, 0.1, 1e-7, 1.5e-9, 1e21, 1.7976931348623157e308, 5e-324, 123456789012345680000, -2.5] } },
    {
      auditable: {
        text: 'a\u0000b',
        lone: 'x\ud800y',
        ['k\u0000']: true,
        quote: '"1.50" \\ 2.50',
        decomposed: 'e\u0301',
      },
    },
    { auditable: {}, approvers: ['Müller', 'a,b', '{"x"}', 'NULL', ''], approvalId: randomUUID() },
    {
      principal: null,
      server: null,
      tool: null,
      traceId: null,
      requestId: null,
      auditable: null,
      durationMs: null,
      rows: null,
    },
    { tool: '😀'.repeat(300), principal: { id: 'x'.repeat(900), issuer: null, client: null, onBehalfOf: null } },
    { requestId: 'not-a-uuid', traceId: 'short', argsDigest: 'zz', callId: 'also not', approvalId: 'nor this' },
    { rows: 9e15, redactions: -1, durationMs: Number.NaN },
  ];
  for (const parts of odd) await audit.write(entry(parts));
  await audit.close();
  t.match(await verifyAudit(pool), { ok: true, records: odd.length });
  const [unfit] = await owner`select detail from audit_records where detail ? 'unfit'`;
  t.same(unfit!['detail'].unfit, {
    call_id: 'also not',
    request_id: 'not-a-uuid',
    trace_id: 'short',
    args_digest: 'zz',
    approval_id: 'nor this',
  });
});

t.test('the role that writes can neither change nor remove records', async (t) => {
  const { database, pool } = await fresh();
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  await audit.write(entry());
  await audit.close();
  const gateway = pg.connect(database.gateway);
  for (const statement of [
    "update audit_records set tool = 'other'",
    'delete from audit_records',
    'truncate audit_records',
    'drop table audit_records',
    'delete from audit_head',
    'alter table audit_records disable trigger all',
  ]) {
    await t.rejects(gateway.unsafe(statement), { code: '42501' }, statement);
  }
  t.match(await verifyAudit(pool), { ok: true, records: 1 });
  await pool.close();
});

t.test('while the store is down writes are refused and queued records are kept for later, once', async (t) => {
  const { database, owner, pool: watch } = await fresh();
  const pool = gatewayPool(database.gateway);
  const lost: string[] = [];
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes', onLost: (_, reason) => lost.push(reason) });
  t.teardown(() => watch.close());
  await audit.write(entry({ rows: 0 }));
  await owner`revoke all on audit_records, audit_head from gateway`;
  await t.rejects(audit.write(entry({ rows: 99 })), AuditUnavailable);
  for (let i = 1; i <= 20; i++) await audit.queue(entry({ rows: i }));
  await t.rejects(audit.write(entry({ rows: 98 })), AuditUnavailable);
  t.ok(audit.queued > 0, 'kept');
  await owner`grant select, insert on audit_records to gateway`;
  await owner`grant select, update (seq, hash) on audit_head to gateway`;
  await audit.flush();
  await audit.close();
  await pool.close();
  const rows = await owner<{ rows: number }[]>`select rows from audit_records order by seq`;
  t.same(
    rows.map((row) => row.rows),
    Array.from({ length: 21 }, (_, i) => i),
  );
  t.same(lost, []);
  t.match(await verifyAudit(watch), { ok: true, records: 21 });
});

t.test('a commit whose answer was lost is not stored twice', async (t) => {
  const { database, owner, pool: watch } = await fresh();
  const proxy = await startFlakyProxy(database.gateway);
  const pool = gatewayPool(proxy.url, 1);
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  await audit.write(entry({ rows: 1_000 }));
  for (const [round, statement] of [
    'with moved as',
    'update audit_head set seq',
    'with moved as',
    'commit',
  ].entries()) {
    proxy.loseAnswerTo(statement);
    await Promise.all([0, 1, 2].map((i) => audit.queue(entry({ rows: round * 3 + i }))));
    if (round === 2) await t.rejects(audit.write(entry({ rows: 1_001 })), AuditUnavailable);
    await audit.flush();
  }
  t.ok(proxy.lost >= 2, `${proxy.lost} answers were lost`);
  await audit.close();
  await pool.close();
  await proxy.close();
  const rows = await owner<{ rows: number }[]>`select rows from audit_records where rows < 1000 order by seq`;
  t.same(
    rows.map((row) => row.rows),
    Array.from({ length: 12 }, (_, i) => i),
    'each once, in order',
  );
  t.match(await verifyAudit(watch), { ok: true });
  await watch.close();
});

t.test('connections killed at random lose and double nothing', async (t) => {
  const { database, owner, pool: watch } = await fresh();
  t.teardown(() => watch.close());
  const pool = gatewayPool(database.gateway, 2);
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  // Fewer than what opens the circuit breaker of the pool.
  for (let i = 0; i < 120; i++) {
    await audit.queue(entry({ rows: i }));
    if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (i % 30 === 29) {
      await owner`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway' and datname = ${database.name}`;
    }
  }
  await audit.flush();
  await audit.close();
  await pool.close();
  const rows = await owner<{ rows: number }[]>`select rows from audit_records order by seq`;
  t.same(
    rows.map((row) => row.rows),
    Array.from({ length: 120 }, (_, i) => i),
  );
  t.match(await verifyAudit(watch), { ok: true, records: 120 });
});

t.test('records that the bounded queue cannot hold are counted and named', async (t) => {
  const { owner, pool } = await fresh();
  await owner`revoke all on audit_records from gateway`;
  const lost: [string, string][] = [];
  let counted = 0;
  const audit = createAuditLog({
    pool,
    log: quiet,
    strict: 'writes',
    maxQueued: 10,
    closeTimeoutMs: 200,
    metrics: { stored: () => {}, failed: () => {}, lost: (n) => void (counted += n) },
    onLost: (e, reason) => lost.push([e.callId, reason]),
  });
  const entries = Array.from({ length: 14 }, () => entry());
  for (const e of entries) await audit.queue(e);
  t.same(
    lost,
    entries.slice(10).map((e) => [e.callId, 'queue-full']),
  );
  await t.rejects(audit.write(entry()), AuditUnavailable);
  await audit.close();
  t.equal(lost.length, 14, 'closing reports what could not be stored');
  t.equal(counted, 14);
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(audit.queued, 0, 'and then gives up');
  t.equal(counted, 14);
  await t.rejects(audit.write(entry()), AuditUnavailable, 'closed');
  await pool.close();
});

t.test('under strict "all" a queued record is waited for and refused like a write', async (t) => {
  const { owner, pool } = await fresh();
  const audit = createAuditLog({ pool, log: quiet, strict: 'all' });
  await audit.queue(entry());
  t.equal((await owner`select 1 from audit_records`).length, 1);
  await owner`revoke all on audit_records from gateway`;
  await t.rejects(audit.queue(entry()), AuditUnavailable);
  await audit.close();
  await pool.close();
});

t.test('one record the store refuses does not hold up its batch', async (t) => {
  const { owner, pool } = await fresh();
  await owner`alter table audit_records add constraint no_thirteen check (rows <> 13)`;
  const lost: AuditEntry[] = [];
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes', onLost: (e) => lost.push(e) });
  for (let i = 0; i < 30; i++) await audit.queue(entry({ rows: i }));
  await audit.flush();
  await t.rejects(audit.write(entry({ rows: 13 })), AuditUnavailable);
  await audit.close();
  t.same(
    lost.map((e) => e.rows),
    [13],
  );
  t.match(await verifyAudit(pool), { ok: true, records: 29 });
  await pool.close();
});

t.test('the head is logged, for a copy outside the database', async (t) => {
  const { pool } = await fresh();
  const lines: [string, Record<string, unknown>][] = [];
  const log = {
    info: (message: string, fields: Record<string, unknown>) => void lines.push([message, fields]),
    error: () => {},
  };
  const audit = createAuditLog({ pool, log, strict: 'writes' });
  const head = await audit.write(entry());
  await audit.close();
  t.same(lines, [['audit head', { seq: head.seq, hash: head.hash }]]);
  await pool.close();
});
