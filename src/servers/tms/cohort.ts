import type { RiskTier } from '../../kit/index.ts';
import type { DeployRules } from './settings.ts';

/**
 * When a deployment to one terminal is part of a fleet rollout. The tool addresses one serial, so the cohort is counted over time and
 * callers; otherwise a rollout could pass as many single calls that one person approves.
 */

/** N = max(floor, min(cap, ceil(fraction x active terminals of the package's vendor and model))): the largest cohort of tier T2. */
export function cohortThreshold(activeTerminals: number, rules: DeployRules): number {
  // The fraction in millionths, so that 0.01 x 700 is 7 and not 7.000000000000001.
  const share = Math.ceil((activeTerminals * Math.round(rules.fraction * 1_000_000)) / 1_000_000);
  return Math.max(rules.floor, Math.min(rules.cap, share));
}

export interface CohortDecision {
  readonly tier: Extract<RiskTier, 'T2' | 'T3'>;
  readonly reason: string;
}

export function cohortTier(
  facts: { readonly cohort: number; readonly threshold: number; readonly terminalTier: string | null },
  rules: DeployRules,
): CohortDecision {
  if (facts.terminalTier !== null && rules.alwaysForTiers.includes(facts.terminalTier)) {
    return { tier: 'T3', reason: `terminals of tier ${facts.terminalTier} always need two approvals` };
  }
  const size = `${facts.cohort} terminals within ${rules.windowHours} h, up to ${facts.threshold} need one approval`;
  return { tier: facts.cohort > facts.threshold ? 'T3' : 'T2', reason: size };
}
