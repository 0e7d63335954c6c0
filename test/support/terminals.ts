import { randomUUID } from 'node:crypto';
import mqtt from 'mqtt';
import type { Sql } from 'postgres';
import { createMessaging, type Messaging, type MessagingOptions, OUTBOX_WRITES } from '../../src/messaging/index.ts';
import { silentLog } from '../../src/messaging/log.ts';
import { createOutbox, type Outbox } from '../../src/messaging/outbox.ts';
import { createSignals } from '../../src/messaging/signals.ts';
import { topicsUnder } from '../../src/messaging/topics.ts';
import { Connections } from '../../src/storage/connections.ts';
import type { Pool } from '../../src/storage/pool.ts';
import { parameterPushLogs } from '../../src/storage/schema/product.ts';
import { utcNow } from '../../src/storage/writer.ts';
import type { TestPostgres } from './postgres.ts';

export const topics = topicsUnder('tms/v1');

export interface Command {
  readonly commandId: string;
  readonly serialNumber: string;
}
export interface Push extends Command {
  readonly pushId: number;
}
type OutboxRow = Record<string, unknown> & { state: string; attempts: number };

/** A product database with the write role's pool, and short ways to put commands in and to look at what became of them. */
export interface Terminals {
  readonly pool: Pool;
  readonly connections: Connections;
  /** A connection as the owner, for arranging and looking. */
  readonly owner: Sql;
  /** An outbox without a relay. */
  readonly outbox: Outbox;
  /** What a config push does in its effect: business row and command in one transaction. */
  push(serialNumber: string, ttlSeconds?: number): Promise<Push>;
  /** A command without a business row. */
  send(serialNumber: string, params?: Record<string, string>): Promise<Command>;
  row(command: Command): Promise<OutboxRow>;
  pushOf(
    push: Push,
  ): Promise<{ status: string; error_code: string | null; error_message: string | null; done: boolean }>;
  /** The events of a push in order, as `seq event`. */
  events(push: Push): Promise<string[]>;
  /** Makes a row look as if its time to live had passed. */
  lapse(command: Command): Promise<void>;
  messaging(url: string, options?: Partial<MessagingOptions>): Messaging;
  close(): Promise<void>;
}

export async function productWithTerminals(postgres: TestPostgres): Promise<Terminals> {
  const database = await postgres.database('product');
  const owner = postgres.connect(database.owner);
  const connections = new Connections({ urls: { product: { write: database.write } } });
  const pool = connections.ownTables('product');
  const outbox = createOutbox({ pool, topics, signals: createSignals() });
  const started: Messaging[] = [];
  const writes = [
    ...OUTBOX_WRITES,
    {
      db: 'product',
      table: 'parameter_push_logs',
      operation: 'insert',
      columns: [
        'serial_number',
        'config_type',
        'version',
        'status',
        'trigger_source',
        'command_id',
        'requested_at',
        'inserted_at',
        'updated_at',
      ],
    },
  ] as const;
  const expiry = (seconds: number) => new Date(Date.now() + seconds * 1000);
  return {
    pool,
    connections,
    owner,
    outbox,
    push: (serialNumber, ttlSeconds = 86_400) =>
      connections.writer('product').transaction(undefined, async (tx) => {
        const writer = tx.writer(writes);
        const commandId = randomUUID();
        const [row] = await writer.insert(
          parameterPushLogs,
          {
            serialNumber,
            configType: 'parameter',
            version: '4.2.1',
            status: 'queued',
            triggerSource: 'mcp',
            commandId,
            requestedAt: utcNow,
            insertedAt: utcNow,
            updatedAt: utcNow,
          },
          { returning: { id: parameterPushLogs.id } },
        );
        const pushId = row!.id;
        await outbox.enqueue(writer, {
          commandId,
          serialNumber,
          commandType: 'config_update',
          params: { config_type: 'parameter', version: '4.2.1' },
          expiresAt: expiry(ttlSeconds),
          ref: { table: 'parameter_push_logs', id: pushId },
        });
        return { commandId, serialNumber, pushId };
      }),
    send: (serialNumber, params = {}) =>
      connections.writer('product').transaction(undefined, async (tx) => {
        const commandId = randomUUID();
        await outbox.enqueue(tx.writer(OUTBOX_WRITES), {
          commandId,
          serialNumber,
          commandType: 'display_message',
          params,
          expiresAt: expiry(600),
          ref: null,
        });
        return { commandId, serialNumber };
      }),
    async row(command) {
      const [row] = await owner<OutboxRow[]>`
        select *, ack::text as ack from mcp_ops.mqtt_outbox where command_id = ${command.commandId}`;
      return row!;
    },
    async pushOf(push) {
      const [row] = await owner<
        { status: string; error_code: string | null; error_message: string | null; done: boolean }[]
      >`
        select status, error_code, error_message, completed_at is not null as done
        from parameter_push_logs where id = ${push.pushId}`;
      return row!;
    },
    async events(push) {
      const rows = await owner<{ seq: number; event: string }[]>`
        select seq, event from push_details where push_log_id = ${push.pushId} order by seq`;
      return rows.map((row) => `${row.seq} ${row.event}`);
    },
    async lapse(command) {
      await owner`
        update mcp_ops.mqtt_outbox set expires_at = now() - interval '1 s',
          next_attempt_at = least(next_attempt_at, now()) where command_id = ${command.commandId}`;
    },
    messaging(url, options = {}) {
      const messaging = createMessaging({
        pool,
        prefix: 'tms/v1',
        log: silentLog,
        scrub: (text) => text,
        ...options,
        broker: { url, backoff: { firstMs: 50, longestMs: 200 }, ...options.broker },
      });
      started.push(messaging);
      messaging.start();
      return messaging;
    },
    async close() {
      for (const messaging of started) await messaging.stop();
      await connections.close();
    },
  };
}

export interface Listener {
  /** Everything that arrived, in order. */
  readonly got: { readonly topic: string; readonly commandId: string; readonly params: Record<string, unknown> }[];
  ack(command: Command, seq: number, status: string, more?: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A terminal that takes every command and answers only when told to. Its session lasts. */
export async function listener(url: string, protocolVersion: 4 | 5 = 4): Promise<Listener> {
  const client = await mqtt.connectAsync(url, {
    protocolVersion,
    clientId: `listener-${randomUUID()}`,
    clean: false,
    reconnectPeriod: 50,
    ...(protocolVersion === 5 ? { properties: { sessionExpiryInterval: 3600 } } : {}),
  });
  client.on('error', () => {});
  const got: Listener['got'] = [];
  client.on('message', (topic, bytes) => {
    const { command_id: commandId, params } = JSON.parse(bytes.toString());
    got.push({ topic, commandId, params });
  });
  await client.subscribeAsync(topics.commandFilter, { qos: 1 });
  return {
    got,
    async ack(command, seq, status, more = {}) {
      const { commandId, serialNumber } = command;
      const payload = { command_id: commandId, seq, status, code: null, message: null, at: new Date().toISOString() };
      await client.publishAsync(
        topics.ack(serialNumber, commandId),
        JSON.stringify({ ...payload, versions: null, ...more }),
        { qos: 1 },
      );
    },
    async close() {
      await client.endAsync(true);
    },
  };
}
