import { ToolError } from '../kit/errors.ts';

/** SQLSTATE of an error that PostgreSQL itself sent, else null. */
export const sqlState = (error: unknown): string | null => {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return name === 'PostgresError' && typeof code === 'string' ? code : null;
};

/**
 * What a failing store means to a caller. Lost connections and a server that refuses, shuts down or has no room left (classes 08, 53, 57, 58),
 * a read-only server (25006) and a lock not got in time (55P03) are DEPENDENCY_UNAVAILABLE; anything else is a fault of ours. The cause stays in the log.
 */
export function storeFailure(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const state = sqlState(error);
  const unavailable = state === null || /^(08|53|57|58)/.test(state) || state === '25006' || state === '55P03';
  return new ToolError(unavailable ? 'DEPENDENCY_UNAVAILABLE' : 'INTERNAL', { cause: error });
}

/** Runs `work` so that it fails with ToolError only; an abort by the caller's own signal passes through. */
export async function onStore<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw storeFailure(error);
  }
}
