import { flashTP, isEngineError, type PhaseTransport, transport } from '../../../engineering/thermo/index.ts';
import { type JsonObject, success, ToolError, type Warning } from '../../../kit/index.ts';
import type { CalculationAnswer } from '../calculation.ts';
import { inOneGo, type Steps } from '../calculation-steps.ts';
import { asToolError } from '../engine-errors.ts';
import { calculationOf, referenceStates } from '../flash/answer.ts';
import { nearCritical } from '../flash/near-critical.ts';
import { fluidWarnings, stateWarnings } from '../flash/warnings.ts';
import { type BuiltFluid, buildFluid } from '../fluid.ts';
import { toBara, toCelsius } from '../units.ts';
import { propertyFields } from './properties.ts';
import { readTable, type TableInput, type TableRequest } from './request.ts';

/** getPropertyTable: an independent TP flash at every point. A point that fails is named, the others stand. Outcomes are plain data. */
type Outcome =
  | {
      readonly row: JsonObject;
      readonly iterations: number;
      readonly raised: readonly Raised[];
    }
  | { readonly failure: JsonObject };

export function tableSteps(input: Partial<TableInput>): Steps<Outcome> {
  const request = readTable(input);
  const built = buildFluid(request.fluid);
  return {
    total: request.states.length,
    unit: 'points',
    compute: (k) => computePoint(built, request, k),
    answer: (outcomes) => answerTable(built, request, outcomes),
  };
}

export const tableAnswer = inOneGo(tableSteps);

function computePoint(built: BuiltFluid, { states, properties }: TableRequest, point: number): Outcome {
  const { fluid } = built;
  const { T, p } = states[point]!;
  try {
    const result = flashTP(fluid, T, p);
    let values: readonly PhaseTransport[] | undefined;
    const state = {
      result,
      transport: () => {
        values ??= transport(fluid, result);
        return values;
      },
    };
    const row: JsonObject = {
      temperature_C: toCelsius(T),
      temperature_K: T,
      pressure_bara: toBara(p),
      numberOfPhases: result.phases.length,
    };
    for (const name of properties) Object.assign(row, propertyFields(name, state));
    const warnings = [...stateWarnings(built, result, { saturated: false }), ...nearCritical(fluid, result)];
    return {
      row,
      iterations: result.convergence.iterations,
      raised: warnings.map((warning) => ({ warning, T: result.T, p: result.p })),
    };
  } catch (error) {
    if (!isEngineError(error)) throw error;
    return { failure: { ...placeOf(states, point), ...publicFailure(error) } };
  }
}

const placeOf = (states: TableRequest['states'], point: number): JsonObject => ({
  point,
  temperature_K: states[point]!.T,
  pressure_bara: toBara(states[point]!.p),
});

function answerTable(built: BuiltFluid, request: TableRequest, outcomes: readonly Outcome[]): CalculationAnswer {
  const { fluid } = built;
  const { states, sweep } = request;
  const table: JsonObject[] = [];
  const failed: JsonObject[] = [];
  const raised: Raised[] = [];
  let iterations = 0;
  for (const outcome of outcomes) {
    if ('failure' in outcome) {
      failed.push(outcome.failure);
      continue;
    }
    table.push(outcome.row);
    raised.push(...outcome.raised);
    iterations = Math.max(iterations, outcome.iterations);
  }
  const late = states.slice(outcomes.length).map((_, k) => ({
    ...placeOf(states, outcomes.length + k),
    code: 'TIMEOUT',
    message: `Not computed: time ran out after ${outcomes.length} points.`,
  }));
  const missing = [...failed, ...late];
  if (table.length === 0) {
    throw new ToolError(failed.length === 0 ? 'TIMEOUT' : 'CALCULATION_ERROR', {
      message: `None of the ${states.length} points could be computed. The first: ${missing[0]?.['message']}`,
      details: { pointsRequested: states.length, pointsConverged: 0 },
    });
  }
  return success(
    {
      sweep,
      pointsRequested: states.length,
      pointsConverged: table.length,
      table,
      ...(missing.length > 0 ? { failedPoints: missing } : {}),
    },
    {
      warnings: [
        ...request.warnings,
        ...fluidWarnings(built),
        ...merged(raised, states.length),
        ...missingPoints(failed, states.length),
        ...timeRanOut(outcomes.length, states.length),
      ],
      provenance: {
        calculation: {
          ...calculationOf(built, iterations),
          type: `property table (${sweep} sweep, ${states.length} points)`,
          converged: missing.length === 0,
          validationsPassed: ['component_names_verified', ...(missing.length === 0 ? ['flash_converged'] : [])],
          assumptions: [
            ...built.assumptions,
            ...referenceStates(fluid),
            'Every point is an independent TP flash. Overall Cp and Cv are those of the phases at constant amounts.',
          ],
          limitations: [...fluid.eos.validity.notes],
          phase: 'calculation',
        },
      },
    },
  );
}

function publicFailure(error: unknown): JsonObject {
  const shown = asToolError(error);
  return shown instanceof ToolError
    ? { code: 'CALCULATION_ERROR', message: shown.message }
    : { code: 'CALCULATION_ERROR', message: 'The calculation failed.' };
}

function missingPoints(failed: readonly JsonObject[], wanted: number): Warning[] {
  if (failed.length === 0) return [];
  return [
    {
      code: 'CONVERGENCE_WARNING',
      severity: 'WARNING',
      message: `${failed.length} of ${wanted} points could not be computed and are left out (see failedPoints). The first: ${failed[0]!['message']}`,
    },
  ];
}

function timeRanOut(done: number, wanted: number): Warning[] {
  if (done === wanted) return [];
  return [
    {
      code: 'TIME_RAN_OUT',
      severity: 'WARNING',
      message: `Time ran out after ${done} of ${wanted} points; the others were not computed (see failedPoints). Split the range over several calls.`,
    },
  ];
}

/** A warning and the state it was raised at [K, Pa]. */
interface Raised {
  readonly warning: Warning;
  readonly T: number;
  readonly p: number;
}

/** One warning a code, with the number of points it was raised at and the first of them. */
function merged(raised: readonly Raised[], points: number): Warning[] {
  const codes = [...new Set(raised.map(({ warning }) => warning.code))];
  return codes.map((code) => {
    const all = raised.filter(({ warning }) => warning.code === code);
    const { warning, T, p } = all[0]!;
    const where = `${T.toFixed(2)} K, ${toBara(p).toPrecision(5)} bara`;
    const text = all.length === 1 ? `At ${where}: ` : `At ${all.length} of ${points} points. The first, ${where}: `;
    return { ...warning, message: text + warning.message };
  });
}
