import type { Issue } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { CallResult } from '../result.ts';

/** Facts about the call that every envelope may carry. */
export interface CallFacts {
  readonly announcedAs: string;
  readonly tool: string;
  readonly requestId: string;
  readonly traceId: string | null;
  readonly generatedAt: string;
  readonly durationMs: number;
  /** The deployment profile in force. */
  readonly mode: string;
  readonly trust: string | null;
  readonly idempotency?: { readonly key: string; readonly replayed: boolean; readonly first_at: string };
  readonly approval?: { readonly approval_id: string; readonly approved_by: readonly string[] };
}

/** How a server's answers look. Chosen by the server's declaration, applied by the gates; a handler never sees it. */
export interface EnvelopeFormat {
  readonly id: 'payments' | 'neqsim';
  /** The code of a schema refusal. */
  readonly refusalCode: 'INVALID_ARGUMENT' | 'INPUT_ERROR';
  /** A tool outside the profile: `hide` answers like an unknown name, `blocked` gives the contract's blocked envelope. */
  readonly outsideProfile: 'hide' | 'blocked';
  /** Whether tools/list carries output schemas. */
  readonly publishesOutputSchemas: boolean;
  /** Layer 2 of redaction (names that never leave) applies, and integers are looked at as well as strings. */
  readonly cardholderRules: boolean;
  readonly maxBytes: number;
  render(result: CallResult, facts: CallFacts): JsonObject;
  /** Puts the number of redactions and their warning into a rendered envelope. */
  noteRedactions(envelope: JsonObject, redactions: number): JsonObject;
  /** Makes an envelope that is over `maxBytes` fit, or returns null when it cannot. */
  shrink(envelope: JsonObject, maxBytes: number): JsonObject | null;
  /** The text item of the MCP result. */
  text(envelope: JsonObject): string;
  /** The schema of the whole envelope around the schema of `data`. */
  schema(data: JsonObject): JsonObject;
  /** Where `data` lies in the envelope, so that marks of the output schema can be found when strings are scrubbed. */
  readonly dataPath: readonly string[];
  refusal(issues: Issue[]): { message: string; details: JsonObject };
}
