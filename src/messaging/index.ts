/** Commands to terminals and their answers: the outbox for tools, and the relay and ack handling that run beside the gateway. */
import type { Pool } from '../storage/pool.ts';
import { createAckHandler } from './acks.ts';
import { registerBusinessRows } from './business.ts';
import { type BrokerOptions, type BrokerState, createBrokerClient } from './client.ts';
import type { MessagingLog } from './log.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { type OutcomeRegistry, outcomeRegistry } from './outcomes.ts';
import { createRelay } from './relay.ts';
import { createSignals } from './signals.ts';
import { topicsUnder } from './topics.ts';

export { type Backlog, type Command, type Delivery, OUTBOX_WRITES, type Outbox } from './outbox.ts';
export type { Outcome, OutcomeHandler } from './outcomes.ts';

export interface MessagingOptions {
  /** The product database as the write role. */
  readonly pool: Pool;
  /** Topic prefix such as `tms/v1`. */
  readonly prefix: string;
  readonly broker: Omit<BrokerOptions, 'topics' | 'log'>;
  readonly log: MessagingLog;
  /** Takes card data out of what a terminal wrote before it is stored. */
  readonly scrub: (text: string) => string;
}

export interface Messaging {
  readonly outbox: Outbox;
  readonly broker: BrokerState;
  readonly onOutcome: OutcomeRegistry['onOutcome'];
  /** Returns at once; the broker and the database may both be away. */
  start(): void;
  /** Lets what is in flight finish, then leaves the broker. */
  stop(): Promise<void>;
}

export function createMessaging(options: MessagingOptions): Messaging {
  const { pool, log, scrub } = options;
  const topics = topicsUnder(options.prefix);
  const signals = createSignals();
  const outcomes = outcomeRegistry();
  registerBusinessRows(outcomes);
  const client = createBrokerClient({ ...options.broker, topics, log });
  const relay = createRelay({ pool, client, topics, outcomes, signals, log });
  const handleAck = createAckHandler({ pool, topics, outcomes, signals, log, scrub });
  return {
    outbox: createOutbox({ pool, topics, signals }),
    get broker() {
      return client.state;
    },
    onOutcome: outcomes.onOutcome,
    start() {
      relay.start();
      client.start(async (topic, payload) => {
        await handleAck(topic, payload);
      });
    },
    async stop() {
      await relay.stop();
      await client.close();
    },
  };
}
