import { randomUUID } from 'node:crypto';
import type { Catalogue, CompiledTool } from '../kit/catalogue.ts';
import type { CallResult, Success } from '../kit/result.ts';
import type { AuditEntry, AuditOutcome } from './audit/entry.ts';
import type { Call } from './call-state.ts';
import type { CallRequest } from './gateway.ts';

/** Gate 9: what goes on record. Arguments are there as a digest and the fields marked auditable, never whole. */
export function entryOf(
  call: Call,
  policyVersion: string,
  at: Pick<AuditEntry, 'phase' | 'status' | 'errorCode' | 'outcome'>,
): AuditEntry {
  const { principal, requestId } = call.request.caller;
  return {
    kind: 'call',
    ...at,
    callId: call.id,
    requestId,
    traceId: call.span.traceId,
    principal,
    profile: call.decision.allowed ? call.decision.profile : null,
    policyVersion,
    server: call.request.server,
    tool: call.entry.tool.name,
    tier: call.tier,
    argsDigest: call.argsDigest,
    auditable: call.auditable,
    catalogueDigest: call.catalogue.digest,
    rows: null,
    redactions: null,
    approvalId: call.approval?.approval_id ?? null,
    approvers: call.approval?.approved_by ?? [],
    idempotencyKey: call.controls?.idempotencyKey ?? null,
    replayed: call.idempotency?.replayed ?? false,
    durationMs: null,
    ...(call.tierReason ? { detail: { tier_reason: call.tierReason } } : {}),
  };
}

/** A call that found no tool, or none it may see. An unknown name is the caller's text: it is kept only when it has the form of a name. */
export function unknownEntry(
  request: CallRequest,
  policyVersion: string,
  about: { catalogue: Catalogue | undefined; entry: CompiledTool | undefined; why: string },
): AuditEntry {
  const { principal, requestId } = request.caller;
  return {
    kind: 'call',
    phase: 'completed',
    callId: randomUUID(),
    requestId,
    traceId: null,
    principal,
    profile: principal.roles.join('+').slice(0, 64) || null,
    policyVersion,
    server: request.server,
    tool: about.entry?.tool.name ?? (/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(request.name) ? request.name : '(not a name)'),
    tier: about.entry?.tool.access.risk ?? null,
    status: 'denied',
    errorCode: 'UNKNOWN_TOOL',
    argsDigest: null,
    auditable: null,
    catalogueDigest: about.catalogue?.digest ?? null,
    rows: null,
    redactions: null,
    approvalId: null,
    approvers: [],
    idempotencyKey: null,
    durationMs: null,
    detail: { why: about.why },
    outcome: 'deny',
  };
}

export function outcomeOf(result: CallResult): AuditOutcome {
  if (result.status === 'success') return 'allow';
  if (result.status === 'approval_required') return 'approval-asked';
  return result.status === 'blocked' ? 'deny' : 'error';
}

/** Rows read, over all sources that counted them. */
export function rowsOf(result: Success): number | null {
  const { sources } = result.provenance;
  return sources ? sources.reduce((sum, source) => sum + (source.rows ?? 0), 0) : null;
}
