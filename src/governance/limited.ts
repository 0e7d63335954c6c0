import { ToolError } from '../kit/errors.ts';
import type { RateDecision } from './rate-limit.ts';

/** The refusal of gate 3 (and of the exact count at gate 5), with the time to wait. */
export function limited(decision: Exclude<RateDecision, { kind: 'allowed' }>): ToolError {
  if (decision.kind === 'unavailable') {
    return new ToolError('DEPENDENCY_UNAVAILABLE', { message: 'The limits cannot be checked, so nothing was done.' });
  }
  const { scope, limit, retryAfterS } = decision;
  return new ToolError('RATE_LIMITED', {
    message: `Limit of ${limit.calls} calls in ${limit.windowS} s reached (${scope}). Try again in ${retryAfterS} s.`,
    details: { scope, limit: limit.calls, window_s: limit.windowS, retry_after_s: retryAfterS },
  });
}
