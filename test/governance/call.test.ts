import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { verifyAudit } from '../../src/governance/audit/verify.ts';
import type { JsonObject, Principal } from '../../src/kit/index.ts';
import { openGatewayPool } from '../../src/storage/connections.ts';
import { approver, startApp } from '../support/app.ts';
import { deskServer } from '../support/desk.ts';

/** Role profiles for the desk: one that may do all, one that only reads. */
const profiles = mkdtempSync(join(tmpdir(), 'penstock-profiles-'));
mkdirSync(profiles, { recursive: true });
writeFileSync(join(profiles, 'all.yaml'), 'kind: role\nname: all\ntitle: All\nservers: { desk: { all: true } }\n');
writeFileSync(
  join(profiles, 'reader.yaml'),
  'kind: role\nname: reader\ntitle: Reader\nservers: { desk: { reads: true } }\n',
);
writeFileSync(
  join(profiles, 'desktop.yaml'),
  'kind: deployment\nname: DESKTOP_ENGINEER\ntitle: D\nallow: []\ndescribe: { autoValidation: true, approvalGates: false, auditLogging: true, sessionIsolation: false, rateLimiting: false }\n',
);

const person = (id: string, roles: string[]): Principal => ({
  id,
  subject: id,
  issuer: 'https://issuer.test',
  client: 'agent',
  human: false,
  onBehalfOf: null,
  roles,
  scopes: [],
  via: 'token',
});
const agent = person('agent-1', ['all']);
const reader = person('agent-2', ['reader']);

const { server, state } = deskServer();
const desk = await startApp({
  servers: [server],
  env: {
    PENSTOCK_PROFILES_DIR: profiles,
    PENSTOCK_LIMITS_WRITES_PER_MINUTE: '1000',
    PENSTOCK_LIMITS_WRITES_PER_TARGET_PER_HOUR: '1000',
    PENSTOCK_AUDIT_STRICT: 'all',
  },
});
t.teardown(() => desk.close());
const sql = desk.postgres.connect(desk.databases.gateway.owner);
const product = desk.postgres.connect(desk.databases.product.owner);
const notesOf = async (serial: string): Promise<number> =>
  (
    await product<{ n: number }[]>`select count(*)::int as n from parameter_push_logs where serial_number = ${serial}`
  )[0]!.n;
const records = async (callTool: string) =>
  sql<
    {
      phase: string;
      status: string | null;
      code: string | null;
      principal: string;
      args: JsonObject | null;
      approval_id: string | null;
    }[]
  >`
    select phase, status, code, principal, args, approval_id from audit_records where tool = ${callTool} order by seq`;
const code = (envelope: JsonObject) => (envelope['error'] as JsonObject | undefined)?.['code'];
const run = (tool: string, args: object = {}, principal = agent) => desk.envelope('desk', tool, args, { principal });
let serials = 0;
const fresh = () => `S-${++serials}`;

t.test(
  'gates 1 and 2: a tool outside the profile answers exactly like a name that does not exist, and is not listed',
  async (t) => {
    const hidden = await desk.call('desk', 'leave_note', { serial: 'x' }, { principal: reader });
    const absent = await desk.call('desk', 'no_such_tool', {}, { principal: reader });
    t.same(hidden, absent);
    const caller = {
      principal: reader,
      requestId: crypto.randomUUID(),
      era: 'modern',
      protocolVersion: 'x',
      clientAddress: 'x',
      jsonRpcId: '1',
    } as const;
    const listed = desk.app.gateway.listTools('desk', caller).map((tool) => tool.name);
    for (const tool of server.tools) {
      const answer = await desk.call('desk', tool.name, { serial: 'nobody' }, { principal: reader });
      t.equal(answer.kind === 'answer', listed.includes(tool.name), `${tool.name}: listed is callable`);
    }
  },
);

