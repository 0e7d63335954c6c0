import type { FlashResult, Fluid } from '../../../engineering/thermo/index.ts';
import type { Warning } from '../../../kit/index.ts';
import type { BuiltFluid } from '../fluid.ts';
import { toBara } from '../units.ts';
import { missedComponents, missedCriticalPoints } from './pure-checks.ts';
import { solidWarnings } from './solids.ts';
import { USUAL_FUGACITY_ERROR } from './validation.ts';

/** Below this distance to another phase (tangent plane distance, RT per mole) the phase count is not sure. */
const UNSURE_MARGIN = 1e-4;
/** Below this another phase lowers the Gibbs energy. */
const UNSTABLE_MARGIN = -1e-6;
const SMALL_PHASE = 1e-3;
const WATER_LIKE = new Set(['water', 'glycol', 'alcohol', 'amine']);
const NAMED_PAIRS = 5;
/** Rules of CPA without the temperature-dependent kij that its parameters were fitted with. */
const TEMPERATURE_FREE = new Set(['classic', 'CPA_MIX', 'NO']);

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
    ...solidWarnings(built.fluid, result),
    ...gergWater(built, result),
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
  if (polar.length > 0) {
    const cubic = model === 'SRK' || model === 'PR';
    if (cubic && present.length === 1) {
      out.push(
        limit(
          `${model} knows no hydrogen bonding: heat capacity, speed of sound and liquid density of ${names} are off.`,
        ),
      );
    } else if (cubic && mixingRule !== 'WS') {
      out.push(limit(`${model} describes hydrogen bonding of ${names} poorly: mutual solubilities may be far off.`));
    } else if (model === 'CPA' && present.length > 1 && TEMPERATURE_FREE.has(mixingRule ?? '')) {
      out.push(
        limit(
          `CPA with the rule ${mixingRule} drops the temperature term of kij: the solubility of gas in ${names} comes out far too high.`,
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

const WATER_EQUATION_BEGINS = 273.16;
const WATER_THAT_MATTERS = 1e-3;

/** GERG-2008 was made for water in gas: its aqueous phase is none that measurements know, and is lost where its water equation ends. */
function gergWater({ model, fluid }: BuiltFluid, { T, phases }: FlashResult): Warning[] {
  if (model !== 'GERG2008') return [];
  const water = fluid.components.findIndex(({ name }) => name === 'water');
  const share = water < 0 ? 0 : fluid.z[water]!;
  const warn = (message: string): Warning[] => [{ code: 'MODEL_LIMITATION', severity: 'WARNING', message }];
  if (share > WATER_THAT_MATTERS && T < WATER_EQUATION_BEGINS)
    return warn(
      'The equation of water in GERG-2008 begins at 273.16 K: below it liquid water may be missing from the phases, and its enthalpy with it; use CPA.',
    );
  if (share < 1 && phases.some(({ name }) => name.startsWith('aqueous')))
    return warn(
      'GERG-2008 is no model of liquid water beside gas or oil: the composition of the aqueous phase is far off; use CPA.',
    );
  return [];
}

function convergenceWarnings({ convergence, phases }: FlashResult): Warning[] {
  const { fugacityError, stabilityMargin } = convergence;
  const warn = (message: string): Warning => ({ code: 'CONVERGENCE_WARNING', severity: 'WARNING', message });
  return [
    ...(fugacityError > USUAL_FUGACITY_ERROR
      ? [warn(`Fugacities of the phases agree only within ${fugacityError.toExponential(1)} (ln f).`)]
      : []),
    ...(stabilityMargin < UNSTABLE_MARGIN
      ? [
          warn(
            `With ${phases.length} phases, the most that are looked for, another one would still form: this is not the equilibrium.`,
          ),
        ]
      : []),
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
