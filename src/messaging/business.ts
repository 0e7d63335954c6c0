/**
 * Moves the business rows behind commands. Forward only: every statement names the states it may leave, so a late or repeated outcome finds
 * nothing to change. `expired` says that no answer came; a terminal's own final answer that comes later outranks it. `superseded`,
 * `cancelled`, `succeeded` and `failed` stay. Terminal versions are not touched: those come from the terminal's own reports.
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../storage/pool.ts';
import { appPackageDeployments, parameterPushLogs, pushDetails, remoteLogSessions } from '../storage/schema/product.ts';
import { utcNow } from '../storage/writer.ts';
import type { CommandRow, Outcome, OutcomeRegistry } from './outcomes.ts';
import type { AckPayload } from './payloads.ts';

const STAGES = ['downloading', 'verifying', 'installing'] as const;
type Stage = (typeof STAGES)[number];

/** The stage an `in_progress` ack names in `code`; the terminal is at work where it names none. */
function stageOf(ack: AckPayload): Stage {
  const code = ack.code?.toLowerCase();
  return STAGES.find((stage) => stage === code) ?? 'installing';
}

/** Where a row goes and from where. */
interface Move {
  readonly to: string;
  readonly from: readonly string[];
  readonly final: boolean;
  readonly event: string;
  readonly message: string | null;
  readonly errorCode: string | null;
}

const answered = (ack: AckPayload): Pick<Move, 'message' | 'errorCode'> => {
  if (ack.status === 'failed') return { message: ack.message, errorCode: ack.code ?? 'E_UNKNOWN' };
  if (ack.status === 'rejected') return { message: ack.message, errorCode: ack.code ?? 'E_REJECTED' };
  return { message: ack.message, errorCode: null };
};

const unanswered = (outcome: { readonly published: boolean }): string =>
  outcome.published ? 'no final answer before the command expired' : 'expired before it could be published';

function pushMove(outcome: Outcome): Move {
  const open = ['queued', 'sent', 'accepted', 'in_progress'];
  const plain = { final: false, message: null, errorCode: null };
  switch (outcome.kind) {
    case 'published':
      return {
        ...plain,
        to: 'sent',
        from: ['queued'],
        event: 'published',
        message: outcome.deviceSubscribed ? null : 'the terminal is not subscribed at the broker',
      };
    case 'expired':
      return { ...plain, to: 'expired', from: open, final: true, event: 'expired', message: unanswered(outcome) };
    case 'dead':
      return {
        to: 'failed',
        from: open,
        final: true,
        event: 'failed',
        message: 'the broker did not take the command',
        errorCode: 'E_NOT_DELIVERED',
      };
    case 'acked': {
      const { ack } = outcome;
      if (ack.status === 'accepted') {
        return { ...plain, ...answered(ack), to: 'accepted', from: ['queued', 'sent'], event: 'accepted' };
      }
      // From `in_progress` too: the stages of one download are events of the same state.
      if (ack.status === 'in_progress') {
        return { ...plain, ...answered(ack), to: 'in_progress', from: open, event: stageOf(ack) };
      }
      const to = ack.status === 'succeeded' ? 'succeeded' : 'failed';
      return { ...answered(ack), to, from: [...open, 'expired'], final: true, event: to };
    }
  }
}

/** The columns a move sets. An error of an earlier move stays unless this one brings its own. */
const changes = (move: Move) => ({
  status: move.to,
  updatedAt: utcNow,
  ...(move.final ? { completedAt: utcNow } : {}),
  ...(move.errorCode === null ? {} : { errorCode: move.errorCode, errorMessage: move.message }),
});

/** The row a command refers to, where it belongs to that terminal and is in one of the states. */
const reference = (table: typeof parameterPushLogs | typeof appPackageDeployments, command: CommandRow, move: Move) =>
  and(
    eq(table.id, sql`${command.refId}::bigint`),
    eq(table.serialNumber, command.serialNumber),
    inArray(table.status, [...move.from]),
  );

