import { z } from 'zod';
import { type JsonObject, type JsonValue, ToolError } from '../../../kit/index.ts';
import { given, number, parseJson } from '../arguments.ts';
import { type FlashInput, flashArguments } from '../flash/request.ts';

/** The arguments of runBatch: those of runFlash as the base of every case, and the cases, each of which overrides what it names. */
export const MAX_CASES = 500;

export const batchInput = z.strictObject({
  ...flashArguments,
  cases: z
    .union([z.string().max(4_000_000), z.array(z.json())])
    .optional()
    .describe(
      `JSON array of 1 to ${MAX_CASES} objects, each with the fields of a runFlash request that differ, e.g. {"temperature":{"value":20,"unit":"C"}}`,
    ),
});
export type BatchInput = z.output<typeof batchInput>;

const caseInput = z
  .strictObject({ ...flashArguments, temperature_C: number, pressure_bara: number })
  .partial()
  .describe('one case');
type CaseInput = z.output<typeof caseInput>;

/** The cases as given. What is wrong with one of them is that case's own failure. */
export function readCases(given_: BatchInput['cases']): readonly JsonValue[] {
  if (!given(given_)) throw new ToolError('MISSING_CASES');
  const parsed = typeof given_ === 'string' ? parseBatchJson('cases', given_) : given_;
  if (!Array.isArray(parsed)) throw new ToolError('MISSING_CASES', { message: 'cases must be an array of objects.' });
  if (parsed.length === 0) throw new ToolError('EMPTY_CASES');
  if (parsed.length > MAX_CASES) {
    throw new ToolError('TOO_MANY_CASES', {
      message: `${parsed.length} cases were given; at most ${MAX_CASES} are computed in one call.`,
    });
  }
  return parsed as JsonValue[];
}

/** The base composition is parsed once: text that is no JSON fails the whole call, not every case. */
export function readBase({ cases: _, ...base }: Partial<BatchInput>): Partial<FlashInput> {
  if (typeof base.components !== 'string' || base.components === '') return base;
  return { ...base, components: parseBatchJson('components', base.components) as JsonObject };
}

function parseBatchJson(field: string, text: string): unknown {
  try {
    return parseJson(field, text);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(error.code, {
      message: `Batch calculation failed: ${error.message}`,
      ...(error.details ? { details: error.details } : {}),
    });
  }
}

/** Base and case together, as one runFlash request. Fields of the case replace those of the base whole. */
export function mergeCase(base: Partial<FlashInput>, given_: JsonValue): Partial<FlashInput> {
  if (given_ === null || typeof given_ !== 'object' || Array.isArray(given_)) {
    throw new ToolError('INPUT_ERROR', { message: 'A case must be an object.' });
  }
  const parsed = caseInput.safeParse(given_);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const at = issue?.path.join('.') ?? '';
    throw new ToolError('INPUT_ERROR', {
      message:
        unknown.length > 0
          ? `Unknown field ${unknown.join(', ')}; known are ${Object.keys(caseInput.shape).join(', ')}.`
          : `${at}: ${issue?.message ?? 'not readable'}`,
      details: { field: unknown[0] ?? at },
    });
  }
  const { temperature_C, pressure_bara, ...own } = parsed.data;
  const merged: Partial<FlashInput> = { ...base, ...own };
  if (own.eos !== undefined || own.model !== undefined) {
    merged.eos = own.eos;
    merged.model = own.model;
  }
  replace(merged, own, 'temperature', temperature_C, 'temperature_C', 'C');
  replace(merged, own, 'pressure', pressure_bara, 'pressure_bara', 'bara');
  return merged;
}

/** A case that brings its own unit, by name or with the value, is not read in the unit of the base. */
function replace(
  merged: Partial<FlashInput>,
  own: CaseInput,
  field: 'temperature' | 'pressure',
  value: number | undefined,
  alias: string,
  unit: string,
): void {
  const unitField = `${field}Unit` as const;
  const given_ = own[field];
  if (value !== undefined) {
    if (given_ !== undefined) {
      throw new ToolError('INPUT_ERROR', { message: `${field} and ${alias} mean the same; give one of them.` });
    }
    merged[field] = { value, unit };
    delete merged[unitField];
  } else if (typeof given_ === 'object' && given_.unit !== undefined && own[unitField] === undefined) {
    delete merged[unitField];
  }
}
