/**
 * Search for where a new phase appears: `value` is the logarithm of what the phase asks for over what the fluid offers, positive where the phase is
 * absent. From `from` towards `to` in steps of at most `step`, the first sign change is found and refined; regions narrower than a step may
 * be passed over.
 */
import { EngineError } from '../errors.ts';
import { monotoneSearch, type SearchState } from './monotone-search.ts';

export interface Crossing<S> {
  readonly theta: number;
  readonly state: S;
}

/** undefined when the phase is absent along the whole way; `theta` equals `from` when it is there from the start. */
export function firstCrossing<S extends { readonly value: number }>(
  evaluate: (theta: number, near: S | undefined) => S,
  from: number,
  to: number,
  step: number,
): Crossing<S> | undefined {
  let before = from;
  let state = evaluate(from, undefined);
  if (state.value <= 0) return { theta: from, state };
  const steps = Math.ceil(Math.abs(to - from) / step);
  for (let k = 1; k <= steps; k++) {
    const theta = from + ((to - from) * k) / steps;
    state = evaluate(theta, state);
    if (state.value <= 0) return refine(evaluate, before, theta, state);
    before = theta;
  }
  return undefined;
}

function refine<S extends { readonly value: number }>(
  evaluate: (theta: number, near: S | undefined) => S,
  absent: number,
  present: number,
  start: S,
): Crossing<S> {
  // The search below wants a value that rises with its variable.
  const sign = absent > present ? 1 : -1;
  const search = monotoneSearch<Crossing<S>>(
    (u, near): SearchState<Crossing<S>> => {
      const state = evaluate(sign * u, near?.state ?? start);
      return { state: { theta: sign * u, state }, value: state.value, slope: 0 };
    },
    0,
    0.5 * sign * (absent + present),
    { lo: sign * present, hi: sign * absent, stride: Math.abs(absent - present) },
  );
  if (search.kind === 'found') return search.state;
  if (search.kind === 'jump') return search.below.state;
  throw new EngineError({
    kind: 'not-converged',
    algorithm: 'appearance of a phase',
    iterations: search.evaluations,
    residual: Math.abs(search.value),
  });
}
