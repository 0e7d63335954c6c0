import { flashTP, isEngineError, type PhaseTransport, transport } from '../../../engineering/thermo/index.ts';
import { type JsonObject, success, ToolError, type Warning } from '../../../kit/index.ts';
import type { CalculationAnswer, CalculationControl } from '../calculation.ts';
import { asToolError } from '../engine-errors.ts';
import { calculationOf, referenceStates } from '../flash/answer.ts';
import { fluidWarnings, rangeWarnings } from '../flash/warnings.ts';
import { type BuiltFluid, buildFluid } from '../fluid.ts';
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
        ...outside(built, states),
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

/** One warning for all points outside the model's range. */
function outside({ fluid }: BuiltFluid, states: readonly { T: number; p: number }[]): Warning[] {
  const beyond = states.flatMap(({ T, p }) => rangeWarnings(fluid, T, p));
  if (beyond.length <= 1) return beyond;
  return [{ ...beyond[0]!, message: `${beyond.length} points: ${beyond[0]!.message}` }];
}
