import fc from 'fast-check';
import t from 'tap';
import { META, modernHeaders, send, startHttp } from '../support/http-gateway.ts';
import { face, memoryGateway, tool } from '../support/memory-gateway.ts';

/** Whatever arrives as a body is answered in the 2xx or 4xx range, in JSON, and changes no prototype. */
const gateway = memoryGateway([{ face: face('tms'), tools: [tool('echo')] }]);
const served = await startHttp(gateway);
t.teardown(() => served.close());
const TMS = `${served.url}/mcp/tms`;

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const fingerprint = () => prototypes.map((p) => Reflect.ownKeys(p).length).join();

/** Member names that have caused harm elsewhere, beside ordinary ones. */
const name = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'length',
    'id',
    'jsonrpc',
  ),
  fc.constantFrom('method', 'params', 'name', 'arguments', '_meta', 'uri', 'cursor', 'result', 'error', 'requestState'),
  fc.string({ maxLength: 6 }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      0,
      -0,
      1e308,
      2 ** 53,
      '',
      '2.0',
      'tools/call',
      'echo',
      'initialize',
      '\u0000',
      '\ud800',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((members) => new Members(members)),
  ),
}));
/** Members in order, doubles kept, so that the text can hold what no object can. */
class Members {
  readonly list: readonly (readonly [string, unknown])[];
  constructor(list: readonly (readonly [string, unknown])[]) {
    this.list = list;
  }
}
function write(node: unknown): string {
  if (node instanceof Members) return `{${node.list.map(([k, v]) => `${JSON.stringify(k)}:${write(v)}`).join(',')}}`;
  if (Array.isArray(node)) return `[${node.map(write).join(',')}]`;
  return JSON.stringify(node);
}
const around = fc.constantFrom(
  'X',
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":X,"_meta":${JSON.stringify(META)}}}`,
  `{"jsonrpc":"2.0","id":X,"method":"tools/call","params":{"name":"echo","_meta":${JSON.stringify(META)}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":X,"_meta":${JSON.stringify(META)}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":X}}`,
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":X}',
  '{"jsonrpc":"2.0","id":1,"method":X,"params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":X}',
  '{"jsonrpc":"2.0","id":1,"result":X}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":X}',
  '[X]',
);

t.test('generated JSON', async (t) => {
  const before = fingerprint();
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(value, around, fc.boolean(), async (node, frame, isModern) => {
      const body = frame.replace('X', () => write(node));
      const headers = isModern
        ? modernHeaders('tools/call', 'echo')
        : { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const answer = await send(TMS, { method: 'POST', headers, body });
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500 || answer.status < 200) throw new Error(`${answer.status} for ${body}: ${answer.text}`);
      if (answer.text !== '' && answer.rpc?.jsonrpc !== '2.0')
        throw new Error(`no JSON-RPC for ${body}: ${answer.text}`);
      const code = answer.rpc?.error?.code;
      if (code !== undefined && ![-32700, -32600, -32601, -32602, -32000, -32020, -32022].includes(code))
        throw new Error(`code ${code} for ${body}`);
      if (fingerprint() !== before) throw new Error(`a prototype changed after ${body}`);
    }),
    { numRuns: 800 },
  );
  t.ok((seen.get(200) ?? 0) > 20 && (seen.get(400) ?? 0) > 20, 'served and refused ones were both among them');
  for (const { args } of gateway.calls) if (args instanceof Object) t.notOk(Object.hasOwn(args, '__proto__'));
  t.same(served.faults, []);
});

t.test('bytes at random', async (t) => {
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (body) => {
      const answer = await send(TMS, { method: 'POST', headers: modernHeaders('tools/list'), body });
      answers++;
      if (answer.status !== 400) throw new Error(`${answer.status} for ${Buffer.from(body).toString('hex')}`);
    }),
    { numRuns: 200 },
  );
  t.ok(answers >= 200);
});
