import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Approval, Approvals, VoteRefusal } from '../governance/approvals.ts';
import type { AuditLog } from '../governance/audit/log.ts';
import { scrubText } from '../governance/redaction/index.ts';
import type { Identity } from '../identity/identity.ts';
import type { Principal } from '../kit/principal.ts';
import type { Log } from '../telemetry/log.ts';
import { parseJsonBody } from './json-body.ts';

/**
 * `/api/approvals`: where humans approve or deny. It is plain HTTP on purpose: no MCP client, and so no model, can reach an approval.
 * Guarantees: every vote is made by a verified human with the approver role, or, without authentication, by one of two local approvers named in
 * the request, which exist on loopback only; every vote and every refused vote is on record. Leaves to others: the rules of voting (approvals.ts).
 */
export interface ApprovalRoutes {
  readonly approvals: Approvals;
  readonly identity: Identity;
  readonly audit: AuditLog;
  readonly policyVersion: string;
  readonly log: Log;
}

/** Two names, so that a two-person approval can be tried on one machine. They approve nothing but calls of this same machine's demo. */
const LOCAL_APPROVERS = ['local-approver-1', 'local-approver-2'] as const;

const vote = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  comment: z.string().max(500).optional(),
  /** Who votes, where nobody signs in. */
  as: z.enum(LOCAL_APPROVERS).optional(),
});
const query = z.strictObject({
  status: z.enum(['pending', 'approved', 'denied', 'consumed', 'expired', 'superseded']).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.uuid().optional(),
});

const REFUSALS: Readonly<Record<VoteRefusal, { status: number; text: string }>> = {
  unknown: { status: 404, text: 'There is no such approval.' },
  'not-human': { status: 403, text: 'Only a human who signed in may approve.' },
  'not-approver': { status: 403, text: 'The approver role is needed.' },
  'own-request': { status: 403, text: 'Nobody approves their own request.' },
  'acts-for-approver': { status: 403, text: 'The request was made on your behalf, so someone else must approve it.' },
  expired: { status: 409, text: 'The request has expired.' },
  'already-approved': { status: 409, text: 'The request already has its approvals.' },
  'already-denied': { status: 409, text: 'The request was denied.' },
  'already-used': { status: 409, text: 'The approval was used.' },
  superseded: { status: 409, text: 'A newer request replaced this one.' },
};

export function mountApprovals(app: FastifyInstance, routes: ApprovalRoutes): void {
  app.register(async (scope) => mountRoutes(scope, routes));
}

