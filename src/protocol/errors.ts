import type { FastifyReply } from 'fastify';

/**
 * JSON-RPC errors that the gateway answers itself, before the SDK. The codes are those of the protocol; none is invented here.
 * -32700 no JSON, -32600 no single JSON-RPC message, -32602 bad parameters, -32603 a fault on this side, -32000 refusals of the HTTP layer,
 * -32020 a header that does not agree with the body.
 */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const HTTP_REFUSAL = -32000;
/** HeaderMismatch of revision 2026-07-28. */
export const HEADER_MISMATCH = -32020;

export type RpcErrorCode =
  | typeof PARSE_ERROR
  | typeof INVALID_REQUEST
  | typeof INVALID_PARAMS
  | typeof INTERNAL_ERROR
  | typeof HTTP_REFUSAL
  | typeof HEADER_MISMATCH;

export function sendRpcError(
  reply: FastifyReply,
  status: number,
  code: RpcErrorCode,
  message: string,
  id: string | number | null = null,
): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
}

/** The form of errors outside the MCP routes. */
export function sendPlainError(reply: FastifyReply, status: number, error: string, message: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(JSON.stringify({ error, message }));
}
