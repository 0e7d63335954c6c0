/**
 * The end of a calculation of many steps, in two stages before the deadline of its call: first it hands in what it has and begins no more;
 * a step that is still not done at the second is given up, so that the answer is put together in time.
 */
export interface TimeLimit {
  /** For waiting: the call is given up, or the first stage. */
  readonly enter: AbortSignal;
  /** For running: the call is given up, or the second stage. */
  readonly leave: AbortSignal;
  /** The first stage. */
  readonly handIn: AbortSignal;
  readonly over: boolean;
  /** Whether this is how one of the stages ended something, rather than the call or a fault. */
  endedBy(error: unknown): boolean;
  /** Clears the timers. */
  done(): void;
}

/** Share of the margin that a step under way is waited for; the rest is for the answer. */
const WAIT = 1 / 3;
/** A short deadline has a shorter margin: this share of the time that is left. */
const MOST = 1 / 4;

/** `deadline` as performance.now() [ms]; without one the stages never come. */
export function createTimeLimit(signal: AbortSignal, deadline: number | undefined, marginMs: number): TimeLimit {
  const first = new AbortController();
  const second = new AbortController();
  const timeIsOver = new Error('the time of the calculation is over');
  const timers: NodeJS.Timeout[] = [];
  if (deadline !== undefined && Number.isFinite(deadline)) {
    const left = Math.max(0, deadline - performance.now());
    const margin = Math.min(marginMs, left * MOST);
    timers.push(setTimeout(() => first.abort(timeIsOver), left - margin));
    timers.push(setTimeout(() => second.abort(timeIsOver), left - margin * (1 - WAIT)));
  }
  return {
    enter: AbortSignal.any([signal, first.signal]),
    leave: AbortSignal.any([signal, second.signal]),
    handIn: first.signal,
    get over() {
      return first.signal.aborted;
    },
    endedBy: (error) => error === timeIsOver,
    done() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
