import type { CompiledTool } from '../kit/catalogue.ts';
import type { CallFacts, EnvelopeFormat } from '../kit/envelope/format.ts';
import type { JsonObject } from '../kit/json.ts';
import { isMarked } from '../kit/marks.ts';
import type { CallResult, Warning } from '../kit/result.ts';
import { failure } from './failure.ts';
import { type FieldMark, scrubValue } from './redaction/index.ts';

/**
 * Gate 8: the answer.
 * Guarantees: a success fits the tool's output schema; every string that leaves was searched for card data; the answer is under the size cap.
 * What cannot be checked is withheld: the answer becomes REDACTION_FAILED, INTERNAL or RESPONSE_TOO_LARGE without data.
 */
export interface Output {
  readonly envelope: JsonObject;
  readonly text: string;
  readonly result: CallResult;
  readonly redactions: number;
  readonly forbiddenNames: readonly string[];
  readonly truncated: boolean;
  /** Why a success was withheld, for the log. */
  readonly withheld: string | null;
}

export function renderOutput(
  entry: CompiledTool,
  given: CallResult,
  facts: CallFacts,
  format: EnvelopeFormat,
  deadlineMs: number,
): Output {
  let result = given;
  let withheld: string | null = null;
  if (result.status === 'success') {
    const checked = entry.tool.output.safeParse(result.data);
    if (!checked.success) {
      withheld = `output schema: ${checked.error.issues
        .map((issue) => `${issue.path.join('.')} ${issue.code}`)
        .slice(0, 5)
        .join(', ')}`;
      result = failure('INTERNAL');
    }
  }
  const depth = format.dataPath.length;
  const scrubbed = scrubValue(format.render(result, facts), {
    forbiddenNames: format.cardholderRules,
    stringsOnly: !format.cardholderRules,
    deadlineMs,
    exempt: (path) => fieldMark(entry, path, depth),
  });
  if (!scrubbed.ok) {
    withheld = `redaction: ${scrubbed.reason}`;
    result = failure('REDACTION_FAILED');
    const envelope = format.render(result, facts);
    return {
      envelope,
      text: format.text(envelope),
      result,
      redactions: 0,
      forbiddenNames: [],
      truncated: false,
      withheld,
    };
  }
  let envelope = scrubbed.value as JsonObject;
  if (scrubbed.unmaskedSources > 0)
    envelope = withWarning(envelope, result, facts, format, unmasked(scrubbed.unmaskedSources));
  envelope = format.noteRedactions(envelope, scrubbed.redactions);
  let text = format.text(envelope);
  let truncated = false;
  if (Buffer.byteLength(text) > format.maxBytes) {
    const smaller = format.shrink(envelope, format.maxBytes);
    truncated = smaller !== null;
    if (smaller) envelope = smaller;
    else {
      result = failure('RESPONSE_TOO_LARGE', undefined, { limit_bytes: format.maxBytes });
      envelope = format.render(result, facts);
    }
    text = format.text(envelope);
  }
  return {
    envelope,
    text,
    result,
    redactions: scrubbed.redactions,
    forbiddenNames: scrubbed.removedNames,
    truncated,
    withheld,
  };
}

/** Fields of the envelope's own that hold identifiers and instants by construction. */
const OWN: Readonly<Record<string, FieldMark>> = {
  request_id: 'integer_identifier',
  requestId: 'integer_identifier',
  trace_id: 'integer_identifier',
  approval_id: 'integer_identifier',
  generated_at: 'instant',
  timestamp: 'instant',
  as_of: 'instant',
  expires_at: 'instant',
  first_at: 'instant',
};

function fieldMark(entry: CompiledTool, path: readonly (string | number)[], depth: number): FieldMark | undefined {
  if (path[0] !== 'data') {
    const last = path.at(-1);
    return typeof last === 'string' ? OWN[last] : undefined;
  }
  const inside = path.slice(depth);
  if (isMarked(entry.outputMarks, inside, ['identifier'])) return 'identifier';
  if (isMarked(entry.outputMarks, inside, ['instant'])) return 'instant';
  if (isMarked(entry.outputMarks, inside, ['money'])) return 'money';
  return undefined;
}

const unmasked = (count: number): Warning => ({
  code: 'UNMASKED_SOURCE',
  severity: 'WARNING',
  message: `${count} card numbers came unmasked from the source and were cut to the first six and last four digits.`,
});

function withWarning(
  envelope: JsonObject,
  result: CallResult,
  facts: CallFacts,
  format: EnvelopeFormat,
  warning: Warning,
): JsonObject {
  const rendered = format.render({ ...result, warnings: [...result.warnings, warning] }, facts);
  return { ...envelope, warnings: rendered['warnings']! };
}
