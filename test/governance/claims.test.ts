import { randomUUID } from 'node:crypto';
import t from 'tap';
import { type Claim, type Claims, createClaims } from '../../src/governance/claims.ts';
import { DEFAULT_WRITE_LIMITS, type WriteLimits } from '../../src/governance/write-limits.ts';
import { Connections } from '../../src/storage/connections.ts';
import { startPostgres } from '../support/postgres.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const generous: WriteLimits = {
  principal: { calls: 1_000, windowS: 60 },
  target: { calls: 1_000, windowS: 3_600 },
  tool: { calls: 1_000, windowS: 3_600 },
};

async function fresh(limits: WriteLimits, waitMs = 5_000) {
  const database = await pg.database('product');
  const connections = new Connections({ urls: { product: { write: database.write } } });
  const claims = createClaims({ pool: connections.ownTables('product'), database: 'product', limits, waitMs });
  const claim = (parts: Partial<Parameters<Claims['claim']>[0]> = {}) =>
    claims.claim({
      tool: 'trigger_config_push',
      principal: 'issuer|a1',
      key: null,
      argsDigest: A,
      target: 'NV5-000137',
      callId: randomUUID(),
      requestId: randomUUID(),
      ...parts,
    });
  const owner = pg.connect(database.owner);
  const complete = (id: number, response = { pushed: true }) =>
    connections.writer('product').transaction(undefined, (tx) => claims.complete(tx, { id, response }));
  return { claims, claim, complete, connections, owner };
}
const claimed = (claim: Claim): number => {
  if (claim.kind !== 'claimed') throw new Error(`not claimed but ${claim.kind}`);
  return claim.id;
};

t.test('20 simultaneous calls with one key make one claim; the others get its answer', async (t) => {
  const { claim, complete, connections, owner } = await fresh(DEFAULT_WRITE_LIMITS);
  t.teardown(() => connections.close());
  let runs = 0;
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const got = await claim({ key: 'key-00000001' });
      if (got.kind === 'claimed') {
        runs += 1;
        await complete(got.id, { pushed: true });
      }
      return got;
    }),
  );
  t.equal(runs, 1);
  const replays = answers.filter((answer) => answer.kind === 'replay');
  t.equal(replays.length, 19);
  t.match(replays[0], { response: { pushed: true }, firstAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ });
  t.equal((await owner`select 1 from mcp_ops.actuator_calls where counted`).length, 1, 'replays do not count');
});

t.test('a key with other arguments is refused, whether done or running', async (t) => {
  const { claim, complete, connections } = await fresh(generous, 100);
  t.teardown(() => connections.close());
  const id = claimed(await claim({ key: 'key-00000001' }));
  t.match(await claim({ key: 'key-00000001', argsDigest: B }), { kind: 'conflict' });
  await complete(id);
  t.match(await claim({ key: 'key-00000001', argsDigest: B }), { kind: 'conflict' });
  t.match(await claim({ key: 'key-00000001' }), { kind: 'replay' });
});

t.test('keys belong to their principal and tool', async (t) => {
  const { claim, complete, connections } = await fresh(generous);
  t.teardown(() => connections.close());
  await complete(claimed(await claim({ key: 'key-00000001' })));
  t.match(await claim({ key: 'key-00000001', principal: 'issuer|a2' }), { kind: 'claimed' });
  t.match(await claim({ key: 'key-00000001', tool: 'regenerate_config_artifact' }), { kind: 'claimed' });
  const long = 'x'.repeat(300);
  await complete(claimed(await claim({ key: 'key-00000002', principal: `${long}1`, target: long })));
  t.match(
    await claim({ key: 'key-00000002', principal: `${long}2`, target: long }),
    { kind: 'claimed' },
    'long names stay apart',
  );
  t.match(await claim({ key: 'key-00000002', principal: `${long}1`, target: long }), { kind: 'replay' });
});

t.test('calls without a key are each their own', async (t) => {
  const { claim, complete, connections } = await fresh(generous);
  t.teardown(() => connections.close());
  await complete(claimed(await claim()));
  t.match(await claim(), { kind: 'claimed' });
});

