/**
 * Progress as the protocol wants it: values strictly increasing, at most four notifications a second, nothing after the answer.
 * What comes too early or goes backwards is dropped, since a later report says more.
 */
const INTERVAL_MS = 250;

export interface Progress {
  readonly report: (done: number, total?: number, message?: string) => void;
  close(): void;
}

export function throttledProgress(
  send: (params: { progress: number; total?: number; message?: string }) => void,
  now: () => number = () => performance.now(),
): Progress {
  let open = true;
  let last = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  return {
    report(done, total, message) {
      if (!open || !Number.isFinite(done) || done <= last) return;
      const at = now();
      if (at - sentAt < INTERVAL_MS) return;
      last = done;
      sentAt = at;
      send({
        progress: done,
        ...(total !== undefined && Number.isFinite(total) && { total }),
        ...(message !== undefined && { message }),
      });
    },
    close() {
      open = false;
    },
  };
}
