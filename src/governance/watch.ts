/** One signal for deadline and departure, and which of the two it was. The timer and the listener are gone when the call is. */
export function watchCall(
  outer: AbortSignal,
  deadlineMs: number,
): { signal: AbortSignal; reason(): 'deadline' | 'caller-left' | null; done(): void } {
  const controller = new AbortController();
  let reason: 'deadline' | 'caller-left' | null = null;
  const stop = (why: 'deadline' | 'caller-left') => {
    reason ??= why;
    controller.abort();
  };
  const timer = setTimeout(stop, deadlineMs, 'deadline');
  const left = () => stop('caller-left');
  if (outer.aborted) left();
  else outer.addEventListener('abort', left, { once: true });
  return {
    signal: controller.signal,
    reason: () => reason,
    done() {
      clearTimeout(timer);
      outer.removeEventListener('abort', left);
    },
  };
}

/** Rejects when the signal fires: for racing a reader that does not listen. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
