/** Rings inside one process: "there is something to publish" (heard by the relay) and "this command came a step on". Other replicas poll. */
export interface Signals {
  nudge(): void;
  /** For the one relay: resolves at a nudge, at once when there was one since the last rest, or after `ms`. */
  rest(ms: number): Promise<void>;
  settled(commandId: string): void;
  /** Calls `listener` when the command comes a step on; the answer takes it off. */
  onSettled(commandId: string, listener: () => void): () => void;
}

export function createSignals(): Signals {
  let nudged = false;
  let wake: (() => void) | null = null;
  const listeners = new Map<string, Set<() => void>>();
  return {
    nudge() {
      nudged = true;
      wake?.();
    },
    async rest(ms) {
      if (!nudged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      nudged = false;
    },
    settled(commandId) {
      for (const listener of [...(listeners.get(commandId) ?? [])]) listener();
    },
    onSettled(commandId, listener) {
      const set = listeners.get(commandId) ?? new Set();
      set.add(listener);
      listeners.set(commandId, set);
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(commandId);
      };
    },
  };
}
