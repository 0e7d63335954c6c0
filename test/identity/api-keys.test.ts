import t from 'tap';
import { type ApiKeyRecord, createApiKey, hashApiKey } from '../../src/identity/api-keys.ts';
import { createIdentity } from '../../src/identity/identity.ts';

const SECRET = 'b8f1c0e7d2a94365817f0c3e6d5a9b24';
const NOW = Date.UTC(2026, 10, 30);
const records = new Map<string, ApiKeyRecord>();
const issue = (id: string, more: Partial<ApiKeyRecord> = {}): string => {
  const { key, hash } = createApiKey(SECRET, id);
  records.set(id, { id, hash, roles: ['A2'], scopes: [], servers: null, expiresAt: null, ...more });
  return key;
};
const identity = createIdentity(
  {
    mode: 'required',
    publicUrl: null,
    apiKeys: { secret: SECRET, find: async (id) => records.get(id) ?? null },
    scopes: {},
  },
  () => NOW,
);
const resolve = (key: string, server = 'tms') =>
  identity.resolve({ authorization: `Bearer ${key}`, headerCount: 1, server, clientAddress: '10.0.0.1' });

t.test('a key gives a machine principal', async (t) => {
  t.match(await resolve(issue('batch')), {
    ok: true,
    expiresAt: null,
    principal: { id: 'key:batch', human: false, via: 'api-key', roles: ['A2'], client: null, issuer: null },
  });
});

t.test('what is no valid key of this server is refused with a challenge', async (t) => {
  const key = issue('one', { servers: ['tms'], expiresAt: NOW + 1 });
  t.match(await resolve(key), { ok: true });
  const expired = issue('old', { expiresAt: NOW });
  const broken = issue('broken', { hash: 'abc' });
  const empty = issue('empty', { hash: '' });
  for (const [given, reason, server] of [
    [key, 'wrong_audience', 'risk'],
    [expired, 'expired', 'tms'],
    [broken, 'unknown_key', 'tms'],
    [empty, 'unknown_key', 'tms'],
    [key.replace('pk_one_', 'pk_two_'), 'unknown_key', 'tms'],
    [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, 'unknown_key', 'tms'],
    ['pk_one_', 'malformed', 'tms'],
    ['pk_one', 'malformed', 'tms'],
    [`${key}_x`, 'malformed', 'tms'],
    [hashApiKey(SECRET, key), 'malformed', 'tms'],
  ] as const) {
    t.match(
      await resolve(given, server),
      { ok: false, status: 401, reason, challenge: /^Bearer error="invalid_token"/ },
      given,
    );
  }
});

t.test('only a keyed hash is stored', async (t) => {
  const { key, hash } = createApiKey(SECRET, 'x');
  t.match(key, /^pk_x_[0-9a-f]{64}$/);
  t.match(hash, /^[0-9a-f]{64}$/);
  t.not(hashApiKey(`${SECRET}x`, key), hash);
  t.throws(() => createApiKey(SECRET, 'a_b'), /letters, digits and dashes/);
  for (const secret of ['', 'short', 'a'.repeat(64), 'ab'.repeat(20)])
    t.throws(
      () => createIdentity({ mode: 'required', publicUrl: null, apiKeys: { secret, find: () => null }, scopes: {} }),
      /secret of the API keys/,
    );
});

t.test('without authentication only loopback callers pass, as the local principal', async (t) => {
  const open = createIdentity({ mode: 'none' });
  const from = (clientAddress: string) =>
    open.resolve({ authorization: 'Bearer whatever', headerCount: 1, server: 'tms', clientAddress });
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
    t.match(await from(address), { ok: true, principal: { id: 'local', via: 'local', human: false } }, address);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '', 'localhost', '127.0.0.1.evil', '::', '0.0.0.0'])
    t.match(await from(address), { ok: false, status: 403, reason: 'not_loopback' }, address);
  t.equal(open.metadata('tms', 'T'), null);
});
