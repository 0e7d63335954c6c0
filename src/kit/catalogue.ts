import { z } from 'zod';
import type { RiskTier } from './access.ts';
import type { Issue } from './errors.ts';
import { text } from './fields.ts';
import { digest, type JsonObject } from './json.ts';
import { type MarkTree, markTree } from './marks.ts';
import type { Server } from './server.ts';
import type { Tool } from './tool.ts';

/**
 * The catalogue: one server's tools compiled once at start. JSON Schemas are made here and frozen, so a call builds no schema,
 * and the digest names exactly what was listed (it is in every audit record).
 */
export interface CompiledTool {
  readonly tool: Tool;
  /** What tools/list shows. */
  readonly listed: JsonObject;
  /** The whole input: the tool's own and, for actuators, the control arguments. */
  readonly input: z.ZodObject;
  readonly inputMarks: MarkTree;
  readonly outputMarks: MarkTree;
  readonly controls: readonly string[];
}

export interface Catalogue {
  readonly server: Server;
  readonly tools: ReadonlyMap<string, CompiledTool>;
  /** SHA-256 over names, texts, schemas and annotations of all tools. */
  readonly digest: string;
}

const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{8,128}$/, '8 to 128 of A-Z a-z 0-9 _ . : -')
  .describe('Same key and arguments: the stored answer again, no second effect. 8-128 of A-Z a-z 0-9 _ . : -');
const reason = text(500).describe('Why, shown to approvers. No card data.');
const approvalId = z.uuid().describe('The approval_id of an approval_required answer.');

const UNSEEN = new Set(['$schema']);

function controlsOf(tool: Tool, server: Server): z.ZodRawShape {
  if (tool.access.risk === 'read' || server.envelope.id !== 'payments') return {};
  const approvals = tool.access.risk !== 'T1' || tool.tier !== undefined;
  return {
    idempotency_key: idempotencyKey.optional(),
    reason: reason.optional(),
    ...(approvals ? { approval_id: approvalId.optional() } : {}),
  };
}

const ANNOTATIONS: Readonly<Record<RiskTier, JsonObject>> = {
  read: { readOnlyHint: true, openWorldHint: false },
  T1: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  T2: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  T3: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
};

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  return z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any', reused: 'ref' }) as JsonObject;
}

export function compile(server: Server): Catalogue {
  const tools = new Map<string, CompiledTool>();
  for (const tool of server.tools) {
    const controls = controlsOf(tool, server);
    const input = (Object.keys(controls).length > 0 ? tool.input.extend(controls) : tool.input).strict();
    const published = jsonSchema(input, 'input');
    const listed: JsonObject = {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: Object.fromEntries(Object.entries(published).filter(([key]) => !UNSEEN.has(key))),
      ...(server.envelope.publishesOutputSchemas
        ? { outputSchema: server.envelope.schema(jsonSchema(tool.output, 'output')) }
        : {}),
      annotations: { title: tool.title, ...ANNOTATIONS[tool.access.risk] },
    };
    tools.set(tool.name, {
      tool,
      listed: deepFreeze(listed),
      input,
      inputMarks: markTree(input),
      outputMarks: markTree(tool.output),
      controls: Object.keys(controls),
    });
  }
  return { server, tools, digest: digest([...tools.values()].map((entry) => entry.listed)) };
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** How many issues one refusal names; the rest are counted. Looking for a near name costs, so a flood of unknown fields gets none. */
const NAMED_ISSUES = 20;

/** Reads arguments through a schema. A refusal names the bad fields; unknown fields get the nearest legal name. */
export function readArguments(
  schema: z.ZodObject,
  args: unknown,
): { ok: true; value: Record<string, unknown> } | { ok: false; issues: Issue[] } {
  const parsed = schema.safeParse(args === undefined ? {} : args);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues: Issue[] = [];
  let more = 0;
  for (const issue of parsed.error.issues) more += collect(issue, schema, args, issues);
  if (more > 0) issues.push({ path: '', rule: 'more', message: `and ${more} more` });
  return { ok: false, issues };
}

/** Adds what an issue says, up to the limit; returns how many it left out. */
function collect(issue: z.core.$ZodIssue, schema: z.ZodObject, args: unknown, out: Issue[]): number {
  const { path } = issue;
  const at = path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const legal = legalKeys(schema, path);
    const room = Math.max(0, NAMED_ISSUES - out.length);
    for (const key of issue.keys.slice(0, room)) {
      const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
      const near = nearest(key, legal);
      const hint = near ? `; did you mean "${near}"?` : legal.length > 0 ? `; known fields: ${legal.join(', ')}` : '';
      out.push({ path: at ? `${at}.${shown}` : shown, rule: 'unknown_field', message: `unknown field${hint}` });
    }
    return Math.max(0, issue.keys.length - room);
  }
  if (out.length >= NAMED_ISSUES) return 1;
  const missing = issue.code === 'invalid_type' && path.length > 0 && valueAt(args, path) === undefined;
  out.push({
    path: at,
    rule: missing ? 'required' : issue.code,
    message: missing ? 'required' : issue.message,
  });
  return 0;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function legalKeys(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType | undefined = schema;
  for (const key of path) {
    at = unwrap(at);
    if (at instanceof z.ZodObject) at = at.shape[String(key)] as z.ZodType | undefined;
    else if (at instanceof z.ZodArray) at = at.element as z.ZodType;
    else return [];
  }
  at = unwrap(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault)
    at = at.unwrap() as z.ZodType;
  return at;
}

/** The nearest legal name by edit distance, when it is near enough to be a misspelling. */
export function nearest(name: string, legal: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of legal) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 128) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
