import type { FlashResult, Fluid } from '../../../engineering/thermo/index.ts';
import type { Warning } from '../../../kit/index.ts';
import type { BuiltFluid } from '../fluid.ts';
import { toBara } from '../units.ts';
import { missedComponents, missedCriticalPoints } from './pure-checks.ts';
import { USUAL_FUGACITY_ERROR } from './validation.ts';

/** Below this distance to another phase (tangent plane distance, RT per mole) the phase count is not sure. */
const UNSURE_MARGIN = 1e-4;
const SMALL_PHASE = 1e-3;
const WATER_LIKE = new Set(['water', 'glycol', 'alcohol', 'amine']);
const NAMED_PAIRS = 5;

/** The contract's warnings, each raised from a condition of this very result. A saturation point lies on a boundary by its nature. */
export function flashWarnings(
  built: BuiltFluid,
  result: FlashResult,
  { saturated }: { readonly saturated: boolean },
): Warning[] {
  return [...fluidWarnings(built), ...stateWarnings(built, result, { saturated })];
}

/** What one state says of itself, beside what its mixture and model say. */
export function stateWarnings(
  built: BuiltFluid,
  result: FlashResult,
  { saturated }: { readonly saturated: boolean },
): Warning[] {
  return [
    ...rangeWarnings(built.fluid, result.T, result.p),
    ...missedCriticalPoints(built, result),
    ...convergenceWarnings(result),
    ...(saturated ? [] : boundaryWarnings(result)),
  ];
}

/** What can be said of the mixture and its model before any state is computed. */
export function fluidWarnings(built: BuiltFluid): Warning[] {
  return [
    ...normalisation(built.sum),
    ...modelLimits(built),
    ...missedComponents(built),
    ...missingParameters(built.fluid),
  ];
}

function normalisation(sum: number): Warning[] {
  if (Math.abs(sum - 1) <= 1e-6) return [];
  return [
    {
      code: 'COMPOSITION_NORMALIZED',
      severity: 'INFO',
      message: `The amounts sum to ${Number(sum.toPrecision(8))} and were normalised to 1.`,
    },
  ];
}

function modelLimits({ fluid, model, mixingRule }: BuiltFluid): Warning[] {
  const present = fluid.components.filter((_, index) => fluid.z[index]! > 0);
  const polar = present.filter((component) => WATER_LIKE.has(component.type));
  const names = polar.map((component) => component.publicName).join(', ');
  const limit = (message: string, severity: Warning['severity'] = 'INFO'): Warning => ({
    code: 'MODEL_LIMITATION',
    severity,
    message,
  });
  const out: Warning[] = [];
  if (polar.length > 0 && present.length > 1) {
    if (model === 'SRK' || model === 'PR') {
      out.push(limit(`${model} describes hydrogen bonding of ${names} poorly: mutual solubilities may be far off.`));
    } else if (model === 'CPA' && mixingRule === 'classic') {
      out.push(
        limit(
          `CPA with the rule classic drops the temperature term of kij: the solubility of gas in ${names} comes out far too high.`,
          'WARNING',
        ),
      );
    }
  }
  // The notes of the model itself say what it was not checked for, such as water with H2S in UMR-PRU.
  const { status, notes } = fluid.eos.validity;
  if (status === 'unvalidated') {
    const last = notes.at(-1);
    out.push(limit(`${model} is not validated for this mixture.${last === undefined ? '' : ` ${last}`}`, 'WARNING'));
  }
  return out;
}

function missingParameters({ eos, z, components }: Fluid): Warning[] {
  const missing = eos.missingPairs.filter(({ i, j }) => i < j && z[i]! > 0 && z[j]! > 0);
  if (missing.length === 0) return [];
  const names = missing
    .slice(0, NAMED_PAIRS)
    .map(({ i, j }) => `${components[i]!.publicName}/${components[j]!.publicName}`);
  const more = missing.length > NAMED_PAIRS ? ` and ${missing.length - NAMED_PAIRS} more pairs` : '';
  return [
    {
      code: 'MISSING_REFERENCE_DATA',
      severity: 'WARNING',
      message: `No interaction parameter for ${names.join(', ')}${more}; the default of the model was used.`,
    },
  ];
}

function rangeWarnings({ eos }: Fluid, T: number, p: number): Warning[] {
  const { minT, maxT, minP, maxP } = eos.validity;
  if (T >= minT && T <= maxT && p >= minP && p <= maxP) return [];
  return [
    {
      code: 'EXTRAPOLATION',
      severity: 'WARNING',
      message: `${T.toFixed(1)} K and ${toBara(p).toPrecision(4)} bara lie outside the range of ${eos.id}: ${minT} to ${maxT} K, ${toBara(minP)} to ${toBara(maxP)} bara.`,
    },
  ];
}

function convergenceWarnings({ convergence }: FlashResult): Warning[] {
  if (!(convergence.fugacityError > USUAL_FUGACITY_ERROR)) return [];
  return [
    {
      code: 'CONVERGENCE_WARNING',
      severity: 'WARNING',
      message: `Fugacities of the phases agree only within ${convergence.fugacityError.toExponential(1)} (ln f).`,
    },
  ];
}

function boundaryWarnings({ convergence, phases }: FlashResult): Warning[] {
  const { stabilityMargin } = convergence;
  const near = (message: string): Warning[] => [{ code: 'TWO_PHASE_UNCERTAINTY', severity: 'CAUTION', message }];
  if (stabilityMargin >= 0 && stabilityMargin < UNSURE_MARGIN) {
    return near(
      `The state lies at a phase boundary: another phase is ${stabilityMargin.toExponential(1)} RT from forming.`,
    );
  }
  if (phases.length > 1 && phases.some((phase) => phase.fraction < SMALL_PHASE)) {
    return near('The state lies at a phase boundary: one phase is below 0.1 % of the moles.');
  }
  return [];
}
