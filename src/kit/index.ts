/** What the author of a server imports, and nothing else. */
export {
  type Access,
  approvalsNeeded,
  CATEGORIES,
  type Category,
  RISK_TIERS,
  type RiskTier,
  riskRank,
  TRUST_TIERS,
  type TrustTier,
} from './access.ts';
export { type Bucket, type BusinessCalendar, businessCalendar } from './business-calendar.ts';
export { MAX_ROWS, type Page, page, rowsCapped } from './caps.ts';
export type { EffectTransaction, Resources, ToolContext } from './context.ts';
export { type Cursors, cursors, type PagePosition, type SortKey } from './cursor.ts';
export { schemaDrift } from './drift.ts';
export type { CallFacts, EnvelopeFormat } from './envelope/format.ts';
export { neqsimEnvelope } from './envelope/neqsim.ts';
export { paymentsEnvelope } from './envelope/payments.ts';
export { ApprovalOutdated, ERRORS, type ErrorCode, type Issue, ToolError } from './errors.ts';
export { excerpt } from './excerpt.ts';
export * as fields from './fields.ts';
export { canonicalJson, digest, type JsonObject, type JsonValue, sha256 } from './json.ts';
export { isMarked, type Mark, type MarkTree, mark, markTree } from './marks.ts';
export type { Principal } from './principal.ts';
export { refuseArgument } from './refusal.ts';
export type {
  ApprovalWanted,
  Calculation,
  CallResult,
  Failure,
  Provenance,
  Source,
  Success,
  Warning,
} from './result.ts';
export { success } from './result.ts';
export {
  definePrompt,
  defineResource,
  defineServer,
  type Prompt,
  type ReadContext,
  type Resource,
  type Server,
} from './server.ts';
export {
  boundaryInstant,
  fitsDays,
  formatInstant,
  MAX_WINDOW_DAYS,
  resolveWindow,
  type TimeWindow,
  type WindowRules,
  windowFacts,
} from './time-window.ts';
export {
  type ColumnFamily,
  type DatabaseName,
  defineTool,
  type TableUse,
  type TierDecision,
  type Tool,
  type ToolSpec,
  type WriteTarget,
} from './tool.ts';
