import t from 'tap';
import { legacy, META, MODERN, modern, modernHeaders, send, startHttp } from '../support/http-gateway.ts';
import { face, memoryGateway, tool } from '../support/memory-gateway.ts';

const gateway = memoryGateway([
  { face: face('tms'), tools: [tool('get_terminal'), tool('push')] },
  { face: face('small', { bodyLimit: 2_000, hasResources: false, hasPrompts: false }), tools: [tool('echo')] },
]);
const served = await startHttp(gateway);
const TMS = `${served.url}/mcp/tms`;
t.teardown(() => served.close());
t.beforeEach(() => {
  gateway.calls.length = 0;
  gateway.refusals.length = 0;
});
type Headers = Record<string, string | string[] | null>;
const call = (headers: Headers = {}, params: Record<string, unknown> = {}) =>
  modern(TMS, 'tools/call', { name: 'get_terminal', arguments: { serial_number: 'A' }, ...params }, { headers });

t.test('content types with parameters, and any Accept that takes JSON, are served', async (t) => {
  for (const headers of [
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'Application/JSON;charset=UTF-8;x=y' },
    { accept: '*/*' },
    { accept: null },
    { accept: 'application/json' },
  ] as Headers[]) {
    const answer = await call(headers);
    t.equal(answer.status, 200, JSON.stringify(headers));
    t.match(answer.headers['content-type'], /^application\/json/);
    t.equal(answer.rpc.result.structuredContent.status, 'success');
  }
  const old = await legacy(TMS, 'tools/list', undefined, { headers: { accept: '*/*' } });
  t.equal(old.status, 200);
  t.equal((await legacy(TMS, 'tools/list', undefined, { headers: { accept: 'application/json' } })).status, 406);
});

t.test('other content types are refused before the body is read', async (t) => {
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': null },
    { 'content-type': 'application/json-patch+json' },
    { 'content-encoding': 'gzip' },
  ] as Headers[]) {
    const answer = await call(headers);
    t.equal(answer.status, 415, JSON.stringify(headers));
    t.equal(answer.rpc.error.code, -32000);
  }
  t.equal(gateway.calls.length, 0);
  t.same(new Set(gateway.refusals.map((r) => r.reason)), new Set(['content_type']));
});

t.test('a message without an id is answered 202 with nothing and runs no tool', async (t) => {
  const params = { name: 'push', arguments: {} };
  for (const answer of [
    await modern(TMS, 'notifications/cancelled', { requestId: 99 }, { id: undefined }),
    await legacy(TMS, 'notifications/initialized', undefined, { id: undefined }),
    await legacy(TMS, 'notifications/no-such-thing', undefined, { id: undefined }),
    await modern(TMS, 'tools/call', params, { id: undefined }),
    await legacy(TMS, 'tools/call', params, { id: undefined }),
  ]) {
    t.equal(answer.status, 202);
    t.equal(answer.text, '');
  }
  t.equal(gateway.calls.length, 0);
});

t.test('ids come back as they were sent', async (t) => {
  for (const id of ['1', 0, '', '007', 9007199254740991, -3, 'x'.repeat(500)]) {
    const answer = await modern(TMS, 'tools/call', { name: 'get_terminal' }, { id });
    t.equal(answer.rpc.id, id);
    t.equal(answer.rpc.result.structuredContent.status, 'success');
  }
  t.equal(gateway.calls.at(-1)?.caller.jsonRpcId.length, 128);
  t.equal((await legacy(TMS, 'tools/list', undefined, { id: '1' })).rpc.id, '1');
  for (const id of [null, 1.5, true, {}, [1]]) {
    const answer = await modern(TMS, 'tools/list', {}, { id });
    t.equal(answer.status, 400);
    t.equal(answer.rpc.error.code, -32600);
    t.equal(answer.rpc.id, null);
  }
  const text = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list","params":{"_meta":${JSON.stringify(META)}}}`;
  const tooBig = await send(TMS, { method: 'POST', headers: modernHeaders('tools/list'), body: text });
  t.equal(tooBig.rpc.error.code, -32600, 'an id that would come back changed is refused');
});

