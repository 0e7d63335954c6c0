import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode, JsonObject } from '../../kit/index.ts';
import type { CalculationAnswer } from './calculation.ts';
import type { CalculationName, SteppedName } from './calculation-table.ts';

/** What goes to a worker thread and what comes back. Failures that the caller can mend come back as data; a fault rejects. */
export type CalculationTask = CalculationWork & {
  /** A shared cell for the caller's word while the task runs: one of WORD. */
  readonly word: Int32Array;
  /** Where progress goes, for a caller that wants it. */
  readonly port: MessagePort | undefined;
};

export const WORD = {
  GO_ON: 0,
  /** Nobody waits any more. */
  STOP: 1,
  /** The time is nearly over: give what there is. */
  HAND_IN: 2,
} as const;

/** Arguments and outcomes of slices pass through the main thread as bytes, so that it neither reads nor copies them value by value. */
export type CalculationWork =
  | { readonly kind: 'whole'; readonly name: CalculationName; readonly input: unknown }
  /** Steps from `from` on, until `sliceMs` are over. At least one, unless the caller says HAND_IN. */
  | {
      readonly kind: 'slice';
      readonly name: SteppedName;
      readonly input: Uint8Array;
      readonly from: number;
      readonly sliceMs: number;
    }
  /** The answer from the outcomes of the slices before. */
  | {
      readonly kind: 'answer';
      readonly name: SteppedName;
      readonly input: Uint8Array;
      readonly parts: readonly Uint8Array[];
    };

export interface ProgressMessage {
  readonly done: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

export type CalculationReply =
  | { readonly kind: 'answer'; readonly answer: CalculationAnswer }
  /** Outcomes of a slice; `next` is the first step that is not done, `total` when all are. */
  | { readonly kind: 'part'; readonly part: Uint8Array; readonly next: number; readonly total: number }
  | {
      readonly kind: 'refusal';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: JsonObject | undefined;
      readonly remediation: string;
    }
  | { readonly kind: 'stopped' };
