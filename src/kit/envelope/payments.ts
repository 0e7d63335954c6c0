import { ERRORS, type Issue } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { CallResult, Provenance, Warning } from '../result.ts';
import type { CallFacts, EnvelopeFormat } from './format.ts';

/** The answer of the five payments servers (payments contract, section 4). */
export const paymentsEnvelope: EnvelopeFormat = {
  id: 'payments',
  refusalCode: 'INVALID_ARGUMENT',
  outsideProfile: 'hide',
  publishesOutputSchemas: true,
  cardholderRules: true,
  maxBytes: 256 * 1024,
  dataPath: ['data'],
  render,
  noteRedactions,
  shrink,
  text: (envelope) => JSON.stringify(envelope),
  schema,
  refusal: (issues) => ({
    message: refusalMessage(issues),
    details: { issues: issues.map((issue) => ({ ...issue })) },
  }),
};

/** "serial_number: required" and so on: the first few issues in one sentence, all of them in details. */
export function refusalMessage(issues: readonly Issue[]): string {
  const first = issues.slice(0, 3).map((issue) => `${issue.path || 'arguments'}: ${issue.message}`);
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : '';
  return `${first.join('; ')}${more}`;
}

function render(result: CallResult, facts: CallFacts): JsonObject {
  const envelope: JsonObject = {
    apiVersion: '1.0',
    status: result.status,
    tool: facts.tool,
    data: result.status === 'success' || result.status === 'approval_required' ? (result.data as JsonValue) : null,
    provenance: provenance(result.status === 'success' ? result.provenance : {}, facts),
    warnings: result.warnings.map(warning),
  };
  if (result.status === 'approval_required' && result.changed !== undefined) {
    envelope['data'] = { ...(envelope['data'] as JsonObject), details: { changed: result.changed } };
  }
  if (result.status === 'error' || result.status === 'blocked') {
    envelope['error'] = {
      code: result.code,
      message: result.message,
      ...(result.details ? { details: result.details } : {}),
      retryable: result.retryable,
    };
  }
  return envelope;
}

function provenance(given: Provenance, facts: CallFacts): JsonObject {
  return {
    server: facts.announcedAs,
    request_id: facts.requestId,
    trace_id: facts.traceId,
    generated_at: facts.generatedAt,
    as_of: given.as_of ?? null,
    sources: (given.sources ?? []).map((source) => ({ ...source })),
    ...(given.window ? { window: { ...given.window } } : {}),
    ...(given.caps ? { caps: { ...given.caps } } : {}),
    redactions: 0,
    ...(facts.idempotency ? { idempotency: { ...facts.idempotency } } : {}),
    ...(facts.approval
      ? { approval: { approval_id: facts.approval.approval_id, approved_by: [...facts.approval.approved_by] } }
      : {}),
  };
}

const warning = (given: Warning): JsonObject => ({
  code: given.code,
  severity: given.severity,
  message: given.message,
  ...(given.details ? { details: given.details } : {}),
});

function noteRedactions(envelope: JsonObject, redactions: number): JsonObject {
  if (redactions === 0) return envelope;
  return {
    ...envelope,
    provenance: { ...(envelope['provenance'] as JsonObject), redactions },
    warnings: [
      ...(envelope['warnings'] as JsonValue[]),
      warning({ code: 'REDACTED', severity: 'INFO', message: `${redactions} values were masked or removed.` }),
    ],
  };
}

/** Drops rows from the end of the one list in `data` until the answer fits; a single row over the limit cannot be helped. */
function shrink(envelope: JsonObject, maxBytes: number): JsonObject | null {
  const data = envelope['data'];
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return null;
  const lists = Object.entries(data).filter((entry): entry is [string, JsonValue[]] => Array.isArray(entry[1]));
  const longest = lists.sort((a, b) => JSON.stringify(b[1]).length - JSON.stringify(a[1]).length)[0];
  if (!longest) return null;
  const [name, rows] = longest;
  const before = envelope['provenance'] as JsonObject;
  const build = (kept: number): JsonObject => ({
    ...envelope,
    data: { ...data, [name]: rows.slice(0, kept) },
    provenance: {
      ...before,
      caps: {
        max_rows: rows.length,
        ...(before['caps'] as JsonObject | undefined),
        returned: kept,
        truncated: true,
        // The cursor of the full page would skip the dropped rows, so none is given.
        next_cursor: null,
      },
    },
    warnings: [
      ...(envelope['warnings'] as JsonValue[]),
      warning({
        code: 'BYTES_CAPPED',
        severity: 'WARNING',
        message: `The answer was over ${maxBytes} bytes: ${rows.length - kept} of ${rows.length} rows were left out. Ask with a smaller limit to page through them.`,
      }),
    ],
  });
  let low = 0;
  let high = rows.length - 1;
  let best: JsonObject | null = null;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = build(middle);
    if (Buffer.byteLength(JSON.stringify(candidate)) <= maxBytes) {
      if (middle > 0) best = candidate;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

const DEFINITIONS = {
  warning: {
    type: 'object',
    properties: {
      code: { type: 'string' },
      severity: { enum: ['INFO', 'WARNING', 'CAUTION'] },
      message: { type: 'string' },
      details: { type: 'object' },
    },
    required: ['code', 'severity', 'message'],
  },
} satisfies JsonObject;

function schema(data: JsonObject): JsonObject {
  const { $schema: _dialect, $defs, ...shape } = data;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      apiVersion: { const: '1.0' },
      status: { enum: ['success', 'error', 'blocked', 'approval_required'] },
      tool: { type: 'string' },
      // An approval_required answer carries the approval in `data`, so `data` is one of three things.
      data: { anyOf: [shape, { type: 'null' }, { type: 'object', required: ['approval_id'] }] },
      provenance: { type: 'object' },
      warnings: { type: 'array', items: { $ref: '#/$defs/warning' } },
      error: {
        type: 'object',
        properties: {
          code: { enum: Object.keys(ERRORS) },
          message: { type: 'string' },
          details: { type: 'object' },
          retryable: { type: 'boolean' },
        },
        required: ['code', 'message', 'retryable'],
      },
    },
    required: ['apiVersion', 'status', 'tool', 'data', 'provenance', 'warnings'],
    $defs: { ...DEFINITIONS, ...(($defs as JsonObject | undefined) ?? {}) },
  };
}
