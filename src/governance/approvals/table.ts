/** SQL of the tables `approvals` and `approval_votes`. The rules are in ../approvals.ts; here is only how they are stored and read. */
import { sql } from 'drizzle-orm';
import type { RiskTier } from '../../kit/access.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { Principal } from '../../kit/principal.ts';
import type { Db } from '../../storage/pool.ts';
import { storableText } from '../storable.ts';

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'consumed' | 'expired' | 'superseded';

export interface ApprovalVote {
  readonly approver: string;
  readonly decision: 'approve' | 'deny';
  readonly comment: string | null;
  readonly at: string;
}

export interface Approval {
  readonly id: string;
  readonly principal: string;
  readonly issuer: string | null;
  readonly client: string | null;
  readonly onBehalfOf: string | null;
  readonly server: string;
  readonly tool: string;
  readonly tier: RiskTier;
  readonly argsDigest: string;
  readonly args: JsonObject;
  readonly reason: string | null;
  readonly summary: string;
  readonly preconditions: JsonObject;
  readonly required: number;
  readonly policyVersion: string;
  /** As it is now: a request past its time is `expired`, whether or not its row says so already. */
  readonly status: ApprovalStatus;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly deniedAt: string | null;
  readonly deniedBy: string | null;
  readonly consumedAt: string | null;
  readonly consumedByCall: string | null;
  readonly votes: readonly ApprovalVote[];
  /** The humans who approved, in the order of their votes. */
  readonly approvedBy: readonly string[];
}

/** One exact call: what an open request is unique for. */
export interface ExactCall {
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  readonly argsDigest: string;
}

