/**
 * Everything that can go wrong inside the engine, as one discriminated union. An engine function either gives a result it
 * has checked or throws an EngineError; it never returns a number that it knows to be wrong.
 */
export type EngineFailure =
  /** An iteration ended without meeting its tolerance. `residual` is in the measure of the algorithm. */
  | {
      readonly kind: 'not-converged';
      readonly algorithm: string;
      readonly iterations: number;
      readonly residual: number;
    }
  /** Only the trivial solution (both phases alike) was found where two phases were asked for. */
  | { readonly kind: 'trivial'; readonly algorithm: string }
  /** An input lies outside what the model accepts. Bounds in the SI unit named. */
  | {
      readonly kind: 'outside-range';
      readonly quantity: string;
      readonly value: number;
      readonly min: number;
      readonly max: number;
      readonly unit: string;
    }
  | { readonly kind: 'unknown-component'; readonly name: string; readonly suggestion?: string }
  /** The specification cannot be met by any state, e.g. a dew point above the cricondentherm. */
  | { readonly kind: 'spec-unreachable'; readonly specification: string; readonly reason: string }
  | { readonly kind: 'invalid-input'; readonly field: string; readonly reason: string }
  /** The data tables hold no value that the model cannot do without. */
  | { readonly kind: 'missing-data'; readonly component: string; readonly property: string };

export type EngineFailureKind = EngineFailure['kind'];

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind: EngineFailureKind;
  readonly details: EngineFailure;

  constructor(details: EngineFailure) {
    super(describe(details));
    this.kind = details.kind;
    this.details = details;
  }
}

export function isEngineError<K extends EngineFailureKind>(
  error: unknown,
  kind?: K,
): error is EngineError & { readonly details: Extract<EngineFailure, { kind: K }> } {
  return error instanceof EngineError && (kind === undefined || error.kind === kind);
}

/** Whether a model has no answer at a state that a search tried: that bounds the search and need not end it. */
export function hasNoAnswer(error: unknown): boolean {
  return isEngineError(error, 'not-converged') || isEngineError(error, 'outside-range');
}

function describe(f: EngineFailure): string {
  switch (f.kind) {
    case 'not-converged':
      if (f.iterations === 0 && Number.isNaN(f.residual))
        return `The model has no ${f.algorithm} at this temperature and pressure`;
      return `${f.algorithm} did not converge in ${f.iterations} iterations (residual ${f.residual.toExponential(2)})`;
    case 'trivial':
      return `${f.algorithm} found only the trivial solution`;
    case 'outside-range':
      return `${f.quantity} ${f.value} ${f.unit} is outside ${f.min} to ${f.max} ${f.unit}`;
    case 'unknown-component':
      return `Unknown component '${f.name}'${f.suggestion === undefined ? '' : `; did you mean '${f.suggestion}'?`}`;
    case 'spec-unreachable':
      return `${f.specification} cannot be reached: ${f.reason}`;
    case 'invalid-input':
      return `${f.field}: ${f.reason}`;
    case 'missing-data':
      return `No ${f.property} for component '${f.component}'`;
  }
}
