import type { EnvelopeFormat } from './envelope/format.ts';
import type { JsonObject } from './json.ts';
import type { Principal } from './principal.ts';
import type { Tool } from './tool.ts';

/** What a resource or prompt handler gets. They are reads: no effect, no approval. */
export interface ReadContext {
  readonly server: string;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

export interface Resource {
  /** A fixed URI, or an RFC 6570 level 1 template such as `neqsim://components/{name}`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Returns the document, or null when there is none under these variables. */
  read(context: ReadContext, variables: Readonly<Record<string, string>>): Promise<string | null>;
}
export const defineResource = (resource: Resource): Resource => Object.freeze(resource);

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  render(args: Readonly<Record<string, string>>): { role: 'user' | 'assistant'; text: string }[];
}
export const definePrompt = (prompt: Prompt): Prompt => Object.freeze(prompt);

export interface Server {
  /** Mounted at `/mcp/<name>`. */
  readonly name: string;
  /** The name clients see in serverInfo. */
  readonly announcedAs: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  readonly envelope: EnvelopeFormat;
  /** Limit of one request body in bytes. */
  readonly bodyLimit?: number;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Facts for the status page. */
  readonly about?: JsonObject;
}
export const defineServer = (server: Server): Server => Object.freeze(server);
