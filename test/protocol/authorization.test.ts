import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import t from 'tap';
import { createApiKey } from '../../src/identity/api-keys.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { TOKEN_DEFAULTS } from '../../src/identity/settings.ts';
import { freePort, legacy, META, modern, modernHeaders, send, startHttp } from '../support/http-gateway.ts';
import { signToken, startIssuer } from '../support/issuer.ts';
import { face, memoryGateway, tool } from '../support/memory-gateway.ts';

/** The gateway as a resource server of a real authorization server, each mounted server a resource of its own. */
const SECRET = 'b8f1c0e7d2a94365817f0c3e6d5a9b24';
const MOUNTS = ['tms', 'risk', 'open'] as const;
const issuer = await startIssuer(['tms:use', 'tms:write', 'risk:use']);
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const apiKey = createApiKey(SECRET, 'batch');
const keyRoles: string[] = ['A2'];
const gateway = memoryGateway([
  {
    face: face('tms'),
    tools: [
      tool('read'),
      tool('push', undefined, { scopes: ['tms:use', 'tms:write'] }),
      tool('for_a2', undefined, { visibleTo: (p) => p.roles.includes('A2'), scopes: ['secret:scope'] }),
    ],
  },
  { face: face('risk'), tools: [tool('read')] },
  { face: face('open'), tools: [tool('read')] },
]);
const served = await startHttp(gateway, {
  port,
  publicUrl: origin,
  identity: createIdentity({
    mode: 'required',
    publicUrl: origin,
    tokens: { ...TOKEN_DEFAULTS, issuer: issuer.issuer },
    apiKeys: {
      secret: SECRET,
      find: (id) =>
        id === 'batch'
          ? { id, hash: apiKey.hash, roles: keyRoles, scopes: [], servers: ['open'], expiresAt: null }
          : null,
    },
    scopes: { tms: ['tms:use'], risk: ['risk:use'] },
  }),
});
t.teardown(async () => {
  await served.close();
  await issuer.close();
});
t.beforeEach(() => {
  gateway.calls.length = 0;
  gateway.refusals.length = 0;
});
const resource = (server: string) => `${origin}/mcp/${server}`;
const read = (server: string, headers: Record<string, string | string[] | null>) =>
  modern(resource(server), 'tools/call', { name: 'read' }, { headers });
const challengeOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['www-authenticate'] ?? '');

t.test('tokens of the issuer are served; a robot and a person are told apart', async (t) => {
  const robot = await issuer.clientToken(resource('tms'), 'tms:use');
  t.equal((await read('tms', { authorization: `Bearer ${robot}` })).status, 200);
  t.match(gateway.calls.at(-1)?.caller.principal, {
    subject: 'robot',
    client: 'robot',
    human: false,
    roles: ['A1'],
    scopes: ['tms:use'],
    via: 'token',
  });
  const person = await issuer.userToken(resource('tms'), 'amina', 'tms:use');
  t.equal((await read('tms', { authorization: `bearer ${person}` })).status, 200);
  t.match(gateway.calls.at(-1)?.caller.principal, {
    id: `${issuer.issuer}|amina`,
    client: 'desk',
    human: true,
    roles: ['operator', 'approver'],
  });
  t.equal(
    (await legacy(resource('tms'), 'tools/list', undefined, { headers: { authorization: `Bearer ${robot}` } })).status,
    200,
  );
});

