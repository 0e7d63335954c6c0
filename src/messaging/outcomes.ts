import type { TransactionSql } from 'postgres';
import type { AckPayload } from './payloads.ts';

/** The states of an outbox row. The last five are where a row comes to rest; an ack may still move `expired` and `dead`. */
export const OUTBOX_STATES = [
  'pending',
  'publishing',
  'published',
  'acked',
  'nacked',
  'expired',
  'dead',
  'cancelled',
] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** What a handler needs to know of an outbox row. */
export interface CommandRow {
  readonly commandId: string;
  readonly serialNumber: string;
  readonly commandType: string;
  readonly refTable: string | null;
  readonly refId: string | null;
}

/** What became of a command, told to the owner of its business row in the transaction that records it. */
export type Outcome =
  | { readonly kind: 'published'; readonly deviceSubscribed: boolean }
  | { readonly kind: 'acked'; readonly ack: AckPayload }
  /** The time to live passed without a final answer. `published`: whether the broker ever had it. */
  | { readonly kind: 'expired'; readonly published: boolean }
  /** The broker refused it as often as we try. */
  | { readonly kind: 'dead' };

export type OutcomeHandler = (tx: TransactionSql, command: CommandRow, outcome: Outcome) => Promise<void>;

/** Who moves which business table, by `ref_table`. A row without reference, or with an unknown one, has the outbox alone. */
export interface OutcomeRegistry {
  onOutcome(refTable: string, handler: OutcomeHandler): void;
  tell(tx: TransactionSql, command: CommandRow, outcome: Outcome): Promise<void>;
}

export function outcomeRegistry(): OutcomeRegistry {
  const handlers = new Map<string, OutcomeHandler>();
  return {
    onOutcome(refTable, handler) {
      if (handlers.has(refTable)) throw new TypeError(`outcomes of ${refTable} have a handler already`);
      handlers.set(refTable, handler);
    },
    async tell(tx, command, outcome) {
      if (command.refTable === null || command.refId === null) return;
      await handlers.get(command.refTable)?.(tx, command, outcome);
    },
  };
}
