/**
 * Gate 6: the store of approvals.
 *
 * Guarantees: a grant fits one principal, server, tool, digest of arguments and policy version, for a limited time, and is used up by one
 * atomic update that holds the id of the call it lets run: of any number of calls one runs. It is usable only when the required number of
 * different humans approved, counted from the votes again at that moment. Only humans with the approver role vote, never the requester
 * or the human the requester acts for; one denial closes the request, even an approved one that was not used yet. Nothing is changed by a
 * refused vote. Ids are random; a principal learns nothing about requests of others.
 * Leaves to others: who holds the approver role (identity), comparing the state of the world again when the call runs, recording (each
 * result carries the facts), and a role withdrawn after the vote: such a vote stays.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { approvalsNeeded, type RiskTier } from '../kit/access.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../kit/json.ts';
import type { Principal } from '../kit/principal.ts';
import type { Db, Pool } from '../storage/pool.ts';
import { type Approval, type ApprovalStatus, type ApprovalVote, createApprovalTable } from './approvals/table.ts';
import { storableJson, storableText } from './storable.ts';

export type { Approval, ApprovalStatus, ApprovalVote };

export interface ApprovalRequest {
  readonly principal: Principal;
  readonly server: string;
  readonly tool: string;
  readonly tier: RiskTier;
  /** How many humans; by default what the tier asks. */
  readonly required?: number;
  readonly argsDigest: string;
  /** The arguments as an approver may see them. */
  readonly args: JsonObject;
  readonly policyVersion: string;
  readonly summary: string;
  readonly preconditions: JsonObject;
  /** Names of the preconditions whose change voids an open request; all of them when left out. */
  readonly binding?: readonly string[] | undefined;
  readonly reason: string | null;
  /** Asked by the very call that used up the last approval, whose grant turned out not to fit any more: never answered with `just-used`. */
  readonly afterUse?: boolean;
}

export type RequestResult =
  /** Pending or approved. `superseded`: an earlier request for the same call no longer fits, and why. */
  | {
      readonly kind: 'open';
      readonly approval: Approval;
      readonly created: boolean;
      readonly superseded: { readonly approval: Approval; readonly changed: JsonObject } | null;
    }
  /** A call with these arguments used its approval a moment ago: the same call arriving twice, not a new wish. */
  | { readonly kind: 'just-used'; readonly approval: Approval; readonly callId: string }
  | { readonly kind: 'denied'; readonly approval: Approval; readonly retryAfterS: number };

export interface Vote {
  readonly approvalId: string;
  readonly approver: Principal;
  readonly decision: 'approve' | 'deny';
  readonly comment?: string | null;
}

export type VoteRefusal =
  | 'unknown'
  | 'not-human'
  | 'not-approver'
  | 'own-request'
  | 'acts-for-approver'
  | 'expired'
  | 'already-approved'
  | 'already-denied'
  | 'already-used'
  | 'superseded';

export type VoteResult =
  /** `counted` is false when this human had approved before. */
  | { readonly kind: 'recorded'; readonly counted: boolean; readonly approval: Approval }
  | { readonly kind: 'refused'; readonly reason: VoteRefusal; readonly approval: Approval | null };

export interface Consumption {
  readonly approvalId: string;
  readonly callId: string;
  readonly principal: Principal;
  readonly server: string;
  readonly tool: string;
  readonly argsDigest: string;
  readonly policyVersion: string;
  /** How many humans the call needs now; a grant by fewer does not fit. */
  readonly required: number;
}

export type ConsumeResult =
  | { readonly kind: 'consumed'; readonly approval: Approval }
  /** Another call used it; its answer is that of `callId`. */
  | { readonly kind: 'already'; readonly callId: string; readonly approval: Approval }
  | { readonly kind: 'not-approved'; readonly approval: Approval }
  | { readonly kind: 'expired'; readonly approval: Approval }
  | { readonly kind: 'denied'; readonly retryAfterS: number; readonly approval: Approval }
  /** Approved for something else; a new request is needed. */
  | { readonly kind: 'mismatch'; readonly fields: readonly MismatchField[]; readonly approval: Approval }
  /** No such approval for this principal. */
  | { readonly kind: 'unknown' };
export type MismatchField = 'server' | 'tool' | 'arguments' | 'policy' | 'tier' | 'superseded';

export interface Approvals {
  request(request: ApprovalRequest): Promise<RequestResult>;
  vote(vote: Vote): Promise<VoteResult>;
  consume(consumption: Consumption): Promise<ConsumeResult>;
  /** With `principal`: null unless that principal asked for it. Without: for approvers and auditors. */
  get(approvalId: string, principal?: Principal): Promise<Approval | null>;
  /** Newest first. `before` is the last id of the page before. */
  list(filter?: { status?: ApprovalStatus; server?: string; limit?: number; before?: string }): Promise<Approval[]>;
}

