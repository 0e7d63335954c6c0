import { ToolError } from '../../kit/index.ts';
import { type CalculationAnswer, type CalculationControl, CalculationStopped } from './calculation.ts';
import { CALCULATIONS } from './calculation-table.ts';
import {
  type CalculationReply,
  type CalculationTask,
  type ProgressMessage,
  STARTED,
  STOP,
} from './calculation-task.ts';

/** Entry of the worker threads: runs one calculation at a time. */

/** Progress is for people: more often than this nobody can read it [ms]. */
const PROGRESS_INTERVAL = 200;

export default function calculate({ name, input, cells, port }: CalculationTask): CalculationReply {
  Atomics.store(cells, STARTED, 1);
  try {
    const run = CALCULATIONS[name] as (input: unknown, control: CalculationControl) => CalculationAnswer;
    const control = controlOf(cells, port);
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

function controlOf(cells: Int32Array, port: CalculationTask['port']): CalculationControl {
  let next = 0;
  return {
    progress(done, total, message) {
      if (port === undefined || performance.now() < next) return;
      next = performance.now() + PROGRESS_INTERVAL;
      port.postMessage({ done, total, message } satisfies ProgressMessage);
    },
    checkpoint() {
      if (Atomics.load(cells, STOP) !== 0) throw new CalculationStopped();
    },
  };
}
