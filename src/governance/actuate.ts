import type { ToolContext } from '../kit/context.ts';
import { ApprovalOutdated, ToolError } from '../kit/errors.ts';
import type { JsonValue } from '../kit/json.ts';
import type { CallResult } from '../kit/result.ts';
import { type ApprovalCall, approversOf, askAgain, passApproval } from './approval-gate.ts';
import type { Call, CallParts } from './call-state.ts';
import type { Claims } from './claims.ts';
import { limited } from './limited.ts';
import { entryOf } from './record.ts';
import { scrubText } from './redaction/index.ts';
import { fromStored, scrubbed, storable, storableFailure } from './replay.ts';

/**
 * Gates 5 to 7 for a call that changes something.
 * Guarantees: of any number of equal calls one has an effect; a call whose tier asks for it has its approval; the `started` record is committed before
 * the handler runs; effect, intent and stored answer are committed together or not at all; a call that ends without an effect frees its key.
 */
export async function actuate(
  parts: CallParts,
  call: Call,
  context: ToolContext,
  input: Record<string, unknown>,
  claims: Claims,
): Promise<CallResult> {
  const { entry, request } = call;
  const { tool } = entry;
  const { principal, requestId } = request.caller;

  // Gate 5: idempotency.
  const claim = await claims.claim({
    tool: tool.name,
    principal: principal.id,
    key: call.controls!.idempotencyKey,
    argsDigest: call.argsDigest!,
    // The row is kept for days: an identifier that looks like a card number is counted, and stored, as its mask.
    target: scrubText(tool.target!(input)).text,
    callId: call.id,
    requestId,
    signal: call.signal,
  });
  switch (claim.kind) {
    case 'replay':
      return replay(call, claim.callId, claim.response, claim.firstAt);
    case 'conflict':
      throw new ToolError('IDEMPOTENCY_CONFLICT');
    case 'in-progress':
      throw new ToolError('CONFLICT', {
        message: 'A call with this idempotency key is still running.',
        details: { state: 'in_progress' },
      });
    case 'rate-limited':
      throw limited({ kind: 'limited', scope: claim.scope, limit: claim.limit, retryAfterS: claim.retryAfterS });
  }

  let reachedRun = false;
  let stored = false;
  try {
    // Gate 6: approval.
    await tool.check?.(context, input);
    const asking: ApprovalCall = {
      server: request.server,
      entry,
      principal,
      input,
      controls: call.controls!,
      argsDigest: call.argsDigest!,
      callId: call.id,
      policyVersion: parts.access.policyVersion,
      context,
      approveEachRun: call.decision.allowed && call.decision.approveEachRun,
    };
    const passed = await passApproval(parts.approvals, asking);
    call.tier = passed.tier;
    call.tierReason = passed.tierReason;
    if (passed.kind === 'wanted') {
      call.outcome = 'approval-asked';
      call.approval = { approval_id: passed.result.data.approval_id, approved_by: [] };
      return passed.result;
    }
    if (passed.kind !== 'not-needed') {
      call.approval = { approval_id: passed.approval.id, approved_by: approversOf(passed.approval) };
    }
    if (passed.kind === 'used-by') return await answerOfOther(call, claims, passed.callId);
    if (passed.kind === 'granted') call.outcome = 'approval-used';

    // Gate 7: run. Without its record the call does not happen.
    await recordStart(parts, call);
    reachedRun = true;
    const result = await run(parts, call, context, input, claims, claim.id).catch(async (thrown: unknown) => {
      if (!(thrown instanceof ApprovalOutdated)) throw thrown;
      reachedRun = false;
      call.outcome = 'approval-asked';
      call.tier = tool.tier ? (await tool.tier(context, input)).tier : tool.access.risk;
      return askAgain(parts.approvals, asking, call.tier, thrown.changed);
    });
    if (result.status === 'success') {
      stored = await claims.storeResponse({
        id: claim.id,
        response: storable(result),
        counted: result.suppressed !== true,
      });
    }
    return result;
  } catch (thrown) {
    if (reachedRun && thrown instanceof ToolError && (thrown.code === 'NOT_FOUND' || thrown.code === 'CONFLICT')) {
      stored = await claims.storeResponse({ id: claim.id, response: storableFailure(thrown) }).catch(() => false);
    }
    throw thrown;
  } finally {
    if (!stored) {
      await claims.release({ id: claim.id, counted: reachedRun }).catch((error: unknown) => {
        parts.log.warn('a claim could not be released; it ends by itself', { error, callId: call.id });
      });
    }
  }
}

async function recordStart(parts: CallParts, call: Call): Promise<void> {
  const entry = entryOf(call, parts.access.policyVersion, {
    phase: 'started',
    status: null,
    errorCode: null,
    outcome: call.outcome ?? 'allow',
  });
  try {
    await parts.audit.write(entry);
  } catch (cause) {
    parts.metrics.auditFailed();
    throw new ToolError('DEPENDENCY_UNAVAILABLE', {
      message: 'The audit log cannot be written, so nothing was done.',
      cause,
    });
  }
}

/** No race against the deadline here: past its commit a write finishes, whoever still waits for it. */
function run(
  parts: CallParts,
  call: Call,
  context: ToolContext,
  input: Record<string, unknown>,
  claims: Claims,
  claimId: number,
): Promise<CallResult> {
  const { tool } = call.entry;
  let used = false;
  return tool.run(
    {
      ...context,
      tier: call.tier,
      approval: call.approval
        ? { id: call.approval.approval_id, approvedBy: call.approval.approved_by, tier: call.tier }
        : null,
      effect: async (work) => {
        if (used) throw new Error('context.effect was called twice');
        used = true;
        return parts.effects.run({ db: tool.writes[0]!.db, writes: tool.writes, signal: call.signal }, work, {
          claims,
          id: claimId,
          response: (data) => ({ status: 'success', data: scrubbed(data as JsonValue) }),
        });
      },
    },
    input,
  );
}

/** Two calls met at one approval: the other one used it, and its answer is this one's. */
async function answerOfOther(call: Call, claims: Claims, callId: string): Promise<CallResult> {
  const other = await claims.outcomeOf(callId, call.signal);
  if (other.kind === 'replay') return replay(call, callId, other.response, other.firstAt);
  const running = other.kind === 'in-progress';
  throw new ToolError('CONFLICT', {
    message: running
      ? 'The approved call is still running.'
      : 'This approval was used by a call that ended without an effect. Call again without approval_id to ask anew.',
    details: { state: running ? 'in_progress' : 'used' },
  });
}

function replay(call: Call, callId: string, response: JsonValue, firstAt: string): CallResult {
  call.idempotency = { key: call.controls?.idempotencyKey ?? `auto:${callId}`, replayed: true, first_at: firstAt };
  return fromStored(response);
}
