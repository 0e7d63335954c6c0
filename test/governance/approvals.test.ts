import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import {
  type ApprovalRequest,
  type Approvals,
  createApprovals,
  type RequestResult,
} from '../../src/governance/approvals.ts';
import type { Principal } from '../../src/kit/principal.ts';
import { gatewayPool, machine, person } from '../support/governance.ts';
import { startPostgres } from '../support/postgres.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const MINUTE = 60_000;
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const requester = machine('a1');
const one = person('alice');
const two = person('bob');

async function fresh(t: Pick<Test, 'teardown'>) {
  const database = await pg.database('gateway');
  const pool = gatewayPool(database.gateway, 8);
  t.teardown(() => pool.close());
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const approvals = createApprovals({ pool, clock: () => new Date(now) });
  const request = (parts: Partial<ApprovalRequest> = {}) =>
    approvals.request({
      principal: requester,
      server: 'tms',
      tool: 'send_mqtt_command',
      tier: 'T2',
      argsDigest: A,
      args: { serial_number: 'NV5-000137' },
      policyVersion: 'p1',
      summary: 'Reboot NV5-000137',
      preconditions: { version: '1.2' },
      reason: 'hangs',
      ...parts,
    });
  const consume = (approvalId: string, parts: Partial<Parameters<Approvals['consume']>[0]> = {}) =>
    approvals.consume({
      approvalId,
      callId: randomUUID(),
      principal: requester,
      server: 'tms',
      tool: 'send_mqtt_command',
      argsDigest: A,
      policyVersion: 'p1',
      required: 1,
      ...parts,
    });
  const vote = (approvalId: string, approver: Principal, decision: 'approve' | 'deny' = 'approve') =>
    approvals.vote({ approvalId, approver, decision, comment: 'seen' });
  const pass = (ms: number) => {
    now += ms;
  };
  return { approvals, request, consume, vote, pass, owner: pg.connect(database.owner) };
}
function opened(result: RequestResult) {
  if (result.kind !== 'open') throw new Error(`not open but ${result.kind}`);
  return result.approval;
}

t.test('T2: asked, approved by one human, consumed once', async (t) => {
  const { request, consume, vote, approvals } = await fresh(t);
  const approval = opened(await request());
  t.match(approval, {
    id: /^[0-9a-f-]{36}$/,
    status: 'pending',
    required: 1,
    tier: 'T2',
    args: { serial_number: 'NV5-000137' },
    preconditions: { version: '1.2' },
    expiresAt: '2026-03-01T12:30:00.000Z',
  });
  t.match(await consume(approval.id), { kind: 'not-approved' });
  t.match(await vote(approval.id, one), {
    kind: 'recorded',
    counted: true,
    approval: { status: 'approved', approvedBy: [one.id] },
  });
  t.match(await request(), { kind: 'open', created: false, approval: { id: approval.id, status: 'approved' } });
  const callId = randomUUID();
  t.match(await consume(approval.id, { callId }), {
    kind: 'consumed',
    approval: { approvedBy: [one.id], consumedByCall: callId },
  });
  t.match(await consume(approval.id), { kind: 'already', callId });
  t.match(await approvals.get(approval.id, requester), {
    status: 'consumed',
    votes: [{ approver: one.id, decision: 'approve', comment: 'seen' }],
  });
});

t.test('T3 takes two different humans; the same human twice counts once', async (t) => {
  const { request, consume, vote } = await fresh(t);
  const { id } = opened(await request({ tier: 'T3' }));
  t.match(await vote(id, one), { kind: 'recorded', counted: true, approval: { status: 'pending' } });
  t.match(await vote(id, one), { kind: 'recorded', counted: false, approval: { status: 'pending' } });
  t.match(await vote(id, { ...one, client: 'phone' }), { counted: false }, 'through another client');
  t.match(await vote(id, { ...one, id: one.id.toUpperCase(), subject: 'ALICE' }), { counted: false }, 'in capitals');
  t.match(await consume(id, { required: 2 }), { kind: 'not-approved' });
  t.match(await vote(id, two), {
    kind: 'recorded',
    counted: true,
    approval: { status: 'approved', approvedBy: { length: 2 } },
  });
  t.match(await consume(id, { required: 2 }), { kind: 'consumed' });
});