t.test('every refusal of every server carries a challenge whose address leads to its metadata', async (t) => {
  for (const server of MOUNTS) {
    const good = await issuer.clientToken(resource(server));
    const now = Math.floor(Date.now() / 1000);
    const old = await signToken(issuer.key, {
      iss: issuer.issuer,
      aud: resource(server),
      sub: 'robot',
      client_id: 'robot',
      exp: now - 120,
    });
    const elsewhere = await issuer.clientToken(resource(server === 'tms' ? 'risk' : 'tms'));
    const paths: [name: string, headers: Record<string, string | string[]>, error: string | null][] = [
      ['none', {}, null],
      ['empty', { authorization: '' }, null],
      ['blank', { authorization: ' ' }, null],
      ['basic', { authorization: 'Basic cm9ib3Q6eA==' }, null],
      ['bare token', { authorization: good }, null],
      ['no token', { authorization: 'Bearer' }, 'invalid_token'],
      ['garbage', { authorization: 'Bearer abc' }, 'invalid_token'],
      ['two tokens', { authorization: `Bearer ${good} ${good}` }, 'invalid_token'],
      ['two headers', { authorization: [`Bearer ${good}`, `Bearer ${good}`] }, 'invalid_token'],
      ['list', { authorization: `Bearer ${good}, Bearer ${good}` }, 'invalid_token'],
      ['expired', { authorization: `Bearer ${old}` }, 'invalid_token'],
      ['other server', { authorization: `Bearer ${elsewhere}` }, 'invalid_token'],
    ];
    for (const [name, headers, error] of paths) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer =
          method === 'POST' ? await read(server, headers) : await send(resource(server), { method, headers });
        t.equal(answer.status, 401, `${server} ${name} ${method}`);
        const challenge = challengeOf(answer);
        t.match(challenge, /^Bearer /);
        t.equal(/ error="([^"]*)"/.exec(challenge)?.[1] ?? null, error, `${server} ${name}: ${challenge}`);
        const address = /resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? '';
        const document = await (await fetch(address)).json();
        t.match(document, { resource: resource(server), authorization_servers: [issuer.issuer] });
        t.equal(JSON.parse(answer.text).error, error ?? 'unauthorized');
      }
    }
  }
  t.equal(gateway.calls.length, 0);
  t.equal(gateway.refusals.length, MOUNTS.length * 12 * 3, 'each refusal is recorded');
  t.ok(gateway.refusals.every((r) => r.stage === 'authentication' && MOUNTS.some((name) => name === r.server)));
});

t.test('the metadata of each server, exactly', async (t) => {
  const document = async (server: string) =>
    JSON.parse((await send(`${origin}/.well-known/oauth-protected-resource/mcp/${server}`)).text);
  t.same(await document('tms'), {
    resource: resource('tms'),
    authorization_servers: [issuer.issuer],
    scopes_supported: ['tms:use'],
    bearer_methods_supported: ['header'],
    resource_name: 'Server tms',
  });
  t.same((await document('open')).scopes_supported, []);
  t.equal((await send(`${origin}/.well-known/oauth-protected-resource/mcp/nowhere`)).status, 404);
  t.equal((await send(`${origin}/.well-known/oauth-protected-resource`)).status, 404);
});

t.test('a token in a query, a body, a cookie or another header is not read', async (t) => {
  const token = await issuer.clientToken(resource('tms'));
  const body = (more: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', _meta: META }, ...more });
  const post = (path: string, headers: Record<string, string>, text: string) =>
    send(origin + path, {
      method: 'POST',
      headers: { ...modernHeaders('tools/call', 'read'), ...headers },
      body: text,
    });
  for (const answer of [
    await post(`/mcp/tms?access_token=${token}`, {}, body({})),
    await post('/mcp/tms', {}, body({ access_token: token })),
    await post('/mcp/tms', { cookie: `access_token=${token}; authorization=Bearer ${token}` }, body({})),
    await post('/mcp/tms', { 'x-api-key': token, 'proxy-authorization': `Bearer ${token}` }, body({})),
    await post('/mcp/tms', { 'content-type': 'application/x-www-form-urlencoded' }, `access_token=${token}`),
  ]) {
    t.equal(answer.status, 401);
    t.notMatch(challengeOf(answer), / error=/);
    t.notOk(answer.text.includes(token));
  }
});

t.test('too little scope is one challenge with all that the call takes, and following it suffices', async (t) => {
  const poor = await issuer.clientToken(resource('tms'), 'tms:use');
  const push = (token: string, ask = modern) =>
    ask(resource('tms'), 'tools/call', { name: 'push' }, { headers: { authorization: `Bearer ${token}` } });
  for (const ask of [modern, legacy] as const) {
    const refused = await push(poor, ask as typeof modern);
    t.equal(refused.status, 403);
    t.match(challengeOf(refused), /^Bearer error="insufficient_scope"/);
    t.match(challengeOf(refused), / scope="tms:use tms:write"/);
    t.match(challengeOf(refused), /resource_metadata="/);
    t.notMatch(refused.text + challengeOf(refused), /push|read|secret:scope/);
    t.match(gateway.refusals.at(-1), { reason: 'insufficient_scope', tool: 'push', principal: { subject: 'robot' } });
  }
  const wanted = /scope="([^"]*)"/.exec(challengeOf(await push(poor)))?.[1] ?? '';
  t.equal(
    (await push(await issuer.clientToken(resource('tms'), wanted))).rpc.result.structuredContent.status,
    'success',
  );
  const none = await read('risk', { authorization: `Bearer ${await issuer.clientToken(resource('risk'), '')}` });
  t.equal(none.status, 403);
  t.match(challengeOf(none), / scope="risk:use"/);
  const hidden = await modern(
    resource('tms'),
    'tools/call',
    { name: 'for_a2' },
    { headers: { authorization: `Bearer ${poor}` } },
  );
  t.same(
    hidden.rpc.error,
    { code: -32602, message: 'Unknown tool: for_a2' },
    'outside the profile no scope is asked for',
  );
});

