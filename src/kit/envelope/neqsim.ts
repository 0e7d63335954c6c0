import type { JsonObject, JsonValue } from '../json.ts';
import type { ApprovalWanted, Calculation, Failure, Success } from '../result.ts';
import type { CallFacts, EnvelopeFormat } from './format.ts';
import { refusalMessage } from './payments.ts';

/** Our engine's name in `provenance.engine`. */
const ENGINE = 'Penstock';

/** Members that belong to the envelope: a payload member of one of these names stays under `data` only (contract, section 2). */
const ENVELOPE_MEMBERS = new Set([
  'apiVersion',
  'status',
  'tool',
  'data',
  'provenance',
  'validation',
  'qualityGate',
  'warnings',
  'errors',
]);

/** The answer of the `neqsim` server (NeqSim MCP Tool Contract v1, sections 2 to 5 and 8.2). */
export const neqsimEnvelope: EnvelopeFormat = {
  id: 'neqsim',
  refusalCode: 'INPUT_ERROR',
  outsideProfile: 'blocked',
  publishesOutputSchemas: false,
  cardholderRules: false,
  maxBytes: 256 * 1024,
  dataPath: ['data'],
  render(result, facts) {
    if (result.status === 'success') return renderSuccess(result, facts);
    if (result.status === 'approval_required') return renderApproval(result, facts);
    return result.status === 'blocked' ? renderBlocked(result, facts) : renderError(result, facts);
  },
  noteRedactions(envelope, redactions) {
    if (redactions === 0) return envelope;
    return {
      ...envelope,
      warnings: [
        ...(envelope['warnings'] as JsonValue[]),
        `REDACTED: ${redactions} values that look like card data were masked.`,
      ],
    };
  },
  shrink,
  text,
  schema: (data) => data,
  refusal: (issues) => ({
    message: refusalMessage(issues),
    details: { issues: issues.map((issue) => ({ ...issue })) },
  }),
};

/** JSON has no NaN: a number that is not finite becomes null and is named in a warning (decision 2). */
function finite(value: JsonValue, path: string, missing: string[]): JsonValue {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    missing.push(path);
    return null;
  }
  if (Array.isArray(value)) return value.map((member, index) => finite(member, `${path}[${index}]`, missing));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, finite(member, path ? `${path}.${key}` : key, missing)]),
    );
  }
  return value;
}

function renderSuccess(result: Success, facts: CallFacts): JsonObject {
  const missing: string[] = [];
  const data = finite(result.data, '', missing) as JsonObject;
  const calculation = result.provenance.calculation;
  const details = result.warnings.map(({ code, severity, message }) => ({ code, severity, message }));
  if (missing.length > 0) {
    details.push({
      code: 'NOT_FINITE',
      severity: 'WARNING',
      message: `No finite value for ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}.`,
    });
  }
  const cautioned = details.some((warning) => warning.severity !== 'INFO');
  const { extra, phase } = calculation ?? { extra: undefined, phase: 'general' };
  const legacy = Object.fromEntries(Object.entries(data).filter(([key]) => !ENVELOPE_MEMBERS.has(key)));
  return {
    apiVersion: '1.0',
    status: 'success',
    tool: facts.tool,
    ...legacy,
    data,
    ...(calculation ? { provenance: provenance(calculation, facts, details) } : {}),
    validation: { valid: true, phase, message: 'Input accepted and calculation finished.' },
    qualityGate: {
      verdict: cautioned ? 'warning' : 'passed',
      summary: cautioned
        ? 'Finished; read the warnings before use.'
        : details.length > 0
          ? 'Finished; the remarks are for information.'
          : 'Finished without warnings.',
      engineeringReviewRequired: true,
    },
    warnings: details.map((warning) => `${warning.code}: ${warning.message}`),
    ...(details.length > 0 ? { warningDetails: details } : {}),
    ...(extra ?? {}),
  };
}

function provenance(calculation: Calculation, facts: CallFacts, warnings: readonly { message: string }[]): JsonObject {
  return {
    engine: ENGINE,
    ...(calculation.model ? { thermodynamicModel: calculation.model, model: calculation.model } : {}),
    ...(calculation.mixingRule ? { mixingRule: calculation.mixingRule } : {}),
    ...(calculation.flashType ? { flashType: calculation.flashType } : {}),
    calculationType: calculation.type,
    resultOrigin: 'direct_computation',
    converged: calculation.converged,
    convergence: {
      converged: calculation.converged,
      iterations: calculation.iterations,
      message: calculation.converged ? 'converged' : 'not converged',
    },
    benchmarkTrustLevel: calculation.trust,
    validationsPassed: calculation.validationsPassed,
    assumptions: calculation.assumptions,
    limitations: calculation.limitations,
    applicabilityWarnings: warnings.map((warning) => warning.message),
    timestamp: facts.generatedAt,
    computationTimeMs: Math.round(facts.durationMs),
  };
}