t.test('who may vote', async (t) => {
  const { request, vote } = await fresh(t);
  const human = person('carol', { roles: ['operator', 'approver'] });
  const own = opened(await request({ principal: human })).id;
  t.match(await vote(own, human), { kind: 'refused', reason: 'own-request' });
  t.match(await vote(own, { ...human, client: 'other', roles: ['approver'] }), { reason: 'own-request' });
  t.match(await vote(own, { ...human, id: `${human.id}`.toUpperCase(), subject: 'CAROL' }), { reason: 'own-request' });
  const byId = machine('a2', { onBehalfOf: 'https://issuer.example|dave' });
  const bySubject = machine('a3', { onBehalfOf: 'dave' });
  for (const principal of [byId, bySubject]) {
    const { id } = opened(await request({ principal }));
    t.match(await vote(id, person('dave')), { kind: 'refused', reason: 'acts-for-approver' });
    t.match(await vote(id, person('dave'), 'deny'), { reason: 'acts-for-approver' });
    t.match(await vote(id, one), { kind: 'recorded' });
  }
  const { id } = opened(await request());
  t.match(await vote(id, machine('a9', { roles: ['approver'] })), {
    kind: 'refused',
    reason: 'not-human',
    approval: null,
  });
  t.match(await vote(id, person('eve', { onBehalfOf: 'alice' })), { reason: 'not-human' });
  t.match(await vote(id, person('eve', { roles: ['operator'] })), { reason: 'not-approver', approval: null });
  t.match(
    await vote(randomUUID(), person('eve', { roles: [] })),
    { reason: 'not-approver' },
    'and learns nothing about ids',
  );
  t.match(await vote(randomUUID(), one), { reason: 'unknown' });
  t.match(await vote("' or true --", one), { reason: 'unknown' });
});

t.test('a refused vote changes nothing', async (t) => {
  const { request, vote, owner } = await fresh(t);
  const { id } = opened(await request());
  await vote(id, machine('a9', { roles: ['approver'] }));
  await vote(id, person('eve', { roles: [] }));
  t.equal((await owner`select 1 from approval_votes`).length, 0);
  t.match(await owner`select status from approvals`, [{ status: 'pending' }]);
});

t.test('the same call asked again finds the open request; another call, principal or tool does not', async (t) => {
  const { request } = await fresh(t);
  const first = opened(await request());
  t.match(await request({ reason: 'again' }), { created: false, approval: { id: first.id } });
  const many = await Promise.all(Array.from({ length: 10 }, () => request({ argsDigest: B })));
  t.equal(new Set(many.map((result) => opened(result).id)).size, 1, 'also when asked ten times at once');
  t.not(opened(many[0]!).id, first.id);
  t.not(opened(await request({ principal: machine('a2') })).id, first.id);
  t.not(opened(await request({ tool: 'deploy_app_package' })).id, first.id);
});

t.test('validity: 30 minutes for T2, 60 for T3, from the request', async (t) => {
  const { request, consume, vote, pass, approvals } = await fresh(t);
  const t2 = opened(await request()).id;
  const t3 = opened(await request({ tier: 'T3', argsDigest: B })).id;
  await vote(t2, one);
  pass(30 * MINUTE - 1);
  t.match(await approvals.get(t2), { status: 'approved' });
  pass(1);
  t.match(await consume(t2), { kind: 'expired' });
  t.match(await vote(t2, two), { kind: 'refused', reason: 'expired' });
  t.match(await vote(t3, one), { kind: 'recorded' });
  pass(30 * MINUTE);
  t.match(await vote(t3, two), { kind: 'refused', reason: 'expired' });
  const again = opened(await request());
  t.not(again.id, t2);
  t.match(again, { status: 'pending', approvedBy: { length: 0 } });
  t.match(await consume(t2), { kind: 'expired' }, 'also when its row says so');
});

t.test('a denial closes the request and the same call waits 15 minutes', async (t) => {
  const { request, consume, vote, pass } = await fresh(t);
  const { id } = opened(await request({ tier: 'T3' }));
  await vote(id, one);
  t.match(await vote(id, two, 'deny'), { kind: 'recorded', approval: { status: 'denied', deniedBy: two.id } });
  t.match(await vote(id, person('carol')), { kind: 'refused', reason: 'already-denied' });
  t.match(await consume(id), { kind: 'denied', retryAfterS: 900 });
  pass(5 * MINUTE);
  t.match(await request({ tier: 'T3' }), { kind: 'denied', approval: { id }, retryAfterS: 600 });
  t.match(await request({ tier: 'T3', policyVersion: 'p2' }), { kind: 'denied' }, 'a new policy does not lift it');
  t.match(await request({ argsDigest: B }), { kind: 'open' }, 'another call is not held up');
  pass(10 * MINUTE - 1);
  t.match(await request({ tier: 'T3' }), { kind: 'denied', retryAfterS: 1 });
  pass(1);
  t.match(await request({ tier: 'T3' }), { kind: 'open', created: true });
});

