/**
 * Records what terminals answer.
 *
 * Guarantees: an ack changes something at most once (the inbox row is written in the same transaction), only for the terminal the command
 * went to, and only forward: a final answer stays, an older one changes nothing. It counts whether or not the relay has written `published`.
 * Leaves to others: that a terminal is who its topic says (the broker's access list).
 */
import { sql } from 'drizzle-orm';
import type { Pool } from '../storage/pool.ts';
import type { OutboxState } from '../storage/schema/outbox.ts';
import { faultName, mayPass } from './faults.ts';
import type { MessagingLog } from './log.ts';
import type { CommandRow, OutcomeRegistry } from './outcomes.ts';
import { type AckPayload, type AckStatus, ackRank, isFinal, parseAckPayload } from './payloads.ts';
import type { Signals } from './signals.ts';
import type { Topics } from './topics.ts';

export type AckVerdict =
  | 'applied'
  /** The same `seq` was recorded before. */
  | 'duplicate'
  /** A later or final answer was recorded before. */
  | 'stale'
  | 'unknown_command'
  /** The topic's serial or command id is not the command's. */
  | 'mismatch'
  | 'malformed'
  /** The database refuses the contents for good; trying again would not help. */
  | 'unrecordable';

export interface AckOptions {
  /** The product database as the write role. */
  readonly pool: Pool;
  readonly topics: Topics;
  readonly outcomes: OutcomeRegistry;
  readonly signals: Signals;
  readonly log: MessagingLog;
  /** Takes card data out of what a terminal wrote before it is stored. */
  readonly scrub: (text: string) => string;
}

interface AckedRow extends CommandRow, Record<string, unknown> {
  readonly id: number;
  readonly state: OutboxState;
  readonly lastStatus: AckStatus | null;
  readonly lastSeq: number | null;
}

/** An ack is news when it says more than the last one, or as much with a higher number (the stages of a download). */
function isNews(row: AckedRow, ack: AckPayload): boolean {
  if (row.lastStatus === null || row.lastSeq === null) return true;
  if (isFinal(row.lastStatus)) return false;
  const further = ackRank(ack.status) - ackRank(row.lastStatus);
  return further > 0 || (further === 0 && ack.seq > row.lastSeq);
}

const scrubbed = (ack: AckPayload, scrub: (text: string) => string): AckPayload => ({
  ...ack,
  code: ack.code === null ? null : scrub(ack.code),
  message: ack.message === null ? null : scrub(ack.message),
  versions:
    ack.versions === null
      ? null
      : Object.fromEntries(
          Object.entries(ack.versions).map(([name, version]) => [
            scrub(name),
            version === null ? null : scrub(version),
          ]),
        ),
});

/** The handler for incoming acks. It rejects only for faults that may pass: the broker then delivers the ack again. */
export function createAckHandler(options: AckOptions): (topic: string, payload: Uint8Array) => Promise<AckVerdict> {
  const { pool, topics, outcomes, signals, log } = options;

  const record = (serialNumber: string, ack: AckPayload): Promise<AckVerdict> =>
    pool.transaction(undefined, {}, async (tx): Promise<AckVerdict> => {
      const [row] = await tx.execute<AckedRow>(sql`
        select id, command_id::text as "commandId", serial_number as "serialNumber", command_type as "commandType",
          ref_table as "refTable", ref_id as "refId", state, ack->>'status' as "lastStatus", (ack->>'seq')::int as "lastSeq"
        from mcp_ops.mqtt_outbox where command_id = ${ack.command_id}::uuid for update`);
      if (row === undefined) return 'unknown_command';
      if (row.serialNumber !== serialNumber) return 'mismatch';
      const inbox = await tx.execute(sql`
        insert into mcp_ops.outbox_inbox (command_id, ack_seq, at) values (${ack.command_id}::uuid, ${ack.seq}, now())
        on conflict do nothing`);
      if (inbox.count === 0) return 'duplicate';
      if (!isNews(row, ack)) return 'stale';
      const refused = ack.status === 'failed' || ack.status === 'rejected';
      const final = isFinal(ack.status);
      await tx.execute(sql`
        update mcp_ops.mqtt_outbox
        set state = case when state = 'cancelled' then state else ${refused ? 'nacked' : 'acked'} end,
            acked_at = coalesce(acked_at, now()), ack = ${JSON.stringify(ack)}::text::jsonb,
            next_attempt_at = case when ${final} then 'infinity'::timestamptz else expires_at end
        where id = ${row.id}`);
      // A cancelled command has given its business row up.
      if (row.state !== 'cancelled') await outcomes.tell(tx, row, { kind: 'acked', ack });
      return 'applied';
    });

  return async (topic, payload) => {
    const verdict = await judge(topic, payload);
    if (verdict === 'unknown_command' || verdict === 'mismatch' || verdict === 'malformed') {
      log.warn({ verdict }, 'an ack was dropped');
    }
    return verdict;
  };

  async function judge(topic: string, payload: Uint8Array): Promise<AckVerdict> {
    const address = topics.parseAck(topic);
    const ack = parseAckPayload(payload);
    if (address === null || ack === null) return 'malformed';
    if (address.commandId !== ack.command_id) return 'mismatch';
    try {
      const verdict = await record(address.serialNumber, scrubbed(ack, options.scrub));
      if (verdict === 'applied') signals.settled(ack.command_id);
      return verdict;
    } catch (fault) {
      if (mayPass(fault)) throw fault;
      log.error({ fault: faultName(fault), command_id: ack.command_id }, 'an ack cannot be recorded and was dropped');
      return 'unrecordable';
    }
  }
}
