/**
 * What can go wrong with a database, as the rest of the product sees it. Messages name the database's role in the product and
 * nothing else: no SQL, no values, no host. The driver's own error, which holds the statement and its parameters, is dropped here
 * on purpose, so that no log or answer can print it.
 */
import postgres from 'postgres';

export type StorageFailure =
  /** Not reachable, refusing, shutting down, or the circuit breaker is open. Worth trying again later. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs?: number }
  /** A statement, a lock or a deadlock took too long. Worth trying again. */
  | { readonly kind: 'timeout' }
  /** The caller's signal was aborted. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'constraint'; readonly constraint: string }
  | { readonly kind: 'other' };

const TEXT: Record<StorageFailure['kind'], string> = {
  unavailable: 'is not available',
  timeout: 'did not answer in time',
  cancelled: 'was not asked to the end: the call was cancelled',
  constraint: 'refused the change: it breaks a rule of the data',
  other: 'refused the request',
};

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly database: string;
  readonly failure: StorageFailure;
  /** SQLSTATE, when PostgreSQL itself refused. */
  readonly sqlstate: string | undefined;

  constructor(database: string, failure: StorageFailure, sqlstate?: string) {
    super(`The ${database} database ${TEXT[failure.kind]}.`);
    this.database = database;
    this.failure = failure;
    this.sqlstate = sqlstate;
  }

  get kind(): StorageFailure['kind'] {
    return this.failure.kind;
  }
}

const CONNECTION_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Maps what the driver throws; anything else (an error of the caller's own code) comes back as it is. */
export function toStorageError(error: unknown, database: string, signal?: AbortSignal): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  // drizzle wraps the driver's error in one whose message is the statement.
  const cause = error.cause instanceof Error && 'query' in error && 'params' in error ? error.cause : error;
  if (cause instanceof postgres.PostgresError) {
    return new StorageError(database, failureOf(cause, signal), cause.code);
  }
  const code = 'code' in cause ? cause.code : undefined;
  if (code === '57014') return new StorageError(database, { kind: 'cancelled' }, code);
  if (typeof code === 'string' && CONNECTION_CODES.has(code))
    return new StorageError(database, { kind: 'unavailable' });
  if (cause !== error) return new StorageError(database, { kind: 'other' });
  return error;
}

function failureOf(error: postgres.PostgresError, signal?: AbortSignal): StorageFailure {
  const { code } = error;
  if (code === '57014') {
    if (signal?.aborted) return { kind: 'cancelled' };
    // A cancel request that came late hits the next statement of the connection: not that statement's fault.
    return { kind: /user request/.test(error.message) ? 'unavailable' : 'timeout' };
  }
  if (code === '55P03' || code === '40P01' || code === '40001' || code === '25P03') return { kind: 'timeout' };
  if (code.startsWith('23')) return { kind: 'constraint', constraint: error.constraint_name ?? '' };
  if (/^(08|53|57P|58|28|3D)/.test(code)) return { kind: 'unavailable' };
  return { kind: 'other' };
}

/** True when the connection that the statement ran on is gone, or about to be: after a FATAL error the server closes it. */
export function isLost(error: unknown): boolean {
  if (error instanceof StorageError) return false;
  if (!(error instanceof Error)) return false;
  const cause = error.cause instanceof Error && 'query' in error && 'params' in error ? error.cause : error;
  if (cause instanceof postgres.PostgresError) return cause.severity === 'FATAL' || cause.severity === 'PANIC';
  return 'code' in cause && typeof cause.code === 'string' && CONNECTION_CODES.has(cause.code);
}
