import type {
  CallAnswer,
  Caller,
  CallRequest,
  Gateway,
  ListedTool,
  Refusal,
  ServerFace,
} from '../../src/governance/gateway.ts';
import type { JsonObject, Principal } from '../../src/kit/index.ts';

/** The gates' side of the seam, in memory: what the protocol room hands over is kept for the tests to look at. */
export interface MemoryTool {
  readonly listed: ListedTool;
  readonly visibleTo?: (principal: Principal) => boolean;
  readonly scopes?: readonly string[];
  run(request: CallRequest): Promise<JsonObject>;
}
export interface MemoryGateway extends Gateway {
  readonly calls: CallRequest[];
  readonly refusals: Refusal[];
}

export const tool = (
  name: string,
  run: (request: CallRequest) => Promise<JsonObject> = async (request) => ({ name, args: request.args as JsonObject }),
  more: Partial<Pick<MemoryTool, 'visibleTo' | 'scopes'>> = {},
): MemoryTool => ({
  listed: Object.freeze({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' as const },
    annotations: { readOnlyHint: true },
  }),
  run,
  ...more,
});

export const face = (name: string, more: Partial<ServerFace> = {}): ServerFace => ({
  name,
  announcedAs: `penstock-${name}`,
  title: `Server ${name}`,
  version: '1.2.3',
  instructions: 'Ask one thing at a time.',
  hasResources: true,
  hasPrompts: true,
  ...more,
});

export function memoryGateway(servers: readonly { face: ServerFace; tools: readonly MemoryTool[] }[]): MemoryGateway {
  const calls: CallRequest[] = [];
  const refusals: Refusal[] = [];
  const find = (server: string, name: string, principal: Principal): MemoryTool | undefined =>
    servers
      .find((one) => one.face.name === server)
      ?.tools.find((one) => one.listed.name === name && (one.visibleTo?.(principal) ?? true));

  return {
    calls,
    refusals,
    servers: () => servers.map((one) => one.face),
    async callTool(request): Promise<CallAnswer> {
      calls.push(request);
      const found = find(request.server, request.name, request.caller.principal);
      if (!found) return { kind: 'unknown-tool' };
      const { args } = request;
      const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
      const envelope: JsonObject = isObject
        ? { status: 'success', data: await found.run(request) }
        : { status: 'error', error: { code: 'INVALID_ARGUMENT' } };
      return { kind: 'answer', envelope, text: JSON.stringify(envelope), isError: !isObject };
    },
    listTools: (server: string, caller: Caller) =>
      (servers.find((one) => one.face.name === server)?.tools ?? [])
        .filter((one) => one.visibleTo?.(caller.principal) ?? true)
        .map((one) => one.listed),
    listResources: () => [
      { uri: 'doc://one', name: 'one', title: 'One', description: 'A document.', mimeType: 'text/plain' },
    ],
    listTemplates: () => [
      { uriTemplate: 'doc://{id}', name: 'any', title: 'Any', description: 'Documents.', mimeType: 'text/plain' },
    ],
    readResource: async ({ uri }) =>
      uri === 'doc://one' ? { kind: 'document', mimeType: 'text/plain', text: 'first' } : { kind: 'unknown-resource' },
    listPrompts: () => [
      {
        name: 'greet',
        title: 'Greet',
        description: 'Greets.',
        arguments: [{ name: 'who', description: 'Whom.', required: true }],
      },
    ],
    getPrompt: async ({ name, args }) => {
      if (name !== 'greet') return { kind: 'unknown-prompt' };
      if (args.who === undefined) return { kind: 'refused', message: 'The argument who is missing.' };
      return { kind: 'prompt', description: 'Greets.', messages: [{ role: 'user', text: `Hello ${args.who}` }] };
    },
    missingScopes: (server, name, principal) => {
      const scopes = find(server, name, principal)?.scopes;
      return scopes && !scopes.every((scope) => principal.scopes.includes(scope)) ? scopes : null;
    },
    recordRefusal: (refusal) => {
      refusals.push(refusal);
    },
    ready: async () => ({ ok: true, reasons: [] }),
  };
}
