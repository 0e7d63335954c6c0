import { createHmac } from 'node:crypto';
import { exportSPKI, type JWTPayload } from 'jose';
import t from 'tap';
import { createIdentity, type Identity, type Resolution } from '../../src/identity/identity.ts';
import { TOKEN_DEFAULTS, type TokenSettings } from '../../src/identity/settings.ts';
import { type FakeIssuer, fakeIssuer, signingKey, signToken } from '../support/issuer.ts';

const PUBLIC_URL = 'https://gateway.example.com';
const RESOURCE = `${PUBLIC_URL}/mcp/tms`;
const NOW = Date.UTC(2026, 10, 30, 12);
const seconds = NOW / 1000;

const key = await signingKey('k1');
const stranger = await signingKey('k1');
const issuer = await fakeIssuer([key]);
t.teardown(() => issuer.close());

function build(
  more: Partial<TokenSettings> = {},
  parts: { from?: FakeIssuer; scopes?: Record<string, string[]>; now?: () => number } = {},
): Identity {
  return createIdentity(
    {
      mode: 'required',
      publicUrl: PUBLIC_URL,
      tokens: { ...TOKEN_DEFAULTS, issuer: (parts.from ?? issuer).issuer, fetchTimeoutMs: 500, ...more },
      scopes: parts.scopes ?? {},
    },
    parts.now ?? (() => NOW),
  );
}
const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: issuer.issuer,
  aud: RESOURCE,
  sub: 'alice',
  client_id: 'desk',
  exp: seconds + 300,
  ...more,
});
const bearer = (identity: Identity, token: string, server = 'tms'): Promise<Resolution> =>
  identity.resolve({ authorization: `Bearer ${token}`, headerCount: 1, server, clientAddress: '203.0.113.9' });
const reason = async (identity: Identity, token: string, server?: string): Promise<string> => {
  const resolution = await bearer(identity, token, server);
  return resolution.ok ? 'ok' : resolution.reason;
};

t.test('a good token gives its principal', async (t) => {
  const resolution = await bearer(build(), await signToken(key, claims({ roles: ['operator'], scope: 'a b' })));
  t.match(resolution, {
    ok: true,
    expiresAt: NOW + 300_000,
    principal: {
      id: `${issuer.issuer}|alice`,
      subject: 'alice',
      issuer: issuer.issuer,
      client: 'desk',
      human: true,
      onBehalfOf: null,
      roles: ['operator'],
      scopes: ['a', 'b'],
      via: 'token',
    },
  });
});

t.test('one broken claim is enough for a refusal', async (t) => {
  const identity = build();
  const table: [JWTPayload, string][] = [
    [{ iss: 'https://other.example' }, 'wrong_issuer'],
    [{ iss: `${issuer.issuer}/` }, 'wrong_issuer'],
    [{ iss: undefined }, 'missing_claim'],
    [{ aud: undefined }, 'wrong_audience'],
    [{ aud: [] }, 'wrong_audience'],
    [{ aud: PUBLIC_URL }, 'wrong_audience'],
    [{ aud: `${PUBLIC_URL}/` }, 'wrong_audience'],
    [{ aud: `${PUBLIC_URL}/mcp/risk` }, 'wrong_audience'],
    [{ aud: [`${PUBLIC_URL}/mcp/risk`, 'desk'] }, 'wrong_audience'],
    [{ aud: `${RESOURCE}//` }, 'wrong_audience'],
    [{ aud: `${RESOURCE}?a` }, 'wrong_audience'],
    [{ aud: RESOURCE.toUpperCase() }, 'wrong_audience'],
    [{ exp: undefined }, 'missing_claim'],
    [{ exp: seconds - 31 }, 'expired'],
    [{ exp: seconds - 30 }, 'expired'],
    [{ nbf: seconds + 31 }, 'not_yet_valid'],
    [{ sub: undefined }, 'missing_claim'],
    [{ sub: '' }, 'missing_claim'],
    [{ cnf: { jkt: 'x' } }, 'bound_token'],
    [{ act: 'machine' }, 'bad_delegation'],
    [{ act: {} }, 'bad_delegation'],
  ];
  for (const [broken, wanted] of table)
    t.equal(await reason(identity, await signToken(key, claims(broken))), wanted, JSON.stringify(broken));
  for (const fine of [
    { exp: seconds - 29 },
    { nbf: seconds + 30 },
    { aud: `${RESOURCE}/` },
    { aud: ['desk', RESOURCE] },
  ])
    t.equal(await reason(identity, await signToken(key, claims(fine))), 'ok', JSON.stringify(fine));
});

