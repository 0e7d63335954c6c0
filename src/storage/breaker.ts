/**
 * A circuit breaker: after `failures` failures within `windowMs` it opens for `openMs` and callers are refused at once, so that a
 * database that is down costs no connection attempt a call. Then one caller tries; its outcome closes or re-opens it.
 */
export interface BreakerOptions {
  readonly failures: number;
  readonly windowMs: number;
  readonly openMs: number;
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
}

export type BreakerState = 'closed' | 'open' | 'half-open';

export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #clock: () => number;
  #failedAt: number[] = [];
  #openUntil: number | undefined;
  #probing = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed';
    return this.#clock() < this.#openUntil ? 'open' : 'half-open';
  }

  /** Undefined when the caller may go on (it must then report its outcome), else the milliseconds to wait. */
  refusal(): number | undefined {
    if (this.#openUntil === undefined) return undefined;
    const wait = this.#openUntil - this.#clock();
    if (wait > 0) return Math.ceil(wait);
    if (this.#probing) return this.#options.openMs;
    this.#probing = true;
    return undefined;
  }

  succeeded(): void {
    this.#failedAt = [];
    this.#openUntil = undefined;
    this.#probing = false;
  }

  failed(): void {
    const now = this.#clock();
    this.#failedAt = this.#failedAt.filter((at) => now - at < this.#options.windowMs);
    this.#failedAt.push(now);
    if (this.#probing || this.#failedAt.length >= this.#options.failures) this.#openUntil = now + this.#options.openMs;
    this.#probing = false;
  }

  /** The outcome says nothing about the database: the caller gave up, or its own code failed. */
  neutral(): void {
    this.#probing = false;
  }
}
