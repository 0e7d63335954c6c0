/**
 * Publishes what the outbox holds, after commit and in the order of each terminal.
 *
 * Guarantees: at least once (a row is marked `published` after PUBACK only, and a relay that dies in between leaves a lease that runs out);
 * never two commands of one terminal in flight; two relays never hold one row; a row comes to rest as published, expired or dead.
 * Leaves to others: exactly once (terminals drop a command id already seen), and what a terminal answers (acks.ts).
 *
 * `next_attempt_at` is the time at which a relay has to look at a row again: the next try (`pending`), the end of its time to live
 * (`published`, `acked`), `infinity` when there is nothing left to look for. `claimed_at` starts the lease of a `publishing` row.
 */
import type { Sql, TransactionSql } from 'postgres';
import { type BrokerClient, NO_MATCHING_SUBSCRIBERS, type PublishResult } from './client.ts';
import { faultName, type MessagingLog } from './log.ts';
import type { CommandRow, OutcomeRegistry } from './outcomes.ts';
import { pause } from './pause.ts';
import type { Signals } from './signals.ts';
import type { Topics } from './topics.ts';

export const MAX_TRIES = 20;
export const LEASE_SECONDS = 60;
/** As many rows as one relay has in flight, each of another terminal. */
export const BATCH = 50;
const POLL_MS = 1000;

/** Seconds before try `tries + 1`: 1 doubling to 300, spread by a quarter either way so that terminals do not come back in step. */
export function backoffSeconds(tries: number, random: () => number = Math.random): number {
  return Math.min(300, 2 ** (tries - 1)) * (0.75 + random() / 2);
}

export interface RelayOptions {
  readonly sql: Sql;
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

interface Claimed extends CommandRow {
  readonly id: string;
  readonly topic: string;
  readonly payload: string;
  readonly attempts: number;
  readonly ttlSeconds: number;
}

interface Swept extends CommandRow {
  readonly id: string;
  readonly published: boolean;
}

export function createRelay(options: RelayOptions): Relay {
  const { sql, client, topics, outcomes, signals, log } = options;
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  let running: Promise<void> | null = null;

  /**
   * The oldest unfinished row of each terminal, where it is due. A later row of the same terminal is not a head, so order holds even
   * between relays: a head stays a head until it is published or comes to rest.
   */
  const claim = (limit: number) => sql<Claimed[]>`
    with heads as (
      select min(id) as id from mcp_ops.mqtt_outbox where state in ('pending', 'publishing') group by serial_number
    ), claimed as (
      select o.id from mcp_ops.mqtt_outbox o join heads on heads.id = o.id
      where o.state = 'pending' and o.next_attempt_at <= now() and o.expires_at > now()
      order by o.id for update of o skip locked limit ${limit}
    )
    update mcp_ops.mqtt_outbox o
    set state = 'publishing', attempts = o.attempts + 1, claimed_at = now()
    from claimed where claimed.id = o.id
    returning o.id::text as id, o.command_id::text as "commandId", o.serial_number as "serialNumber", o.topic,
      o.command_type as "commandType", o.payload::text as payload, o.attempts, o.ref_table as "refTable", o.ref_id as "refId",
      greatest(1, floor(extract(epoch from o.expires_at - now())))::int as "ttlSeconds"`;

  /** Published. An ack may have come first: then the row keeps its state and only learns when it went out. */
  async function markPublished(row: Claimed, reasonCode: number): Promise<void> {
    const deviceSubscribed = reasonCode !== NO_MATCHING_SUBSCRIBERS;
    await sql.begin(async (tx) => {
      const moved = await tx`
        update mcp_ops.mqtt_outbox
        set state = 'published', published_at = now(), puback_reason = ${reasonCode}, next_attempt_at = expires_at,
            last_error = ${deviceSubscribed ? null : 'DEVICE_NOT_SUBSCRIBED'}
        where id = ${row.id} and state = 'publishing' and attempts = ${row.attempts}`;
      if (moved.count > 0) await outcomes.tell(tx, row, { kind: 'published', deviceSubscribed });
      else {
        await tx`
          update mcp_ops.mqtt_outbox set published_at = coalesce(published_at, now()), puback_reason = ${reasonCode}
          where id = ${row.id} and state in ('acked', 'nacked')`;
      }
    });
  }

  /** Not published: back to pending with a pause, or dead after the last try. A try that never left the process is not counted. */
  async function markFailed(row: Claimed, result: PublishResult & { ok: false }): Promise<void> {
    const sent = result.kind !== 'not_connected';
    const fault = result.reasonCode === null ? result.kind : `${result.kind} ${result.reasonCode}`;
    if (sent && row.attempts >= MAX_TRIES) {
      await bury(row, row.attempts, fault);
      return;
    }
    await sql`
      update mcp_ops.mqtt_outbox
      set state = 'pending', attempts = attempts - ${sent ? 0 : 1}, last_error = ${fault},
          next_attempt_at = now() + make_interval(secs => ${sent ? backoffSeconds(row.attempts) : 0})
      where id = ${row.id} and state = 'publishing' and attempts = ${row.attempts}`;
  }

  async function bury(row: CommandRow & { readonly id: string }, attempts: number, fault: string): Promise<void> {
    log.error({ command_id: row.commandId, fault }, 'a command was given up after the last try');
    await sql.begin(async (tx) => {
      const moved = await tx`
        update mcp_ops.mqtt_outbox set state = 'dead', last_error = ${fault}, next_attempt_at = 'infinity'
        where id = ${row.id} and state = 'publishing' and attempts = ${attempts}`;
      if (moved.count > 0) await outcomes.tell(tx, row, { kind: 'dead' });
    });
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
      log.warn({ command_id: row.commandId, fault: faultName(fault) }, 'the outcome of a publish could not be recorded');
    } finally {
      signals.settled(row.commandId);
    }
  }

