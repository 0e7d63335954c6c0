import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../src/governance/gateway.ts';
import { createIdentity, type Identity } from '../../src/identity/identity.ts';
import { mountHealth } from '../../src/protocol/health.ts';
import { createHttp, type HttpSettings } from '../../src/protocol/http.ts';
import { type Mounted, mountServers } from '../../src/protocol/mount.ts';
import type { Log } from '../../src/telemetry/log.ts';

/** A listening gateway around the protocol room, on a port the system chose. */
export interface HttpGateway {
  readonly url: string;
  readonly port: number;
  readonly app: FastifyInstance;
  readonly mounted: Mounted;
  readonly faults: { message: string; fields?: Record<string, unknown> }[];
  close(): Promise<void>;
}

export async function startHttp(
  gateway: Gateway,
  options: {
    identity?: Identity;
    http?: Partial<HttpSettings>;
    port?: number;
    publicUrl?: string;
    drainMs?: number;
  } = {},
): Promise<HttpGateway> {
  const faults: HttpGateway['faults'] = [];
  const nothing = () => undefined;
  const log: Log = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (message, fields) => void faults.push(fields ? { message, fields } : { message }),
  };
  const app = createHttp(
    {
      hosts: [],
      origins: [],
      trustedProxies: [],
      https: false,
      requestTimeoutMs: 30_000,
      idleTimeoutMs: 60_000,
      ...options.http,
    },
    { log, recordRefusal: gateway.recordRefusal },
  );
  const mounted = await mountServers(app, {
    gateway,
    identity: options.identity ?? createIdentity({ mode: 'none' }),
    settings: {
      publicUrl: options.publicUrl ?? 'http://localhost',
      bodyLimit: 1024 * 1024,
      drainMs: options.drainMs ?? 2_000,
    },
    log,
  });
  mountHealth(app, {
    gateway,
    metrics: { contentType: 'text/plain; version=0.0.4', metrics: async () => 'up 1\n' },
    draining: () => mounted.running.draining,
  });
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, app, mounted, faults, close: () => app.close() };
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The JSON-RPC message of a JSON body, or of the last frame of an event stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly rpc: any;
}

/** One request with exactly these headers: nothing is added but Host, and that only when it is not given. */
export function send(
  url: string,
  request: { method?: string; headers?: Record<string, string | string[]>; body?: string | Uint8Array } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers };
    if (request.body !== undefined && headers['transfer-encoding'] === undefined)
      headers['content-length'] = String(Buffer.byteLength(request.body));
    const outgoing = http.request(url, { method: request.method ?? 'GET', headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part) => {
        text += part;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, rpc: messageOf(incoming, text) }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(request.body);
  });
}

function messageOf(incoming: http.IncomingMessage, text: string): unknown {
  const frames = String(incoming.headers['content-type']).includes('event-stream')
    ? text.split('\n').filter((line) => line.startsWith('data: '))
    : [`data: ${text}`];
  try {
    return JSON.parse(frames.at(-1)?.slice(6) ?? '');
  } catch {
    return undefined;
  }
}

const PREFIX = 'io.modelcontextprotocol/';
export const MODERN = '2026-07-28';
export const META = {
  [`${PREFIX}protocolVersion`]: MODERN,
  [`${PREFIX}clientInfo`]: { name: 'test', version: '1.0.0' },
  [`${PREFIX}clientCapabilities`]: {},
};

/** Headers of a well-formed request of the current revision. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

/** A request of the current revision; a header given as null is left out. */
export function modern(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  options: { id?: unknown; headers?: Record<string, string | string[] | null> } = {},
): Promise<RawAnswer> {
  const name = params.name ?? params.uri;
  const headers: Record<string, string | string[]> = modernHeaders(method, typeof name === 'string' ? name : undefined);
  for (const [key, value] of Object.entries(options.headers ?? {})) {
    if (value === null) delete headers[key];
    else headers[key] = value;
  }
  const id = 'id' in options ? options.id : 1;
  const body = { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params: { ...params, _meta: META } };
  return send(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A request of the 2025 revisions, without a session. */
export function legacy(
  url: string,
  method: string,
  params?: Record<string, unknown>,
  options: { id?: unknown; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const id = 'id' in options ? options.id : 1;
  return send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...options.headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, ...(params && { params }) }),
  });
}
