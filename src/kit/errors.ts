import type { JsonObject } from './json.ts';

/**
 * The one error table. A code is public API: stable, documented, never reused with another meaning.
 * `status` and `retryable` follow from the code, so no tool can answer a refusal as if it were a fault.
 */
interface Row {
  readonly status: 'error' | 'blocked';
  readonly retryable: boolean;
  /** The text used where the thrower gives none. Safe to show to anyone. */
  readonly message: string;
  /** What the caller can do about it (the `remediation` of the neqsim envelope). */
  readonly remediation: string;
}
const error = (message: string, remediation: string, retryable = false): Row => ({
  status: 'error',
  retryable,
  message,
  remediation,
});
const blocked = (message: string, remediation: string, retryable = false): Row => ({
  status: 'blocked',
  retryable,
  message,
  remediation,
});

export const ERRORS = {
  // Arguments
  INVALID_ARGUMENT: error('The arguments do not fit the input schema.', 'Correct the fields named in details.issues.'),
  INPUT_ERROR: error('The arguments do not fit the input schema.', 'Correct the fields named in issues.'),
  SENSITIVE_INPUT: error(
    'An argument looks like card data. Nothing was stored.',
    'Remove card numbers and track data from the arguments.',
  ),
  WINDOW_TOO_LARGE: error('The time window is too large.', 'Ask for a shorter window.'),
  JSON_PARSE_ERROR: error(
    'An argument that should hold JSON text is not valid JSON.',
    'Send valid JSON text, or a JSON object.',
  ),
  // Outcome
  NOT_FOUND: error('Nothing was found under that identifier.', 'Check the identifier.'),
  CONFLICT: error('The current state does not allow this.', 'Read details.reason, then decide.'),
  IDEMPOTENCY_CONFLICT: error(
    'This idempotency key was used with other arguments.',
    'Use a new key for other arguments.',
  ),
  DEPENDENCY_UNAVAILABLE: error('A system this tool needs is not available.', 'Try again later.', true),
  TIMEOUT: error('The call took too long and was stopped.', 'Ask for less, or try again later.', true),
  CANCELLED: error('The caller went away before the answer was ready.', 'Call again.', true),
  RESPONSE_TOO_LARGE: error('The answer is larger than the limit.', 'Ask for less.'),
  REDACTION_FAILED: error('The answer could not be checked for card data and was withheld.', 'Report the request id.'),
  INTERNAL: error('Something went wrong on this side.', 'Report the request id.'),
  // Policy
  RATE_LIMITED: blocked('Too many calls.', 'Wait for details.retry_after_s seconds.', true),
  FORBIDDEN: blocked('This call is not allowed for you any more.', 'Ask an administrator for access.'),
  T4_FORBIDDEN: blocked('This is never done through a tool.', 'Use the channel of the owning system.'),
  APPROVAL_DENIED: blocked(
    'An approver refused this call.',
    'Talk to the approvers; the same call can be asked again after details.retry_after_s.',
  ),
  APPROVAL_EXPIRED: blocked('The approval has expired.', 'Call again without approval_id to ask anew.'),
  TOOL_DISABLED: blocked(
    'This tool is disabled because the database lacks what it needs.',
    'See details.missing; ask the operator.',
  ),
  // Engineering (NeqSim contract)
  UNKNOWN_MODEL: error('Unknown equation of state.', 'Use one of the models named in the message.'),
  UNSUPPORTED: error('This is not offered by this release.', 'Use one of the choices named in the message.'),
  TEMPERATURE_ERROR: error(
    'The temperature or its unit cannot be read.',
    'Give a number and one of the units K, C, F, R.',
  ),
  PRESSURE_ERROR: error(
    'The pressure or its unit cannot be read.',
    'Give a number and one of the units bara, barg, Pa, kPa, MPa, psi, psia, atm.',
  ),
  UNKNOWN_FLASH_TYPE: error('Unknown flash type.', 'Use one of the flash types named in the message.'),
  MISSING_COMPONENTS: error('No composition was given.', 'Give components as an object of name to amount.'),
  UNKNOWN_COMPONENT: error('Unknown component.', 'Use the nearest name given, or look names up with searchComponents.'),
  FLUID_ERROR: error('The fluid could not be built.', 'Correct the composition or the mixing rule.'),
  MISSING_SPEC: error('The flash needs one more specification.', 'Give enthalpy (PH), entropy (PS) or volume (TV).'),
  FLASH_ERROR: error(
    'The calculation did not converge or the specification cannot be reached.',
    'Change the conditions and call again.',
  ),
  RESPONSE_ERROR: error('The result cannot be shown.', 'Report the request id.'),
  INVALID_SWEEP: error('Unknown sweep.', 'Use temperature or pressure.'),
  MISSING_RANGE: error('The sweep has no range.', 'Give sweepFrom and sweepTo.'),
  MISSING_PRESSURE: error('A temperature sweep needs a pressure.', 'Give fixedValue with a pressure unit.'),
  MISSING_TEMPERATURE: error('A pressure sweep needs a temperature.', 'Give fixedValue with a temperature unit.'),
  CALCULATION_ERROR: error('The calculation failed.', 'Change the conditions and call again.'),
  MISSING_CASES: error('No cases were given.', 'Give cases as an array of objects.'),
  EMPTY_CASES: error('The list of cases is empty.', 'Give at least one case.'),
  TOO_MANY_CASES: error('Too many cases in one call.', 'Split the cases over several calls.'),
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * A failure with a public face. `message` and `details` go to the caller; `cause` stays in the log.
 * Never put SQL, a path, a host name or text from a lower layer into `message` or `details`.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly details: JsonObject | undefined;
  readonly remediation: string;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: JsonObject; remediation?: string; cause?: unknown } = {},
  ) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.remediation = options.remediation ?? ERRORS[code].remediation;
  }
}

/** One refused field: where, which rule, and a sentence a model can act on. */
export interface Issue {
  path: string;
  rule: string;
  message: string;
}

/**
 * Thrown by an actuator that finds, under its lock, that what was approved is no longer what would happen (a higher tier, say).
 * Nothing is done; the caller gets a new approval_required with `changed`.
 */
export class ApprovalOutdated extends Error {
  override readonly name = 'ApprovalOutdated';
  readonly changed: JsonObject;
  constructor(changed: JsonObject) {
    super('what was approved has changed');
    this.changed = changed;
  }
}
