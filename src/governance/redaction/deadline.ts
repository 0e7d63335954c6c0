/** A time limit handed down through the scrubber, so that a hostile text cannot hold the event loop. */
export type Deadline = { readonly at: number };

export const NO_DEADLINE: Deadline = { at: Number.POSITIVE_INFINITY };

/** Thrown and caught inside this room only; callers see the reason `deadline`. */
export class DeadlineExceeded extends Error {}

export const deadlineIn = (milliseconds: number): Deadline => ({ at: performance.now() + milliseconds });

/** Throws DeadlineExceeded once the limit is reached (a limit of 0 ms is reached at once). */
export const checkDeadline = (deadline: Deadline): void => {
  if (deadline.at !== Number.POSITIVE_INFINITY && performance.now() >= deadline.at) throw new DeadlineExceeded();
};
