import type { Calculation, CalculationAnswer, CalculationControl } from './calculation.ts';

/**
 * A calculation of many independent steps (cases, points). Its steps can be computed in slices, by one thread after the other, and be put
 * together in the end: a step depends on the arguments and on its index alone, and its outcome is plain data.
 */
export interface Steps<Outcome> {
  readonly total: number;
  /** What a step is called, in the plural. */
  readonly unit: 'cases' | 'points';
  /** Never throws for what is wrong with this step alone. */
  compute(index: number): Outcome;
  /** The answer from the outcomes in order; fewer than `total` of them when the time ran out. */
  answer(outcomes: readonly Outcome[]): CalculationAnswer;
}

/** Reads the arguments. Throws ToolError for what is wrong with the whole call. */
export type SteppedCalculation<Input, Outcome> = (input: Input) => Steps<Outcome>;

/** Outcomes of the steps from `from` on, for as long as `more` says so or until the last. */
export function takeSteps<Outcome>(
  steps: Steps<Outcome>,
  from: number,
  control: CalculationControl,
  more: (done: number) => boolean,
): Outcome[] {
  const outcomes: Outcome[] = [];
  for (let k = from; k < steps.total && more(outcomes.length); k++) {
    control.checkpoint();
    outcomes.push(steps.compute(k));
    control.progress(k + 1, steps.total, steps.unit);
  }
  return outcomes;
}

/** The whole calculation in the calling thread, without a pause. */
export const inOneGo =
  <Input, Outcome>(open: SteppedCalculation<Input, Outcome>): Calculation<Input> =>
  (input, control) => {
    const steps = open(input);
    return steps.answer(takeSteps(steps, 0, control, () => true));
  };