t.test('headers that do not agree with the body are refused, and the record names the tool of the body', async (t) => {
  const coded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  for (const headers of [
    { 'mcp-name': 'push' },
    { 'mcp-name': null },
    { 'mcp-method': null },
    { 'mcp-method': 'Tools/Call' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': null },
    { 'mcp-name': coded('push') },
    { 'mcp-name': '=?base64?%%%?=' },
    { 'mcp-name': ['get_terminal', 'push'] },
    { 'mcp-method': ['tools/call', 'tools/call'] },
  ] as Headers[]) {
    const answer = await call(headers);
    t.equal(answer.status, 400, JSON.stringify(headers));
    t.equal(answer.rpc.error.code, -32020, JSON.stringify(headers));
    t.match(gateway.refusals.at(-1), { stage: 'protocol', tool: 'get_terminal', server: 'tms', reason: 'code_-32020' });
  }
  t.equal(gateway.calls.length, 0);
  t.equal((await call({ 'mcp-name': coded('get_terminal') })).status, 200);
});

t.test('arguments may be absent; what is no object reaches the gates to be refused there', async (t) => {
  for (const ask of [modern, legacy]) {
    t.equal((await ask(TMS, 'tools/call', { name: 'get_terminal' })).rpc.result.structuredContent.status, 'success');
    t.same(gateway.calls.at(-1)?.args, {});
    for (const args of [null, ['A'], '{"serial_number":"A"}', 5, false]) {
      const answer = await ask(TMS, 'tools/call', { name: 'get_terminal', arguments: args });
      t.equal(answer.rpc.result.structuredContent.error.code, 'INVALID_ARGUMENT', JSON.stringify(args));
      t.equal(answer.rpc.result.isError, true);
      t.same(gateway.calls.at(-1)?.args, args);
    }
  }
});

t.test('bodies that are no single JSON-RPC message', async (t) => {
  const post = (body: string | Uint8Array) => send(TMS, { method: 'POST', headers: modernHeaders('tools/list'), body });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
  for (const [body, code, id = null] of [
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['\ufeff{}', -32700],
    ['{} {}', -32700],
    ['\u0000', -32700],
    [Buffer.from('{"a":"\xff"}', 'latin1'), -32700],
    ['42', -32600],
    ['null', -32600],
    ['{}', -32600],
    [JSON.stringify({ ...list, jsonrpc: '1.0' }), -32600],
    [JSON.stringify({ ...list, method: 7 }), -32600, 1],
    [JSON.stringify({ ...list, params: [] }), -32600, 1],
    [JSON.stringify([list]), -32600],
    ['[]', -32600],
    [JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]), -32600],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"\\u005f_proto__":{}}}', -32600],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(100_000)}`, -32600],
  ] as [string | Uint8Array, number, (number | null)?][]) {
    const answer = await post(body);
    t.equal(answer.status, 400, String(body).slice(0, 60));
    t.equal(answer.rpc.error.code, code, String(body).slice(0, 60));
    t.equal(answer.rpc.id, id, String(body).slice(0, 60));
    t.match(answer.headers['content-type'], /^application\/json/);
    t.notMatch(answer.text, /FST_ERR|statusCode|<html/);
  }
  t.ok(gateway.refusals.every((r) => r.stage === 'body' && r.server === 'tms'));
  t.equal(gateway.refusals.length, 19);
});

t.test('other verbs are answered 405 whatever they carry, also with session headers', async (t) => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const answer = await send(TMS, {
      method,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'mcp-session-id': 'abc' },
    });
    t.equal(answer.status, 405, method);
    t.equal(answer.headers.allow, 'POST');
    if (method !== 'HEAD') t.equal(answer.rpc.error.code, -32000);
  }
});

t.test('a session id and a last event id mean nothing', async (t) => {
  const plain = await call();
  const odd = await call({ 'mcp-session-id': 'guess', 'last-event-id': '7' });
  t.same(odd.rpc, plain.rpc);
  t.equal(odd.headers['mcp-session-id'], undefined);
  const opened = await legacy(TMS, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'old', version: '1' },
  });
  t.equal(opened.rpc.result.protocolVersion, '2025-06-18');
  t.equal(opened.headers['mcp-session-id'], undefined);
});

t.test('each server has its own body limit', async (t) => {
  const big = { name: 'echo', arguments: { text: 'x'.repeat(3_000) } };
  const refused = await modern(`${served.url}/mcp/small`, 'tools/call', big);
  t.equal(refused.status, 413);
  t.equal(refused.rpc.error.code, -32000);
  t.match(gateway.refusals.at(-1), { stage: 'body', reason: 'too_large', server: 'small' });
  t.equal((await modern(TMS, 'tools/call', { ...big, name: 'get_terminal' })).status, 200);
  const huge = await send(TMS, {
    method: 'POST',
    headers: { ...modernHeaders('tools/list'), 'transfer-encoding': 'chunked' },
    body: ' '.repeat(1024 * 1024 + 1),
  }).catch((error: NodeJS.ErrnoException) => ({ status: error.code }));
  t.ok([413, 'EPIPE', 'ECONNRESET'].includes(huge.status as number));
});

