import type { RiskTier } from '../kit/access.ts';
import type { Catalogue, CompiledTool } from '../kit/catalogue.ts';
import type { EffectTransaction, Resources } from '../kit/context.ts';
import type { CallFacts } from '../kit/envelope/format.ts';
import type { JsonObject, JsonValue } from '../kit/json.ts';
import type { WriteTarget } from '../kit/tool.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { CallSpan } from '../telemetry/spans.ts';
import type { AccessRules, Decision } from './access.ts';
import type { Approvals } from './approvals.ts';
import type { AuditOutcome } from './audit/entry.ts';
import type { AuditLog } from './audit/log.ts';
import type { Claims } from './claims.ts';
import type { CallRequest } from './gateway.ts';
import type { Controls } from './input.ts';
import type { RateLimiter } from './rate-limit.ts';

/** What the gates are made of. The composition root fills it; tests fill it with the same parts. */
export interface CallParts {
  readonly catalogues: ReadonlyMap<string, Catalogue>;
  readonly access: AccessRules;
  readonly rateLimiter: RateLimiter;
  /** By database of the effect. */
  readonly claims: ReadonlyMap<string, Claims>;
  readonly approvals: Approvals;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly effects: Effects;
  /** What the schema check found missing for a tool; null when nothing. */
  disabled(server: string, tool: string): JsonValue[] | null;
  /** Optional columns of the tool that the database lacks. */
  drift(server: string, tool: string): ReadonlySet<string>;
  /** Builds what the tool's `needs` name, for this one call. */
  resources(needs: readonly (keyof Resources)[], scope: { signal: AbortSignal; callId: string }): Partial<Resources>;
  readonly settings: {
    readonly readDeadlineMs: number;
    readonly actuatorDeadlineMs: number;
    readonly calculationDeadlineMs: number;
    readonly redactionMs: number;
  };
}

/** Runs the changes of an actuator in one transaction of the effect's database. */
export interface Effects {
  run<T>(
    target: { db: WriteTarget['db']; writes: readonly WriteTarget[]; signal: AbortSignal },
    work: (tx: EffectTransaction) => Promise<T>,
    /** Turns the claim `done` in the same transaction. */
    claim: { claims: Claims; id: number; response(value: T): JsonValue },
  ): Promise<T>;
}

/** One call on its way through the gates: what is known so far, for the answer and the record. */
export interface Call {
  readonly id: string;
  readonly request: CallRequest;
  readonly catalogue: Catalogue;
  readonly entry: CompiledTool;
  readonly decision: Decision;
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly span: CallSpan;
  tier: RiskTier;
  tierReason: string | null;
  argsDigest: string | null;
  auditable: JsonObject | null;
  controls: Controls | null;
  idempotency: CallFacts['idempotency'];
  approval: CallFacts['approval'];
  outcome: AuditOutcome | null;
}
