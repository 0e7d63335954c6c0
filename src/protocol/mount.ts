import { createMcpHandler, type McpHttpHandler, preloadSchemas } from '@modelcontextprotocol/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway, Refusal, ServerFace } from '../governance/gateway.ts';
import { type Identity, METADATA_PATH, type Refused } from '../identity/identity.ts';
import type { Principal } from '../kit/principal.ts';
import type { Log } from '../telemetry/log.ts';
import { sendAnswer } from './answer.ts';
import {
  HEADER_MISMATCH,
  HTTP_REFUSAL,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  type RpcErrorCode,
  sendRpcError,
} from './errors.ts';
import { parseJsonBody } from './json-body.ts';
import { disagreeingHeader, judgeMessage, type Message, toolNamed, traceContext } from './message.ts';
import { headerCount } from './origin.ts';
import { misfit } from './params.ts';
import { Running } from './running.ts';
import { type Exchange, sdkServer } from './sdk-server.ts';

/**
 * Mounts the servers under /mcp/<name>: HTTP in, one call of the SDK's handler, HTTP out.
 * Guarantees: no request gets to the SDK without a principal, a JSON body that passed the strict reader, and a single JSON-RPC message; what the SDK sees
 * is a fixed URL and five headers, never a credential, a cookie, a session id or the Host; a client that goes away fires its call's signal; shutdown
 * refuses new calls, waits for running ones, and only then ends the SDK's side. Leaves to others: Host and Origin (http.ts), every decision about
 * tools (the gates).
 */
export interface MountSettings {
  /** Origin that names the gateway in the requests handed to the SDK. */
  readonly publicUrl: string;
  /** Limit of a request body in bytes, where a server states none. */
  readonly bodyLimit: number;
  /** How long a shutdown waits for running calls. */
  readonly drainMs: number;
}
export interface MountParts {
  readonly gateway: Gateway;
  readonly identity: Identity;
  readonly settings: MountSettings;
  readonly log: Log;
}
export interface Mounted {
  readonly running: Running;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook of the MCP routes. */
    principal: Principal | null;
  }
}

export async function mountServers(app: FastifyInstance, parts: MountParts): Promise<Mounted> {
  const { gateway, identity, settings, log } = parts;
  preloadSchemas();
  const running = new Running();
  const handlers: McpHttpHandler[] = [];
  const faces = gateway.servers();

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.decorateRequest('principal', null);
    for (const face of faces) {
      const serving = createServing(face, { gateway, running, log });
      handlers.push(serving.handler);
      mountOne(scope, face, serving, { ...parts, running });
    }
  });

  for (const face of faces) {
    const document = identity.metadata(face.name, face.title);
    if (document)
      app.get(`${METADATA_PATH}/${face.name}`, async (_request, reply) =>
        reply.type('application/json').send(JSON.stringify(document)),
      );
  }

  app.addHook('preClose', async () => {
    await running.drain(settings.drainMs);
    await Promise.all(handlers.map((handler) => handler.close()));
  });
  return { running };
}

interface Serving {
  readonly handler: McpHttpHandler;
  readonly exchanges: WeakMap<globalThis.Request, Exchange>;
}

function createServing(face: ServerFace, parts: { gateway: Gateway; running: Running; log: Log }): Serving {
  const exchanges = new WeakMap<globalThis.Request, Exchange>();
  const exchangeOf = (request: globalThis.Request | undefined): Exchange => {
    const exchange = request && exchanges.get(request);
    // Without it there is no verified caller, and then nothing is served.
    if (!exchange) throw new Error('a request without its exchange reached the factory');
    return exchange;
  };
  const logFault = (message: string, error: unknown, requestId: string) =>
    parts.log.error(message, { error, request_id: requestId, server: face.name });
  const serving = { gateway: parts.gateway, running: parts.running, exchangeOf, logFault };
  return { handler: createMcpHandler((context) => sdkServer(face, serving, context)), exchanges };
}

