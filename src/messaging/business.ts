/**
 * Moves the business rows behind commands. Forward only: every statement names the states it may leave, so a late or repeated outcome finds
 * nothing to change. `expired` says that no answer came; a terminal's own final answer that comes later outranks it. `superseded`,
 * `cancelled`, `succeeded` and `failed` stay. Terminal versions are not touched: those come from the terminal's own reports.
 */
import type { TransactionSql } from 'postgres';
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

/** parameter_push_logs, with one push_details row for each move. */
async function movePush(tx: TransactionSql, command: CommandRow, outcome: Outcome): Promise<void> {
  const move = pushMove(outcome);
  const moved = await tx`
    update parameter_push_logs
    set status = ${move.to},
        completed_at = case when ${move.final} then now() at time zone 'utc' else completed_at end,
        error_code = coalesce(${move.errorCode}::text, error_code),
        error_message = case when ${move.errorCode}::text is null then error_message else ${move.message}::text end,
        updated_at = now() at time zone 'utc'
    where id = ${command.refId}::bigint and serial_number = ${command.serialNumber} and status = any(${[...move.from]})`;
  if (moved.count === 0) return;
  // The update above holds the push row, so two moves of one push cannot take the same number.
  await tx`
    insert into push_details (push_log_id, seq, event, message, event_at, inserted_at, updated_at)
    select ${command.refId}::bigint, coalesce(max(seq), 0) + 1, ${move.event}, ${move.message}::text,
           now() at time zone 'utc', now() at time zone 'utc', now() at time zone 'utc'
    from push_details where push_log_id = ${command.refId}::bigint`;
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

async function moveDeployment(tx: TransactionSql, command: CommandRow, outcome: Outcome): Promise<void> {
  const move = deploymentMove(outcome);
  await tx`
    update app_package_deployments
    set status = ${move.to},
        completed_at = case when ${move.final} then now() at time zone 'utc' else completed_at end,
        error_code = coalesce(${move.errorCode}::text, error_code),
        error_message = case when ${move.errorCode}::text is null then error_message else ${move.message}::text end,
        updated_at = now() at time zone 'utc'
    where id = ${command.refId}::bigint and serial_number = ${command.serialNumber} and status = any(${[...move.from]})`;
}

/** What an outcome of `log_start` or `log_stop` does to a session; null where it changes nothing. */
function sessionMove(commandType: string, outcome: Outcome): { to: string; from: string; reason: string | null } | null {
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

async function moveLogSession(tx: TransactionSql, command: CommandRow, outcome: Outcome): Promise<void> {
  const move = sessionMove(command.commandType, outcome);
  if (move === null) return;
  await tx`
    update remote_log_sessions
    set status = ${move.to},
        stopped_at = case when ${move.to === 'active'} then stopped_at else now() at time zone 'utc' end,
        stop_reason = coalesce(${move.reason}::text, stop_reason),
        updated_at = now() at time zone 'utc'
    where id = ${command.refId}::uuid and serial_number = ${command.serialNumber} and status = ${move.from}`;
}

export function registerBusinessRows(registry: OutcomeRegistry): void {
  registry.onOutcome('parameter_push_logs', movePush);
  registry.onOutcome('app_package_deployments', moveDeployment);
  registry.onOutcome('remote_log_sessions', moveLogSession);
}
