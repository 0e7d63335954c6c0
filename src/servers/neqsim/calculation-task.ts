import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode, JsonObject } from '../../kit/index.ts';
import type { CalculationAnswer } from './calculation.ts';
import type { CalculationName } from './calculation-table.ts';

/** What goes to a worker thread and what comes back. Failures that the caller can mend come back as data; a fault rejects. */
export interface CalculationTask {
  readonly name: CalculationName;
  readonly input: unknown;
  /** A shared cell that the caller sets to 1 when nobody waits any more. */
  readonly stop: Int32Array;
  /** Where progress goes, for a caller that wants it. */
  readonly port: MessagePort | undefined;
}

export interface ProgressMessage {
  readonly done: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

export type CalculationReply =
  | { readonly kind: 'answer'; readonly answer: CalculationAnswer }
  | {
      readonly kind: 'refusal';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: JsonObject | undefined;
      readonly remediation: string;
    }
  | { readonly kind: 'stopped' };
