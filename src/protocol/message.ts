/**
 * Judges one JSON-RPC message before the SDK sees it.
 * Guarantees: what passes is a single request or notification of JSON-RPC 2.0 whose id can be echoed exactly (a string, or an integer that survives a
 * double), or a response posted by a client; arrays never pass. Leaves to the SDK: the eras, the headers, the parameters of each method.
 */
export interface Message {
  readonly kind: 'request' | 'notification' | 'response';
  readonly id: string | number | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}
export type Judged =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly reason: string; readonly text: string; readonly id: string | number | null };

const refuse = (reason: string, text: string, id: string | number | null = null): Judged => ({
  ok: false,
  reason,
  text: `Invalid Request: ${text}`,
  id,
});
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function judgeMessage(body: unknown): Judged {
  if (Array.isArray(body)) return refuse('batch', 'batches are not accepted');
  if (!isObject(body)) return refuse('not_an_object', 'the body is not a JSON-RPC message');
  if (body.jsonrpc !== '2.0') return refuse('not_json_rpc', 'the member jsonrpc must be "2.0"');
  const hasId = Object.hasOwn(body, 'id');
  const id = body.id;
  if (hasId && !(typeof id === 'string' || Number.isSafeInteger(id)))
    return refuse('bad_id', 'the id must be a string or an integer between -(2^53 - 1) and 2^53 - 1');
  const echo = hasId ? (id as string | number) : null;
  if (!Object.hasOwn(body, 'method')) {
    if (hasId && (Object.hasOwn(body, 'result') || Object.hasOwn(body, 'error')))
      return { ok: true, message: { kind: 'response', id: echo, method: '', params: {}, meta: {} } };
    return refuse('no_method', 'the member method is missing', echo);
  }
  if (typeof body.method !== 'string') return refuse('bad_method', 'the member method must be a string', echo);
  if (Object.hasOwn(body, 'params') && !isObject(body.params))
    return refuse('bad_params', 'the member params must be an object', echo);
  const params = isObject(body.params) ? body.params : {};
  const meta = isObject(params._meta) ? params._meta : {};
  return {
    ok: true,
    message: { kind: hasId ? 'request' : 'notification', id: echo, method: body.method, params, meta },
  };
}

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The tool a message calls, if its name has the form of one; safe to record and to show. */
export function toolNamed(message: Message): string | null {
  const name = message.method === 'tools/call' ? message.params.name : null;
  return typeof name === 'string' && TOOL_NAME.test(name) ? name : null;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** W3C trace context from `_meta`, else from the headers; anything malformed or oversized is as good as absent. */
export function traceContext(
  message: Message,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): { traceparent?: string; tracestate?: string } {
  const from = typeof message.meta.traceparent === 'string' ? message.meta : headers;
  const { traceparent, tracestate } = from;
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return {};
  return typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}

const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The routing header that says something else than the body, if any. The 2025 revisions do not define these headers, but who sends them may have a
 * proxy that decides by them, so they are checked in both eras. Values may come as `=?base64?...?=`.
 */
export function disagreeingHeader(
  message: Message,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): 'Mcp-Method' | 'Mcp-Name' | null {
  const method = headers['mcp-method'];
  if (method !== undefined && method !== message.method) return 'Mcp-Method';
  const name = headers['mcp-name'];
  const member = NAMED[message.method];
  if (name === undefined || member === undefined) return null;
  return typeof name === 'string' && plain(name) === message.params[member] ? null : 'Mcp-Name';
}

function plain(header: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}
