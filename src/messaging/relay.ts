/**
 * Publishes what the outbox holds, after commit and in the order of each terminal.
 *
 * Guarantees: at least once (a row is marked `published` after PUBACK only, and a relay that dies in between leaves a lease that runs out);
 * a command whose terminal has answered is not sent again, where the broker keeps acks for this client; never two commands of one terminal in
 * flight; two relays never hold one row; a row comes to rest as published, expired or dead.
 * Leaves to others: exactly once (terminals drop a command id already seen), and what a terminal answers (acks.ts).
 *
 * `next_attempt_at` is the time at which a relay has to look at a row again: the next try (`pending`), the end of its time to live
 * (`published`, `acked`), `infinity` when there is nothing left to look for. `claimed_at` starts the lease of a `publishing` row.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Pool } from '../storage/pool.ts';
import { type BrokerClient, NO_MATCHING_SUBSCRIBERS, type PublishResult } from './client.ts';
import { faultName, mayPass } from './faults.ts';
import type { MessagingLog } from './log.ts';
import type { CommandRow, Outcome, OutcomeRegistry } from './outcomes.ts';
import { pause } from './pause.ts';
import type { Signals } from './signals.ts';
import type { Topics } from './topics.ts';

export const MAX_TRIES = 20;
export const LEASE_SECONDS = 60;
/** As many rows as one relay has in flight, each of another terminal. */
export const BATCH = 50;
const POLL_MS = 1000;
/** After a connect, acks that waited at the broker have this long to be recorded before a lease that ran out is judged. */
const ACKS_FIRST_MS = 2000;

/** Seconds before try `tries + 1`: 1 doubling to 300, spread by a quarter either way so that terminals do not come back in step. */
export function backoffSeconds(tries: number, random: () => number = Math.random): number {
  return Math.min(300, 2 ** (tries - 1)) * (0.75 + random() / 2);
}

export interface RelayOptions {
  /** The product database as the write role. A pool of its own keeps a backlog from taking connections from tools. */
  readonly pool: Pool;
  readonly client: Pick<BrokerClient, 'state' | 'publish' | 'onConnected'>;
  readonly topics: Topics;
  readonly outcomes: OutcomeRegistry;
  readonly signals: Signals;
  readonly log: MessagingLog;
}

export interface Relay {
  start(): void;
  /** Claims nothing more and waits up to `ms` for what is in flight. What is left goes back when its lease ends. */
  stop(ms?: number): Promise<void>;
}

interface Row extends CommandRow, Record<string, unknown> {
  readonly id: number;
  readonly attempts: number;
}
interface Claimed extends Row {
  readonly topic: string;
  readonly payload: string;
  readonly ttlSeconds: number;
}

const ROW = sql`o.id, o.command_id as "commandId", o.serial_number as "serialNumber", o.command_type as "commandType",
  o.ref_table as "refTable", o.ref_id as "refId", o.attempts`;
const LEASE_OVER = sql`o.state = 'publishing' and o.claimed_at <= now() - make_interval(secs => ${LEASE_SECONDS})`;

