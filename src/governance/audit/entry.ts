import type { JsonObject } from '../../kit/json.ts';
import type { Principal } from '../../kit/principal.ts';

export const AUDIT_KINDS = ['call', 'refusal', 'approval', 'reconciled', 'read-audit'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

export const AUDIT_OUTCOMES = [
  'allow',
  'deny',
  'error',
  'approval-asked',
  'approval-given',
  'approval-denied',
  'approval-used',
  'approval-expired',
] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/**
 * One decision, as the gates hand it over. Texts and `auditable` are already free of card data: the redaction gate has seen them.
 * `null` says that the fact does not exist or was not known yet (a refused token has no principal).
 */
export interface AuditEntry {
  /** `call` went through the gates, `refusal` stopped before them, `approval` is an approver's act, `reconciled` was found after a crash, `read-audit` is a look at this log. */
  readonly kind: AuditKind;
  /** A write has two records, `started` before its effect and `completed` after; everything else has `completed` only. */
  readonly phase: 'started' | 'completed';
  /** When the decision was made; the moment it is handed over when left out. */
  readonly at?: Date;
  readonly callId: string;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly principal: Pick<Principal, 'id' | 'issuer' | 'client' | 'onBehalfOf'> | null;
  readonly profile: string | null;
  readonly policyVersion: string | null;
  readonly server: string | null;
  readonly tool: string | null;
  readonly tier: string | null;
  readonly status: string | null;
  readonly errorCode: string | null;
  readonly argsDigest: string | null;
  /** The fields of the arguments that the tool's schema marks `auditable`. */
  readonly auditable: JsonObject | null;
  readonly catalogueDigest: string | null;
  readonly rows: number | null;
  readonly redactions: number | null;
  readonly approvalId: string | null;
  readonly approvers: readonly string[];
  readonly idempotencyKey: string | null;
  /** The answer was that of an earlier call. */
  readonly replayed?: boolean;
  readonly durationMs: number | null;
  /** What else explains the decision: the gate that refused, why the tier is what it is, the vote. Free of card data like the rest. */
  readonly detail?: JsonObject;
  readonly outcome: AuditOutcome;
}

/** A place in the chain. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** The record is not known to be in the log. A write that gets this must not go on. */
export class AuditUnavailable extends Error {
  override readonly name = 'AuditUnavailable';
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
