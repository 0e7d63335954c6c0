/**
 * The tool's side of the outbox.
 *
 * Guarantees: a command is a row of the caller's own transaction, so it is published if and only if its effect is committed; after the commit
 * nothing here can turn the answer into a failure (`waitPublished` says `queued` when in doubt).
 * Leaves to others: publishing (the relay) and what the tool declares (`OUTBOX_WRITES` names what `enqueue` and `cancel` write).
 */
import { and, eq, sql } from 'drizzle-orm';
import { type EffectTransaction, type JsonObject, ToolError, type Warning, type WriteTarget } from '../kit/index.ts';
import type { Pool } from '../storage/pool.ts';
import { mqttOutbox, type OutboxState } from '../storage/schema/outbox.ts';
import { NO_MATCHING_SUBSCRIBERS } from './client.ts';
import { pause } from './pause.ts';
import type { CommandPayload } from './payloads.ts';
import type { Signals } from './signals.ts';
import type { Topics } from './topics.ts';

/** What an actuator that sends commands adds to its `writes`. */
export const OUTBOX_WRITES: readonly WriteTarget[] = [
  {
    db: 'product',
    table: 'mcp_ops.mqtt_outbox',
    operation: 'insert',
    columns: [
      'command_id',
      'serial_number',
      'topic',
      'command_type',
      'payload',
      'state',
      'next_attempt_at',
      'expires_at',
      'ref_table',
      'ref_id',
    ],
    values: { state: ['pending'] },
  },
  {
    db: 'product',
    table: 'mcp_ops.mqtt_outbox',
    operation: 'update',
    columns: ['state'],
    values: { state: ['cancelled'] },
  },
];

export interface Command {
  /** A fresh UUID; the business row carries the same one. */
  readonly commandId: string;
  readonly serialNumber: string;
  readonly commandType: string;
  readonly params: JsonObject;
  readonly expiresAt: Date;
  /** The business row that follows what becomes of the command. */
  readonly ref: {
    readonly table: 'parameter_push_logs' | 'app_package_deployments' | 'remote_log_sessions';
    readonly id: string | number;
  } | null;
}

export interface Delivery {
  readonly delivery: 'published' | 'queued';
  readonly state: OutboxState;
  /** DELIVERY_PENDING and DEVICE_NOT_SUBSCRIBED, for the answer. */
  readonly warnings: Warning[];
}

export interface Outbox {
  /** Throws DEPENDENCY_UNAVAILABLE when the backlog is too long or too old to take more. Ask before the effect. */
  refuseWhenOverloaded(signal?: AbortSignal): Promise<void>;
  /** Adds a command to the effect's transaction and returns its topic. */
  enqueue(tx: EffectTransaction, command: Command): Promise<{ readonly topic: string }>;
  /** Takes a command back that no relay has taken yet. False where it is too late. */
  cancel(tx: EffectTransaction, commandId: string): Promise<boolean>;
  /** After the commit: sends the relay off and waits up to `ms` for the broker to have the command. Never rejects. */
  waitPublished(commandId: string, ms: number, signal: AbortSignal): Promise<Delivery>;
  /** For health and metrics. */
  backlog(signal?: AbortSignal): Promise<Backlog>;
}

export interface Backlog {
  readonly pending: number;
  /** How late the command is that has been due for longest, in seconds. */
  readonly oldestDueSeconds: number;
}

declare module '../kit/context.ts' {
  interface Resources {
    outbox: Outbox;
  }
}

/** Limits of README section 10. */
export const MAX_PENDING = 10_000;
export const MAX_LATENESS_SECONDS = 900;
/** How often another replica's progress is looked for. */
const LOOK_MS = 100;
/** Length of `mqtt_outbox.topic`. */
const MAX_TOPIC = 512;

const PENDING: Delivery = {
  delivery: 'queued',
  state: 'pending',
  warnings: [
    {
      code: 'DELIVERY_PENDING',
      severity: 'INFO',
      message: 'The command is stored and goes out when the message broker takes it.',
    },
  ],
};