t.test('an approval that was not used yet can still be denied, also by who gave it', async (t) => {
  const { request, consume, vote } = await fresh(t);
  const { id } = opened(await request());
  await vote(id, one);
  t.match(await vote(id, two), { kind: 'refused', reason: 'already-approved' });
  t.match(await vote(id, one), { kind: 'recorded', counted: false });
  t.match(await vote(id, one, 'deny'), { kind: 'recorded', approval: { status: 'denied', deniedBy: one.id } });
  t.match(await consume(id), { kind: 'denied' });
  const used = opened(await request({ argsDigest: B })).id;
  await vote(used, one);
  await consume(used, { argsDigest: B });
  t.match(await vote(used, two, 'deny'), { kind: 'refused', reason: 'already-used' });
});

t.test('a grant fits exactly one call', async (t) => {
  const { request, consume, vote, approvals } = await fresh(t);
  const { id } = opened(await request());
  await vote(id, one);
  t.match(await consume(id, { argsDigest: B }), { kind: 'mismatch', fields: ['arguments'] });
  t.match(await consume(id, { tool: 'deploy_app_package' }), { kind: 'mismatch', fields: ['tool'] });
  t.match(await consume(id, { server: 'risk' }), { kind: 'mismatch', fields: ['server'] });
  t.match(await consume(id, { policyVersion: 'p2' }), { kind: 'mismatch', fields: ['policy'] });
  t.match(await consume(id, { required: 2 }), { kind: 'mismatch', fields: ['tier'] });
  t.same(await consume(id, { principal: machine('a2') }), { kind: 'unknown' }, 'another principal learns nothing');
  t.equal(await approvals.get(id, machine('a2')), null);
  t.same(await consume(randomUUID()), { kind: 'unknown' });
  t.same(await consume('not an id'), { kind: 'unknown' });
  t.match(await consume(id), { kind: 'consumed' });
});

t.test('two simultaneous consumptions: one runs, the others learn which', async (t) => {
  const { request, consume, vote } = await fresh(t);
  for (let round = 0; round < 5; round++) {
    const argsDigest = String(round).repeat(64);
    const { id } = opened(await request({ argsDigest }));
    await vote(id, one);
    const calls = Array.from({ length: 6 }, () => randomUUID());
    const results = await Promise.all(calls.map((callId) => consume(id, { callId, argsDigest })));
    const winners = calls.filter((_, i) => results[i]!.kind === 'consumed');
    t.equal(winners.length, 1);
    for (const result of results)
      if (result.kind !== 'consumed') t.match(result, { kind: 'already', callId: winners[0] });
  }
});

t.test('two approvers at once give one approval by two humans', async (t) => {
  const { request, vote, approvals } = await fresh(t);
  const { id } = opened(await request({ tier: 'T3' }));
  await Promise.all([vote(id, one), vote(id, two), vote(id, one), vote(id, two)]);
  t.match(await approvals.get(id), { status: 'approved', votes: { length: 2 } });
});

t.test('a denial and a consumption at once: one of them wins, never both', async (t) => {
  const { request, consume, vote, approvals } = await fresh(t);
  for (let round = 0; round < 8; round++) {
    const argsDigest = String(round).repeat(64);
    const { id } = opened(await request({ argsDigest }));
    await vote(id, one);
    const [used, denied] = await Promise.all([consume(id, { argsDigest }), vote(id, two, 'deny')]);
    t.equal(used.kind === 'consumed', denied.kind === 'refused');
    t.match(await approvals.get(id), { status: used.kind === 'consumed' ? 'consumed' : 'denied' });
  }
});

t.test('what changed since the approver looked voids the request', async (t) => {
  const { request, consume, vote } = await fresh(t);
  const first = opened(await request());
  await vote(first.id, one);
  const moved = await request({ preconditions: { version: '1.3' } });
  t.match(moved, {
    created: true,
    approval: { status: 'pending', preconditions: { version: '1.3' } },
    superseded: { approval: { id: first.id }, changed: { version: { from: '1.2', to: '1.3' } } },
  });
  t.match(await consume(first.id), { kind: 'mismatch', fields: ['superseded'] });
  t.match(await vote(first.id, two), { kind: 'refused', reason: 'superseded' });
  const raised = await request({ preconditions: { version: '1.3' }, tier: 'T3' });
  t.match(raised, {
    created: true,
    approval: { required: 2 },
    superseded: { changed: { tier: { from: 'T2', to: 'T3' } } },
  });
  const policy = await request({ preconditions: { version: '1.3' }, tier: 'T3', policyVersion: 'p2' });
  t.match(policy, { created: true, superseded: { changed: { policy_version: { from: 'p1', to: 'p2' } } } });
  t.match(
    await request({ preconditions: { version: '1.3' }, tier: 'T2', policyVersion: 'p2' }),
    { created: false, approval: { required: 2 } },
    'a tier that fell needs no new request, and keeps what it needed',
  );
});