export function createRelay(options: RelayOptions): Relay {
  const { pool, client, topics, outcomes, signals, log } = options;
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  /** The last claim found as many as it asked for, so there are likely more. */
  let backlogged = false;
  let connectedAt = 0;

  /** The type is what the statement selects: `ROW` and, for a claim, the message. */
  const query = async <T extends Row>(statement: SQL): Promise<T[]> => {
    const rows = await pool.run(undefined, (db) => db.execute(statement));
    return [...rows] as T[];
  };

  /**
   * The oldest unfinished row of each terminal, where it is due. A later row of the same terminal is not a head, so order holds even
   * between relays: a head stays a head until it is published or comes to rest. Heads are found in one pass and written down before
   * anything is joined to them: after a burst the planner's statistics are those of an empty table, and its join would take minutes.
   */
  const claim = (limit: number) =>
    query<Claimed>(sql`
      with active as materialized (
        select id, state, next_attempt_at, expires_at, min(id) over (partition by serial_number) as head
        from mcp_ops.mqtt_outbox where state in ('pending', 'publishing')
      ), due as materialized (
        select id from active
        where id = head and state = 'pending' and next_attempt_at <= now() and expires_at > now()
        order by id limit ${2 * limit}
      ), claimed as (
        select o.id from mcp_ops.mqtt_outbox o
        where o.id in (select id from due) and o.state = 'pending' and o.next_attempt_at <= now() and o.expires_at > now()
        order by o.id for update of o skip locked limit ${limit}
      )
      update mcp_ops.mqtt_outbox o set state = 'publishing', attempts = o.attempts + 1, claimed_at = now()
      from claimed where claimed.id = o.id
      returning ${ROW}, o.topic, o.payload::text as payload,
        greatest(1, floor(extract(epoch from o.expires_at - now())))::int as "ttlSeconds"`);

  /**
   * Moves an outbox row by `change` and, where it moved, its business row in the same transaction. A business row that cannot be moved
   * (a missing grant, a changed table) is logged and left; it must not hold up the outbox.
   */
  async function settle(row: Row, change: SQL, outcome: Outcome): Promise<boolean> {
    if (row.refTable === null) return (await pool.run(undefined, (db) => db.execute(change))).count > 0;
    const apply = (tell: boolean): Promise<boolean> =>
      pool.transaction(undefined, {}, async (tx) => {
        const moved = await tx.execute(change);
        if (moved.count > 0 && tell) await outcomes.tell(tx, row, outcome);
        return moved.count > 0;
      });
    try {
      return await apply(true);
    } catch (fault) {
      if (mayPass(fault)) throw fault;
      log.error({ command_id: row.commandId, fault: faultName(fault) }, 'the row behind a command cannot be moved');
      return await apply(false);
    }
  }

  /** Published. An ack may have come first: then the row keeps its state and only learns when it went out. */
  async function markPublished(row: Claimed, reasonCode: number): Promise<void> {
    const deviceSubscribed = reasonCode !== NO_MATCHING_SUBSCRIBERS;
    const moved = await settle(
      row,
      sql`update mcp_ops.mqtt_outbox
        set state = 'published', published_at = now(), puback_reason = ${reasonCode}, next_attempt_at = expires_at,
            last_error = ${deviceSubscribed ? null : 'DEVICE_NOT_SUBSCRIBED'}
        where id = ${row.id} and state = 'publishing' and attempts = ${row.attempts}`,
      { kind: 'published', deviceSubscribed },
    );
    if (moved) return;
    await query(sql`
      update mcp_ops.mqtt_outbox set published_at = coalesce(published_at, now()), puback_reason = ${reasonCode}
      where id = ${row.id} and state in ('acked', 'nacked')`);
  }

  /** Not published: back to pending with a pause, or dead after the last try. A try that never left the process is not counted. */
  async function markFailed(row: Claimed, result: PublishResult & { ok: false }): Promise<void> {
    const sent = result.kind !== 'not_connected';
    const fault = result.reasonCode === null ? result.kind : `${result.kind} ${result.reasonCode}`;
    if (sent && row.attempts >= MAX_TRIES) {
      await bury(row, fault);
      return;
    }
    await query(sql`
      update mcp_ops.mqtt_outbox
      set state = 'pending', attempts = attempts - ${sent ? 0 : 1}, last_error = ${fault},
          next_attempt_at = now() + make_interval(secs => ${sent ? backoffSeconds(row.attempts) : 0})
      where id = ${row.id} and state = 'publishing' and attempts = ${row.attempts}`);
  }

  async function bury(row: Row, fault: string): Promise<void> {
    log.error({ command_id: row.commandId, fault }, 'a command was given up after the last try');
    await settle(
      row,
      sql`update mcp_ops.mqtt_outbox set state = 'dead', last_error = ${fault}, next_attempt_at = 'infinity'
        where id = ${row.id} and state = 'publishing' and attempts = ${row.attempts}`,
      { kind: 'dead' },
    );
  }

  async function send(row: Claimed): Promise<void> {
    try {
      const result = await client.publish(row.topic, row.payload, {
        expirySeconds: row.ttlSeconds,
        responseTopic: topics.ack(row.serialNumber, row.commandId),
        correlation: row.commandId,
      });
      if (result.ok) await markPublished(row, result.reasonCode);
      else await markFailed(row, result);
    } catch (fault) {
      // The lease brings the row back; a second publish is what "at least once" allows.
      log.warn({ command_id: row.commandId, fault: faultName(fault) }, 'the outcome of a publish is not recorded');
    } finally {
      signals.settled(row.commandId);
    }
  }

  /**
   * Puts back what a relay that died had in flight. Before the acks that waited at the broker are read, only what is past its time to live:
   * without a broker nothing can be sent again anyway, and an answered command must not be.
   */
  async function endLeases(): Promise<void> {
    const acksRead = client.state.status === 'connected' && Date.now() - connectedAt >= ACKS_FIRST_MS;
    const over = acksRead ? LEASE_OVER : sql`${LEASE_OVER} and o.expires_at <= now()`;
    const lapsed = await query<Row>(sql`
      select ${ROW} from mcp_ops.mqtt_outbox o where ${over} and o.attempts >= ${MAX_TRIES} limit 100`);
    for (const row of lapsed) await bury(row, 'lease_ended');
    await query(sql`
      update mcp_ops.mqtt_outbox o set state = 'pending', last_error = 'lease_ended', next_attempt_at = now()
      where ${over} and o.attempts < ${MAX_TRIES}`);
  }

  /** Rows whose lease or time to live has run out, up to a hundred of each kind. */
  async function sweep(): Promise<void> {
    await endLeases();
    const unsent = await query<Row>(sql`
      select ${ROW} from mcp_ops.mqtt_outbox o where o.state = 'pending' and o.expires_at <= now() limit 100`);
    for (const row of unsent) await expire(row, false);
    const unanswered = await query<Row>(sql`
      select ${ROW} from mcp_ops.mqtt_outbox o
      where o.state in ('published', 'acked') and o.next_attempt_at <= now() and o.expires_at <= now() limit 100`);
    for (const row of unanswered) await expire(row, true);
  }

  /** A command that was answered, but not finally, keeps its state; its business row expires. */
  async function expire(row: Row, published: boolean): Promise<void> {
    await settle(
      row,
      sql`update mcp_ops.mqtt_outbox
        set state = case when state = 'acked' then state else 'expired' end, next_attempt_at = 'infinity'
        where id = ${row.id} and next_attempt_at < 'infinity'
          and state in ${published ? ['published', 'acked'] : ['pending']}`,
      { kind: 'expired', published },
    );
    signals.settled(row.commandId);
  }

  async function publishDue(): Promise<void> {
    while (!stopping.signal.aborted && client.state.status === 'connected' && inFlight.size < BATCH) {
      const room = BATCH - inFlight.size;
      // A claim looks at the whole backlog, so under a long one it is made for many rows at a time.
      if (backlogged && room < BATCH / 2) return;
      const rows = await claim(room);
      backlogged = rows.length === room;
      if (rows.length === 0) return;
      for (const row of rows.sort((a, b) => a.id - b.id)) {
        const sending: Promise<void> = send(row).finally(() => {
          inFlight.delete(sending);
          // The next command of this terminal may go now.
          signals.nudge();
        });
        inFlight.add(sending);
      }
    }
  }

  async function run(): Promise<void> {
    let sweptAt = 0;
    let healthy = true;
    while (!stopping.signal.aborted) {
      try {
        if (Date.now() - sweptAt >= POLL_MS) {
          await sweep();
          sweptAt = Date.now();
        }
        await publishDue();
        healthy = true;
      } catch (fault) {
        if (healthy) log.warn({ fault: faultName(fault) }, 'the outbox cannot be read; commands wait in the database');
        healthy = false;
        await pause(POLL_MS, stopping.signal);
      }
      if (!stopping.signal.aborted) await signals.rest(POLL_MS);
    }
  }

  return {
    start() {
      if (running !== null) throw new TypeError('the relay is started already');
      client.onConnected(() => {
        connectedAt = Date.now();
        signals.nudge();
      });
      running = run();
    },
    async stop(ms = 5000) {
      stopping.abort();
      signals.nudge();
      await running;
      const enough = new AbortController();
      await Promise.race([Promise.all(inFlight), pause(ms, enough.signal)]);
      enough.abort();
    },
  };
}
