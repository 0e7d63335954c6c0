import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallAnswer, Caller, Gateway, ServerFace } from '../governance/gateway.ts';
import { scrubText } from '../governance/redaction/index.ts';
import { type Progress, throttledProgress } from './progress.ts';
import type { Running } from './running.ts';

/**
 * The SDK's side of one request: a low-level `Server` whose handlers are closed over the mounted server and this request's caller.
 * Guarantees: there is no other way from the SDK to a tool; an unexpected fault becomes -32603 with one fixed text, its reason goes to the log only.
 * Leaves to others: every decision (the gates behind `Gateway`).
 */
export interface Exchange {
  readonly caller: Omit<Caller, 'era'>;
  /** The arguments as the client sent them: the gates judge them, whatever they are. */
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** Set when the gates got the call, and so record it. */
  reachedGates: boolean;
}
export interface ServingParts {
  readonly gateway: Gateway;
  readonly running: Running;
  readonly exchangeOf: (request: globalThis.Request | undefined) => Exchange;
  readonly logFault: (message: string, error: unknown, requestId: string) => void;
}

const NO_CURSOR = 'Unknown cursor.';

export function sdkServer(face: ServerFace, parts: ServingParts, context: McpRequestContext): Server {
  const { gateway } = parts;
  const exchange = parts.exchangeOf(context.requestInfo);
  const caller: Caller = { ...exchange.caller, era: context.era };
  const server = new Server(
    { name: face.announcedAs, title: face.title, version: face.version },
    {
      capabilities: {
        tools: {},
        ...(face.hasResources && { resources: {} }),
        ...(face.hasPrompts && { prompts: {} }),
      },
      instructions: face.instructions,
    },
  );

  /** Errors made for the client pass; anything else stays here. */
  const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      parts.logFault('a request failed outside the gates', error, caller.requestId);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on this side.');
    }
  };
  /** Lists fit one page, so no cursor was ever minted here. */
  const page = <T>(cursor: string | undefined, list: () => T): Promise<T> =>
    guarded(() => {
      if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_CURSOR);
      return list();
    });
  // What a caller is shown depends on who it is, so no shared cache may keep it.
  const PRIVATE = { ttlMs: 0, cacheScope: 'private' } as const;

  server.setRequestHandler('tools/list', (request) =>
    page(request.params?.cursor, () => ({ tools: [...gateway.listTools(face.name, caller)], ...PRIVATE })),
  );
  server.setRequestHandler('tools/call', (request, ctx) =>
    guarded(async () => {
      const progress = progressFor(ctx);
      exchange.reachedGates = true;
      try {
        const answer = await parts.running.track(
          gateway.callTool({
            server: face.name,
            name: request.params.name,
            args: exchange.args,
            caller,
            signal: exchange.signal,
            ...(progress && { progress: progress.report }),
          }),
        );
        return toolResult(answer, request.params.name);
      } finally {
        progress?.close();
      }
    }),
  );

  if (face.hasResources) {
    server.setRequestHandler('resources/list', (request) =>
      page(request.params?.cursor, () => ({ resources: [...gateway.listResources(face.name, caller)], ...PRIVATE })),
    );
    server.setRequestHandler('resources/templates/list', (request) =>
      page(request.params?.cursor, () => ({
        resourceTemplates: [...gateway.listTemplates(face.name, caller)],
        ...PRIVATE,
      })),
    );
    server.setRequestHandler('resources/read', (request) =>
      guarded(async () => {
        const { uri } = request.params;
        exchange.reachedGates = true;
        const answer = await parts.running.track(
          gateway.readResource({ server: face.name, uri, caller, signal: exchange.signal }),
        );
        if (answer.kind === 'unknown-resource') throw new ResourceNotFoundError(uri);
        if (answer.kind === 'refused') throw new ProtocolError(ProtocolErrorCode.InvalidParams, answer.message);
        return { contents: [{ uri, mimeType: answer.mimeType, text: answer.text }], ...PRIVATE };
      }),
    );
  }

  if (face.hasPrompts) {
    server.setRequestHandler('prompts/list', (request) =>
      page(request.params?.cursor, () => ({
        prompts: gateway.listPrompts(face.name, caller).map((p) => ({ ...p, arguments: [...p.arguments] })),
        ...PRIVATE,
      })),
    );
    server.setRequestHandler('prompts/get', (request) =>
      guarded(async () => {
        exchange.reachedGates = true;
        const answer = await parts.running.track(
          gateway.getPrompt({
            server: face.name,
            name: request.params.name,
            args: request.params.arguments ?? {},
            caller,
            signal: exchange.signal,
          }),
        );
        if (answer.kind === 'unknown-prompt')
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt.');
        if (answer.kind === 'refused') throw new ProtocolError(ProtocolErrorCode.InvalidParams, answer.message);
        return {
          description: answer.description,
          messages: answer.messages.map((m) => ({ role: m.role, content: { type: 'text' as const, text: m.text } })),
        };
      }),
    );
  }
  return server;
}

/** One text for names that do not exist and names this caller may not see. */
function toolResult(answer: CallAnswer, name: string) {
  if (answer.kind === 'unknown-tool')
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      /^[A-Za-z0-9_.-]{1,128}$/.test(name) ? `Unknown tool: ${scrubText(name).text}` : 'Unknown tool',
    );
  return {
    content: [{ type: 'text' as const, text: answer.text }],
    structuredContent: answer.envelope,
    ...(answer.isError && { isError: true }),
  };
}

function progressFor(ctx: ServerContext): Progress | null {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return null;
  return throttledProgress((params) => {
    // A client that has gone gets no progress, which is no fault.
    ctx.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...params } })
      .catch(() => undefined);
  });
}
