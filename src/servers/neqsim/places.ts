import { ToolError } from '../../kit/index.ts';

/**
 * One place for each thread, and who gets the next one.
 * Guarantees: first come, first served, except that slices of long calculations never hold the last place, which stays for single ones, and
 * that a long calculation whose steps are done is put together before anything new begins. The number of single calculations that wait is
 * bounded; that of the long ones is for their owner to bound.
 * (The pool's own queue is not used: a thread that is ended is not replaced while others of its tasks only wait.)
 */
export type PlaceKind = 'single' | 'slice' | 'answer';

export interface Places {
  /** Resolves with the place; rejects with the signal's reason, or as the places close. Throws when too many wait. */
  enter(kind: PlaceKind, signal: AbortSignal): Promise<void> | void;
  leave(kind: PlaceKind): void;
  close(): void;
  readonly closed: boolean;
}

interface Waiting {
  readonly kind: PlaceKind;
  readonly enter: () => void;
  readonly refuse: (reason: unknown) => void;
}

export function createPlaces(count: number, longest: number): Places {
  /** With one thread there is none to keep free: then slices and single calculations take turns. */
  const mostSlices = Math.max(1, count - 1);
  const waiting: Waiting[] = [];
  let free = count;
  let slices = 0;
  let closed = false;

  const open = (kind: PlaceKind) => free > 0 && (kind !== 'slice' || slices < mostSlices);
  const take = (kind: PlaceKind) => {
    free--;
    if (kind === 'slice') slices++;
  };
  const next = (): Waiting | undefined =>
    waiting.find(({ kind }) => kind === 'answer' && open(kind)) ?? waiting.find(({ kind }) => open(kind));
  const remove = (entry: Waiting) => waiting.splice(waiting.indexOf(entry), 1);

  return {
    get closed() {
      return closed;
    },
    enter(kind, signal) {
      if (closed) throw shuttingDown();
      signal.throwIfAborted();
      // Whoever waits here already waits for a place that this one may not take either, or has another kind.
      if (open(kind)) return take(kind);
      if (kind === 'single' && waiting.filter((entry) => entry.kind === kind).length >= longest) throw tooMany();
      return new Promise((resolve, reject) => {
        const leave = () => {
          remove(entry);
          reject(signal.reason);
        };
        const entry: Waiting = {
          kind,
          enter: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
          refuse: reject,
        };
        waiting.push(entry);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    leave(kind) {
      free++;
      if (kind === 'slice') slices--;
      for (let entry = next(); entry !== undefined; entry = next()) {
        remove(entry);
        take(entry.kind);
        entry.enter();
      }
    },
    close() {
      closed = true;
      for (const { refuse } of waiting.splice(0)) refuse(shuttingDown());
    },
  };
}

export const tooMany = () =>
  new ToolError('DEPENDENCY_UNAVAILABLE', {
    message: 'Too many calculations wait for a thread. Try again in some seconds.',
  });

export const shuttingDown = () => new ToolError('DEPENDENCY_UNAVAILABLE', { message: 'The gateway is shutting down.' });