function renderError(result: Failure, facts: CallFacts): JsonObject {
  return {
    apiVersion: '1.0',
    status: 'error',
    tool: facts.tool,
    code: result.code,
    message: result.message,
    remediation: result.remediation,
    data: (result.details as JsonObject | undefined) ?? {},
    errors: [
      {
        code: result.code,
        message: result.message,
        remediation: result.remediation,
        severity: 'error',
        ...(result.details ?? {}),
      },
    ],
    validation: { valid: false, phase: 'input_or_calculation', message: result.message, ...(result.details ?? {}) },
    qualityGate: { verdict: 'failed', summary: result.message, engineeringReviewRequired: true },
    warnings: result.warnings.map((warning) => `${warning.code}: ${warning.message}`),
    requestId: facts.requestId,
  };
}

/** The contract's `data.policyCode` of a blocked answer. */
function policyCode(result: Failure, facts: CallFacts): string {
  const given = result.details?.['policyCode'];
  if (typeof given === 'string') return given;
  return result.code === 'RATE_LIMITED' ? 'SECURITY' : (facts.trust ?? result.code);
}

function renderBlocked(result: Failure, facts: CallFacts): JsonObject {
  const code = policyCode(result, facts);
  return {
    apiVersion: '1.0',
    status: 'blocked',
    tool: facts.tool,
    mode: facts.mode,
    tier: facts.trust ?? code,
    reason: result.message,
    remediation: result.remediation,
    data: { mode: facts.mode, policyCode: code, approvalRequired: false, ...(result.details ?? {}) },
    errors: [{ code: result.code, message: result.message, remediation: result.remediation, severity: 'error' }],
    validation: { valid: false, phase: 'policy', message: result.message },
    qualityGate: { verdict: 'blocked', summary: result.message, engineeringReviewRequired: true },
    warnings: [],
    requestId: facts.requestId,
  };
}

function renderApproval(result: ApprovalWanted, facts: CallFacts): JsonObject {
  const message = 'An administrator must approve this call before it runs.';
  return {
    apiVersion: '1.0',
    status: 'approval_required',
    tool: facts.tool,
    mode: facts.mode,
    tier: facts.trust ?? result.data.tier,
    reason: message,
    remediation: 'Ask an approver, then call again with the same arguments.',
    data: { mode: facts.mode, policyCode: 'APPROVAL_REQUIRED', approvalRequired: true, ...result.data },
    validation: { valid: false, phase: 'policy', message },
    qualityGate: { verdict: 'blocked', summary: message, engineeringReviewRequired: true },
    warnings: [],
    requestId: facts.requestId,
  };
}

/** Drops the largest payload members first and says which (contract, section 11). */
/** Long answers lose the white space that people would not read anyway, so that twice as much fits. */
const PRETTY_BYTES = 64 * 1024;

function text(envelope: JsonObject): string {
  const compact = JSON.stringify(envelope);
  return compact.length > PRETTY_BYTES ? compact : JSON.stringify(envelope, null, 2);
}

/** Under the limit by leaving out, largest first, the copies beside `data` that older clients read, then members of `data` itself. */
function shrink(envelope: JsonObject, maxBytes: number): JsonObject | null {
  const data = { ...(envelope['data'] as JsonObject) };
  const result: JsonObject = { ...envelope, data };
  const originalBytes = Buffer.byteLength(text(envelope));
  const omitted: JsonObject[] = [];
  const sizes = Object.entries(data)
    .map(([field, value]) => ({ field, bytes: Buffer.byteLength(JSON.stringify(value)) }))
    .sort((a, b) => b.bytes - a.bytes);
  const steps = [
    ...sizes
      .filter(({ field, bytes }) => Object.hasOwn(result, field) && !ENVELOPE_MEMBERS.has(field) && bytes > COPY_BYTES)
      .map(({ field, bytes }) => ({ field, bytes, from: result, summary: `the copy beside data; read data.${field}` })),
    ...sizes.map(({ field, bytes }) => ({
      field: `data.${field}`,
      bytes,
      from: data,
      summary: 'left out to keep the answer under the limit',
    })),
  ];
  for (const { field, bytes, from, summary } of steps) {
    const name = field.replace(/^data\./, '');
    delete from[name];
    if (from === data && !ENVELOPE_MEMBERS.has(name)) delete result[name];
    omitted.push({ field, approximateBytes: bytes, summary });
    result['truncation'] = {
      truncated: true,
      reason: 'response size limit',
      originalBytes,
      returnedBytes: 0,
      limitBytes: maxBytes,
      omitted,
      howToRetrieve: 'Ask for fewer points, cases or properties.',
    };
    const bytesNow = Buffer.byteLength(text(result)) + SLACK_BYTES;
    if (bytesNow <= maxBytes) {
      (result['truncation'] as JsonObject)['returnedBytes'] = bytesNow - SLACK_BYTES;
      result['warnings'] = [
        ...(envelope['warnings'] as JsonValue[]),
        `RESPONSE_TRUNCATED: the answer was over ${maxBytes} bytes; left out: ${omitted.map((row) => String(row['field'])).join(', ')}.`,
      ];
      return result;
    }
  }
  return null;
}

/** A copy smaller than this is not worth leaving out. */
const COPY_BYTES = 1024;
/** Room for the warning and the final figures. */
const SLACK_BYTES = 1024;