t.test('names that do not exist', async (t) => {
  const nowhere = await modern(`${served.url}/mcp/nowhere`, 'tools/list');
  t.equal(nowhere.status, 404);
  const unknown = await modern(TMS, 'tools/call', { name: 'no_such_tool' });
  t.equal(unknown.status, 200);
  t.same(unknown.rpc.error, { code: -32602, message: 'Unknown tool: no_such_tool' });
  t.equal((await modern(TMS, 'tools/destroy')).status, 404);
  t.equal((await modern(TMS, 'tools/destroy')).rpc.error.code, -32601);
  const noResources = await modern(`${served.url}/mcp/small`, 'resources/list');
  t.equal(noResources.rpc.error.code, -32601);
  const resource = await modern(TMS, 'resources/read', { uri: 'doc://two' });
  t.equal(resource.rpc.error.code, -32602);
  t.equal(resource.rpc.error.data.uri, 'doc://two');
  const version = await modern(TMS, 'tools/list', {}, { headers: { 'mcp-protocol-version': '2031-01-01' } });
  t.equal(version.rpc.error.code, -32020);
});

t.test('lists are private, and a cursor that was never minted is refused', async (t) => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    const answer = await modern(TMS, method);
    t.match(answer.rpc.result, { cacheScope: 'private', ttlMs: 0, resultType: 'complete' }, method);
    const paged = await modern(TMS, method, { cursor: 'page-2' });
    t.equal(paged.rpc.error.code, -32602, method);
  }
  t.same(
    (await modern(TMS, 'tools/list')).rpc.result.tools.map((one: { name: string }) => one.name),
    ['get_terminal', 'push'],
  );
});

t.test('many callers with one id each get their own answer', async (t) => {
  const names = Array.from({ length: 40 }, (_, i) => `T-${i % 5}`);
  const answers = await Promise.all(
    names.map((serial, i) =>
      (i % 3 === 0 ? legacy : modern)(TMS, 'tools/call', { name: 'get_terminal', arguments: { serial } }),
    ),
  );
  t.same(
    answers.map((a) => a.rpc.result.structuredContent.data.args.serial),
    names,
  );
  t.ok(answers.every((a) => a.rpc.id === 1));
});

t.test('the caller is made of facts of this side, with the trace context of _meta first', async (t) => {
  const fromMeta = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const fromHeader = '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const body = (meta: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'push', _meta: { ...META, ...meta } },
    });
  const headers = { ...modernHeaders('tools/call', 'push'), traceparent: fromHeader, 'x-request-id': 'mine' };
  const first = await send(TMS, { method: 'POST', headers, body: body({ traceparent: fromMeta, tracestate: 'a=b' }) });
  const { caller } = gateway.calls.at(-1)!;
  t.match(caller, { traceparent: fromMeta, tracestate: 'a=b', era: 'modern', protocolVersion: MODERN, jsonRpcId: '5' });
  t.equal(caller.principal.id, 'local');
  t.equal(caller.requestId, first.headers['x-request-id']);
  t.not(caller.requestId, 'mine');
  await send(TMS, { method: 'POST', headers, body: body({}) });
  t.equal(gateway.calls.at(-1)?.caller.traceparent, fromHeader);
  for (const traceparent of ['00-0-0-01', 'x'.repeat(5_000), `${fromMeta}\r\n`, fromMeta.toUpperCase()]) {
    await send(TMS, { method: 'POST', headers: modernHeaders('tools/call', 'push'), body: body({ traceparent }) });
    t.equal(gateway.calls.at(-1)?.caller.traceparent, undefined, traceparent.slice(0, 60));
  }
  await legacy(TMS, 'tools/call', { name: 'push' }, { headers: { 'mcp-protocol-version': '2025-06-18' } });
  t.match(gateway.calls.at(-1)?.caller, { era: 'legacy', protocolVersion: '2025-06-18' });
});

t.test('parameters that do not fit their method are the mistake of the client, in its words', async (t) => {
  for (const ask of [modern, legacy]) {
    for (const [method, params, place] of [
      ['tools/list', { cursor: 5 }, 'cursor'],
      ['tools/call', {}, 'name'],
      ['tools/call', { name: ['push'] }, 'name'],
      ['resources/read', {}, 'uri'],
      ['resources/read', { uri: 5 }, 'uri'],
      ['prompts/get', {}, 'name'],
      ['prompts/get', { name: 'greet', arguments: { who: 5 } }, 'arguments.who'],
    ] as const) {
      const answer = await ask(TMS, method, params);
      t.equal(answer.status, 200);
      t.equal(answer.rpc.error.code, -32602, `${method} ${JSON.stringify(params)}`);
      t.ok(answer.rpc.error.message.startsWith(`Invalid params: ${place} `), answer.rpc.error.message);
      t.match(gateway.refusals.at(-1), { stage: 'protocol', reason: 'bad_params', server: 'tms' });
    }
  }
  t.equal((await legacy(TMS, 'initialize', { protocolVersion: 5 })).rpc.error.code, -32602);
  t.equal(gateway.calls.length, 0);
});