function mountOne(
  scope: FastifyInstance,
  face: ServerFace,
  serving: Serving,
  parts: MountParts & { running: Running },
): void {
  const { gateway, identity, settings, running } = parts;
  const limit = face.bodyLimit ?? settings.bodyLimit;
  const url = `${settings.publicUrl}/mcp/${face.name}`;

  const record = (
    request: FastifyRequest,
    facts: Pick<Refusal, 'stage' | 'status' | 'reason'> & { tool?: string | null; principal?: Principal | null },
  ): void =>
    gateway.recordRefusal({
      server: face.name,
      requestId: request.id,
      clientAddress: request.ip,
      tool: facts.tool ?? null,
      stage: facts.stage,
      status: facts.status,
      reason: facts.reason,
      principal: facts.principal ?? request.principal,
    });
  const refuse = (
    request: FastifyRequest,
    reply: FastifyReply,
    stage: 'body' | 'protocol',
    status: number,
    code: RpcErrorCode,
    reason: string,
    text: string,
    id: string | number | null = null,
  ): FastifyReply => {
    record(request, { stage, status, reason });
    return sendRpcError(reply, status, code, text, id);
  };
  const sendRefused = (request: FastifyRequest, reply: FastifyReply, refused: Refused, tool: string | null = null) => {
    record(request, {
      stage: 'authentication',
      status: refused.status,
      reason: refused.reason,
      principal: refused.principal,
      tool,
    });
    if (refused.challenge !== null) reply.header('www-authenticate', refused.challenge);
    if (refused.status === 503) reply.header('retry-after', '10');
    return reply
      .code(refused.status)
      .header('content-type', 'application/json')
      .send(JSON.stringify({ error: refused.error, error_description: refused.description }));
  };

  const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (running.draining) {
      reply.header('retry-after', '1').header('connection', 'close');
      return refuse(request, reply, 'protocol', 503, HTTP_REFUSAL, 'stopping', 'The gateway is stopping.');
    }
    const resolution = await identity.resolve({
      authorization: request.headers.authorization,
      headerCount: headerCount(request.raw, 'authorization'),
      server: face.name,
      clientAddress: request.ip,
    });
    if (!resolution.ok) return sendRefused(request, reply, resolution);
    request.principal = resolution.principal;
    return undefined;
  };
  /** Refuses what needs no look at the body. Runs before the body is read. */
  const checkHead = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.method !== 'POST') {
      // Not recorded: clients of the 2025 revisions ask for a stream as a matter of course, and nothing was decided about a call.
      return sendRpcError(reply.header('allow', 'POST'), 405, HTTP_REFUSAL, 'Method not allowed.');
    }
    const encoding = request.headers['content-encoding'];
    if (!isJson(request.headers['content-type']) || (encoding !== undefined && encoding !== 'identity')) {
      const text = 'Unsupported Media Type: the body must be application/json, not compressed.';
      return refuse(request, reply, 'protocol', 415, HTTP_REFUSAL, 'content_type', text);
    }
    return undefined;
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = parseJsonBody(request.body instanceof Uint8Array ? request.body : new Uint8Array());
    if (!body.ok) {
      const code = body.kind === 'syntax' ? PARSE_ERROR : INVALID_REQUEST;
      return refuse(request, reply, 'body', 400, code, body.reason, body.message);
    }
    const judged = judgeMessage(body.value);
    if (!judged.ok) return refuse(request, reply, 'body', 400, INVALID_REQUEST, judged.reason, judged.text, judged.id);
    const { message } = judged;
    const wrong = misfit(message);
    if (wrong !== null) return refuse(request, reply, 'protocol', 200, INVALID_PARAMS, 'bad_params', wrong, message.id);
    const principal = request.principal;
    if (!principal) throw new Error('a request without a principal reached its handler');
    const tool = toolNamed(message);
    // The SDK checks the headers of the modern era itself.
    const odd = isModern(message) || message.kind === 'response' ? null : disagreeingHeader(message, request.headers);
    if (odd !== null) {
      record(request, { stage: 'protocol', status: 400, reason: 'header_mismatch', tool, principal });
      return sendRpcError(
        reply,
        400,
        HEADER_MISMATCH,
        `Header mismatch: ${odd} does not agree with the body.`,
        message.id,
      );
    }
    if (tool !== null && message.kind === 'request') {
      const scopes = gateway.missingScopes(face.name, tool, principal);
      if (scopes) return sendRefused(request, reply, identity.insufficientScope(face.name, scopes, principal), tool);
    }

    const controller = new AbortController();
    const end = running.begin(controller);
    reply.raw.once('close', () => {
      end();
      if (!reply.raw.writableFinished) controller.abort(new Error('The client went away'));
    });
    const exchange: Exchange = {
      caller: {
        principal,
        requestId: request.id,
        ...traceContext(message, request.headers),
        protocolVersion: versionOf(message, request),
        clientAddress: request.ip,
        jsonRpcId: String(message.id).slice(0, 128),
      },
      args: message.params.arguments === undefined ? {} : message.params.arguments,
      signal: controller.signal,
      reachedGates: false,
    };
    const forSdk = new Request(url, { method: 'POST', headers: sdkHeaders(request), signal: controller.signal });
    serving.exchanges.set(forSdk, exchange);
    const answer = await serving.handler.fetch(forSdk, { parsedBody: sdkBody(message, body.value) });
    const refused = answer.status >= 400 || (message.method === 'tools/call' && message.kind === 'request');
    if (refused && !exchange.reachedGates)
      record(request, { stage: 'protocol', status: answer.status, reason: await reasonOf(answer), tool });
    return sendAnswer(reply, answer);
  };

  scope.all(
    `/mcp/${face.name}`,
    {
      bodyLimit: limit,
      onRequest: [authenticate, checkHead],
      errorHandler: (error: FastifyError, request, reply) => {
        if (error.statusCode === 413)
          return refuse(
            request,
            reply,
            'body',
            413,
            HTTP_REFUSAL,
            'too_large',
            `The request body is larger than ${limit} bytes.`,
          );
        if (error.statusCode !== undefined && error.statusCode < 500)
          return refuse(
            request,
            reply,
            'body',
            400,
            PARSE_ERROR,
            'unreadable',
            'Parse error: the request body cannot be read',
          );
        parts.log.error('a request failed', { error, request_id: request.id, server: face.name });
        record(request, { stage: 'protocol', status: 500, reason: 'fault' });
        return sendRpcError(reply, 500, INTERNAL_ERROR, 'Something went wrong on this side.');
      },
    },
    handle,
  );
}

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';