/** parameter_push_logs, with one push_details row for each move. */
async function movePush(tx: Db, command: CommandRow, outcome: Outcome): Promise<void> {
  const move = pushMove(outcome);
  const moved = await tx
    .update(parameterPushLogs)
    .set(changes(move))
    .where(reference(parameterPushLogs, command, move))
    .returning({ id: parameterPushLogs.id });
  for (const { id } of moved) {
    // The update above holds the push row, so two moves of one push cannot take the same number.
    const seq: SQL<number> = sql<number>`(
      select coalesce(max(${pushDetails.seq}), 0) + 1 from ${pushDetails} where ${pushDetails.pushLogId} = ${id})`;
    await tx.insert(pushDetails).values({
      pushLogId: id,
      seq,
      event: move.event,
      message: move.message,
      eventAt: utcNow,
      insertedAt: utcNow,
      updatedAt: utcNow,
    });
  }
}

function deploymentMove(outcome: Outcome): Move {
  const before = ['queued', 'sent', 'accepted', 'downloading'];
  const open = [...before, 'installing'];
  const move = pushMove(outcome);
  if (outcome.kind === 'expired' || outcome.kind === 'dead') return { ...move, from: open };
  if (outcome.kind === 'published') return move;
  switch (outcome.ack.status) {
    case 'accepted':
      return move;
    case 'in_progress':
      return stageOf(outcome.ack) === 'downloading'
        ? { ...move, to: 'downloading', from: ['queued', 'sent', 'accepted'] }
        : { ...move, to: 'installing', from: before };
    default:
      return { ...move, from: [...open, 'expired'] };
  }
}

async function moveDeployment(tx: Db, command: CommandRow, outcome: Outcome): Promise<void> {
  const move = deploymentMove(outcome);
  await tx
    .update(appPackageDeployments)
    .set(changes(move))
    .where(reference(appPackageDeployments, command, move));
}

/** What an outcome of `log_start` or `log_stop` does to a session; null where it changes nothing. */
function sessionMove(
  commandType: string,
  outcome: Outcome,
): { to: string; from: string; reason: string | null } | null {
  const refused = outcome.kind === 'acked' && (outcome.ack.status === 'failed' || outcome.ack.status === 'rejected');
  if (commandType === 'log_start') {
    if (refused) return { to: 'failed', from: 'requested', reason: outcome.ack.code ?? 'device_refused' };
    if (outcome.kind === 'acked') return { to: 'active', from: 'requested', reason: null };
    if (outcome.kind === 'expired') return { to: 'expired', from: 'requested', reason: 'not_answered' };
    return outcome.kind === 'dead' ? { to: 'failed', from: 'requested', reason: 'not_delivered' } : null;
  }
  // A refused or unanswered `log_stop` changes nothing: the session stops two minutes after the request in any case.
  if (commandType === 'log_stop' && outcome.kind === 'acked' && !refused) {
    return { to: 'stopped', from: 'stopping', reason: null };
  }
  return null;
}

async function moveLogSession(tx: Db, command: CommandRow, outcome: Outcome): Promise<void> {
  const move = sessionMove(command.commandType, outcome);
  if (move === null) return;
  await tx
    .update(remoteLogSessions)
    .set({
      status: move.to,
      updatedAt: utcNow,
      ...(move.to === 'active' ? {} : { stoppedAt: utcNow }),
      ...(move.reason === null ? {} : { stopReason: move.reason }),
    })
    .where(
      and(
        eq(remoteLogSessions.id, sql`${command.refId}::uuid`),
        eq(remoteLogSessions.serialNumber, command.serialNumber),
        eq(remoteLogSessions.status, move.from),
      ),
    );
}

export function registerBusinessRows(registry: OutcomeRegistry): void {
  registry.onOutcome('parameter_push_logs', movePush);
  registry.onOutcome('app_package_deployments', moveDeployment);
  registry.onOutcome('remote_log_sessions', moveLogSession);
}
