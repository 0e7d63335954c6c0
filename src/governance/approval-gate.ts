import { approvalsNeeded, type RiskTier, riskRank } from '../kit/access.ts';
import type { CompiledTool } from '../kit/catalogue.ts';
import type { ToolContext } from '../kit/context.ts';
import { ToolError } from '../kit/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Principal } from '../kit/principal.ts';
import type { ApprovalWanted } from '../kit/result.ts';
import type { Approval, Approvals } from './approvals.ts';
import type { Controls } from './input.ts';
import { scrubText, scrubValue } from './redaction/index.ts';

/**
 * Gate 6: may this exact call run now?
 * Guarantees: a call whose tier asks for approval gets past this gate only by consuming a grant for exactly it; what the approver was shown is
 * looked at again first, and a change of it, or a higher tier, asks anew. Leaves to others: counting votes and the atomic update (approvals.ts).
 */
export type ApprovalOutcome =
  | { readonly kind: 'not-needed'; readonly tier: RiskTier; readonly tierReason: string | null }
  | {
      readonly kind: 'granted';
      readonly tier: RiskTier;
      readonly tierReason: string | null;
      readonly approval: Approval;
    }
  | {
      readonly kind: 'wanted';
      readonly tier: RiskTier;
      readonly tierReason: string | null;
      readonly result: ApprovalWanted;
    }
  /** The approval was used by another call, whose answer is this one's. */
  | {
      readonly kind: 'used-by';
      readonly tier: RiskTier;
      readonly tierReason: string | null;
      readonly callId: string;
      readonly approval: Approval;
    };

export interface ApprovalCall {
  readonly server: string;
  readonly entry: CompiledTool;
  readonly principal: Principal;
  readonly input: Record<string, unknown>;
  readonly controls: Controls;
  readonly argsDigest: string;
  readonly callId: string;
  readonly policyVersion: string;
  readonly context: ToolContext;
  /** The deployment profile lets the tool in behind an approval, whatever its tier. */
  readonly approveEachRun: boolean;
}

export async function passApproval(approvals: Approvals, call: ApprovalCall): Promise<ApprovalOutcome> {
  const { entry, principal, input, context } = call;
  const { tool } = entry;
  const decided = tool.tier ? await tool.tier(context, input) : null;
  const tier = decided && riskRank(decided.tier) > riskRank(tool.access.risk) ? decided.tier : tool.access.risk;
  const about = { tier, tierReason: decided?.reason ?? null };
  const required = Math.max(approvalsNeeded(tier), call.approveEachRun ? 1 : 0);
  if (required === 0) return { kind: 'not-needed', ...about };

  if (call.controls.approvalId !== null) {
    const named = await approvals.get(call.controls.approvalId, principal);
    if (!named)
      throw new ToolError('NOT_FOUND', {
        message: 'There is no such approval.',
        details: { approval_id: call.controls.approvalId },
      });
    const used = named.status === 'consumed' ? named.consumedByCall : null;
    refuseUnusable(named, call);
    if (used) return { kind: 'used-by', ...about, callId: used, approval: named };
  }

  const asked = await approvals.request({
    principal,
    server: call.server,
    tool: tool.name,
    tier,
    required,
    argsDigest: call.argsDigest,
    args: shown(input),
    policyVersion: call.policyVersion,
    summary: scrubText(tool.approval ? tool.approval.summary(input) : tool.title).text,
    preconditions: tool.approval ? await tool.approval.preconditions(context, input) : {},
    binding: tool.approval?.binding,
    reason: call.controls.reason === null ? null : scrubText(call.controls.reason).text,
  });
  if (asked.kind === 'denied')
    throw new ToolError('APPROVAL_DENIED', {
      details: { approval_id: asked.approval.id, retry_after_s: asked.retryAfterS },
    });
  if (asked.kind === 'just-used') return { kind: 'used-by', ...about, callId: asked.callId, approval: asked.approval };
  if (asked.approval.status !== 'approved') {
    return { kind: 'wanted', ...about, result: wanted(asked.approval, asked.superseded?.changed) };
  }

  const consumed = await approvals.consume({
    approvalId: asked.approval.id,
    callId: call.callId,
    principal,
    server: call.server,
    tool: tool.name,
    argsDigest: call.argsDigest,
    policyVersion: call.policyVersion,
    required,
  });
  switch (consumed.kind) {
    case 'consumed':
      return { kind: 'granted', ...about, approval: consumed.approval };
    case 'already':
      return { kind: 'used-by', ...about, callId: consumed.callId, approval: consumed.approval };
    case 'expired':
      throw new ToolError('APPROVAL_EXPIRED', { details: { approval_id: consumed.approval.id } });
    case 'denied':
      throw new ToolError('APPROVAL_DENIED', {
        details: { approval_id: consumed.approval.id, retry_after_s: consumed.retryAfterS },
      });
    default:
      // Between asking and consuming the request was superseded: the caller asks again and gets the new one.
      throw new ToolError('CONFLICT', {
        message: 'The approval changed while it was being used. Call again.',
        details: { reason: 'approval_changed' },
      });
  }
}

