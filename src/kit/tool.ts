import type { z } from 'zod';
import type { Access, RiskTier } from './access.ts';
import type { Resources, ToolContext } from './context.ts';
import type { JsonObject } from './json.ts';
import type { Success } from './result.ts';

export type DatabaseName = 'product' | 'settlement' | 'risk' | 'mms';
export type ColumnFamily = 'text' | 'int' | 'numeric' | 'bool' | 'ts' | 'date' | 'json' | 'uuid' | 'array';

/** A table a tool reads: a missing required column disables the tool at start, a missing optional one gives null and SCHEMA_DRIFT. */
export interface TableUse {
  readonly db: DatabaseName;
  readonly table: string;
  readonly columns: Readonly<Record<string, { readonly family: ColumnFamily; readonly required: boolean }>>;
}

/** A table an actuator writes. The writer it gets refuses every other table, column and (where listed) value. */
export interface WriteTarget {
  readonly db: Exclude<DatabaseName, 'mms'>;
  /** `table`, or `mcp_ops.table` for our own. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly values?: Readonly<Record<string, readonly string[]>>;
  readonly operation: 'insert' | 'update';
}

export interface TierDecision {
  readonly tier: RiskTier;
  /** Why, in a sentence for approvers and the audit record. */
  readonly reason: string;
}

export interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodType, Need extends keyof Resources> {
  readonly name: string;
  readonly title: string;
  /** Tells a model when to use the tool and in which units it speaks. Costs tokens: keep it lean. */
  readonly description: string;
  readonly access: Access;
  /** A strict object. Actuators of payments servers also get `idempotency_key`, `reason` and, from T2 on, `approval_id`; handlers do not see them. */
  readonly input: Input;
  /** The shape of `data` in a successful answer. */
  readonly output: Output;
  readonly reads: readonly TableUse[];
  readonly writes: readonly WriteTarget[];
  readonly needs: readonly Need[];
  /** Wall time in milliseconds; defaults to the gateway's setting for reads or actuators. */
  readonly deadlineMs?: number;
  /** What the per-target limit counts, such as a serial number. Required for actuators. */
  target?(input: z.output<Input>): string;
  /** Raises the tier by the arguments and the state of the world; never lowers it under `access.risk`. */
  tier?(context: ToolContext<Need>, input: z.output<Input>): Promise<TierDecision>;
  /** What an approver sees. `preconditions` are stored and compared again when the approved call runs. Required from T2 on. */
  readonly approval?: {
    summary(input: z.output<Input>): string;
    preconditions(context: ToolContext<Need>, input: z.output<Input>): Promise<JsonObject>;
    /** Names the preconditions that void an approval when they change. Default: all of them. Things that move all the time (last contact) are only shown. */
    readonly binding?: readonly string[];
  };
  /** Checks of the arguments against the world that come before approval (T4 words, unknown serial). Throws ToolError. */
  check?(context: ToolContext<Need>, input: z.output<Input>): Promise<void>;
  run(context: ToolContext<Need>, input: z.output<Input>): Promise<Success<z.input<Output>>>;
}

/** A tool with its types erased: what the catalogue, the gates and the lists work with. Made by `defineTool` only. */
export interface Tool extends Omit<ToolSpec<z.ZodObject, z.ZodType, never>, 'needs' | 'run'> {
  readonly needs: readonly (keyof Resources)[];
  run(context: ToolContext, input: Record<string, unknown>): Promise<Success>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodType, const Need extends keyof Resources>(
  spec: ToolSpec<Input, Output, Need>,
): Tool {
  // The erasure is sound because the gates parse arguments with `spec.input` before any of its functions is called,
  // and build `context.use` from `spec.needs`.
  return Object.freeze(spec) as unknown as Tool;
}