function mountRoutes(app: FastifyInstance, routes: ApprovalRoutes): void {
  // The strict reader of the MCP routes: a decision that stands there twice is no decision.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    const parsed = parseJsonBody(body as Uint8Array);
    done(null, parsed.ok ? parsed.value : null);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : null;
    if (known !== null)
      return answer(reply, known, { error: 'invalid_request', message: 'The request cannot be read.' });
    routes.log.error('an approval request failed', { error, requestId: request.id });
    return answer(reply.header('retry-after', '10'), 503, {
      error: 'unavailable',
      message: 'Approvals are not available at the moment.',
    });
  });
  const { approvals, identity, audit } = routes;

  async function whoIs(request: FastifyRequest, reply: FastifyReply, as?: string): Promise<Principal | null> {
    const resolved = await identity.resolve({
      authorization: request.headers.authorization,
      headerCount: request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization')
        .length,
      server: 'approvals',
      path: '/api/approvals',
      clientAddress: request.ip,
    });
    if (!resolved.ok) {
      if (resolved.challenge) reply.header('www-authenticate', resolved.challenge);
      await answer(reply, resolved.status, { error: resolved.error, message: resolved.description });
      return null;
    }
    if (identity.enabled) return resolved.principal;
    return localApprover(as ?? null);
  }

  const mayLook = (principal: Principal): boolean =>
    principal.roles.includes('approver') || (principal.human && principal.roles.includes('auditor'));

  app.get('/api/approvals', async (request, reply) => {
    const principal = await whoIs(request, reply);
    if (!principal) return reply;
    if (!mayLook(principal)) return answer(reply, 403, { error: 'forbidden', message: REFUSALS['not-approver'].text });
    const parsed = query.safeParse(request.query);
    if (!parsed.success)
      return answer(reply, 400, { error: 'invalid_request', message: parsed.error.issues[0]?.message ?? 'bad query' });
    const list = await approvals.list(parsed.data);
    return answer(reply, 200, { approvals: list.map(shown) });
  });

  app.get<{ Params: { id: string } }>('/api/approvals/:id', async (request, reply) => {
    const principal = await whoIs(request, reply);
    if (!principal) return reply;
    if (!mayLook(principal)) return answer(reply, 403, { error: 'forbidden', message: REFUSALS['not-approver'].text });
    const found = await approvals.get(request.params.id);
    return found
      ? answer(reply, 200, shown(found))
      : answer(reply, 404, { error: 'not_found', message: REFUSALS.unknown.text });
  });

  app.post<{ Params: { id: string } }>('/api/approvals/:id', async (request, reply) => {
    const parsed = vote.safeParse(request.body);
    if (!parsed.success) {
      return answer(reply, 400, {
        error: 'invalid_request',
        message: 'Send {"decision": "approve" | "deny", "comment"?: text}.',
      });
    }
    if (parsed.data.as && identity.enabled) {
      return answer(reply, 400, { error: 'invalid_request', message: '"as" is for a gateway without authentication.' });
    }
    if (!parsed.data.as && !identity.enabled) {
      return answer(reply, 400, {
        error: 'invalid_request',
        message: `Without authentication a vote names its voter: "as": ${LOCAL_APPROVERS.map((name) => `"${name}"`).join(' or ')}.`,
      });
    }
    const principal = await whoIs(request, reply, parsed.data.as);
    if (!principal) return reply;
    const { decision } = parsed.data;
    const comment = parsed.data.comment === undefined ? null : scrubText(parsed.data.comment).text;
    const result = await approvals.vote({ approvalId: request.params.id, approver: principal, decision, comment });
    await record(request, principal, decision, result.kind === 'refused' ? result.reason : null, result.approval);
    if (result.kind === 'refused') {
      const { status, text } = REFUSALS[result.reason];
      return answer(reply, status, { error: result.reason, message: text });
    }
    return answer(reply, 200, shown(result.approval));
  });

  async function record(
    request: FastifyRequest,
    principal: Principal,
    decision: string,
    refused: string | null,
    approval: Approval | null,
  ): Promise<void> {
    await audit.write({
      kind: 'approval',
      phase: 'completed',
      callId: randomUUID(),
      requestId: request.id,
      traceId: null,
      principal,
      profile: principal.roles.join('+').slice(0, 64) || null,
      policyVersion: routes.policyVersion,
      server: approval?.server ?? null,
      tool: approval?.tool ?? null,
      tier: approval?.tier ?? null,
      status: approval?.status ?? null,
      errorCode: refused === null ? null : refused.toUpperCase().replaceAll('-', '_'),
      argsDigest: approval?.argsDigest ?? null,
      auditable: null,
      catalogueDigest: null,
      rows: null,
      redactions: null,
      approvalId: approval?.id ?? null,
      approvers: approval ? [...approval.approvedBy] : [],
      idempotencyKey: null,
      durationMs: null,
      detail: { vote: decision },
      outcome: refused !== null ? 'deny' : decision === 'approve' ? 'approval-given' : 'approval-denied',
    });
  }
}

const answer = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type('application/json').send(JSON.stringify(body));

/** Who looks without saying who they are may look; a vote names its voter. */
const localApprover = (name: string | null): Principal => ({
  id: name ?? 'local-viewer',
  subject: name ?? 'local-viewer',
  issuer: null,
  client: null,
  human: true,
  onBehalfOf: null,
  roles: ['approver'],
  scopes: [],
  via: 'local',
});

const shown = (approval: Approval) => ({
  id: approval.id,
  status: approval.status,
  tier: approval.tier,
  server: approval.server,
  tool: approval.tool,
  arguments: approval.args,
  arguments_digest: approval.argsDigest,
  summary: approval.summary,
  preconditions: approval.preconditions,
  reason: approval.reason,
  requested_by: approval.principal,
  on_behalf_of: approval.onBehalfOf,
  requested_at: approval.requestedAt,
  expires_at: approval.expiresAt,
  required_approvals: approval.required,
  approved_by: approval.approvedBy,
  policy_version: approval.policyVersion,
});