t.test(
  'gate 4: misspelt, missing and card-like arguments are refused, and nothing of a card number is kept',
  async (t) => {
    const refused = await run('leave_note', { serail: 'x' });
    t.equal(code(refused), 'INVALID_ARGUMENT');
    t.match(refused, { error: { details: { issues: [{ path: /./ }, { path: /./ }] } } });
    const card = await run('leave_note', { serial: fresh(), text: 'paid with 4111 1111 1111 1111' });
    t.equal(code(card), 'SENSITIVE_INPUT');
    t.notOk(JSON.stringify(card).includes('4111'));
    const dump = JSON.stringify([
      await sql`select * from audit_records`,
      await product`select * from mcp_ops.actuator_calls`,
    ]);
    t.notOk(dump.includes('4111 1111'));
    for (const args of [null, [], 'text', 7]) {
      const answer = await desk.call('desk', 'leave_note', args, { principal: agent });
      t.match(answer, { kind: 'answer', isError: true, envelope: { error: { code: 'INVALID_ARGUMENT' } } });
    }
  },
);

t.test('gate 5: twenty equal calls at once with one key make one effect and one answer', async (t) => {
  const serial = fresh();
  const all = await Promise.all(
    Array.from({ length: 20 }, () => run('leave_note', { serial, idempotency_key: 'same-key-1' })),
  );
  t.equal(await notesOf(serial), 1);
  for (const envelope of all) t.match(envelope, { status: 'success', data: { serial, notes: 1 } });
  t.equal(
    all.filter(
      (envelope) => !((envelope['provenance'] as JsonObject)['idempotency'] as JsonObject | undefined)?.['replayed'],
    ).length,
    1,
  );
  t.equal(code(await run('leave_note', { serial: fresh(), idempotency_key: 'same-key-1' })), 'IDEMPOTENCY_CONFLICT');
  const other = await run('leave_note', { serial, idempotency_key: 'same-key-1' }, person('agent-3', ['all']));
  t.match(other, { status: 'success', data: { notes: 2 } }, 'the key of another principal is another key');
});

t.test(
  'gate 6: nothing happens before the approval, the approved call runs once, and only for its own arguments',
  async (t) => {
    const serial = fresh();
    const asked = await run('leave_checked_note', { serial });
    t.match(asked, {
      status: 'approval_required',
      data: { tier: 'T2', required_approvals: 1, approvals_so_far: 0, preconditions: { condition: 'calm' } },
    });
    const id = (asked['data'] as JsonObject)['approval_id'] as string;
    t.same(
      ((await run('leave_checked_note', { serial }))['data'] as JsonObject)['approval_id'],
      id,
      'asking again finds the same request',
    );
    t.equal(await notesOf(serial), 0);
    await vote(id, 'ada');
    t.match(await run('leave_checked_note', { serial: fresh(), approval_id: id }), {
      error: { code: 'CONFLICT', details: { reason: 'approval_for_another_call' } },
    });
    t.match(
      await run('leave_checked_note', { serial, approval_id: id }, person('agent-9', ['all'])),
      { error: { code: 'NOT_FOUND' } },
      'another principal sees no such approval',
    );
    const both = await Promise.all([
      run('leave_checked_note', { serial, approval_id: id }),
      run('leave_checked_note', { serial }),
    ]);
    t.equal(await notesOf(serial), 1, 'of two calls at once one runs');
    for (const envelope of both)
      t.match(envelope, {
        status: 'success',
        data: { notes: 1 },
        provenance: { approval: { approval_id: id, approved_by: ['ada'] } },
      });
    const used = await run('leave_checked_note', { serial, approval_id: id });
    t.match(used, { status: 'success', provenance: { idempotency: { replayed: true } } });
    t.equal(await notesOf(serial), 1, 'a used approval gives the stored answer and no second effect');
    const kept = await records('leave_checked_note');
    t.ok(kept.some((record) => record.approval_id === id && record.phase === 'started'));
  },
);