t.test('a running key is waited for, up to the limit, and waiting can be ended', async (t) => {
  const { claim, complete, claims, connections } = await fresh(generous, 400);
  t.teardown(() => connections.close());
  const callId = randomUUID();
  const id = claimed(await claim({ key: 'key-00000001', callId }));
  t.same(await claim({ key: 'key-00000001' }), { kind: 'in-progress', callId });
  const leaving = new AbortController();
  const waiting = claim({ key: 'key-00000001', signal: leaving.signal });
  leaving.abort();
  await t.rejects(waiting);
  const other = claim({ key: 'key-00000001' });
  const outcome = claims.outcomeOf(callId);
  await complete(id);
  t.match(await other, { kind: 'replay', callId });
  t.match(await outcome, { kind: 'replay', response: { pushed: true } });
  t.match(await claims.outcomeOf(randomUUID()), { kind: 'none' });
});

t.test('a released key is free again, also for one who waits', async (t) => {
  const { claim, claims, connections, owner } = await fresh(generous);
  t.teardown(() => connections.close());
  const first = claimed(await claim({ key: 'key-00000001' }));
  const waiting = claim({ key: 'key-00000001' });
  await claims.release({ id: first, counted: false });
  const second = claimed(await waiting);
  t.equal((await owner`select 1 from mcp_ops.actuator_calls`).length, 1, 'not counted: no trace');
  await claims.release({ id: second, counted: true });
  const third = claimed(await claim({ key: 'key-00000001', argsDigest: B }));
  t.equal((await owner`select 1 from mcp_ops.actuator_calls`).length, 2, 'counted: kept without its key');
  t.equal(await claims.storeResponse({ id: third, response: { status: 'error', code: 'NOT_FOUND' } }), true);
  await claims.release({ id: third, counted: false });
  t.match(
    await claim({ key: 'key-00000001', argsDigest: B }),
    { kind: 'replay', response: { code: 'NOT_FOUND' } },
    'an answer is not released',
  );
});

t.test('the claim and the effect are done together or not at all', async (t) => {
  const { claim, claims, connections, owner } = await fresh(generous);
  t.teardown(() => connections.close());
  const database = connections.writer('product');
  const rolledBack = claimed(await claim());
  await t.rejects(
    database.transaction(undefined, async (tx) => {
      await claims.complete(tx, { id: rolledBack, response: {} });
      throw new Error('the effect failed');
    }),
    { message: 'the effect failed' },
  );
  t.match(await owner`select state from mcp_ops.actuator_calls where id = ${rolledBack}`, [{ state: 'started' }]);
  const givenUp = claimed(await claim());
  await owner`update mcp_ops.actuator_calls set state = 'failed' where id = ${givenUp}`;
  await t.rejects(
    database.transaction(undefined, (tx) => claims.complete(tx, { id: givenUp, response: {} })),
    { code: 'TIMEOUT' },
  );
  t.equal(await claims.storeResponse({ id: givenUp, response: {} }), false);
  const twice = claimed(await claim());
  await database.transaction(undefined, (tx) => claims.complete(tx, { id: twice, response: {} }));
  await t.rejects(database.transaction(undefined, (tx) => claims.complete(tx, { id: twice, response: {} })));
});

t.test('the final answer replaces that of the effect and survives what PostgreSQL cannot store', async (t) => {
  const { claim, claims, complete, connections } = await fresh(generous);
  t.teardown(() => connections.close());
  const id = claimed(await claim({ key: 'key-00000001' }));
  await complete(id);
  const response = { status: 'success', data: { text: 'a\u0000b\ud800', big: 9007199254740992, tiny: 1e-9 } };
  t.equal(await claims.storeResponse({ id, response }), true);
  t.match(await claim({ key: 'key-00000001' }), {
    response: { data: { text: 'a\ufffdb\ufffd', big: 9007199254740992, tiny: 1e-9 } },
  });
});

t.test('35 parallel calls of one principal: 30 run, 5 are told when to come back', async (t) => {
  const { claim, connections, owner } = await fresh(DEFAULT_WRITE_LIMITS);
  t.teardown(() => connections.close());
  const got = await Promise.all(Array.from({ length: 35 }, (_, i) => claim({ target: `NV5-${i}` })));
  t.equal(got.filter((claim) => claim.kind === 'claimed').length, 30);
  const limited = got.filter((claim) => claim.kind === 'rate-limited');
  t.equal(limited.length, 5);
  for (const hit of limited) t.match(hit, { scope: 'principal', limit: { calls: 30, windowS: 60 } });
  t.ok(limited.every((hit) => hit.retryAfterS > 50 && hit.retryAfterS <= 60));
  t.match(await claim({ principal: 'issuer|a2', target: 'NV5-x' }), { kind: 'claimed' }, 'another principal');
  t.match(await claim({ tool: 'regenerate_config_artifact', target: 'NV5-x' }), { kind: 'claimed' }, 'another tool');
  // The oldest of the 30 leaves the window: one more fits, and only one.
  await owner`update mcp_ops.actuator_calls set started_at = started_at - interval '57 seconds'
    where principal = 'issuer|a1' and tool = 'trigger_config_push'`;
  const [soon] = [await claim({ target: 'NV5-y' })];
  t.match(soon, { kind: 'rate-limited' });
  t.ok(soon.kind === 'rate-limited' && soon.retryAfterS >= 1 && soon.retryAfterS <= 4);
  await owner`update mcp_ops.actuator_calls set started_at = started_at - interval '4 seconds'
    where id = (select min(id) from mcp_ops.actuator_calls where tool = 'trigger_config_push')`;
  t.match(await claim({ target: 'NV5-y' }), { kind: 'claimed' });
  t.match(await claim({ target: 'NV5-z' }), { kind: 'rate-limited' });
});

