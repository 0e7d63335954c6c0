import type { Fluid } from '../../../engineering/thermo/index.ts';
import type { JsonObject, Warning } from '../../../kit/index.ts';
import { toBara, toCelsius } from '../units.ts';
import { type Check, type Finding, stateFindings, validationBlock } from '../validation.ts';
import type { Solved } from './solve.ts';

/** Equal fugacities [ln f] and a closed balance to this much are what the engine promises; PH, PS and TV meet their target to this much. */
export const USUAL_FUGACITY_ERROR = 1e-7;
const USUAL_BALANCE_ERROR = 1e-8;
const USUAL_SPECIFICATION_ERROR = 1e-6;

/** autoValidation of a flash: rules on the state found, checks of the figures themselves. */
export function flashValidation(fluid: Fluid, solved: Solved, warnings: readonly Warning[]): JsonObject {
  const { result, specificationError, solids = [] } = solved;
  const { fugacityError, balanceError, iterations } = result.convergence;
  const { validity } = fluid.eos;
  const massBalanceError = Math.abs(
    [...result.phases, ...solids].reduce((sum, phase) => sum + phase.fraction * phase.molarMass, 0) /
      result.overall.molarMass -
      1,
  );
  const findings: Finding[] = stateFindings(toCelsius(result.T), toBara(result.p));
  if (massBalanceError > 0.01) {
    findings.push({
      code: 'MASS_BALANCE',
      severity: 'ERROR',
      message: `The masses of the phases miss the feed by ${(100 * massBalanceError).toFixed(2)} %.`,
      remediation: 'Report this input; the answer is not usable.',
    });
  }
  const check = (rule: string, good: boolean, message: string, otherwise: Check['status'] = 'FAIL'): Check => ({
    rule,
    status: good ? 'PASS' : otherwise,
    message,
  });
  const inRange =
    result.T >= validity.minT && result.T <= validity.maxT && result.p >= validity.minP && result.p <= validity.maxP;
  const limits = warnings.filter(({ code }) => code !== 'COMPOSITION_NORMALIZED');
  return validationBlock('flash', findings, [
    check('convergence', true, `Converged in ${iterations} iterations.`),
    check(
      'phase_equilibrium',
      !(fugacityError > USUAL_FUGACITY_ERROR),
      `Fugacities of the phases agree within ${fugacityError.toExponential(1)} (ln f).`,
      'WARNING',
    ),
    check(
      'material_balance',
      !(balanceError > USUAL_BALANCE_ERROR) && massBalanceError < USUAL_BALANCE_ERROR,
      `Phases add up to the feed within ${Math.max(balanceError, massBalanceError).toExponential(1)}.`,
    ),
    ...(specificationError === undefined
      ? []
      : [
          check(
            'specification',
            specificationError < USUAL_SPECIFICATION_ERROR,
            `The specification is met within ${specificationError.toExponential(1)}.`,
          ),
        ]),
    check(
      'model_range',
      inRange,
      inRange ? `Inside the range of ${fluid.eos.id}.` : `Outside the range of ${fluid.eos.id}.`,
      'WARNING',
    ),
    check(
      'known_limitations',
      !limits.some(({ severity }) => severity !== 'INFO'),
      limits.length === 0 ? 'None applies.' : limits.map(({ code }) => code).join(', '),
      'WARNING',
    ),
  ]);
}
