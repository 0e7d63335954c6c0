import {
  type FlashResult,
  flashTP,
  isEngineError,
  type PhaseTransport,
  transport,
} from '../../../engineering/thermo/index.ts';
import { type JsonObject, success, ToolError, type Warning } from '../../../kit/index.ts';
import type { CalculationAnswer, CalculationControl } from '../calculation.ts';
import { asToolError } from '../engine-errors.ts';
import { calculationOf, referenceStates } from '../flash/answer.ts';
import { nearCritical } from '../flash/near-critical.ts';
import { fluidWarnings, stateWarnings } from '../flash/warnings.ts';
import { buildFluid } from '../fluid.ts';
import { toBara, toCelsius } from '../units.ts';
import { propertyFields } from './properties.ts';
import { readTable, type TableInput } from './request.ts';

/** getPropertyTable: an independent TP flash at every point. A point that fails is named, the others stand. */
export function tableAnswer(input: Partial<TableInput>, control: CalculationControl): CalculationAnswer {
  const request = readTable(input);
  const built = buildFluid(request.fluid);
  const { fluid } = built;
  const { states, sweep, properties } = request;
  const table: JsonObject[] = [];
  const failed: JsonObject[] = [];
  const raised: Raised[] = [];
  let iterations = 0;
  for (const [k, { T, p }] of states.entries()) {
    control.checkpoint();
    try {
      const result = flashTP(fluid, T, p);
      iterations = Math.max(iterations, result.convergence.iterations);
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
      table.push(row);
      const warnings = [...stateWarnings(built, result, { saturated: false }), ...nearCritical(fluid, result)];
      raised.push(...warnings.map((warning) => ({ warning, result })));
    } catch (error) {
      if (!isEngineError(error)) throw error;
      failed.push({ point: k, temperature_K: T, pressure_bara: toBara(p), ...publicFailure(error) });
    }
    control.progress(k + 1, states.length, 'points');
  }
  if (table.length === 0) {
    throw new ToolError('CALCULATION_ERROR', {
      message: `None of the ${states.length} points could be computed. The first: ${failed[0]?.['message']}`,
      details: { pointsRequested: states.length, pointsConverged: 0 },
    });
  }
  return success(
    {
      sweep,
      pointsRequested: states.length,
      pointsConverged: table.length,
      table,
      ...(failed.length > 0 ? { failedPoints: failed } : {}),
    },
    {
      warnings: [
        ...request.warnings,
        ...fluidWarnings(built),
        ...merged(raised, states.length),
        ...missingPoints(failed, states.length),
      ],
      provenance: {
        calculation: {
          ...calculationOf(built, iterations),
          type: `property table (${sweep} sweep, ${states.length} points)`,
          converged: failed.length === 0,
          validationsPassed: ['component_names_verified', ...(failed.length === 0 ? ['flash_converged'] : [])],
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

interface Raised {
  readonly warning: Warning;
  readonly result: FlashResult;
}

/** One warning a code, with the number of points it was raised at and the first of them. */
function merged(raised: readonly Raised[], points: number): Warning[] {
  const codes = [...new Set(raised.map(({ warning }) => warning.code))];
  return codes.map((code) => {
    const all = raised.filter(({ warning }) => warning.code === code);
    const { warning, result } = all[0]!;
    const where = `${result.T.toFixed(2)} K, ${toBara(result.p).toPrecision(5)} bara`;
    const text = all.length === 1 ? `At ${where}: ` : `At ${all.length} of ${points} points. The first, ${where}: `;
    return { ...warning, message: text + warning.message };
  });
}
