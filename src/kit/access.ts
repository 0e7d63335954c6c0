/**
 * The access vocabulary: what a tool may do and how much trust and risk it carries.
 * Guarantees: the three scales below are closed sets, and `riskRank` orders the risk tiers. Leaves to others: who may do what (governance/access.ts).
 */

export const CATEGORIES = ['ADVISORY', 'CALCULATION', 'EXECUTION', 'PLATFORM'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Trust tiers of the NeqSim contract; `null` for servers that the deployment profiles do not rule. */
export const TRUST_TIERS = ['TRUSTED_CORE', 'ENGINEERING_ADVANCED', 'EXPERIMENTAL'] as const;
export type TrustTier = (typeof TRUST_TIERS)[number];

/** `read` changes nothing; T1 runs at once; T2 needs one human; T3 needs two. T4 is never registered, so it has no name here. */
export const RISK_TIERS = ['read', 'T1', 'T2', 'T3'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];

export interface Access {
  readonly category: Category;
  readonly trust: TrustTier | null;
  /** The tier of every call, or the lowest one where the tool has a tier function. */
  readonly risk: RiskTier;
  /** True when the tool changes nothing outside its answer. Stated, not derived, so that a missing value cannot look like `false`. */
  readonly readOnly: boolean;
  /** True when a change it makes cannot simply be made again or undone. */
  readonly destructive: boolean;
}

export const riskRank = (tier: RiskTier): number => RISK_TIERS.indexOf(tier);

/** How many different humans must approve before a call of this tier runs. */
export const approvalsNeeded = (tier: RiskTier): 0 | 1 | 2 => (tier === 'T2' ? 1 : tier === 'T3' ? 2 : 0);
