import { ToolError } from '../../kit/index.ts';
import { type CalculationAnswer, type CalculationControl, CalculationStopped } from './calculation.ts';
import { CALCULATIONS } from './calculation-table.ts';
import type { CalculationReply, CalculationTask, ProgressMessage } from './calculation-task.ts';

/** Entry of the worker threads: runs one calculation at a time. */

/** Progress is for people: more often than this nobody can read it [ms]. */
const PROGRESS_INTERVAL = 200;

export default function calculate({ name, input, stop, port }: CalculationTask): CalculationReply {
  try {
    const run = CALCULATIONS[name] as (input: unknown, control: CalculationControl) => CalculationAnswer;
    const control = controlOf(stop, port);
    control.checkpoint();
    return { kind: 'answer', answer: run(input, control) };
  } catch (error) {
    if (error instanceof CalculationStopped) return { kind: 'stopped' };
    if (error instanceof ToolError) {
      const { code, message, details, remediation } = error;
      return { kind: 'refusal', code, message, details, remediation };
    }
    throw error;
  }
}

function controlOf(stop: Int32Array, port: CalculationTask['port']): CalculationControl {
  let next = 0;
  return {
    progress(done, total, message) {
      if (port === undefined || performance.now() < next) return;
      next = performance.now() + PROGRESS_INTERVAL;
      port.postMessage({ done, total, message } satisfies ProgressMessage);
    },
    checkpoint() {
      if (Atomics.load(stop, 0) !== 0) throw new CalculationStopped();
    },
  };
}
