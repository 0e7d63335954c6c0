import type { ErrorCode } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** What a handler gives back and what the gates pass on: one internal result, rendered later by the server's envelope. */
export type WarningSeverity = 'INFO' | 'WARNING' | 'CAUTION';
export interface Warning {
  code: string;
  severity: WarningSeverity;
  message: string;
  details?: JsonObject;
}

export interface Source {
  system: 'product' | 'settlement' | 'mms' | 'risk' | 'prometheus' | 'alertmanager' | 'mqtt';
  object: string;
  rows: number | null;
}

/** Where the numbers come from. Payments tools fill the first group, engineering tools `calculation`. */
export interface Provenance {
  as_of?: string | null;
  sources?: Source[];
  window?: { from: string; to: string; time_zone: string };
  caps?: { max_rows: number; returned: number; truncated: boolean; next_cursor: string | null };
  calculation?: Calculation;
}

/** How an engineering number was computed. */
export interface Calculation {
  model: string | null;
  mixingRule: string | null;
  type: string;
  flashType?: string;
  converged: boolean;
  iterations: number | null;
  trust: 'VALIDATED' | 'TESTED' | 'EXPERIMENTAL';
  validationsPassed: string[];
  assumptions: string[];
  limitations: string[];
  /** Which phase of work the validation block speaks of, such as `input_and_flash`. */
  phase: string;
  /** Further members of the envelope that a sheet names (`autoValidation`, ...). */
  extra?: JsonObject;
}

export interface Success<D = JsonValue> {
  readonly status: 'success';
  readonly data: D;
  readonly warnings: Warning[];
  readonly provenance: Provenance;
  /** Set by an actuator that answered with an earlier action instead of acting: such a call does not count against limits. */
  readonly suppressed?: boolean;
}

export interface Failure {
  readonly status: 'error' | 'blocked';
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
  readonly remediation: string;
  readonly retryable: boolean;
  readonly warnings: Warning[];
}

export interface ApprovalWanted {
  readonly status: 'approval_required';
  readonly data: {
    approval_id: string;
    tier: string;
    required_approvals: number;
    approvals_so_far: number;
    expires_at: string;
    summary: string;
    preconditions: JsonObject;
  };
  /** Set when an earlier approval no longer suffices. */
  readonly changed?: JsonValue;
  readonly warnings: Warning[];
}

export type CallResult = Success | Failure | ApprovalWanted;

export function success<D>(
  data: D,
  parts: { warnings?: Warning[]; provenance?: Provenance; suppressed?: boolean } = {},
): Success<D> {
  return {
    status: 'success',
    data,
    warnings: parts.warnings ?? [],
    provenance: parts.provenance ?? {},
    suppressed: parts.suppressed ?? false,
  };
}