t.test('only binding preconditions void a request', async (t) => {
  const { request } = await fresh(t);
  const binding = ['version'];
  const first = opened(await request({ binding, preconditions: { version: '1.2', last_contact: 'now' } }));
  t.match(await request({ binding, preconditions: { version: '1.2', last_contact: 'later' } }), {
    created: false,
    approval: { id: first.id },
  });
  t.match(await request({ binding, preconditions: { version: '1.3', last_contact: 'later' } }), { created: true });
});

t.test(
  'the same call a moment after its use is pointed to that use, later or when asked for it is a new request',
  async (t) => {
    const { request, consume, vote, pass } = await fresh(t);
    const { id } = opened(await request());
    await vote(id, one);
    const callId = randomUUID();
    await consume(id, { callId });
    pass(9_000);
    t.match(await request(), { kind: 'just-used', callId });
    t.match(await request({ afterUse: true }), { kind: 'open', created: true });
    const other = opened(await request({ argsDigest: B })).id;
    await vote(other, one);
    await consume(other, { argsDigest: B });
    pass(10_000);
    t.match(await request({ argsDigest: B }), { kind: 'open', created: true });
  },
);

t.test('a status written past the votes lets nothing run', async (t) => {
  const { request, consume, vote, owner } = await fresh(t);
  const { id } = opened(await request({ tier: 'T3' }));
  await vote(id, one);
  await owner`update approvals set status = 'approved' where id = ${id}`;
  t.match(await consume(id, { required: 2 }), { kind: 'not-approved' });
});

t.test('tools without tier need a number of humans, and tiers without approval are refused', async (t) => {
  const { request } = await fresh(t);
  t.match(await request({ tier: 'read', required: 1 }), { kind: 'open', approval: { required: 1, tier: 'read' } });
  await t.rejects(request({ tier: 'T1' }), TypeError);
});

t.test('lists for approvers: newest first, filtered, paged without gaps', async (t) => {
  const { request, vote, pass, approvals } = await fresh(t);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift(opened(await request({ argsDigest: String(i).repeat(64), server: i === 4 ? 'risk' : 'tms' })).id);
    if (i % 2 === 0) pass(1);
  }
  await vote(ids[2]!, one);
  const all = await approvals.list();
  t.same(new Set(all.map((a) => a.id)), new Set(ids));
  const first = await approvals.list({ limit: 2 });
  const second = await approvals.list({ limit: 2, before: first[1]!.id });
  const third = await approvals.list({ limit: 2, before: second[1]!.id });
  t.same(
    [...first, ...second, ...third].map((a) => a.id),
    all.map((a) => a.id),
  );
  t.same(
    (await approvals.list({ status: 'approved' })).map((a) => a.id),
    [ids[2]],
  );
  t.same(
    (await approvals.list({ server: 'risk' })).map((a) => a.id),
    [ids[0]],
  );
  pass(31 * MINUTE);
  t.equal((await approvals.list({ status: 'pending' })).length, 0);
  t.equal((await approvals.list({ status: 'expired' })).length, 5);
});

t.test('without a given clock the database tells the time', async (t) => {
  const database = await pg.database('gateway');
  const pool = gatewayPool(database.gateway);
  t.teardown(() => pool.close());
  const approvals = createApprovals({ pool });
  const asked = opened(
    await approvals.request({
      principal: requester,
      server: 'tms',
      tool: 'send_mqtt_command',
      tier: 'T2',
      argsDigest: A,
      args: { text: 'a\u0000b' },
      policyVersion: 'p1',
      summary: 'x\u0000',
      preconditions: {},
      reason: null,
    }),
  );
  t.equal(Date.parse(asked.expiresAt) - Date.parse(asked.requestedAt), 30 * MINUTE);
  t.same([asked.args, asked.summary], [{ text: 'a\ufffdb' }, 'x\ufffd']);
});
