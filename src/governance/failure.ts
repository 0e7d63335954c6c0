import { ApprovalOutdated, ERRORS, type ErrorCode, ToolError } from '../kit/errors.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Failure } from '../kit/result.ts';

/** Turns whatever was thrown into one row of the error table. Only a ToolError's own text is public; everything else gets the table's text. */
export function toFailure(thrown: unknown, reason: 'deadline' | 'caller-left' | null): Failure {
  if (thrown instanceof ToolError) return failure(thrown.code, thrown.message, thrown.details, thrown.remediation);
  if (thrown instanceof ApprovalOutdated) return failure('CONFLICT', 'What was approved has changed.', thrown.changed);
  if (reason === 'deadline') return failure('TIMEOUT');
  if (reason === 'caller-left') return failure('CANCELLED');
  const kind = storageKind(thrown);
  if (kind === 'unavailable') return failure('DEPENDENCY_UNAVAILABLE');
  if (kind === 'timeout') return failure('TIMEOUT');
  if (kind === 'cancelled') return failure('CANCELLED');
  return failure('INTERNAL');
}

export function failure(code: ErrorCode, message?: string, details?: JsonObject, remediation?: string): Failure {
  const row = ERRORS[code];
  return {
    status: row.status,
    code,
    message: message ?? row.message,
    ...(details ? { details } : {}),
    remediation: remediation ?? row.remediation,
    retryable: row.retryable,
    warnings: [],
  };
}

/** Storage errors carry a `kind`; read structurally so that other dependencies can speak the same way. */
function storageKind(thrown: unknown): string | null {
  if (thrown === null || typeof thrown !== 'object' || !('kind' in thrown)) return null;
  return typeof thrown.kind === 'string' ? thrown.kind : null;
}
