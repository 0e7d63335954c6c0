import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createApiKey } from '../../src/identity/api-keys.ts';
import type { JsonObject, Principal } from '../../src/kit/index.ts';
import { startApp } from '../support/app.ts';
import { deskServer } from '../support/desk.ts';

const profiles = mkdtempSync(join(tmpdir(), 'penstock-profiles-'));
writeFileSync(join(profiles, 'all.yaml'), 'kind: role\nname: all\ntitle: All\nservers: { desk: { all: true } }\n');
writeFileSync(
  join(profiles, 'desktop.yaml'),
  'kind: deployment\nname: DESKTOP_ENGINEER\ntitle: D\nallow: []\ndescribe: { autoValidation: true, approvalGates: false, auditLogging: true, sessionIsolation: false, rateLimiting: false }\n',
);
const agent: Principal = {
  id: 'agent-1',
  subject: 'agent-1',
  issuer: null,
  client: null,
  human: false,
  onBehalfOf: null,
  roles: ['all'],
  scopes: [],
  via: 'local',
};

t.test('without authentication two local approvers vote on loopback, and every vote is on record', async (t) => {
  const { server } = deskServer();
  const desk = await startApp({ servers: [server], env: { PENSTOCK_PROFILES_DIR: profiles } });
  t.teardown(() => desk.close());
  const ask = async (serial: string) =>
    ((await desk.envelope('desk', 'leave_grave_note', { serial }, { principal: agent }))['data'] as JsonObject)[
      'approval_id'
    ] as string;
  const vote = (id: string, body: object, headers: Record<string, string> = {}) =>
    desk.app.http.inject({
      method: 'POST',
      url: `/api/approvals/${id}`,
      payload: body,
      headers: { host: 'localhost', ...headers },
    });

  const id = await ask('A-1');
  t.match((await vote(id, { decision: 'approve', as: 'local-approver-1' })).json(), {
    status: 'pending',
    approved_by: ['local-approver-1'],
  });
  t.match(
    (await vote(id, { decision: 'approve', as: 'local-approver-1' })).json(),
    { status: 'pending', approved_by: ['local-approver-1'] },
    'the same human twice counts once',
  );
  t.match((await vote(id, { decision: 'approve', as: 'local-approver-2' })).json(), { status: 'approved' });
  t.match(await desk.envelope('desk', 'leave_grave_note', { serial: 'A-1' }, { principal: agent }), {
    status: 'success',
  });

  t.equal((await vote(crypto.randomUUID(), { decision: 'approve', as: 'local-approver-1' })).statusCode, 404);
  t.equal((await vote(id, { decision: 'approve' })).statusCode, 400, 'a vote names its voter');
  t.equal((await vote(id, { decision: 'approve', as: 'root' })).statusCode, 400);
  t.equal((await vote(id, { decision: 'maybe' })).statusCode, 400);
  t.equal((await vote(id, { decision: 'approve', extra: 1 })).statusCode, 400);
  t.equal(
    (await vote(id, { decision: 'approve', as: 'local-approver-1' }, { origin: 'https://evil.test' })).statusCode,
    403,
    'no foreign page votes',
  );
  t.equal(
    (
      await desk.app.http.inject({
        method: 'POST',
        url: `/api/approvals/${id}`,
        remoteAddress: '10.0.0.9',
        headers: { host: 'localhost' },
        payload: { decision: 'approve', as: 'local-approver-1' },
      })
    ).statusCode,
    403,
    'no other machine votes',
  );

  const other = await ask('A-2');
  const scrubbed = await vote(other, {
    decision: 'deny',
    as: 'local-approver-2',
    comment: 'card 4111 1111 1111 1111?',
  });
  t.match(scrubbed.json(), { status: 'denied' });
  const list = await desk.app.http.inject({ url: '/api/approvals?status=denied', headers: { host: 'localhost' } });
  t.match(list.json(), {
    approvals: [{ id: other, tool: 'leave_grave_note', arguments: { serial: 'A-2' }, requested_by: 'agent-1' }],
  });
  const sql = desk.postgres.connect(desk.databases.gateway.owner);
  const kept = await sql<{ principal: string; approval_id: string; detail: JsonObject }[]>`
    select principal, approval_id::text as approval_id, detail from audit_records where phase = 'event' or tool = 'leave_grave_note' and detail ->> 'vote' is not null order by seq`;
  t.ok(kept.filter((record) => record.approval_id === id && record.principal.startsWith('local-approver')).length >= 3);
  t.notOk(JSON.stringify(await sql`select * from approval_votes`).includes('1111 1111'));
});

t.test('with authentication a machine does not vote, whatever its roles, and nobody names themselves', async (t) => {
  const pepper = 'k3J9vQ2mX7pL4sT8wZ1yB6nC5dF0gH2j';
  const { key, hash } = createApiKey(pepper, 'robot');
  const file = join(mkdtempSync(join(tmpdir(), 'penstock-config-')), 'own.yaml');
  writeFileSync(
    file,
    JSON.stringify({ identity: { enabled: true, apiKeys: [{ id: 'robot', hash, roles: ['approver', 'all'] }] } }),
  );
  const { server } = deskServer();
  const desk = await startApp({
    servers: [server],
    env: { PENSTOCK_PROFILES_DIR: profiles, PENSTOCK_CONFIG: file, PENSTOCK_IDENTITY_API_KEY_PEPPER: pepper },
  });
  t.teardown(() => desk.close());
  const id = (
    (await desk.envelope('desk', 'leave_checked_note', { serial: 'B-1' }, { principal: agent }))['data'] as JsonObject
  )['approval_id'] as string;
  const vote = (headers: Record<string, string>, body: object = { decision: 'approve' }) =>
    desk.app.http.inject({
      method: 'POST',
      url: `/api/approvals/${id}`,
      payload: body,
      headers: { host: 'localhost', ...headers },
    });
  t.equal((await vote({})).statusCode, 401);
  t.ok((await vote({})).headers['www-authenticate']);
  t.match((await vote({ authorization: `Bearer ${key}` })).json(), { error: 'not-human' });
  t.equal(
    (await vote({ authorization: `Bearer ${key}` }, { decision: 'approve', as: 'local-approver-1' })).statusCode,
    400,
  );
  t.equal((await desk.app.http.inject({ url: '/api/approvals', headers: { host: 'localhost' } })).statusCode, 401);
});
