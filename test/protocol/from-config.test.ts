import t from 'tap';
import { loadConfig } from '../../src/config/load.ts';
import { hashApiKey } from '../../src/identity/api-keys.ts';
import { identitySettings } from '../../src/identity/from-config.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { httpSettings, mountSettings } from '../../src/protocol/from-config.ts';
import { originCheck } from '../../src/protocol/origin.ts';

t.test('the default configuration serves this machine only, without authentication', async (t) => {
  const config = loadConfig({});
  t.same(identitySettings(config), { mode: 'none' });
  const http = httpSettings(config);
  t.same(http.hosts, ['localhost', '127.0.0.1', '[::1]']);
  t.same(http.origins, []);
  t.equal(http.https, false);
  t.ok(http.idleTimeoutMs > config.limits.calculationDeadlineMs);
  t.equal(mountSettings(config).drainMs, config.http.shutdownMs);
  t.doesNotThrow(() => originCheck(http));
});

t.test('a public URL brings its host, its origin and https, and tokens are checked for it', async (t) => {
  const config = loadConfig({
    PENSTOCK_HTTP_PUBLIC_URL: 'https://gateway.acme.test/',
    PENSTOCK_HTTP_ALLOWED_ORIGINS: 'https://console.acme.test',
    PENSTOCK_IDENTITY_ENABLED: 'true',
    PENSTOCK_IDENTITY_ISSUER: 'https://id.acme.test',
  });
  const http = httpSettings(config);
  t.ok(http.hosts.includes('gateway.acme.test'));
  t.same(http.origins, ['https://gateway.acme.test', 'https://console.acme.test']);
  t.equal(http.https, true);
  t.doesNotThrow(() => originCheck(http));
  const identity = createIdentity(identitySettings(config));
  t.match(identity.metadata('tms', 'T'), {
    resource: 'https://gateway.acme.test/mcp/tms',
    authorization_servers: ['https://id.acme.test'],
  });
});

t.test('API keys of the configuration are found by their id', async (t) => {
  const pepper = 'b8f1c0e7d2a94365817f0c3e6d5a9b24';
  const key = `pk_nightly_${'0123456789abcdef'.repeat(4)}`;
  const config = loadConfig({});
  const settings = identitySettings({
    ...config,
    identity: {
      ...config.identity,
      enabled: true,
      apiKeyPepper: pepper,
      apiKeys: [{ id: 'nightly', hash: hashApiKey(pepper, key), roles: ['A4'] }],
    },
  });
  const resolution = await createIdentity(settings).resolve({
    authorization: `Bearer ${key}`,
    headerCount: 1,
    server: 'tms',
    clientAddress: '10.0.0.1',
  });
  t.match(resolution, { ok: true, principal: { id: 'key:nightly', roles: ['A4'] } });
});
