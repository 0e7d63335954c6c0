/**
 * What is under way, so that a shutdown can wait for it.
 * Guarantees: `drain` resolves once every tracked piece of work has ended, or at the deadline after firing every signal and a short grace.
 * A call is tracked apart from its HTTP exchange: a write goes on, and must be waited for, when its caller has gone.
 */
export class Running {
  readonly #work = new Set<AbortController>();
  #draining = false;
  #whenIdle: (() => void) | null = null;

  get draining(): boolean {
    return this.#draining;
  }
  get size(): number {
    return this.#work.size;
  }

  /** Tracks a piece of work with the controller that stops it, and returns the function that ends the tracking. */
  begin(controller: AbortController): () => void {
    this.#work.add(controller);
    return () => {
      this.#work.delete(controller);
      if (this.#work.size === 0) this.#whenIdle?.();
    };
  }

  async track<T>(work: Promise<T>): Promise<T> {
    const end = this.begin(new AbortController());
    try {
      return await work;
    } finally {
      end();
    }
  }

  stopAccepting(): void {
    this.#draining = true;
  }

  async drain(deadlineMs: number, graceMs = 2_000): Promise<boolean> {
    this.stopAccepting();
    if (await this.#idleWithin(deadlineMs)) return true;
    for (const controller of this.#work) controller.abort(new Error('The gateway is stopping'));
    return this.#idleWithin(graceMs);
  }

  #idleWithin(ms: number): Promise<boolean> {
    if (this.#work.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (idle: boolean) => {
        clearTimeout(timer);
        this.#whenIdle = null;
        resolve(idle);
      };
      const timer = setTimeout(() => settle(false), ms);
      this.#whenIdle = () => settle(true);
    });
  }
}
