import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { createAuditLog } from '../../src/governance/audit/log.ts';
import { verifyAudit } from '../../src/governance/audit/verify.ts';
import { createClaims } from '../../src/governance/claims.ts';
import { type ReconcileOptions, reconcile } from '../../src/governance/reconcile.ts';
import { DEFAULT_WRITE_LIMITS } from '../../src/governance/write-limits.ts';
import { Connections } from '../../src/storage/connections.ts';
import { entry, gatewayPool, quiet } from '../support/governance.ts';
import { startPostgres } from '../support/postgres.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());

async function fresh(t: Pick<Test, 'teardown'>) {
  const [own, product, risk] = await Promise.all([pg.database('gateway'), pg.database('product'), pg.database('risk')]);
  const gateway = gatewayPool(own.gateway);
  const connections = new Connections({ urls: { product: { write: product.write }, risk: { write: risk.write } } });
  const audit = createAuditLog({ pool: gateway, log: quiet, strict: 'writes' });
  t.teardown(async () => {
    await audit.close();
    await gateway.close();
    await connections.close();
  });
  const claims = createClaims({
    pool: connections.ownTables('product'),
    database: 'product',
    limits: {
      ...DEFAULT_WRITE_LIMITS,
      principal: { calls: 1_000, windowS: 60 },
      target: { calls: 1_000, windowS: 60 },
    },
    waitMs: 50,
  });
  const owner = pg.connect(product.owner);
  const log = pg.connect(own.owner);
  const options: ReconcileOptions = {
    stores: (['product', 'risk'] as const).map((database) => ({ database, pool: connections.ownTables(database) })),
    gateway,
    audit,
    staleS: 60,
    keepsIntent: () => true,
  };
  const call = (parts: Partial<Parameters<typeof entry>[0]> = {}) =>
    entry({
      tool: 'trigger_config_push',
      tier: 'T1',
      phase: 'started',
      status: null,
      approvalId: randomUUID(),
      approvers: ['x|alice'],
      ...parts,
    });
  const claim = async (callId: string, key: string | null = null) => {
    const got = await claims.claim({
      tool: 'trigger_config_push',
      principal: 'https://issuer.example|a1',
      key,
      argsDigest: 'a'.repeat(64),
      target: 'NV5-000137',
      callId,
      requestId: randomUUID(),
    });
    if (got.kind !== 'claimed') throw new Error(got.kind);
    return got.id;
  };
  const effect = (id: number, response = {}) =>
    connections.writer('product').transaction(undefined, (tx) => claims.complete(tx, { id, response }));
  /** Lets an hour pass for everything that is there. Only the owner can: the records are then no chain any more. */
  const age = async () => {
    await owner`update mcp_ops.actuator_calls set started_at = started_at - interval '1 hour'`;
    await log`update audit_records set at = at - interval '1 hour'`;
  };
  const reconciled = () =>
    log`select call_id::text as call_id, principal, server, tool, status, code, approval_id is not null as approved, approvers, idempotency_key, detail
      from audit_records where phase = 'reconciled' order by seq`;
  return { options, audit, claims, claim, effect, age, call, reconciled, owner, log, connections, gateway };
}

t.test('ended before the effect: the intent fails, its key is free, the outcome is recorded once', async (t) => {
  const { options, audit, claim, age, call, reconciled, owner } = await fresh(t);
  const started = call({ idempotencyKey: 'key-00000001' });
  await claim(started.callId, 'key-00000001');
  await audit.write(started);
  t.match(await reconcile(options), { failed: 0, done: 0, orphaned: 0 }, 'a young call is left alone');
  await age();
  t.match(await reconcile(options), { failed: 1, done: 0, orphaned: 0, unreachable: [] });
  t.match(await reconciled(), [
    {
      call_id: started.callId,
      principal: 'https://issuer.example|a1',
      server: 'tms',
      status: 'error',
      code: 'INTERNAL',
      approved: true,
      approvers: ['x|alice'],
      idempotency_key: 'key-00000001',
      detail: { kind: 'reconciled', outcome: 'error', effect: 'none', database: 'product' },
    },
  ]);
  t.match(await owner`select state, recorded_at is not null as recorded from mcp_ops.actuator_calls`, [
    { state: 'failed', recorded: true },
  ]);
  t.match(await reconcile(options), { failed: 0, done: 0, orphaned: 0 });
  t.equal((await reconciled()).length, 1);
  t.ok(await claim(randomUUID(), 'key-00000001'));
});

t.test('ended after the effect: it counts as done and its answer is replayed', async (t) => {
  const { options, audit, claims, claim, effect, age, call, reconciled } = await fresh(t);
  const started = call();
  await effect(await claim(started.callId, 'key-00000001'), { pushed: 1 });
  await audit.write(started);
  await age();
  t.match(await reconcile(options), { failed: 0, done: 1 });
  t.match(await reconciled(), [
    { call_id: started.callId, status: 'success', code: null, detail: { effect: 'found', outcome: 'allow' } },
  ]);
  t.match(await claims.outcomeOf(started.callId), { kind: 'replay', response: { pushed: 1 } });
});