  /** Rows whose lease or time to live has run out. */
  async function sweep(): Promise<void> {
    const lapsed = await sql<(CommandRow & { id: string; attempts: number })[]>`
      select id::text as id, command_id::text as "commandId", serial_number as "serialNumber", command_type as "commandType",
        ref_table as "refTable", ref_id as "refId", attempts
      from mcp_ops.mqtt_outbox
      where state = 'publishing' and claimed_at <= now() - make_interval(secs => ${LEASE_SECONDS}) and attempts >= ${MAX_TRIES} limit 100`;
    for (const row of lapsed) await bury(row, row.attempts, 'lease_ended');
    await sql`
      update mcp_ops.mqtt_outbox set state = 'pending', last_error = 'lease_ended', next_attempt_at = now()
      where id in (
        select id from mcp_ops.mqtt_outbox
        where state = 'publishing' and claimed_at <= now() - make_interval(secs => ${LEASE_SECONDS}) and attempts < ${MAX_TRIES} for update skip locked)`;
    while (!stopping.signal.aborted && (await sql.begin(expireOne))) {
      // one transaction a row, so that a row that cannot be moved holds up no other
    }
  }

  /** True when there may be another. A command that was answered, but not finally, keeps its state; its business row expires. */
  async function expireOne(tx: TransactionSql): Promise<boolean> {
    const row = (await overdueUnsent(tx))[0] ?? (await overdueUnanswered(tx))[0];
    if (row === undefined) return false;
    await tx`
      update mcp_ops.mqtt_outbox
      set state = case when state = 'acked' then state else 'expired' end, next_attempt_at = 'infinity'
      where id = ${row.id}`;
    await outcomes.tell(tx, row, { kind: 'expired', published: row.published });
    signals.settled(row.commandId);
    return true;
  }

  // Two statements, so that each finds its rows by the index on (state, next_attempt_at).
  const overdueUnsent = (tx: TransactionSql) => tx<Swept[]>`
    select id::text as id, command_id::text as "commandId", serial_number as "serialNumber", command_type as "commandType",
      ref_table as "refTable", ref_id as "refId", false as published
    from mcp_ops.mqtt_outbox where state = 'pending' and expires_at <= now() limit 1 for update skip locked`;
  const overdueUnanswered = (tx: TransactionSql) => tx<Swept[]>`
    select id::text as id, command_id::text as "commandId", serial_number as "serialNumber", command_type as "commandType",
      ref_table as "refTable", ref_id as "refId", true as published
    from mcp_ops.mqtt_outbox where state in ('published', 'acked') and next_attempt_at <= now() and expires_at <= now()
    limit 1 for update skip locked`;

  async function publishDue(): Promise<void> {
    while (!stopping.signal.aborted && client.state.status === 'connected' && inFlight.size < BATCH) {
      const rows = await claim(BATCH - inFlight.size);
      if (rows.length === 0) return;
      for (const row of [...rows].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))) {
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
      client.onConnected(() => signals.nudge());
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
