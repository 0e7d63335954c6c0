import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import t from 'tap';
import { startHttp } from '../support/http-gateway.ts';
import { face, memoryGateway, tool } from '../support/memory-gateway.ts';

/** Real clients of both SDK generations and both eras, over real sockets, get the same answers. */
const gateway = memoryGateway([
  {
    face: face('tms'),
    tools: [
      tool('get_terminal'),
      tool('slow', async ({ progress }) => {
        for (const done of [1, 1, 2, 5]) {
          progress?.(done, 5, `step ${done}`);
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        return { reported: progress !== undefined };
      }),
      tool('broken', async () => {
        throw new Error('SELECT secret FROM somewhere');
      }),
    ],
  },
]);
const served = await startHttp(gateway);
t.teardown(() => served.close());
const url = new URL(`${served.url}/mcp/tms`);

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: object[] }>;
  getServerVersion(): { name: string; version: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}
const identity = { name: 'test', version: '1.0.0' };
async function current(mode: 'auto' | 'legacy' | { pin: string }): Promise<AnyClient> {
  const client = new Client(identity, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client as unknown as AnyClient;
}
async function former(): Promise<AnyClient> {
  const client = new OldClient(identity);
  await client.connect(new OldTransport(url));
  return client as unknown as AnyClient;
}

for (const [name, connect, era] of [
  ['current SDK, era found out', () => current('auto'), 'modern'],
  ['current SDK, pinned to 2026-07-28', () => current({ pin: '2026-07-28' }), 'modern'],
  ['current SDK, 2025 handshake', () => current('legacy'), 'legacy'],
  ['former SDK', former, 'legacy'],
] as const) {
  t.test(name, async (t) => {
    const client = await connect();
    t.teardown(() => client.close());
    t.match(client.getServerVersion(), { name: 'penstock-tms', version: '1.2.3' });
    t.equal(client.getInstructions(), 'Ask one thing at a time.');
    t.same(
      (await client.listTools()).tools.map((one) => one.name),
      ['get_terminal', 'slow', 'broken'],
    );
    const answer = await client.callTool({ name: 'get_terminal', arguments: { serial_number: '端末-0007' } });
    t.same(answer.structuredContent, {
      status: 'success',
      data: { name: 'get_terminal', args: { serial_number: '端末-0007' } },
    });
    t.same(JSON.parse((answer.content as { text: string }[])[0]!.text), answer.structuredContent);
    t.equal(gateway.calls.at(-1)?.caller.era, era);
    t.equal(gateway.calls.at(-1)?.progress, undefined, 'progress is offered only to callers who asked');
    await t.rejects(client.callTool({ name: 'nothing' }), { code: -32602, message: /Unknown tool: nothing/ });
    await t.rejects(client.callTool({ name: 'broken' }), { code: -32603, message: /^(?!.*SELECT).*this side/ });
    t.equal((await client.listResources()).resources[0]?.uri, 'doc://one');
    t.match((await client.readResource({ uri: 'doc://one' })).contents, [{ text: 'first' }]);
    await t.rejects(client.readResource({ uri: 'doc://two' }), { code: -32602 });
    t.equal((await client.listPrompts()).prompts[0]?.name, 'greet');
    t.match((await client.getPrompt({ name: 'greet', arguments: { who: 'you' } })).messages, [
      { role: 'user', content: { type: 'text', text: 'Hello you' } },
    ]);
    await t.rejects(client.getPrompt({ name: 'greet' }), { code: -32602 });
  });
}

t.test('progress comes in rising steps while the call runs, in both eras and SDKs', async (t) => {
  for (const open of [
    async () => {
      const client = new Client(identity, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      await client.connect(new StreamableHTTPClientTransport(url));
      return client;
    },
    async () => {
      const client = new OldClient(identity);
      await client.connect(new OldTransport(url));
      return client;
    },
  ]) {
    const client = await open();
    const seen: number[] = [];
    const onprogress = (p: { progress: number; total?: number; message?: string }) => {
      t.match(p, { total: 5, message: `step ${p.progress}` });
      seen.push(p.progress);
    };
    const answer =
      client instanceof Client
        ? await client.callTool({ name: 'slow' }, { onprogress })
        : await client.callTool({ name: 'slow' }, undefined, { onprogress });
    t.match(answer.structuredContent, { data: { reported: true } });
    t.same(seen, [1, 2, 5]);
    await client.close();
  }
});

t.test('faults are logged whole and answered without their text', async (t) => {
  t.ok(served.faults.length > 0);
  t.ok(served.faults.every((fault) => String(fault.fields?.error).includes('SELECT secret')));
});
