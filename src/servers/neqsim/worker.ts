import { deserialize, serialize } from 'node:v8';
import { ToolError } from '../../kit/index.ts';
import { type CalculationAnswer, type CalculationControl, CalculationStopped } from './calculation.ts';
import { type Steps, takeSteps } from './calculation-steps.ts';
import { CALCULATIONS, STEPPED, type SteppedName } from './calculation-table.ts';
import { type CalculationReply, type CalculationTask, type ProgressMessage, WORD } from './calculation-task.ts';

/** Entry of the worker threads: runs one calculation, or one slice of it, at a time. */

/** Progress is for people: more often than this nobody can read it [ms]. */
const PROGRESS_INTERVAL = 200;

export default function calculate(task: CalculationTask): CalculationReply {
  try {
    const control = controlOf(task.word, task.port);
    control.checkpoint();
    switch (task.kind) {
      case 'whole': {
        const run = CALCULATIONS[task.name] as (input: unknown, control: CalculationControl) => CalculationAnswer;
        return { kind: 'answer', answer: run(task.input, control) };
      }
      case 'slice':
        return slice(task, control);
      case 'answer': {
        const outcomes = task.parts.flatMap((part) => deserialize(part) as unknown[]);
        return { kind: 'answer', answer: open(task.name, task.input).answer(outcomes) };
      }
    }
  } catch (error) {
    if (error instanceof CalculationStopped) return { kind: 'stopped' };
    if (error instanceof ToolError) {
      const { code, message, details, remediation } = error;
      return { kind: 'refusal', code, message, details, remediation };
    }
    throw error;
  }
}

function slice(task: CalculationTask & { kind: 'slice' }, control: CalculationControl): CalculationReply {
  const { name, input, from, sliceMs, word } = task;
  const end = performance.now() + sliceMs;
  const steps = open(name, input);
  const more = (done: number) => Atomics.load(word, 0) !== WORD.HAND_IN && (done === 0 || performance.now() < end);
  const outcomes = takeSteps(steps, from, control, more);
  const next = from + outcomes.length;
  if (from === 0 && next === steps.total) return { kind: 'answer', answer: steps.answer(outcomes) };
  // A copy of its own: what the serialiser gives may lie in a larger piece of memory, which would be sent whole.
  return { kind: 'part', part: new Uint8Array(serialize(outcomes)), next, total: steps.total };
}

function open(name: SteppedName, input: Uint8Array): Steps<unknown> {
  return (STEPPED[name] as (input: unknown) => Steps<unknown>)(deserialize(input));
}

function controlOf(word: Int32Array, port: CalculationTask['port']): CalculationControl {
  let next = 0;
  return {
    progress(done, total, message) {
      if (port === undefined || performance.now() < next) return;
      next = performance.now() + PROGRESS_INTERVAL;
      port.postMessage({ done, total, message } satisfies ProgressMessage);
    },
    checkpoint() {
      if (Atomics.load(word, 0) === WORD.STOP) throw new CalculationStopped();
    },
  };
}
