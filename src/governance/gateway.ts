import type { JsonObject } from '../kit/json.ts';
import type { Principal } from '../kit/principal.ts';

/** The seam between protocol and governance: everything the protocol room may ask of the gates. Types only. */
export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly era: 'modern' | 'legacy';
  readonly protocolVersion: string;
  readonly clientAddress: string;
  readonly jsonRpcId: string;
}

export interface CallRequest {
  readonly server: string;
  readonly name: string;
  readonly args: unknown;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total?: number, message?: string) => void;
}

export type CallAnswer =
  | { readonly kind: 'answer'; readonly envelope: JsonObject; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'unknown-tool' };

/** A server as the protocol room needs to announce it. */
export interface ServerFace {
  readonly name: string;
  readonly announcedAs: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  readonly bodyLimit: number;
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

export interface Refusal {
  readonly server: string | null;
  readonly stage: 'host' | 'origin' | 'authentication' | 'body' | 'protocol';
  readonly status: number;
  readonly reason: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

export interface Gateway {
  servers(): readonly ServerFace[];
  callTool(request: CallRequest): Promise<CallAnswer>;
  /** Entries of tools/list: frozen, filtered by what the caller may call, in registration order. */
  listTools(server: string, caller: Caller): readonly JsonObject[];
  listResources(server: string, caller: Caller): readonly JsonObject[];
  listResourceTemplates(server: string, caller: Caller): readonly JsonObject[];
  /** Null when there is no such resource, or the caller may not see it. */
  readResource(
    server: string,
    uri: string,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ uri: string; mimeType: string; text: string } | null>;
  listPrompts(server: string, caller: Caller): readonly JsonObject[];
  /** Null for an unknown prompt; a missing required argument is named. */
  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    caller: Caller,
  ): Promise<{ description: string; messages: JsonObject[] } | { missing: string[] } | null>;
  /** Puts a refusal that happened before the gates on record. */
  recordRefusal(refusal: Refusal): void;
  ready(): Promise<{ ok: boolean; reasons: string[] }>;
}
