import type { JsonObject } from '../kit/json.ts';
import type { Principal } from '../kit/principal.ts';

/**
 * Where the protocol room and the gates meet. Types only.
 * Guarantees of the protocol side: every `Caller` is built from a verified identity and from the request's body, never from what a client says about
 * itself; every tool call of both eras comes through `callTool`, once. Leaves to the gates: who may see, read and run what, and the record of it.
 */
export interface Caller {
  readonly principal: Principal;
  /** Made by the gateway, one a request. */
  readonly requestId: string;
  /** W3C trace context of the caller, syntax checked. Correlation only: it never decides about sampling. */
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly era: 'modern' | 'legacy';
  readonly protocolVersion: string;
  readonly clientAddress: string;
  /** The JSON-RPC id as text, shortened to 128 characters. For spans and records, not for looking anything up. */
  readonly jsonRpcId: string;
}

export interface CallRequest {
  readonly server: string;
  readonly name: string;
  /** As the client sent it; `{}` when it sent none. May be any JSON value: a schema refusal is the gates' answer. */
  readonly args: unknown;
  readonly caller: Caller;
  /** Fires when the client is gone and when the gateway stops waiting at shutdown; never after the answer was written. */
  readonly signal: AbortSignal;
  /** Present only when the client asked for progress. */
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

export type CallAnswer =
  | { readonly kind: 'answer'; readonly envelope: JsonObject; readonly text: string; readonly isError: boolean }
  /** No such name, or not visible to this caller: one answer for both. */
  | { readonly kind: 'unknown-tool' };

/** One entry of tools/list, ready to send. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: 'object' };
  readonly outputSchema?: JsonObject;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  readonly _meta?: JsonObject;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ListedTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** What the protocol room must know of a server to mount it. */
export interface ServerFace {
  /** Mounted at `/mcp/<name>`. */
  readonly name: string;
  readonly announcedAs: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  /** Limit of one request body in bytes; the setting `bodyLimit` when absent. */
  readonly bodyLimit?: number;
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

export interface ReadRequest {
  readonly server: string;
  readonly uri: string;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}
export type ReadAnswer =
  | { readonly kind: 'document'; readonly mimeType: string; readonly text: string }
  /** No such document, or not visible to this caller. */
  | { readonly kind: 'unknown-resource' }
  /** A refusal or failure with a safe text, such as a rate limit. */
  | { readonly kind: 'refused'; readonly message: string };

export interface PromptRequest {
  readonly server: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}
export type PromptAnswer =
  | {
      readonly kind: 'prompt';
      readonly description: string;
      readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
    }
  | { readonly kind: 'unknown-prompt' }
  | { readonly kind: 'refused'; readonly message: string };

/** A request that was refused before it reached the gates. */
export interface Refusal {
  /** The mounted server the request was for, or null. */
  readonly server: string | null;
  readonly stage: 'host' | 'origin' | 'authentication' | 'body' | 'protocol';
  readonly status: number;
  /** A short stable word, such as `duplicate_member` or `expired`; never text of the client. */
  readonly reason: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Known once the token was verified. */
  readonly principal: Principal | null;
  /** The tool that the body names, where there is a body and the name has the form of a tool name. */
  readonly tool: string | null;
}

export interface Gateway {
  servers(): readonly ServerFace[];
  callTool(request: CallRequest): Promise<CallAnswer>;
  /** Frozen entries of tools/list that this caller may see, in registration order. */
  listTools(server: string, caller: Caller): readonly ListedTool[];
  listResources(server: string, caller: Caller): readonly ListedResource[];
  listTemplates(server: string, caller: Caller): readonly ListedTemplate[];
  readResource(request: ReadRequest): Promise<ReadAnswer>;
  listPrompts(server: string, caller: Caller): readonly ListedPrompt[];
  getPrompt(request: PromptRequest): Promise<PromptAnswer>;
  /**
   * All scopes that calling this tool takes, when the tool is inside the caller's profile and the token lacks one of them; else null. Asked before
   * dispatch, because the answer is HTTP 403 with one challenge for the whole set.
   */
  missingScopes(server: string, tool: string, principal: Principal): readonly string[] | null;
  /** Records a refusal before the gates. Must not throw and is not waited for. */
  recordRefusal(refusal: Refusal): void;
  ready(): Promise<{ readonly ok: boolean; readonly reasons: readonly string[] }>;
}
