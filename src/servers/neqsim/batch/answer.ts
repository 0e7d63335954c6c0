import { type JsonObject, type JsonValue, success, ToolError, type Warning } from '../../../kit/index.ts';
import type { CalculationAnswer } from '../calculation.ts';
import { inOneGo, type Steps } from '../calculation-steps.ts';
import { answerFlash } from '../flash/answer.ts';
import { type FlashInput, readFlash } from '../flash/request.ts';
import { fitDetail } from './detail.ts';
import { type BatchInput, mergeCase, readBase, readCases } from './request.ts';

/** runBatch: independent flashes in the order given. A case that fails never stops the others. Outcomes are plain data. */
interface Outcome {
  readonly result: JsonObject;
  readonly warnings: readonly Warning[];
  /** Of the model the case ran on. */
  readonly trust?: 'VALIDATED' | 'TESTED' | 'EXPERIMENTAL';
  readonly failure?: Failure;
}
type Failure = Pick<ToolError, 'code' | 'message' | 'remediation'>;

export function batchSteps(input: Partial<BatchInput>): Steps<Outcome> {
  const cases = readCases(input.cases);
  const base = readBase(input);
  return {
    total: cases.length,
    unit: 'cases',
    compute: (caseIndex) => runCase(base, cases[caseIndex]!, caseIndex),
    answer: (outcomes) => answerBatch(cases.length, outcomes),
  };
}

export const flashBatch = inOneGo(batchSteps);

function answerBatch(total: number, computed: readonly Outcome[]): CalculationAnswer {
  const outcomes = [
    ...computed,
    ...Array.from({ length: total - computed.length }, (_, k) => notComputed(computed.length, computed.length + k)),
  ];
  const failures = outcomes.flatMap(({ failure }) => (failure ? [failure] : []));
  const failedCaseIndices = outcomes.flatMap(({ failure }, index) => (failure ? [index] : []));
  const summary: JsonObject = {
    totalCases: total,
    succeeded: total - failures.length,
    failed: failures.length,
    ...(failures.length > 0 ? { failedCaseIndices } : {}),
  };
  if (failures.length === total) throw allFailed(failures, summary, outcomes);

  const { detail, results } = fitDetail(outcomes.map(({ result }) => result));
  const partial = failures.length > 0;
  return success(
    { operationStatus: partial ? 'partial' : 'success', summary, detail, results },
    {
      warnings: [
        ...(computed.length < total ? [timeRanOut(computed.length, total)] : []),
        ...(partial ? [failedCases(failures.length, total)] : []),
        ...(detail === 'full' ? [] : [trimmed(detail)]),
        ...merged(outcomes),
      ],
      provenance: {
        calculation: {
          model: only(outcomes, 'model'),
          mixingRule: only(outcomes, 'mixingRule'),
          type: `batch flash calculation (${total} cases, ${total - failures.length} succeeded)`,
          converged: !partial,
          iterations: null,
          trust: outcomes.every(({ trust }) => trust !== 'EXPERIMENTAL') ? 'TESTED' : 'EXPERIMENTAL',
          validationsPassed: ['component_names_verified', ...(partial ? [] : ['flash_converged'])],
          assumptions: ['Cases are independent; fields of a case replace those of the base whole.'],
          limitations: [],
          phase: 'calculation',
          extra: partial
            ? {
                validation: {
                  valid: false,
                  phase: 'calculation',
                  message: `${failures.length} of ${total} cases failed.`,
                },
              }
            : {},
        },
      },
    },
  );
}

function runCase(base: Partial<FlashInput>, given: JsonValue, caseIndex: number): Outcome {
  try {
    const request = readFlash(mergeCase(base, given));
    const { data, warnings, provenance } = answerFlash(request);
    const { model, mixingRule, flashType, converged, iterations, trust } = provenance.calculation!;
    return {
      result: {
        caseIndex,
        status: 'success',
        ...data,
        provenance: { model, mixingRule, flashType: flashType ?? null, converged, iterations },
        warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
      },
      warnings,
      trust,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, remediation } = error;
    return failed(caseIndex, { code, message, remediation });
  }
}

const failed = (caseIndex: number, failure: Failure): Outcome => ({
  result: { caseIndex, status: 'error', message: failure.message, errors: [{ ...failure }] },
  warnings: [],
  failure,
});

const notComputed = (done: number, caseIndex: number): Outcome =>
  failed(caseIndex, {
    code: 'TIMEOUT',
    message: `Not computed: time ran out after ${done} cases.`,
    remediation: 'Split the batch.',
  });

const SHOWN_FAILURES = 50;

/** No case succeeded: an error, under the code of the cases when they share one. */
function allFailed(failures: readonly Failure[], summary: JsonObject, outcomes: readonly Outcome[]): ToolError {
  const [first] = failures;
  const shared = failures.every(({ code }) => code === first!.code);
  return new ToolError(shared ? first!.code : 'CALCULATION_ERROR', {
    message: `None of the ${failures.length} cases succeeded. The first: ${first!.message}`,
    ...(shared ? { remediation: first!.remediation } : {}),
    details: {
      operationStatus: 'error',
      summary,
      results: outcomes.slice(0, SHOWN_FAILURES).map(({ result }) => result),
    },
  });
}

const failedCases = (failed: number, total: number): Warning => ({
  code: 'CASES_FAILED',
  severity: 'WARNING',
  message: `${failed} of ${total} cases failed; see summary.failedCaseIndices and the errors of those cases.`,
});

const timeRanOut = (done: number, total: number): Warning => ({
  code: 'TIME_RAN_OUT',
  severity: 'WARNING',
  message: `Time ran out after ${done} of ${total} cases; the others were not computed. Split the batch over several calls.`,
});

const trimmed = (detail: string): Warning => ({
  code: 'DETAIL_TRIMMED',
  severity: 'INFO',
  message: `Full results of all cases would not fit into one answer: this one has ${detail}. Split the cases for more.`,
});

/** One warning a code, with the number of cases it was raised in. */
function merged(outcomes: readonly Outcome[]): Warning[] {
  const byCode = new Map<string, { first: Warning; cases: number }>();
  for (const { warnings } of outcomes) {
    for (const code of new Set(warnings.map((warning) => warning.code))) {
      const known = byCode.get(code);
      if (known) known.cases += 1;
      else byCode.set(code, { first: warnings.find((warning) => warning.code === code)!, cases: 1 });
    }
  }
  return [...byCode.values()].map(({ first, cases }) => ({
    ...first,
    message: cases === 1 ? first.message : `In ${cases} cases. The first: ${first.message}`,
  }));
}

/** The value that all cases share, else a list of them. */
function only(outcomes: readonly Outcome[], field: string): string | null {
  const values = new Set(
    outcomes.flatMap(({ result }) => {
      const value = (result['provenance'] as JsonObject | undefined)?.[field];
      return typeof value === 'string' ? [value] : [];
    }),
  );
  return values.size === 0 ? null : [...values].join(', ');
}
