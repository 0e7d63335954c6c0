/** The yardstick: one trivial tool on the official SDK and Fastify, as its documentation suggests for gateways, without any governance. */
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import fastify from 'fastify';
import { z } from 'zod';

const input = z.strictObject({ text: z.string().max(2000).default('') });
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async ({ params }) => {
    const data = input.parse(params.arguments);
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  });
  return server;
});

const app = fastify();
app.post('/mcp/desk', async (incoming, reply) => {
  const headers = new Headers();
  for (const name of ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = incoming.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const answer = await handler.fetch(new Request('http://localhost/mcp/desk', { method: 'POST', headers }), {
    parsedBody: incoming.body,
  });
  return reply
    .code(answer.status)
    .headers(Object.fromEntries(answer.headers))
    .send(await answer.text());
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.on('message', () => process.exit(0));
process.send?.(new URL(address).port);
