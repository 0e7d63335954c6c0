import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ConfigError, loadConfig, printable } from '../../src/config/load.ts';
import { loadProfiles } from '../../src/config/profiles.ts';

const SECRET = 'k3J9vQ2mX7pL4sT8wZ1yB6nC5dF0gH2j';
function lines(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

t.test('the defaults start on loopback without anything outside', async (t) => {
  const config = loadConfig({});
  t.equal(config.http.host, '127.0.0.1');
  t.equal(config.http.port, 8080);
  t.equal(config.identity.enabled, false);
  t.equal(config.payments.businessTimeZone, 'Asia/Dubai');
});

t.test('contract names and product names both reach their settings', async (t) => {
  const config = loadConfig({
    PORT: '9001',
    PAYMENTS_CUTOVER: '04:30',
    PENSTOCK_LIMITS_WRITES_PER_MINUTE: '7',
    PENSTOCK_HTTP_ALLOWED_HOSTS: 'a.example, b.example',
  });
  t.equal(config.http.port, 9001);
  t.equal(config.payments.cutover, '04:30');
  t.equal(config.limits.writesPerMinute, 7);
  t.same(config.http.allowedHosts, ['a.example', 'b.example']);
});

t.test('each wrong setting is one clear line that names it', async (t) => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ PENSTOCK_HTTP_PROT: '1' }, /PENSTOCK_HTTP_PROT is not a setting/],
    [{ PORT: 'eighty' }, /http\.port \(PORT\)/],
    [{ HOST: '0.0.0.0' }, /http\.host is 0\.0\.0\.0.*identity\.enabled/],
    [{ HOST: '::' }, /http\.host is ::/],
    [{ NEQSIM_MCP_ADMIN_TOKEN: 'short' }, /neqsim\.adminToken.*at least 32/],
    [{ NEQSIM_MCP_ADMIN_TOKEN: `change-me-${SECRET}` }, /looks like an example/],
    [{ NEQSIM_MCP_ADMIN_TOKEN: 'a'.repeat(40) }, /looks like an example/],
    [{ PAYMENTS_BUSINESS_TZ: 'Mars/Olympus' }, /IANA time zone/],
    [{ PAYMENTS_CUTOVER: '25:00' }, /must be HH:mm/],
    [
      { PAYMENTS_DB_PRODUCT_URL: 'postgres://x/y', PAYMENTS_DB_PRODUCT_RO_URL: 'postgres://x/y' },
      /databases\.gatewayUrl/,
    ],
    [
      { PENSTOCK_DATABASES_GATEWAY_URL: 'postgres://x/g', PAYMENTS_DB_PRODUCT_URL: 'postgres://x/y' },
      /databases\.productReadUrl/,
    ],
    [{ PENSTOCK_DATABASES_GATEWAY_URL: 'mysql://x' }, /URL of postgres/],
    [{ PENSTOCK_IDENTITY_ENABLED: 'true' }, /identity\.issuer/],
    [
      { PENSTOCK_IDENTITY_ENABLED: 'true', PENSTOCK_IDENTITY_ISSUER: 'http://login.example' },
      /must be https|publicUrl/,
    ],
  ];
  for (const [env, expected] of cases) {
    const found = lines(env);
    t.ok(
      found.some((line) => expected.test(line)),
      `${JSON.stringify(env)} -> ${found.join(' | ')}`,
    );
    t.ok(found.every((line) => !line.includes('\n')));
  }
});

t.test('enterprise mode refuses to start without issuer, client id and trace endpoint', async (t) => {
  const found = lines({ PENSTOCK_MODE: 'enterprise' });
  for (const name of ['identity.issuer', 'identity.clientId', 'telemetry.otlpEndpoint'])
    t.ok(
      found.some((line) => line.includes(name)),
      name,
    );
});

t.test('an unknown member of a configuration file is refused', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'penstock-config-')), 'own.yaml');
  writeFileSync(file, 'http: { prot: 8081 }\n');
  t.match(lines({ PENSTOCK_CONFIG: file }), [/unknown setting http\.prot/]);
  t.match(lines({ PENSTOCK_CONFIG: `${file}.gone` }), [/PENSTOCK_CONFIG does not exist/]);
});

t.test('printing the configuration shows whether a secret is set, never the secret', async (t) => {
  const config = loadConfig({
    NEQSIM_MCP_ADMIN_TOKEN: SECRET,
    PENSTOCK_DATABASES_GATEWAY_URL: `postgres://me:${SECRET}@db/g`,
  });
  const text = JSON.stringify(printable(config));
  t.notOk(text.includes(SECRET));
  t.match(printable(config), { neqsim: { adminToken: '(set)' }, databases: { gatewayUrl: '(set)', productUrl: null } });
});

t.test('an unknown deployment profile stops the start, any case of a known one is taken', async (t) => {
  t.throws(() => loadProfiles('config/profiles', 'ENTERPRIZE'), /no deployment profile "ENTERPRIZE".*ENTERPRISE/);
  t.equal(loadProfiles('config/profiles', 'digital_twin').deployment.name, 'DIGITAL_TWIN');
  t.not(loadProfiles('config/profiles', 'ENTERPRISE').version, loadProfiles('config/profiles', 'STUDY_TEAM').version);
});
