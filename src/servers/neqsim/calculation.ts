import type { JsonObject, Success } from '../../kit/index.ts';

/**
 * The seam between a tool and its calculation. A calculation is a pure function of its arguments: it imports the engine and nothing that
 * a worker thread could not have, throws ToolError for what the caller can mend, and never waits.
 */
export type CalculationAnswer = Success<JsonObject>;

export interface CalculationControl {
  /** How far the calculation is. Cheap: messages are thinned out on their way. */
  progress(done: number, total?: number, message?: string): void;
  /** Throws CalculationStopped when nobody waits for the answer any more. Loops call it between their steps. */
  checkpoint(): void;
}

export type Calculation<Input> = (input: Input, control: CalculationControl) => CalculationAnswer;

export class CalculationStopped extends Error {
  override readonly name = 'CalculationStopped';
  constructor() {
    super('the calculation was stopped');
  }
}

/** For a calculation that runs in the calling thread. */
export const NO_CONTROL: CalculationControl = { progress: () => {}, checkpoint: () => {} };