export function createOutbox(options: {
  readonly pool: Pool;
  readonly topics: Topics;
  readonly signals: Signals;
}): Outbox {
  const { pool, topics, signals } = options;

  async function backlog(signal?: AbortSignal): Promise<Backlog> {
    // Behind an unfinished command of the same terminal a row is not due, however old it is.
    const [row] = await pool.run(signal, (db) =>
      db.execute<{ pending: number; late: number }>(sql`
        with waiting as (
          select id, state, next_attempt_at, min(id) over (partition by serial_number) as head
          from mcp_ops.mqtt_outbox where state in ('pending', 'publishing')
        )
        select count(*) filter (where state = 'pending')::int as pending,
          coalesce(extract(epoch from now() - min(next_attempt_at) filter (where state = 'pending' and id = head)), 0)::float8 as late
        from waiting`),
    );
    return { pending: row?.pending ?? 0, oldestDueSeconds: Math.max(0, row?.late ?? 0) };
  }

  async function look(commandId: string): Promise<Delivery> {
    const [row] = await pool.run(undefined, (db) =>
      db
        .select({ state: mqttOutbox.state, publishedAt: mqttOutbox.publishedAt, reason: mqttOutbox.pubackReason })
        .from(mqttOutbox)
        .where(eq(mqttOutbox.commandId, commandId)),
    );
    if (row === undefined) return PENDING;
    const out = row.publishedAt !== null || row.state === 'acked' || row.state === 'nacked';
    if (!out) return { ...PENDING, state: row.state };
    return {
      delivery: 'published',
      state: row.state,
      warnings:
        row.reason === NO_MATCHING_SUBSCRIBERS
          ? [
              {
                code: 'DEVICE_NOT_SUBSCRIBED',
                severity: 'WARNING',
                message: 'The message broker has the command, but the terminal is not subscribed and may never get it.',
              },
            ]
          : [],
    };
  }

  return {
    backlog,
    async refuseWhenOverloaded(signal) {
      const { pending, oldestDueSeconds } = await backlog(signal);
      if (pending <= MAX_PENDING && oldestDueSeconds <= MAX_LATENESS_SECONDS) return;
      throw new ToolError('DEPENDENCY_UNAVAILABLE', {
        message: 'Commands to terminals are not going out and no more are taken for now.',
        details: { dependency: 'mqtt', pending, oldest_due_s: Math.floor(oldestDueSeconds) },
      });
    },

    async enqueue(tx, command) {
      const topic = topics.command(command.serialNumber, command.commandType);
      if (topic.length > MAX_TOPIC) {
        throw new ToolError('INVALID_ARGUMENT', {
          message: 'The serial number is too long for a message topic.',
          details: { issues: [{ path: 'serial_number', rule: 'max', message: 'too long once percent-encoded' }] },
        });
      }
      const expiresAt = command.expiresAt.toISOString();
      const payload: CommandPayload = {
        v: 1,
        command_id: command.commandId,
        command_type: command.commandType,
        serial_number: command.serialNumber,
        issued_at: new Date().toISOString(),
        expires_at: expiresAt,
        params: command.params,
      };
      await tx.insert(mqttOutbox, {
        commandId: command.commandId,
        serialNumber: command.serialNumber,
        topic,
        commandType: command.commandType,
        payload,
        state: 'pending',
        nextAttemptAt: sql`now()`,
        expiresAt,
        refTable: command.ref?.table ?? null,
        refId: command.ref === null ? null : String(command.ref.id),
      });
      return { topic };
    },

    async cancel(tx, commandId) {
      const cancelled = await tx.update(mqttOutbox, {
        set: { state: 'cancelled' },
        where: and(eq(mqttOutbox.commandId, commandId), eq(mqttOutbox.state, 'pending')) ?? sql`false`,
        returning: { id: mqttOutbox.id },
      });
      return cancelled.length > 0;
    },

    async waitPublished(commandId, ms, signal) {
      let last: Delivery = PENDING;
      let wake: () => void = () => {};
      const off = signals.onSettled(commandId, () => wake());
      const done = new AbortController();
      const watch = async (): Promise<void> => {
        while (!done.signal.aborted) {
          const step = new Promise<void>((resolve) => {
            wake = resolve;
          });
          last = await look(commandId);
          if (last.state !== 'pending' && last.state !== 'publishing') return;
          const timer = setTimeout(wake, LOOK_MS);
          await step;
          clearTimeout(timer);
        }
      };
      try {
        signals.nudge();
        await Promise.race([watch(), pause(ms, AbortSignal.any([signal, done.signal]))]);
      } catch {
        // The effect is committed. Not being able to look changes nothing about it.
      } finally {
        done.abort();
        off();
        wake();
      }
      return last;
    },
  };
}
