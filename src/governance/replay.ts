import { ToolError } from '../kit/errors.ts';
import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { CallResult, Success } from '../kit/result.ts';
import { failure } from './failure.ts';
import { scrubValue } from './redaction/index.ts';

/** What is kept of a write's answer for a replay, scrubbed with the same rules as the answer, and how it becomes a result again. */
export function fromStored(response: JsonValue): CallResult {
  // Written by `storable` or `storableFailure` below, or by the transaction of an effect with `data` alone.
  const stored = response as unknown as
    | (Partial<Success> & { status: 'success' })
    | (StoredFailure & { status: 'error' });
  if (stored.status === 'success') {
    return {
      status: 'success',
      data: stored.data ?? null,
      warnings: stored.warnings ?? [],
      provenance: stored.provenance ?? {},
    };
  }
  return failure(stored.code, stored.message, stored.details, stored.remediation);
}

interface StoredFailure {
  code: ToolError['code'];
  message: string;
  remediation: string;
  details?: JsonObject;
}

export function storable(result: Success): JsonValue {
  return scrubbed({
    status: 'success',
    data: result.data,
    warnings: result.warnings as unknown as JsonValue,
    provenance: result.provenance as JsonValue,
  });
}

export const storableFailure = (error: ToolError): JsonValue =>
  scrubbed({
    status: 'error',
    code: error.code,
    message: error.message,
    remediation: error.remediation,
    ...(error.details ? { details: error.details } : {}),
  });

export function scrubbed(value: JsonValue): JsonValue {
  const done = scrubValue(JSON.parse(JSON.stringify(value)), { forbiddenNames: true });
  if (!done.ok) throw new ToolError('REDACTION_FAILED');
  return done.value as JsonValue;
}