t.test('what a client says about itself changes nothing', async (t) => {
  const token = await issuer.clientToken(resource('tms'), 'tms:use');
  const list = async (headers: Record<string, string>, params: Record<string, unknown> = {}) =>
    (await modern(resource('tms'), 'tools/list', params, { headers: { authorization: `Bearer ${token}`, ...headers } }))
      .rpc.result.tools;
  const plain = await list({});
  const forged = await list(
    {
      'x-user': 'admin',
      'x-profile': 'A2',
      'x-roles': 'A2,admin',
      'x-forwarded-user': 'admin',
      'x-forwarded-for': '127.0.0.1',
      forwarded: 'for=127.0.0.1',
    },
    { _meta: { principal: 'admin', roles: ['A2'] }, roles: ['A2'] },
  );
  t.same(forged, plain);
  t.notOk(plain.some((one: { name: string }) => one.name === 'for_a2'));
});

t.test('an API key is decided anew for each request and only for its servers', async (t) => {
  const headers = { authorization: `Bearer ${apiKey.key}` };
  t.equal((await read('open', headers)).status, 200);
  t.match(gateway.calls.at(-1)?.caller.principal, { id: 'key:batch', roles: ['A2'] });
  t.equal((await read('tms', headers)).status, 401);
  keyRoles.splice(0, 1, 'A9');
  await read('open', headers);
  t.same(gateway.calls.at(-1)?.caller.principal.roles, ['A9']);
});

t.test('neither the token nor a part of it is handed on', async (t) => {
  const token = await issuer.clientToken(resource('tms'), 'tms:use');
  const answer = await read('tms', { authorization: `Bearer ${token}` });
  const handed = JSON.stringify(gateway.calls.at(-1), (key, value) => (key === 'signal' ? undefined : value));
  for (const part of [token, token.split('.')[1]!, token.split('.')[2]!]) {
    t.notOk(handed.includes(part));
    t.notOk(answer.text.includes(part) || JSON.stringify(answer.headers).includes(part));
    t.notOk(JSON.stringify([served.faults, gateway.refusals]).includes(part));
  }
});

t.test('health, metrics and metadata need no token; a preflight neither', async (t) => {
  for (const path of ['/livez', '/readyz', '/metrics', '/.well-known/oauth-protected-resource/mcp/tms'])
    t.equal((await send(origin + path)).status, 200, path);
  const preflight = await send(resource('tms'), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  t.equal(preflight.status, 204);
});

t.test('the SDK client lists and calls with a token', async (t) => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const token = await issuer.clientToken(resource('tms'), 'tms:use');
  await client.connect(
    new StreamableHTTPClientTransport(new URL(resource('tms')), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  t.same(
    (await client.listTools()).tools.map((one) => one.name),
    ['read', 'push'],
  );
  await client.close();
});
