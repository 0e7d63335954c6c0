import type { Db } from '../storage/pool.ts';
import type { AckPayload } from './payloads.ts';

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

export type OutcomeHandler = (tx: Db, command: CommandRow, outcome: Outcome) => Promise<void>;

/** Who moves which business table, by `ref_table`. A row without reference, or with an unknown one, has the outbox alone. */
export interface OutcomeRegistry {
  onOutcome(refTable: string, handler: OutcomeHandler): void;
  tell(tx: Db, command: CommandRow, outcome: Outcome): Promise<void>;
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