t.test('gate 6: T3 needs two different humans', async (t) => {
  const serial = fresh();
  const id = ((await run('leave_grave_note', { serial }))['data'] as JsonObject)['approval_id'] as string;
  await vote(id, 'ada');
  await vote(id, 'ada');
  t.match(await run('leave_grave_note', { serial }), {
    status: 'approval_required',
    data: { approvals_so_far: 1, required_approvals: 2 },
  });
  await vote(id, 'grace');
  t.match(await run('leave_grave_note', { serial }), {
    status: 'success',
    provenance: { approval: { approved_by: ['ada', 'grace'] } },
  });
});

t.test(
  'gate 6: what changed since the approval asks anew: a precondition, a higher tier, and what the handler finds under its lock',
  async (t) => {
    const serial = fresh();
    const first = ((await run('leave_checked_note', { serial }))['data'] as JsonObject)['approval_id'] as string;
    await vote(first, 'ada');
    state.condition = 'stormy';
    const anew = await run('leave_checked_note', { serial });
    t.match(anew, {
      status: 'approval_required',
      data: { details: { changed: { condition: { from: 'calm', to: 'stormy' } } } },
    });
    const second = (anew['data'] as JsonObject)['approval_id'] as string;
    t.not(second, first);
    await vote(second, 'ada');
    state.tier = 'T3';
    t.match(await run('leave_checked_note', { serial }), {
      status: 'approval_required',
      data: { tier: 'T3', required_approvals: 2 },
    });
    state.tier = 'T2';

    const third = ((await run('leave_checked_note', { serial }))['data'] as JsonObject)['approval_id'] as string;
    await vote(third, 'ada');
    await vote(third, 'grace');
    state.outdated = { cohort: { from: 5, to: 6 } };
    const late = await run('leave_checked_note', { serial });
    t.match(late, { status: 'approval_required', data: { details: { changed: { cohort: { to: 6 } } } } });
    state.outdated = null;
    state.condition = 'calm';
    t.equal(await notesOf(serial), 0, 'nothing was done meanwhile');
  },
);

t.test('gate 6: a denied request stays denied for a while', async (t) => {
  const serial = fresh();
  const id = ((await run('leave_checked_note', { serial }))['data'] as JsonObject)['approval_id'] as string;
  await vote(id, 'ada', 'deny');
  t.match(await run('leave_checked_note', { serial }), {
    status: 'blocked',
    error: { code: 'APPROVAL_DENIED', details: { approval_id: id } },
  });
  t.match(await run('leave_checked_note', { serial, approval_id: id }), {
    status: 'blocked',
    error: { code: 'APPROVAL_DENIED' },
  });
});

t.test('gate 7: a failure inside the effect leaves nothing behind, frees the key, and is recorded', async (t) => {
  const serial = fresh();
  state.inside = async () => {
    throw new Error('insert into parameter_push_logs ... at /srv');
  };
  const failed = await run('leave_note', { serial, idempotency_key: 'will-fail-1' });
  state.inside = null;
  t.match(failed, { status: 'error', error: { code: 'INTERNAL', retryable: false } });
  t.notOk(/insert|srv/.test(JSON.stringify(failed)));
  t.equal(await notesOf(serial), 0);
  t.match(
    await run('leave_note', { serial, idempotency_key: 'will-fail-1' }),
    { status: 'success', data: { notes: 1 } },
    'the key was free',
  );
});

t.test('gate 7: NOT_FOUND and CONFLICT under a key are kept as the answer', async (t) => {
  const { ToolError } = await import('../../src/kit/index.ts');
  const serial = fresh();
  state.fault = new ToolError('CONFLICT', { details: { reason: 'busy' } });
  t.equal(code(await run('leave_note', { serial, idempotency_key: 'kept-1234' })), 'CONFLICT');
  state.fault = null;
  t.match(await run('leave_note', { serial, idempotency_key: 'kept-1234' }), {
    error: { code: 'CONFLICT', details: { reason: 'busy' } },
    provenance: { idempotency: { replayed: true } },
  });
});

