import { batchSteps, flashBatch } from './batch/answer.ts';
import type { CalculationAnswer, CalculationControl } from './calculation.ts';
import type { Steps } from './calculation-steps.ts';
import { envelopeAnswer } from './envelope/answer.ts';
import { flashAnswer } from './flash/answer.ts';
import { tableAnswer, tableSteps } from './table/answer.ts';

/** Every calculation that a worker thread can be asked for, under the name of its tool. */
export const CALCULATIONS = {
  runFlash: flashAnswer,
  getPropertyTable: tableAnswer,
  getPhaseEnvelope: envelopeAnswer,
  runBatch: flashBatch,
} as const satisfies Readonly<Record<string, (input: never, control: CalculationControl) => CalculationAnswer>>;

export type CalculationName = keyof typeof CALCULATIONS;
export type CalculationInput<Name extends CalculationName> = Parameters<(typeof CALCULATIONS)[Name]>[0];

/** Those of many steps, which the threads compute in slices. */
export const STEPPED = {
  getPropertyTable: tableSteps,
  runBatch: batchSteps,
} as const satisfies { readonly [Name in CalculationName]?: (input: CalculationInput<Name>) => Steps<unknown> };

export type SteppedName = keyof typeof STEPPED;
export const isStepped = (name: CalculationName): name is SteppedName => Object.hasOwn(STEPPED, name);
