import fc from 'fast-check';
import t from 'tap';
import { createClaims } from '../../src/governance/claims.ts';
import { createRateLimiter, type RateLimiterOptions } from '../../src/governance/rate-limit.ts';
import { gatewayPool, productPool } from '../support/governance.ts';
import { startPostgres } from '../support/postgres.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());

function limiter(parts: Partial<RateLimiterOptions> = {}) {
  return createRateLimiter({ reads: { calls: 600, windowS: 60 }, readsWhenStoreDown: 'allow', pool: null, ...parts });
}

t.test('600 reads a minute for each principal and tool, and the wait is told right', async (t) => {
  let now = 1_700_000_000_000;
  const limit = limiter({ clock: () => now });
  const read = (principal = 'a', tool = 'get_terminal') => limit.checkRead(principal, 'tms', tool);
  for (let i = 0; i < 600; i++) {
    t.equal(read().kind, 'allowed');
    now += 50;
  }
  const refused = read();
  t.match(refused, { kind: 'limited', scope: 'read', limit: { calls: 600, windowS: 60 } });
  t.match(read('b'), { kind: 'allowed' }, 'another principal');
  t.match(read('a', 'find_terminals'), { kind: 'allowed' }, 'another tool');
  if (refused.kind !== 'limited') return;
  now += (refused.retryAfterS - 1) * 1_000 - 1;
  t.match(read(), { kind: 'limited' }, 'a second before');
  now += 1_001;
  t.match(read(), { kind: 'allowed' });
});

t.test('never more than the limit in any window, and never refused while there is room', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 300 }), (gaps) => {
      let now = 1_700_000_000_000;
      const limit = limiter({ reads: { calls: 10, windowS: 12 }, clock: () => now });
      const allowed: number[] = [];
      for (const gap of gaps) {
        now += gap;
        // Past a full window and the step it reaches into, nothing counts any more.
        const recent = allowed.filter((at) => at > now - 13_000).length;
        if (limit.checkRead('a', 's', 't').kind === 'allowed') allowed.push(now);
        else if (recent < 10) return false;
        if (allowed.filter((at) => at > now - 12_000).length > 10) return false;
      }
      return true;
    }),
  );
});

t.test('replicas learn each other’s counts', async (t) => {
  const database = await pg.database('gateway');
  const pool = gatewayPool(database.gateway);
  t.teardown(() => pool.close());
  const now = Date.now();
  const replicas = [0, 1, 2].map(() =>
    limiter({ reads: { calls: 100, windowS: 60 }, pool, shareEveryMs: 3_600_000, clock: () => now }),
  );
  for (const replica of replicas)
    for (let i = 0; i < 40; i++) t.equal(replica.checkRead('a', 's', 't').kind, 'allowed');
  for (const replica of replicas) await replica.share();
  for (const replica of replicas) await replica.share();
  for (const replica of replicas) t.match(replica.checkRead('a', 's', 't'), { kind: 'limited' }, '120 reads together');
  t.match(replicas[0]!.checkRead('b', 's', 't'), { kind: 'allowed' });
  const [row] = await pg.connect(database.owner)`select sum(count)::int as total from read_counters`;
  t.equal(row!['total'], 120, 'shared once each');
  for (const replica of replicas) await replica.close();
});

t.test('a reconnecting caller does not get a fresh count from another replica', async (t) => {
  const database = await pg.database('gateway');
  const pool = gatewayPool(database.gateway);
  t.teardown(() => pool.close());
  let now = Date.now();
  const make = () => limiter({ reads: { calls: 20, windowS: 60 }, pool, shareEveryMs: 3_600_000, clock: () => now });
  const old = make();
  for (let i = 0; i < 20; i++) old.checkRead('a', 's', 't');
  await old.share();
  await old.close();
  const restarted = make();
  t.match(restarted.checkRead('a', 's', 't'), { kind: 'allowed' }, 'not known yet');
  await restarted.share();
  t.match(restarted.checkRead('a', 's', 't'), { kind: 'limited' });
  now += 70_000;
  t.match(restarted.checkRead('a', 's', 't'), { kind: 'allowed' });
  await restarted.close();
});

t.test('when counts cannot be shared, reads go on or stop as set', async (t) => {
  const database = await pg.database('gateway');
  const owner = pg.connect(database.owner);
  await owner`revoke all on read_counters from gateway`;
  const pool = gatewayPool(database.gateway);
  t.teardown(() => pool.close());
  const told: string[] = [];
  const open = limiter({ pool, shareEveryMs: 3_600_000, onSharing: (state) => told.push(state) });
  const strict = limiter({ pool, shareEveryMs: 3_600_000, readsWhenStoreDown: 'refuse' });
  for (const limit of [open, strict]) {
    limit.checkRead('a', 's', 't');
    await limit.share();
  }
  t.match(open.checkRead('a', 's', 't'), { kind: 'allowed' });
  t.match(strict.checkRead('a', 's', 't'), { kind: 'unavailable' });
  await owner`grant select, insert, update, delete on read_counters to gateway`;
  for (const limit of [open, strict]) await limit.share();
  t.match(strict.checkRead('a', 's', 't'), { kind: 'allowed' });
  t.same(told, ['failing', 'working']);
  const [row] = await owner`select sum(count)::int as total from read_counters`;
  t.equal(row!['total'], 3, 'what was counted meanwhile is shared afterwards');
  await open.close();
  await strict.close();
});

t.test('memory is bounded: the longest unused key makes room', async (t) => {
  const limit = limiter({ reads: { calls: 2, windowS: 60 }, maxKeys: 100 });
  limit.checkRead('first', 's', 't');
  for (let i = 0; i < 1_000; i++) {
    limit.checkRead(`p${i}`, 's', 't');
    if (i % 10 === 0) limit.checkRead('first', 's', 't');
  }
  t.equal(limit.keys, 100);
  t.match(limit.checkRead('first', 's', 't'), { kind: 'limited' }, 'a busy key is not forgotten');
});

t.test('writes: the exact counts are looked at, a replay is let through, a store that is down refuses', async (t) => {
  const database = await pg.database('product');
  const pool = productPool(database.write);
  const claims = createClaims({
    pool,
    database: 'product',
    limits: {
      principal: { calls: 2, windowS: 60 },
      target: { calls: 99, windowS: 3_600 },
      tool: { calls: 99, windowS: 3_600 },
    },
  });
  const limit = limiter();
  const question = { tool: 'trigger_config_push', principal: 'a', key: null };
  for (const key of ['key-00000001', 'key-00000002']) {
    t.match(await limit.checkWrite(claims, question), { kind: 'allowed' });
    const claim = await claims.claim({
      ...question,
      key,
      argsDigest: 'a'.repeat(64),
      target: key,
      callId: crypto.randomUUID(),
      requestId: null,
    });
    if (claim.kind === 'claimed') await claims.storeResponse({ id: claim.id, response: {} });
  }
  t.match(await limit.checkWrite(claims, question), { kind: 'limited', scope: 'principal', retryAfterS: 60 });
  t.match(await limit.checkWrite(claims, { ...question, key: 'key-00000001' }), { kind: 'allowed' });
  t.match(await limit.checkWrite(claims, { ...question, key: 'key-00000003' }), { kind: 'limited' });
  await pool.close();
  t.match(await limit.checkWrite(claims, question), { kind: 'unavailable' });
});