t.test('6 an hour for a target over all principals, and 600 for a tool', async (t) => {
  const { claim, claims, connections, owner } = await fresh(DEFAULT_WRITE_LIMITS);
  t.teardown(() => connections.close());
  const got = await Promise.all(Array.from({ length: 9 }, (_, i) => claim({ principal: `issuer|${i}` })));
  t.equal(got.filter((claim) => claim.kind === 'claimed').length, 6);
  t.match(
    got.find((claim) => claim.kind === 'rate-limited'),
    { scope: 'target', limit: { calls: 6, windowS: 3_600 } },
  );
  await owner`insert into mcp_ops.actuator_calls (tool, principal, idempotency_key, args_hash, target, state, call_id, started_at, expires_at)
    select 'trigger_config_push', 'p' || i, 'k' || i, ${A}, 't' || i, 'done', gen_random_uuid(), now() - interval '10 minutes', now() + interval '1 day'
    from generate_series(1, 594) i`;
  const over = await claim({ target: 'fresh', principal: 'fresh' });
  t.match(over, { kind: 'rate-limited', scope: 'tool' });
  t.ok(over.kind === 'rate-limited' && Math.abs(over.retryAfterS - 3_000) < 30, 'until the oldest is an hour old');
  t.same(
    (await claims.usedUp({ tool: 'trigger_config_push', principal: 'fresh', target: null })).map((hit) => hit.scope),
    ['tool'],
  );
});

t.test('replays and suppressed duplicates take nothing from the limits', async (t) => {
  const limits = { ...generous, principal: { calls: 2, windowS: 60 } };
  const { claim, claims, complete, connections } = await fresh(limits);
  t.teardown(() => connections.close());
  await complete(claimed(await claim({ key: 'key-00000001' })));
  for (let i = 0; i < 5; i++) t.match(await claim({ key: 'key-00000001' }), { kind: 'replay' });
  const duplicate = claimed(await claim({ key: 'key-00000002' }));
  await claims.storeResponse({ id: duplicate, response: { duplicate: true }, counted: false });
  await complete(claimed(await claim()));
  t.match(await claim(), { kind: 'rate-limited' });
  t.match(await claim({ key: 'key-00000001' }), { kind: 'replay' }, 'a replay is given also when the limit is used up');
  t.match(await claim({ key: 'key-00000002' }), { kind: 'replay' });
});

t.test('a key is kept for 7 days and then free; what is recorded is removed', async (t) => {
  const { claim, claims, complete, connections, owner } = await fresh(generous);
  t.teardown(() => connections.close());
  await complete(claimed(await claim({ key: 'key-00000001' })));
  const [row] =
    await owner`select extract(epoch from expires_at - started_at)::int as life from mcp_ops.actuator_calls`;
  t.equal(row!['life'], 7 * 86_400);
  await owner`update mcp_ops.actuator_calls set expires_at = now()`;
  t.match(await claim({ key: 'key-00000001', argsDigest: B }), { kind: 'claimed' });
  t.equal(await claims.removeExpired(), 0, 'its outcome is not recorded yet');
  await owner`update mcp_ops.actuator_calls set recorded_at = now()`;
  t.equal(await claims.removeExpired(), 1);
});

t.test('with the database gone nothing is claimed', async (t) => {
  const { claim, claims, connections, owner } = await fresh(generous);
  t.teardown(() => connections.close());
  await owner`revoke all on mcp_ops.actuator_calls from mcp_rw`;
  await t.rejects(claim(), { name: 'StorageError' });
  await connections.close();
  await t.rejects(claim(), { name: 'StorageError', kind: 'unavailable' });
  await t.rejects(claims.usedUp({ tool: 'x', principal: 'x', target: null }), { name: 'StorageError' });
});
