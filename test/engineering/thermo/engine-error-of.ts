import { EngineError } from '../../../src/engineering/thermo/errors.ts';

/** Runs and returns the EngineError thrown; fails on anything else. */
export function engineErrorOf(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('no error was thrown');
}