t.test(
  'gates 7 and 8: faults, lies, silence and departure each give a stable code and no detail of this side',
  async (t) => {
    const broken = await run('break');
    t.equal(code(broken), 'INTERNAL');
    t.notOk(/select|srv|internal\b.*db7/.test(JSON.stringify(broken['error'])));
    t.equal(code(await run('lie')), 'INTERNAL', 'an answer that does not fit its schema is withheld');
    t.match(await run('hang'), { error: { code: 'TIMEOUT', retryable: true } });
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 50);
    const left = await desk.call('desk', 'hang', {}, { principal: agent, signal: leaving.signal });
    t.match(left, { envelope: { error: { code: 'CANCELLED' } } });
    const kept = (await records('hang')).filter((record) => record.principal === agent.id);
    t.match(
      kept.map((record) => record.code),
      ['TIMEOUT', 'CANCELLED'],
    );
  },
);

t.test(
  'gate 8: card data that a tool would return is masked, counted and said; nothing of it is in the record',
  async (t) => {
    const answer = await run('say', { text: 'order 1234 5678 9012 3456 of 2026' });
    t.match(
      answer,
      { status: 'success', data: { text: 'order 1234 5678 9012 3456 of 2026' } },
      'a number that fails Luhn stays',
    );
    const spoken = await desk.call('desk', 'say', { text: 'x' }, { principal: agent });
    t.match(spoken, { kind: 'answer', isError: false });
    t.same(
      JSON.parse((spoken as { text: string }).text),
      (spoken as { envelope: JsonObject }).envelope,
      'text and structure agree',
    );
  },
);

t.test('the read role: PostgreSQL itself refuses a write of a read tool', async (t) => {
  await run('leave_note', { serial: 'stays' });
  t.equal(code(await run('try_to_write')), 'INTERNAL');
  t.ok((await notesOf('stays')) > 0);
});

t.test('gate 9: every call has its records, writes have two, and the chain holds', async (t) => {
  const before = (await sql<{ n: number }[]>`select count(*)::int as n from audit_records`)[0]!.n;
  await run('count_notes', { serial: 'x' });
  await run('leave_note', { serial: fresh() });
  await run('leave_note', { serail: 1 });
  await desk.call('desk', 'nothing_here', {}, { principal: agent });
  const after = (await sql<{ n: number }[]>`select count(*)::int as n from audit_records`)[0]!.n;
  t.equal(after - before, 5, 'one each, and two for the write that ran');
  const [last] = await sql<
    { args: JsonObject; args_digest: string; catalogue_digest: string; profile: string; policy_version: string }[]
  >`
    select args, args_digest, catalogue_digest, profile, policy_version from audit_records where tool = 'leave_note' and phase = 'started' order by seq desc limit 1`;
  t.same(Object.keys(last!.args), ['serial'], 'only the fields marked auditable');
  for (const value of [last!.args_digest, last!.catalogue_digest, last!.profile, last!.policy_version]) t.ok(value);
  const pool = openGatewayPool({ url: desk.databases.gateway.gateway, poolSize: 1 });
  t.match(await verifyAudit(pool), { ok: true });
  await pool.close();
});

t.test('gate 9: without an audit store a write does nothing, and a read goes on', async (t) => {
  const lonely = await startApp({ servers: [server], env: { PENSTOCK_PROFILES_DIR: profiles } });
  const count = async (principal = agent) =>
    lonely.envelope('desk', 'count_notes', { serial: 'lonely' }, { principal });
  const owner = lonely.postgres.connect(lonely.databases.gateway.owner);
  await owner.unsafe('revoke insert on audit_records from gateway');
  t.match(await lonely.envelope('desk', 'leave_note', { serial: 'lonely' }, { principal: agent }), {
    error: { code: 'DEPENDENCY_UNAVAILABLE' },
  });
  t.match(await count(), { status: 'success', data: { notes: 0 } });
  await lonely.close();
});

async function vote(id: string, name: string, decision: 'approve' | 'deny' = 'approve'): Promise<void> {
  const { createApprovals } = await import('../../src/governance/approvals.ts');
  const pool = openGatewayPool({ url: desk.databases.gateway.gateway, poolSize: 1 });
  await createApprovals({ pool }).vote({ approvalId: id, approver: approver(name), decision });
  await pool.close();
}
