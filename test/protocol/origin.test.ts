import net from 'node:net';
import t from 'tap';
import { METADATA_PATH } from '../../src/identity/identity.ts';
import { originCheck } from '../../src/protocol/origin.ts';
import { modern, send, startHttp } from '../support/http-gateway.ts';
import { face, memoryGateway, tool } from '../support/memory-gateway.ts';

const LISTED = 'https://console.example.com';
const gateway = memoryGateway([{ face: face('tms'), tools: [tool('get_terminal')] }]);
const served = await startHttp(gateway, { http: { origins: [LISTED] } });
t.teardown(() => served.close());
t.beforeEach(() => {
  gateway.calls.length = 0;
  gateway.refusals.length = 0;
});

const ROUTES: [method: string, path: string][] = [
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', `${METADATA_PATH}/tms`],
  ['GET', '/'],
  ['GET', '/%'],
  ['GET', '/nothing/here'],
  ['POST', '/mcp/tms'],
  ['GET', '/mcp/tms'],
  ['DELETE', '/mcp/tms'],
  ['OPTIONS', '/mcp/tms'],
  ['POST', '/mcp/nowhere'],
];
const own = (name: string) => `http://${name}:${served.port}`;
const REFUSED: [name: string, value: string | string[]][] = [
  ['null', 'null'],
  ['empty', ''],
  ['two', [LISTED, LISTED]],
  ['two different', [own('127.0.0.1'), 'https://evil.test']],
  ['joined', `${LISTED}, ${LISTED}`],
  ['foreign', 'https://evil.test'],
  ['longer', `${own('localhost')}.evil.test`],
  ['prefixed', `https://evil-console.example.com`],
  ['suffixed', `${LISTED}.evil.test`],
  ['user', `http://localhost:${served.port}@evil.test`],
  ['user before ours', `https://evil@console.example.com`],
  ['other port', `http://localhost:${served.port + 1}`],
  ['no port', 'http://localhost'],
  ['default port', `${LISTED}:443`],
  ['other scheme', `https://localhost:${served.port}`],
  ['other scheme of the listed', 'http://console.example.com'],
  ['upper case', LISTED.toUpperCase()],
  ['trailing slash', `${LISTED}/`],
  ['path', `${LISTED}/a`],
  ['other loopback', `http://127.0.0.2:${served.port}`],
  ['decimal loopback', `http://2130706433:${served.port}`],
];

t.test('a present origin that is not listed is refused on every route', async (t) => {
  for (const [method, path] of ROUTES) {
    for (const [name, origin] of REFUSED) {
      const answer = await send(served.url + path, {
        method,
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      t.equal(answer.status, 403, `${method} ${path} ${name}`);
      t.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  }
  t.equal(gateway.calls.length, 0);
  t.equal(gateway.refusals.length, ROUTES.length * REFUSED.length);
  t.ok(gateway.refusals.every((r) => r.stage === 'origin' && r.status === 403));
});

t.test('no origin, the own loopback origins and listed ones pass', async (t) => {
  for (const origin of [undefined, own('127.0.0.1'), own('localhost'), own('[::1]'), LISTED]) {
    const answer = await send(`${served.url}/livez`, { headers: origin === undefined ? {} : { origin } });
    t.equal(answer.status, 200, origin ?? 'none');
    t.equal(answer.headers['access-control-allow-origin'], origin);
    const called = await modern(
      `${served.url}/mcp/tms`,
      'tools/call',
      { name: 'get_terminal' },
      { headers: origin === undefined ? {} : { origin } },
    );
    t.equal(called.status, 200);
    t.match(called.headers.vary, /Origin/);
  }
});

t.test('a listed origin may ask first', async (t) => {
  const answer = await send(`${served.url}/mcp/tms`, {
    method: 'OPTIONS',
    headers: { origin: LISTED, 'access-control-request-method': 'POST' },
  });
  t.equal(answer.status, 204);
  const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
  for (const name of ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
    t.ok(allowed.includes(name), name);
  t.match(answer.headers['access-control-allow-methods'], /POST/);
  t.match(answer.headers['access-control-expose-headers'], /WWW-Authenticate/);
  t.equal(answer.headers['access-control-allow-credentials'], undefined);
});

t.test('a host outside the list is refused on every route', async (t) => {
  const { port } = served;
  for (const [method, path] of ROUTES) {
    for (const host of [
      'evil.test',
      `evil.test:${port}`,
      `localhost.evil.test:${port}`,
      `localhost.:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `a@localhost:${port}`,
      `localhost:${port}:${port}`,
      `localhost:`,
      '[::1',
      '[::2]',
      '0.0.0.0',
    ]) {
      const answer = await send(served.url + path, { method, headers: { host } });
      t.equal(answer.status, 403, `${method} ${path} ${host}`);
    }
  }
  t.ok(gateway.refusals.every((r) => r.stage === 'host'));
  for (const host of [`LOCALHOST:${port}`, 'localhost', '[::1]', `[::1]:${port}`, '127.0.0.1:9'])
    t.equal((await send(`${served.url}/livez`, { headers: { host } })).status, 200, host);
});

t.test('a second host header, or none, is refused', async (t) => {
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let got = '';
      const socket = net.connect(served.port, '127.0.0.1', () => socket.end(text));
      socket.setEncoding('utf8');
      socket.on('data', (part) => {
        got += part;
      });
      socket.on('close', () => resolve(got));
      socket.on('error', reject);
    });
  t.match(
    await raw('GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 40[03] /,
  );
  t.match(await raw('GET /livez HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 403 /);
  t.match(await raw('GET /livez HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 40[03] /);
  t.match(await raw('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 /);
  const absolute = await raw('GET http://evil.test/livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  t.match(absolute, /^HTTP\/1\.1 403 /);
  const garbage = await raw('\u0000\u0001 garbage\r\n\r\n');
  t.match(garbage, /^HTTP\/1\.1 400 Bad Request\r\n/);
  t.notMatch(garbage, /FST_ERR|statusCode|message/);
});

t.test('rules that could not work stop the start', async (t) => {
  for (const host of ['', 'a b', 'http://x', 'x:y', '*'])
    t.throws(() => originCheck({ hosts: [host], origins: [] }), /allowed host/, host);
  for (const origin of ['*', 'null', 'https://x/', 'HTTPS://X', 'ftp://x', 'x'])
    t.throws(() => originCheck({ hosts: [], origins: [origin] }), /allowed origin/, origin);
});

t.test('every answer carries the security headers and an id of this side', async (t) => {
  for (const [method, path] of ROUTES) {
    const answer = await send(served.url + path, { method, headers: { 'x-request-id': 'theirs' } });
    t.match(answer.headers, {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': /default-src 'none'/,
      'x-request-id': /^[0-9a-f-]{36}$/,
    });
    t.notMatch(answer.text, /FST_ERR|statusCode|node_modules|theirs/, `${method} ${path}`);
    t.equal(answer.headers['strict-transport-security'], undefined);
  }
  t.equal((await send(`${served.url}/nothing`)).text, '{"error":"not_found","message":"There is nothing here."}');
  t.equal((await modern(`${served.url}/mcp/nowhere`, 'tools/list')).rpc.error.code, -32000);
});