t.test('an outcome that was recorded is not recorded again', async (t) => {
  const { options, audit, claims, claim, effect, age, call, reconciled, owner } = await fresh(t);
  const done = call();
  const failed = call();
  const notFound = call();
  await effect(await claim(done.callId));
  await claims.release({ id: await claim(failed.callId), counted: true });
  await claims.storeResponse({ id: await claim(notFound.callId), response: { status: 'error', code: 'NOT_FOUND' } });
  for (const started of [done, failed]) {
    await audit.write(started);
    await audit.write({ ...started, phase: 'completed', status: 'success' });
  }
  await age();
  t.match(await reconcile(options), { failed: 0, done: 1 });
  t.match(await reconciled(), [{ call_id: notFound.callId, status: 'error', code: 'NOT_FOUND', server: '' }]);
  t.equal((await owner`select 1 from mcp_ops.actuator_calls where recorded_at is null`).length, 0);
});

t.test('ended between the claim and its record: the intent alone is enough', async (t) => {
  const { options, claim, age, reconciled } = await fresh(t);
  const callId = randomUUID();
  await claim(callId);
  await age();
  t.match(await reconcile(options), { failed: 1 });
  t.match(await reconciled(), [
    { call_id: callId, principal: 'https://issuer.example|a1', tool: 'trigger_config_push', idempotency_key: null },
  ]);
});

t.test('a started record without an intent is completed, with what can be known of the effect', async (t) => {
  const { options, audit, age, call, reconciled } = await fresh(t);
  const released = call();
  const elsewhere = call({ server: 'neqsim', tool: 'manageSecurity' });
  await audit.write(released);
  await audit.write(elsewhere);
  await age();
  t.match(await reconcile({ ...options, keepsIntent: (server) => server === 'tms' }), {
    failed: 0,
    done: 0,
    orphaned: 2,
  });
  t.match(await reconciled(), [
    { call_id: released.callId, status: 'error', detail: { effect: 'none' } },
    { call_id: elsewhere.callId, status: 'error', detail: { effect: 'unknown' } },
  ]);
  t.match(await reconcile(options), { orphaned: 0 });
});

t.test('an effect still on its way is not given up, and one that is given up cannot come through', async (t) => {
  const { options, claims, claim, age, connections, owner } = await fresh(t);
  const onItsWay = await claim(randomUUID());
  const slow = await claim(randomUUID());
  await age();
  const database = connections.writer('product');
  await database.transaction(undefined, async (tx) => {
    await claims.complete(tx, { id: onItsWay, response: {} });
    t.match(await reconcile(options), { failed: 1 }, 'only the other');
  });
  t.match(await owner`select state from mcp_ops.actuator_calls order by id`, [{ state: 'done' }, { state: 'failed' }]);
  await t.rejects(
    database.transaction(undefined, (tx) => claims.complete(tx, { id: slow, response: {} })),
    { code: 'TIMEOUT' },
  );
  t.match(await reconcile(options), { failed: 0, done: 1 });
});

t.test('several replicas at once record each outcome once, on one chain', async (t) => {
  const { options, audit, claim, effect, age, call, reconciled, gateway, log } = await fresh(t);
  for (let i = 0; i < 130; i++) {
    const started = call();
    const id = await claim(started.callId);
    if (i % 2 === 0) await effect(id);
    if (i % 3 === 0) await audit.write(started);
  }
  for (let i = 0; i < 5; i++) await audit.write(call());
  const [before] = await log`select max(seq)::int as seq from audit_records`;
  await age();
  const all = await Promise.all([1, 2, 3, 4].map(() => reconcile(options)));
  const sum = (key: 'failed' | 'done' | 'orphaned') => all.reduce((total, one) => total + one[key], 0);
  t.same([sum('failed'), sum('done'), sum('orphaned')], [65, 65, 5]);
  const records = await reconciled();
  t.equal(records.length, 135);
  t.equal(new Set(records.map((row) => row['call_id'])).size, 135);
  // The records of before were made older above; from there on the chain holds.
  await log`update audit_records set at = at + interval '1 hour' where seq <= ${before!['seq']}`;
  t.match(await verifyAudit(gateway), { ok: true });
});

t.test('a database that is away is left to the next run, the others are not held up', async (t) => {
  const { options, audit, claim, age, call, reconciled } = await fresh(t);
  const other = new Connections({ urls: { risk: { write: 'postgres://nobody:x@127.0.0.1:1/none' } } });
  t.teardown(() => other.close());
  await claim(randomUUID());
  await audit.write(call());
  await age();
  const away = [options.stores[0]!, { database: 'risk', pool: other.ownTables('risk') }];
  t.match(await reconcile({ ...options, stores: away }), {
    failed: 1,
    orphaned: 0,
    unreachable: [{ database: 'risk', error: { kind: 'unavailable' } }],
  });
  t.equal((await reconciled()).length, 1, 'without its intents an orphan is not told');
  t.match(await reconcile(options), { failed: 0, orphaned: 1 });
});

t.test('while the audit store is away nothing is given up', async (t) => {
  const { options, claim, age, log, owner } = await fresh(t);
  await claim(randomUUID());
  await age();
  await log`revoke insert on audit_records from gateway`;
  t.match(await reconcile(options), { failed: 0, unreachable: [{ database: 'product' }] });
  t.match(await owner`select state, recorded_at from mcp_ops.actuator_calls`, [
    { state: 'started', recorded_at: null },
  ]);
  await log`grant insert on audit_records to gateway`;
  t.match(await reconcile(options), { failed: 1, unreachable: [] });
});