export interface ApprovalsOptions {
  /** The gateway's own database. */
  readonly pool: Pool;
  readonly validForS?: Readonly<Record<'T2' | 'T3', number>>;
  /** After a denial, seconds until the same call can be asked for again. */
  readonly coolDownS?: number;
  /** How long after its use an approval answers the same call again with `just-used`, seconds. */
  readonly justUsedS?: number;
  readonly approverRole?: string;
  /** The database's own clock when left out. */
  readonly clock?: () => Date;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function createApprovals(options: ApprovalsOptions): Approvals {
  const { pool } = options;
  const table = createApprovalTable(options.clock);
  const validForS = options.validForS ?? { T2: 30 * 60, T3: 60 * 60 };
  const coolDownS = options.coolDownS ?? 15 * 60;
  const justUsedS = options.justUsedS ?? 10;
  const approverRole = options.approverRole ?? 'approver';

  const leftS = (from: string, now: Date, lifeS: number) =>
    Math.max(0, Math.ceil((Date.parse(from) + lifeS * 1_000 - now.getTime()) / 1_000));

  const inTransaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> => pool.transaction(undefined, {}, work);

  function refusal(approval: Approval | null, vote: Vote): VoteRefusal | null {
    const { approver, decision } = vote;
    if (!approver.human || approver.onBehalfOf !== null) return 'not-human';
    if (!approver.roles.includes(approverRole)) return 'not-approver';
    if (!approval) return 'unknown';
    if (isSameHuman(approver, approval.principal, approval.issuer)) return 'own-request';
    if (approval.onBehalfOf !== null && isSameHuman(approver, approval.onBehalfOf, approval.issuer))
      return 'acts-for-approver';
    switch (approval.status) {
      case 'expired':
        return 'expired';
      case 'denied':
        return 'already-denied';
      case 'consumed':
        return 'already-used';
      case 'superseded':
        return 'superseded';
      case 'approved':
        return decision === 'deny' || hasApproved(approval, approver) ? null : 'already-approved';
      default:
        return null;
    }
  }

  return {
    request: (request) =>
      inTransaction<RequestResult>(async (tx) => {
        const { principal, server, tool, argsDigest } = request;
        const exact = { principal: principal.id, server, tool, argsDigest };
        // One request at a time for one exact call; without it two first calls would meet at the unique index.
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`approval:${canonicalJson(exact)}`}, 0))`);
        const now = await table.now(tx);
        await table.closeExpired(tx, exact, now);
        const latest = await table.latest(tx, exact, now);
        if (latest?.status === 'denied') {
          const retryAfterS = leftS(latest.deniedAt!, now, coolDownS);
          if (retryAfterS > 0) return { kind: 'denied', approval: latest, retryAfterS };
        }
        if (!request.afterUse && latest?.status === 'consumed' && leftS(latest.consumedAt!, now, justUsedS) > 0) {
          return { kind: 'just-used', approval: latest, callId: latest.consumedByCall! };
        }
        const required = request.required ?? approvalsNeeded(request.tier);
        if (required < 1) throw new TypeError(`tier ${request.tier} needs no approval`);
        const wanted = { ...request, required, preconditions: storableJson(request.preconditions) as JsonObject };
        const open = latest && (latest.status === 'pending' || latest.status === 'approved') ? latest : null;
        const changed = open && whatChanged(open, wanted);
        if (open && !changed) return { kind: 'open', approval: open, created: false, superseded: null };
        if (open) await table.supersede(tx, open.id);
        const lifeS = request.tier === 'T3' ? validForS.T3 : validForS.T2;
        const approval = await table.insert(tx, {
          ...wanted,
          id: randomUUID(),
          args: storableJson(request.args) as JsonObject,
          summary: storableText(request.summary),
          reason: request.reason === null ? null : storableText(request.reason),
          now,
          expiresAt: new Date(now.getTime() + lifeS * 1_000),
        });
        const superseded = open && changed ? { approval: { ...open, status: 'superseded' as const }, changed } : null;
        return { kind: 'open', approval, created: true, superseded };
      }),

    vote: (vote) =>
      inTransaction(async (tx): Promise<VoteResult> => {
        const { approver, decision } = vote;
        const now = await table.now(tx);
        const approval = UUID.test(vote.approvalId) ? await table.byId(tx, vote.approvalId, now, 'for update') : null;
        const reason = refusal(approval, vote);
        // Someone who may not vote is not told whether the id exists either.
        if (reason) {
          const stranger = reason === 'not-human' || reason === 'not-approver';
          return { kind: 'refused', reason, approval: stranger ? null : approval };
        }
        if (!approval) return { kind: 'refused', reason: 'unknown', approval: null };
        if (decision === 'deny') {
          await table.insertVote(tx, approval.id, vote, now);
          await table.deny(tx, approval.id, approver.id, now);
        } else {
          if (hasApproved(approval, approver)) return { kind: 'recorded', counted: false, approval };
          await table.insertVote(tx, approval.id, vote, now);
          await table.approveIfEnough(tx, approval.id, now);
        }
        return { kind: 'recorded', counted: true, approval: (await table.byId(tx, approval.id, now))! };
      }),

    consume: (consumption) =>
      inTransaction(async (tx): Promise<ConsumeResult> => {
        const { approvalId, principal, server, tool, argsDigest, policyVersion, required } = consumption;
        if (!UUID.test(approvalId)) return { kind: 'unknown' };
        const now = await table.now(tx);
        const consumed = await table.consume(tx, { ...consumption, principal: principal.id }, now);
        const approval = await table.byId(tx, approvalId, now);
        if (!approval || approval.principal !== principal.id) return { kind: 'unknown' };
        if (consumed) return { kind: 'consumed', approval };
        const fields: MismatchField[] = [];
        if (approval.server !== server) fields.push('server');
        if (approval.tool !== tool) fields.push('tool');
        if (approval.argsDigest !== argsDigest) fields.push('arguments');
        if (fields.length > 0) return { kind: 'mismatch', fields, approval };
        if (approval.status === 'consumed') return { kind: 'already', callId: approval.consumedByCall!, approval };
        if (approval.status === 'denied') {
          return { kind: 'denied', retryAfterS: leftS(approval.deniedAt!, now, coolDownS), approval };
        }
        if (approval.status === 'expired') return { kind: 'expired', approval };
        if (approval.policyVersion !== policyVersion) return { kind: 'mismatch', fields: ['policy'], approval };
        if (approval.required < required) return { kind: 'mismatch', fields: ['tier'], approval };
        if (approval.status === 'superseded') return { kind: 'mismatch', fields: ['superseded'], approval };
        return { kind: 'not-approved', approval };
      }),

    get: (approvalId, principal) =>
      pool.run(undefined, async (db) => {
        if (!UUID.test(approvalId)) return null;
        const approval = await table.byId(db, approvalId, await table.now(db));
        return principal && approval?.principal !== principal.id ? null : approval;
      }),

    list: (filter = {}) =>
      pool.run(undefined, async (db) => {
        const before = filter.before !== undefined && UUID.test(filter.before) ? filter.before : null;
        return table.list(db, { ...filter, before }, await table.now(db));
      }),
  };
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * Is `approver` the one named by `name`? Names come as the id `issuer|subject` or, in the claims of some issuers, as the subject alone. Letter case and
 * Unicode spelling are ignored: a wrong match only refuses a vote, a missed one would let someone approve their own request.
 */
function isSameHuman(approver: Principal, name: string, nameIssuer: string | null): boolean {
  if (fold(approver.id) === fold(name)) return true;
  const sameIssuer = nameIssuer === null || approver.issuer === null || fold(nameIssuer) === fold(approver.issuer);
  return sameIssuer && fold(approver.subject) === fold(name);
}

const hasApproved = (approval: Approval, approver: Principal): boolean =>
  approval.votes.some((vote) => vote.decision === 'approve' && fold(vote.approver) === fold(approver.id));

/** What an approver was not shown; null when the request still fits. A lower tier than approved is fine. */
function whatChanged(
  open: Approval,
  wanted: Pick<ApprovalRequest, 'tier' | 'policyVersion' | 'preconditions' | 'binding'> & { required: number },
): JsonObject | null {
  const changed: JsonObject = {};
  const note = (name: string, from: JsonValue, to: JsonValue) => {
    if (canonicalJson(from) !== canonicalJson(to)) changed[name] = { from, to };
  };
  if (wanted.required > open.required) note('tier', open.tier, wanted.tier);
  note('policy_version', open.policyVersion, wanted.policyVersion);
  const names = wanted.binding ?? new Set([...Object.keys(open.preconditions), ...Object.keys(wanted.preconditions)]);
  for (const name of names) note(name, open.preconditions[name] ?? null, wanted.preconditions[name] ?? null);
  return Object.keys(changed).length > 0 ? changed : null;
}
