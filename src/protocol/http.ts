import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Refusal } from '../governance/gateway.ts';
import type { Log } from '../telemetry/log.ts';
import { HTTP_REFUSAL, INTERNAL_ERROR, sendPlainError, sendRpcError } from './errors.ts';
import { type OriginRules, originCheck } from './origin.ts';

/**
 * The HTTP listener: what every route of the gateway has in common.
 * Guarantees: Host and Origin are checked before any route, the not-found answer and the answer to a malformed URL included; every answer carries the
 * security headers and a request id of our own making; no error answer holds a message, a path or a stack of this side; request lines are never
 * logged (a query string may hold what must not be logged). Leaves to others: who calls (identity), what the routes do.
 */
export interface HttpSettings extends OriginRules {
  /** Takes the client address from X-Forwarded-For of these proxies (addresses or CIDR ranges). Empty: the peer of the socket. */
  readonly trustedProxies: readonly string[];
  /** True when clients reach the gateway over https: answers then carry HSTS. */
  readonly https: boolean;
  /** The longest time one request may take to arrive, headers and body. */
  readonly requestTimeoutMs: number;
  /** A connection on which nothing moves for this long is closed: longer than the longest call, since a call may be silent. */
  readonly idleTimeoutMs: number;
}
export interface HttpParts {
  readonly log: Log;
  readonly recordRefusal: (refusal: Refusal) => void;
}

/** Headers of every answer. A route that serves HTML sets its own content policy. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** What browser clients of a listed origin may send and read. */
const CORS_ALLOW_HEADERS =
  'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID';
const CORS_EXPOSE_HEADERS = 'WWW-Authenticate, Mcp-Session-Id, X-Request-Id';

export const isMcpPath = (url: string): boolean => url.startsWith('/mcp/');

export function createHttp(settings: HttpSettings, parts: HttpParts): FastifyInstance {
  const check = originCheck(settings);
  const app = fastify({
    // The framework's own log lines hold URLs; ours say what happened without them.
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: settings.idleTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: 64 * 1024,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => {
      guard(request as FastifyRequest, reply as FastifyReply);
      if (!reply.sent) plainOrRpc(request as FastifyRequest, reply as FastifyReply, error.statusCode ?? 400);
    },
  });

  function guard(request: FastifyRequest, reply: FastifyReply): void {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    if (settings.https) reply.header('strict-transport-security', 'max-age=31536000');
    const verdict = check(request.raw);
    if (!verdict.ok) {
      parts.recordRefusal({
        server: null,
        stage: verdict.stage,
        status: 403,
        reason: verdict.reason,
        requestId: request.id,
        clientAddress: request.ip,
        principal: null,
        tool: null,
      });
      plainOrRpc(request, reply, 403);
      return;
    }
    // Shared caches must not hand one origin's answer to another; nothing here is cacheable anyway.
    reply.header('vary', 'Origin');
    if (verdict.origin === null) return;
    reply
      .header('access-control-allow-origin', verdict.origin)
      .header('access-control-expose-headers', CORS_EXPOSE_HEADERS);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST, GET')
        .header('access-control-allow-headers', CORS_ALLOW_HEADERS)
        .header('access-control-max-age', '600')
        .send();
  }

  app.addHook('onRequest', async (request, reply) => {
    guard(request, reply);
    return reply.sent ? reply : undefined;
  });
  app.setNotFoundHandler((request, reply) => plainOrRpc(request, reply, 404));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode !== undefined && error.statusCode >= 400 ? error.statusCode : 500;
    if (status >= 500) parts.log.error('a request failed', { error, request_id: request.id });
    return plainOrRpc(request, reply, status);
  });
  return app;
}

const TEXTS: Readonly<Record<number, [error: string, message: string]>> = {
  400: ['bad_request', 'The request cannot be read.'],
  403: ['forbidden', 'Requests from there are not allowed.'],
  404: ['not_found', 'There is nothing here.'],
  405: ['method_not_allowed', 'The method is not allowed here.'],
  413: ['too_large', 'The request is too large.'],
  415: ['unsupported_media_type', 'The content type is not supported.'],
};

function plainOrRpc(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  const known = status >= 500 ? undefined : (TEXTS[status] ?? TEXTS[400]);
  const [error, message] = known ?? ['internal', 'Something went wrong on this side.'];
  return isMcpPath(request.url)
    ? sendRpcError(reply, status, known ? HTTP_REFUSAL : INTERNAL_ERROR, message)
    : sendPlainError(reply, status, error, message);
}

/** Bytes that are no HTTP get a bare status line: there is no request to tell anything about. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
