import { type SpecTypeName, specTypeSchemas } from '@modelcontextprotocol/server';
import type { Message } from './message.ts';

/**
 * Parameters that do not fit their method are the client's mistake: -32602 with the place of the mistake. The SDK's low-level server would answer them
 * as a fault of this side (-32603) with the dump of its validator. Methods that are not listed are the SDK's to refuse.
 */
const SCHEMAS: Readonly<Record<string, SpecTypeName>> = {
  initialize: 'InitializeRequest',
  'tools/list': 'ListToolsRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
};

/** A sentence about the first parameter that does not fit, or null. */
export function misfit(message: Message): string | null {
  if (message.kind !== 'request') return null;
  if (message.method === 'tools/call')
    return typeof message.params.name === 'string' ? null : 'Invalid params: name must be a string.';
  const name = Object.hasOwn(SCHEMAS, message.method) ? SCHEMAS[message.method] : undefined;
  if (name === undefined) return null;
  const verdict = specTypeSchemas[name]['~standard'].validate({ method: message.method, params: message.params });
  if (!verdict.issues) return null;
  const path = (verdict.issues[0]?.path ?? [])
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .slice(1)
    .join('.');
  // The path may hold names of the client's choosing: only ordinary ones are repeated.
  return /^[\w.-]{1,100}$/.test(path) ? `Invalid params: ${path} is missing or of the wrong kind.` : 'Invalid params.';
}