t.test('algorithms and signatures', async (t) => {
  const identity = build();
  const good = await signToken(key, claims());
  const [head, body, signature] = good.split('.') as [string, string, string];
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  t.equal(await reason(identity, `${part({ alg: 'none' })}.${body}.`), 'bad_algorithm');
  t.equal(await reason(identity, `${part({ alg: 'NONE', kid: 'k1' })}.${body}.${signature}`), 'bad_algorithm');
  // The public key as an HMAC secret: the classic confusion.
  const { publicKey } = await import('jose').then((jose) => ({ publicKey: jose.importJWK(key.publicJwk, 'RS256') }));
  const pem = await exportSPKI((await publicKey) as Parameters<typeof exportSPKI>[0]);
  const confused = `${part({ alg: 'HS256', kid: 'k1', typ: 'at+jwt' })}.${body}`;
  const mac = createHmac('sha256', pem).update(confused).digest('base64url');
  t.equal(await reason(identity, `${confused}.${mac}`), 'bad_algorithm');
  t.equal(await reason(identity, await signToken(stranger, claims())), 'bad_signature');
  t.equal(await reason(identity, `${head}.${part(claims({ sub: 'eve' }))}.${signature}`), 'bad_signature');
  t.equal(await reason(identity, await signToken(key, claims(), { typ: 'logout+jwt' })), 'wrong_type');
  t.equal(await reason(identity, await signToken(key, claims(), { typ: 'JWT' })), 'ok');
  t.equal(await reason(build({ algorithms: ['ES256'] }), good), 'bad_algorithm');
  for (const text of ['x', 'a.b', 'a.b.c', '..', `${head}.${body}`, `${good}.x`, 'x'.repeat(20_000)])
    t.not(await reason(identity, text), 'ok', text.slice(0, 40));
});

t.test('other algorithms of the list verify too', async (t) => {
  for (const alg of ['PS256', 'ES256', 'EdDSA']) {
    const other = await signingKey(`k-${alg}`, alg);
    const from = await fakeIssuer([other]);
    t.equal(await reason(build({}, { from }), await signToken(other, claims({ iss: from.issuer }))), 'ok', alg);
    await from.close();
  }
});

t.test('who is human, and for whom a machine acts', async (t) => {
  const identity = build({ clientRoles: { robot: 'A3' } });
  const table: [JWTPayload, Record<string, unknown>][] = [
    [{}, { human: true, client: 'desk', roles: [] }],
    [
      { client_id: undefined, azp: 'desk' },
      { human: true, client: 'desk' },
    ],
    [{ client_id: undefined }, { human: false, client: null }],
    [
      { sub: 'robot', client_id: 'robot' },
      { human: false, roles: ['A3'] },
    ],
    [
      { sub: 'robot', client_id: 'robot', roles: ['A1'] },
      { human: false, roles: ['A1'] },
    ],
    [
      { sub: 'alice', client_id: 'robot' },
      { human: true, roles: [] },
    ],
    [{ sub: 'desk@clients' }, { human: false }],
    [{ gty: 'client-credentials' }, { human: false }],
    [{ gty: ['password', 'client-credentials'] }, { human: false }],
    [{ grant_type: 'client_credentials' }, { human: false }],
    [{ idtyp: 'app' }, { human: false }],
    [{ preferred_username: 'service-account-desk' }, { human: false }],
    [
      { act: { sub: 'robot' }, client_id: 'robot' },
      {
        human: false,
        subject: 'robot',
        id: `${issuer.issuer}|robot`,
        onBehalfOf: `${issuer.issuer}|alice`,
        roles: ['A3'],
      },
    ],
    [
      { scp: ['a', 'b'], roles: 'x y' },
      { scopes: ['a', 'b'], roles: ['x', 'y'] },
    ],
    [
      { scp: 'a', roles: { 0: 'admin' } },
      { scopes: ['a'], roles: [] },
    ],
    [{ roles: [1, null, 'ok', {}] }, { roles: ['ok'] }],
  ];
  for (const [more, wanted] of table)
    t.match(
      await bearer(identity, await signToken(key, claims(more))),
      { ok: true, principal: wanted },
      JSON.stringify(more),
    );
  const strict = build({ humanClaim: { name: 'amr' } });
  t.match(await bearer(strict, await signToken(key, claims())), { principal: { human: false } });
  t.match(await bearer(strict, await signToken(key, claims({ amr: ['pwd'] }))), { principal: { human: true } });
});

t.test('roles lie where the setting says', async (t) => {
  const token = await signToken(
    key,
    claims({ realm_access: { roles: ['ops', 'other'] }, 'https://x.example/roles': ['a'], roles: ['ignored'] }),
  );
  const roles = async (more: Partial<TokenSettings>) => {
    const resolution = await bearer(build(more), token);
    return resolution.ok && resolution.principal.roles;
  };
  t.same(await roles({ rolesClaim: 'realm_access.roles' }), ['ops', 'other']);
  t.same(await roles({ rolesClaim: 'https://x.example/roles' }), ['a']);
  t.same(await roles({ rolesClaim: 'realm_access.roles', roleMap: { ops: 'operator' } }), ['operator']);
  t.same(await roles({ rolesClaim: '__proto__.constructor' }), []);
});