export interface NewApproval extends Omit<ExactCall, 'principal'> {
  readonly id: string;
  readonly principal: Principal;
  readonly tier: RiskTier;
  readonly args: JsonObject;
  readonly reason: string | null;
  readonly summary: string;
  readonly preconditions: JsonObject;
  readonly required: number;
  readonly policyVersion: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export interface ApprovalTable {
  now(db: Db): Promise<Date>;
  byId(db: Db, id: string, now: Date, lock?: 'for update'): Promise<Approval | null>;
  /** The request that decides about asking again: the open one, else the newest that was denied or used. */
  latest(tx: Db, call: ExactCall, now: Date): Promise<Approval | null>;
  list(
    db: Db,
    filter: { status?: ApprovalStatus; server?: string; limit?: number; before: string | null },
    now: Date,
  ): Promise<Approval[]>;
  insert(tx: Db, approval: NewApproval): Promise<Approval>;
  closeExpired(tx: Db, call: ExactCall, now: Date): Promise<void>;
  supersede(tx: Db, id: string): Promise<void>;
  insertVote(
    tx: Db,
    id: string,
    vote: { approver: Principal; decision: 'approve' | 'deny'; comment?: string | null },
    now: Date,
  ): Promise<void>;
  deny(tx: Db, id: string, approver: string, now: Date): Promise<void>;
  approveIfEnough(tx: Db, id: string, now: Date): Promise<void>;
  /** The one atomic update. True when this call is the one that may run. */
  consume(
    tx: Db,
    call: ExactCall & { approvalId: string; callId: string; policyVersion: string; required: number },
    now: Date,
  ): Promise<boolean>;
}

type Row = {
  readonly id: string;
  readonly principal: string;
  readonly issuer: string | null;
  readonly client: string | null;
  readonly on_behalf_of: string | null;
  readonly server: string;
  readonly tool: string;
  readonly tier: RiskTier;
  readonly args_digest: string;
  readonly args: string;
  readonly reason: string | null;
  readonly summary: string;
  readonly preconditions: string;
  readonly required_approvals: number;
  readonly policy_version: string;
  readonly status: ApprovalStatus;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly denied_at: string | null;
  readonly denied_by: string | null;
  readonly consumed_at: string | null;
  readonly consumed_by_call: string | null;
  readonly votes: string;
};

const utc = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
const at = (moment: Date) => sql`${moment.toISOString()}::text::timestamptz`;

// Everything as text, so that no parser of the connection takes part.
const columns = (
  now: Date,
) => sql`a.id::text as id, a.principal, a.issuer, a.client, a.on_behalf_of, a.server, a.tool, a.tier,
  a.args_digest, a.args::text as args, a.reason, a.summary, a.preconditions::text as preconditions,
  a.required_approvals::int as required_approvals, a.policy_version,
  case when a.status in ('pending', 'approved') and a.expires_at <= ${at(now)} then 'expired' else a.status end as status,
  ${utc('a.requested_at')} as requested_at, ${utc('a.expires_at')} as expires_at, ${utc('a.denied_at')} as denied_at, a.denied_by,
  ${utc('a.consumed_at')} as consumed_at, a.consumed_by_call::text as consumed_by_call,
  (select coalesce(json_agg(json_build_object('approver', v.approver, 'decision', v.vote, 'comment', v.comment,
    'at', ${utc('v.at')}) order by v.at, v.approver), '[]') from approval_votes v where v.approval_id = a.id)::text as votes`;

const exactly = (
  call: ExactCall,
) => sql`principal = ${call.principal} and server = ${call.server} and tool = ${call.tool}
  and args_digest = ${call.argsDigest}`;

// Counted from the votes themselves, letter case aside, so that a status alone lets nothing run.
const enough = sql`(select count(distinct lower(v.approver)) from approval_votes v
  where v.approval_id = approvals.id and v.vote = 'approve') >= required_approvals`;

export function createApprovalTable(clock?: () => Date): ApprovalTable {
  const table: ApprovalTable = {
    async now(db) {
      if (clock) return clock();
      const [row] = await db.execute<{ now: string }>(sql`select ${utc('clock_timestamp()')} as now`);
      return new Date(row!.now);
    },

    async byId(db, id, now, lock) {
      // The lock comes first: votes read by the locking statement itself would be those of before its wait.
      if (lock) await db.execute(sql`select 1 from approvals where id = ${id} for update`);
      const [row] = await db.execute<Row>(sql`select ${columns(now)} from approvals a where a.id = ${id}`);
      return row ? fromRow(row) : null;
    },

    async latest(tx, call, now) {
      const [row] = await tx.execute<{ id: string }>(sql`select id::text as id from approvals
        where ${exactly(call)} and status in ('pending', 'approved', 'denied', 'consumed')
        order by status in ('pending', 'approved') desc, requested_at desc limit 1`);
      return row ? table.byId(tx, row.id, now, 'for update') : null;
    },

    async list(db, { status, server, limit = 100, before }, now) {
      const rows = await db.execute<Row>(sql`select * from (select ${columns(now)} from approvals a
        where (${server ?? null}::text is null or a.server = ${server ?? null})
        and (${before}::uuid is null
          or (a.requested_at, a.id) < (select b.requested_at, b.id from approvals b where b.id = ${before}::uuid))
        order by a.requested_at desc, a.id desc) listed
        where ${status ?? null}::text is null or status = ${status ?? null} limit ${limit}`);
      return rows.map(fromRow);
    },

    async insert(tx, a) {
      await tx.execute(sql`insert into approvals (id, principal, issuer, client, on_behalf_of, server, tool, tier, args_digest, args,
          reason, summary, preconditions, required_approvals, policy_version, requested_at, expires_at)
        values (${a.id}, ${a.principal.id}, ${a.principal.issuer}, ${a.principal.client}, ${a.principal.onBehalfOf}, ${a.server},
          ${a.tool}, ${a.tier}, ${a.argsDigest}, ${JSON.stringify(a.args)}::text::jsonb, ${a.reason}, ${a.summary},
          ${JSON.stringify(a.preconditions)}::text::jsonb, ${a.required}, ${a.policyVersion}, ${at(a.now)}, ${at(a.expiresAt)})`);
      return (await table.byId(tx, a.id, a.now))!;
    },

    async closeExpired(tx, call, now) {
      await tx.execute(sql`update approvals set status = 'expired'
        where ${exactly(call)} and status in ('pending', 'approved') and expires_at <= ${at(now)}`);
    },

    async supersede(tx, id) {
      await tx.execute(
        sql`update approvals set status = 'superseded' where id = ${id} and status in ('pending', 'approved')`,
      );
    },

    async insertVote(tx, id, { approver, decision, comment = null }, now) {
      // A human who approved and then denies has a vote already; the denial itself is kept in denied_by.
      await tx.execute(sql`insert into approval_votes (approval_id, approver, issuer, vote, comment, at)
        values (${id}, ${approver.id}, ${approver.issuer ?? ''}, ${decision},
          ${comment === null ? null : storableText(comment)}, ${at(now)}) on conflict do nothing`);
    },

    async deny(tx, id, approver, now) {
      await tx.execute(sql`update approvals set status = 'denied', denied_at = ${at(now)}, denied_by = ${approver}
        where id = ${id} and status in ('pending', 'approved')`);
    },

    async approveIfEnough(tx, id, now) {
      await tx.execute(sql`update approvals set status = 'approved', approved_at = ${at(now)}
        where id = ${id} and status = 'pending' and ${enough}`);
    },

    async consume(tx, call, now) {
      const done = await tx.execute(sql`update approvals
        set status = 'consumed', consumed_at = ${at(now)}, consumed_by_call = ${call.callId}
        where id = ${call.approvalId} and ${exactly(call)} and policy_version = ${call.policyVersion}
          and required_approvals >= ${call.required} and status = 'approved' and consumed_at is null
          and expires_at > ${at(now)} and ${enough}`);
      return done.count === 1;
    },
  };
  return table;
}

function fromRow(row: Row): Approval {
  const votes = JSON.parse(row.votes) as ApprovalVote[];
  return {
    id: row.id,
    principal: row.principal,
    issuer: row.issuer,
    client: row.client,
    onBehalfOf: row.on_behalf_of,
    server: row.server,
    tool: row.tool,
    tier: row.tier,
    argsDigest: row.args_digest,
    args: JSON.parse(row.args) as JsonObject,
    reason: row.reason,
    summary: row.summary,
    preconditions: JSON.parse(row.preconditions) as JsonObject,
    required: row.required_approvals,
    policyVersion: row.policy_version,
    status: row.status,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    deniedAt: row.denied_at,
    deniedBy: row.denied_by,
    consumedAt: row.consumed_at,
    consumedByCall: row.consumed_by_call,
    votes,
    approvedBy: votes.filter((vote) => vote.decision === 'approve').map((vote) => vote.approver),
  };
}