/** Asks anew after the handler found, under its lock, that what was approved is no longer what would happen. */
export async function askAgain(
  approvals: Approvals,
  call: ApprovalCall,
  tier: RiskTier,
  changed: JsonObject,
): Promise<ApprovalWanted> {
  const { tool } = call.entry;
  const asked = await approvals.request({
    principal: call.principal,
    server: call.server,
    tool: tool.name,
    tier,
    required: Math.max(approvalsNeeded(tier), call.approveEachRun ? 1 : 0),
    argsDigest: call.argsDigest,
    args: shown(call.input),
    policyVersion: call.policyVersion,
    summary: scrubText(tool.approval ? tool.approval.summary(call.input) : tool.title).text,
    preconditions: tool.approval ? await tool.approval.preconditions(call.context, call.input) : {},
    binding: tool.approval?.binding,
    reason: call.controls.reason === null ? null : scrubText(call.controls.reason).text,
    afterUse: true,
  });
  if (asked.kind !== 'open') throw new ToolError('CONFLICT', { details: { reason: 'approval_changed' } });
  return wanted(asked.approval, changed);
}

function refuseUnusable(approval: Approval, call: ApprovalCall): void {
  const fields = [
    ...(approval.server !== call.server ? ['server'] : []),
    ...(approval.tool !== call.entry.tool.name ? ['tool'] : []),
    ...(approval.argsDigest !== call.argsDigest ? ['arguments'] : []),
  ];
  if (fields.length > 0) {
    throw new ToolError('CONFLICT', {
      message: 'This approval is for another call.',
      details: { reason: 'approval_for_another_call', approval_id: approval.id, differs_in: fields },
    });
  }
  if (approval.status === 'expired') throw new ToolError('APPROVAL_EXPIRED', { details: { approval_id: approval.id } });
  if (approval.status === 'denied') throw new ToolError('APPROVAL_DENIED', { details: { approval_id: approval.id } });
}

export const approversOf = (approval: Approval): string[] =>
  approval.votes.filter((vote) => vote.decision === 'approve').map((vote) => vote.approver);

function wanted(approval: Approval, changed: JsonObject | undefined): ApprovalWanted {
  return {
    status: 'approval_required',
    data: {
      approval_id: approval.id,
      tier: approval.tier,
      required_approvals: approval.required,
      approvals_so_far: approversOf(approval).length,
      expires_at: approval.expiresAt,
      summary: approval.summary,
      preconditions: approval.preconditions,
    },
    ...(changed ? { changed } : {}),
    warnings: [],
  };
}

/** The arguments as an approver may see them. */
function shown(input: Record<string, unknown>): JsonObject {
  const scrubbed = scrubValue(JSON.parse(JSON.stringify(input)), { forbiddenNames: true });
  return scrubbed.ok ? (scrubbed.value as JsonObject) : {};
}