t.test('too little scope is 403 with the whole set; the set then suffices', async (t) => {
  const identity = build({}, { scopes: { tms: ['tms:use', 'tms:read'] } });
  const poor = await bearer(identity, await signToken(key, claims({ scope: 'tms:read' })));
  t.match(poor, { ok: false, status: 403, reason: 'insufficient_scope', principal: { subject: 'alice' } });
  t.match(
    !poor.ok && poor.challenge,
    /error="insufficient_scope".*scope="tms:use tms:read".*resource_metadata="https:/,
  );
  t.equal(await reason(identity, await signToken(key, claims({ scope: 'tms:read tms:use' }))), 'ok');
});

t.test('an unknown key is looked for once, and a flood of unknown keys asks once a cooldown', async (t) => {
  const from = await fakeIssuer([key]);
  t.teardown(() => from.close());
  let now = NOW;
  const identity = build({ cooldownMs: 10_000 }, { from, now: () => now });
  const mine = claims({ iss: from.issuer, exp: seconds + 100_000 });
  t.equal(await reason(identity, await signToken(key, mine)), 'ok');
  t.equal(from.asked.keys, 1);
  const odd = await Promise.all(Array.from({ length: 30 }, (_, i) => signToken(stranger, mine, { kid: `no-${i}` })));
  now += 10_001;
  for (const verdict of await Promise.all(odd.map((token) => reason(identity, token)))) t.equal(verdict, 'unknown_key');
  t.equal(from.asked.keys, 2);
  now += 9_000;
  await Promise.all(odd.map((token) => reason(identity, token)));
  t.equal(from.asked.keys, 2);
  // Rotation: the new key is found by the same road.
  const next = await signingKey('k2');
  from.keys = [next];
  now += 1_001;
  t.equal(await reason(identity, await signToken(next, mine)), 'ok');
  t.equal(from.asked.keys, 3);
  t.equal(await reason(identity, await signToken(key, mine)), 'unknown_key', 'a remembered token ends with its key');
});

t.test('an issuer that fails never opens the gate, and a good key set outlives a short outage', async (t) => {
  for (const mode of ['error', 'slow', 'huge', 'other-issuer', 'redirect', 'garbage'] as const) {
    const from = await fakeIssuer([key]);
    let now = NOW;
    const identity = build({ fetchTimeoutMs: 200, cooldownMs: 10_000 }, { from, now: () => now });
    const mine = claims({ iss: from.issuer, exp: seconds + 1_000_000 });
    from.mode = mode;
    const token = await signToken(key, mine);
    const first = await bearer(identity, token);
    t.match(first, { ok: false, status: 503, reason: 'issuer_unavailable', challenge: null }, mode);
    const { metadata, keys } = from.asked;
    await Promise.all(Array.from({ length: 20 }, () => bearer(identity, token)));
    t.same(from.asked, { metadata, keys }, `${mode}: the cooldown holds for failures too`);
    from.mode = 'ok';
    now += 10_001;
    t.equal(await reason(identity, token), 'ok', `${mode}: recovered`);
    from.mode = mode;
    now += TOKEN_DEFAULTS.keysMaxAgeMs + 1;
    t.equal(await reason(identity, token), 'ok', `${mode}: the last good keys serve`);
    now += TOKEN_DEFAULTS.keysStaleMs;
    t.equal(await reason(identity, token), 'issuer_unavailable', `${mode}: until they are stale`);
    await from.close();
  }
});

t.test('a remembered token ends on time and is bound to its server', async (t) => {
  let now = NOW;
  const identity = build({}, { now: () => now });
  const token = await signToken(key, claims());
  t.equal(await reason(identity, token), 'ok');
  t.equal(await reason(identity, token, 'risk'), 'wrong_audience');
  now += 329_999;
  t.equal(await reason(identity, token), 'ok');
  now += 1;
  t.equal(await reason(identity, token), 'expired');
});

t.test('settings that would weaken a check stop the start', async (t) => {
  const refused: [Partial<TokenSettings>, RegExp][] = [
    [{ algorithms: ['HS256'] }, /algorithm/],
    [{ algorithms: ['RS256', 'none'] }, /algorithm/],
    [{ algorithms: [] }, /algorithm/],
    [{ clockSkewSeconds: 61 }, /skew/],
    [{ clockSkewSeconds: Number.NaN }, /skew/],
    [{ issuer: 'http://issuer.example' }, /https/],
    [{ issuer: 'https://user:pass@issuer.example' }, /https/],
    [{ jwksUri: 'http://issuer.example/keys' }, /https/],
  ];
  for (const [more, text] of refused) t.throws(() => build(more), text, JSON.stringify(more));
  for (const scope of ['*', 'tms:*', 'offline_access', 'a"b', 'a b', ''])
    t.throws(() => build({}, { scopes: { tms: [scope] } }), /may not be asked for/, scope);
  for (const publicUrl of ['http://gateway.example.com', `${PUBLIC_URL}/`, `${PUBLIC_URL}/path`, 'x'])
    t.throws(
      () =>
        createIdentity({
          mode: 'required',
          publicUrl,
          tokens: { ...TOKEN_DEFAULTS, issuer: issuer.issuer },
          scopes: {},
        }),
      /publicUrl/,
    );
  t.throws(() => createIdentity({ mode: 'required', publicUrl: null, scopes: {} }), /neither/);
});
