import { type CompiledTool, readArguments } from '../kit/catalogue.ts';
import type { EnvelopeFormat } from '../kit/envelope/format.ts';
import { type Issue, ToolError } from '../kit/errors.ts';
import type { JsonObject, JsonValue } from '../kit/json.ts';
import { isMarked, type MarkTree } from '../kit/marks.ts';
import { screenArguments, scrubValue } from './redaction/index.ts';

/**
 * Gate 4: the arguments.
 * Guarantees: what passes fits the closed schema and holds no card number or track data (fields marked `lookup` excepted: they are compared and
 * never stored). Leaves to others: duplicate members, dangerous keys, depth and size of the body, which the protocol room refused before.
 */
export interface Controls {
  readonly idempotencyKey: string | null;
  readonly reason: string | null;
  readonly approvalId: string | null;
}

export interface ReadInput {
  /** The tool's own input, parsed. */
  readonly input: Record<string, unknown>;
  readonly controls: Controls;
  /** The fields marked `auditable`, scrubbed. */
  readonly auditable: JsonObject | null;
}

export class InputRefused extends Error {
  override readonly name = 'InputRefused';
  readonly issues: Issue[];
  constructor(issues: Issue[]) {
    super('the arguments do not fit the input schema');
    this.issues = issues;
  }
}

/** Members and elements that one call's arguments may hold. The wire's own limit is higher: it also serves engineering documents. */
const MOST_MEMBERS = { payments: 5_000, neqsim: 100_000 } as const;

function holdsMoreThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  for (let seen = 0; open.length > 0; ) {
    const at = open.pop();
    if (at === null || typeof at !== 'object') continue;
    const members = Array.isArray(at) ? at : Object.values(at);
    seen += members.length;
    if (seen > most) return true;
    for (const member of members) if (member !== null && typeof member === 'object') open.push(member);
  }
  return false;
}

export function readInput(entry: CompiledTool, args: unknown, envelope: EnvelopeFormat, deadlineMs: number): ReadInput {
  const most = MOST_MEMBERS[envelope.id];
  if (holdsMoreThan(args, most)) {
    throw new InputRefused([{ path: '', rule: 'too_many', message: `the arguments hold more than ${most} members` }]);
  }
  const screening = screenArguments(args, {
    exempt: (path) => isMarked(entry.inputMarks, path, ['lookup']),
    jsonText: () => !envelope.cardholderRules,
    stringsOnly: !envelope.cardholderRules,
    deadlineMs,
  });
  if (!screening.ok)
    throw new InputRefused([
      { path: '', rule: screening.reason, message: 'the arguments could not be checked for card data' },
    ]);
  if (screening.findings.length > 0) {
    throw new ToolError('SENSITIVE_INPUT', {
      details: {
        findings: screening.findings.map((finding) => ({ path: finding.path.join('.'), kind: finding.kind })),
      },
    });
  }
  const read = readArguments(entry.input, args);
  if (!read.ok) throw new InputRefused(read.issues);
  const { idempotency_key, reason, approval_id, ...rest } = read.value;
  const controlled = entry.controls.length > 0;
  const input = controlled ? rest : read.value;
  return {
    input,
    controls: {
      idempotencyKey: controlled && typeof idempotency_key === 'string' ? idempotency_key : null,
      reason: controlled && typeof reason === 'string' ? reason : null,
      approvalId: controlled && typeof approval_id === 'string' ? approval_id : null,
    },
    auditable: auditableOf(entry.inputMarks, read.value, envelope.cardholderRules, deadlineMs),
  };
}

/** Keeps the marked fields only; a record without any costs nothing. */
function auditableOf(
  marks: MarkTree,
  value: Record<string, unknown>,
  forbiddenNames: boolean,
  deadlineMs: number,
): JsonObject | null {
  const kept: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && isMarked(marks, [key], ['auditable'])) kept[key] = member as JsonValue;
  }
  if (Object.keys(kept).length === 0) return null;
  const scrubbed = scrubValue(kept, { forbiddenNames, deadlineMs });
  return scrubbed.ok ? (scrubbed.value as JsonObject) : null;
}
