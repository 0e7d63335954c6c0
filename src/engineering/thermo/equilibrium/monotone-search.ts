/**
 * The one-dimensional search under every energy and volume flash: value(theta) = wanted for a function that rises with theta but has
 * kinks (phases appear) and jumps (a pure fluid boils, an azeotrope, three phases of a binary).
 *
 * It guarantees: the bracket never loses the solution; a jump over the wanted value is found as such, with the states of both sides. After
 * every third step that has not halved the bracket it bisects, so it ends in any case, if need be with 'not-converged'.
 */
import { EngineError } from '../errors.ts';

export interface SearchState<S> {
  readonly state: S;
  readonly value: number;
  /** d value/d theta; not used unless positive. */
  readonly slope: number;
}

export interface SearchLimits {
  readonly lo: number;
  readonly hi: number;
  /** Longest Newton step while no bracket is closed. */
  readonly stride: number;
}

export type SearchResult<S> =
  | { readonly kind: 'found'; readonly state: S; readonly evaluations: number }
  /** The value jumps between `below` and `above`, which lie at the same theta to working precision. */
  | {
      readonly kind: 'jump';
      readonly below: SearchState<S>;
      readonly above: SearchState<S>;
      readonly evaluations: number;
    }
  /** The value at the limit of theta is still too high ('below') or too low ('above'). */
  | { readonly kind: 'beyond'; readonly side: 'below' | 'above'; readonly value: number; readonly evaluations: number };

const MAX_EVALUATIONS = 140;
/** Newton step in theta below which a state counts as the solution; below NOISE also once steps no longer shrink. */
const STEP = 1e-11;
const NOISE = 1e-9;
const CLOSED = 4e-15;

export function monotoneSearch<S>(
  evaluate: (theta: number, near: S | undefined) => SearchState<S>,
  wanted: number,
  start: number,
  limits: SearchLimits,
): SearchResult<S> {
  let lo = limits.lo;
  let hi = limits.hi;
  let below: SearchState<S> | undefined;
  let above: SearchState<S> | undefined;
  let theta = Math.min(hi, Math.max(lo, start));
  let near: S | undefined;
  let width = Number.POSITIVE_INFINITY;
  let slow = 0;
  let last: { theta: number; value: number } | undefined;
  let lastStep = Number.POSITIVE_INFINITY;
  for (let evaluations = 1; evaluations <= MAX_EVALUATIONS; evaluations++) {
    const here = evaluate(theta, near);
    near = here.state;
    const error = here.value - wanted;
    // Without a usable slope: the secant through the last state.
    let slope = here.slope;
    if (!(slope > 0) && last !== undefined) slope = (here.value - last.value) / (theta - last.theta);
    last = { theta, value: here.value };
    let next = slope > 0 ? theta - error / slope : Number.NaN;
    const scale = Math.max(1, Math.abs(theta));
    const step = Math.abs(next - theta) / scale;
    if (error === 0 || step <= STEP || (step <= NOISE && step >= 0.5 * lastStep))
      return { kind: 'found', state: here.state, evaluations };
    lastStep = step;
    if (error < 0) {
      if (theta >= limits.hi) return { kind: 'beyond', side: 'above', value: here.value, evaluations };
      lo = theta;
      below = here;
    } else {
      if (theta <= limits.lo) return { kind: 'beyond', side: 'below', value: here.value, evaluations };
      hi = theta;
      above = here;
    }
    if (below !== undefined && above !== undefined) {
      if (hi - lo <= CLOSED * scale) return { kind: 'jump', below, above, evaluations };
      slow = hi - lo > 0.5 * width ? slow + 1 : 0;
      if (slow === 0 || width === Number.POSITIVE_INFINITY) width = hi - lo;
      if (slow >= 3 || !(next > lo && next < hi)) {
        next = 0.5 * (lo + hi);
        slow = 0;
        width = hi - lo;
        // Two neighbouring numbers have no middle.
        if (next <= lo || next >= hi) return { kind: 'jump', below, above, evaluations };
      }
    } else {
      if (Number.isNaN(next)) next = theta + (error < 0 ? 0.5 : -0.5) * limits.stride;
      next = Math.max(theta - limits.stride, Math.min(theta + limits.stride, next));
      next = Math.max(limits.lo, Math.min(limits.hi, next));
      if (next === theta)
        return { kind: 'beyond', side: error < 0 ? 'above' : 'below', value: here.value, evaluations };
    }
    theta = next;
  }
  // A bracket this narrow holds a jump; a wider one nothing that is known.
  if (below !== undefined && above !== undefined && hi - lo <= NOISE * Math.max(1, Math.abs(theta)))
    return { kind: 'jump', below, above, evaluations: MAX_EVALUATIONS };
  throw new EngineError({
    kind: 'not-converged',
    algorithm: 'search for the state specified',
    iterations: MAX_EVALUATIONS,
    residual: hi - lo,
  });
}