const BOTH_TYPES = 'application/json, text/event-stream';
const PASSED_ON = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** The headers the SDK needs. An absent `Accept`, or one that takes anything, stands for both types. */
function sdkHeaders(request: FastifyRequest): Record<string, string> {
  const { accept } = request.headers;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: accept === undefined || accept.includes('*/*') ? BOTH_TYPES : accept,
  };
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

/** Arguments that are no object are for the gates to refuse in their own form; the SDK would refuse them in its own, so it is shown none. */
function sdkBody(message: Message, body: unknown): unknown {
  const { arguments: args, ...rest } = message.params;
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  if (message.method !== 'tools/call' || args === undefined || isObject) return body;
  return { ...(body as object), params: rest };
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The revision this message speaks, for records; the SDK has its own view and refuses what does not fit. */
function versionOf(message: Message, request: FastifyRequest): string {
  const said =
    message.meta[VERSION_KEY] ??
    (message.method === 'initialize' ? message.params.protocolVersion : request.headers['mcp-protocol-version']);
  return typeof said === 'string' && /^\d{4}-\d\d-\d\d$/.test(said) ? said : 'unknown';
}

/** The JSON-RPC code of a refusal by the SDK, as a word for the record. */
async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.clone().text();
  return `code_${/"code":(-?\d+)/.exec(text)?.[1] ?? 'none'}`;
}

const isModern = (message: Message): boolean => 'io.modelcontextprotocol/protocolVersion' in message.meta;
