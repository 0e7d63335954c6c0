import {
  type FlashResult,
  type Fluid,
  flashHydrate,
  flashTP,
  type HydrateCheck,
  type HydrateFlashResult,
  hydrateCheck,
  possibleSolids,
  properties,
  type SolidState,
} from '../../../engineering/thermo/index.ts';
import type { JsonObject, Warning } from '../../../kit/index.ts';
import { toCelsius } from '../units.ts';

/** The hydrate side of hydrateTP: whether hydrate is stable at T and p, how much there is, and the temperature below which it is. */
export interface HydrateAnswer {
  readonly data: JsonObject;
  readonly warnings: readonly Warning[];
  readonly assumptions: readonly string[];
}

/** hydrateTP: the fluid phases in equilibrium with hydrate and ice where they are stable, the solids, and what is said of the hydrate. */
export interface HydrateResult {
  readonly result: FlashResult;
  readonly solids: readonly SolidState[];
  readonly hydrate: HydrateAnswer;
}

export function hydrateAt(fluid: Fluid, T: number, p: number): HydrateResult {
  const check = hydrateCheck(fluid, T, p);
  const { state } = check;
  // Where ice takes up the water, gas dissolved in it may come out as hydrate: only the flash with all phases knows.
  const flash =
    state !== undefined && (check.formed || state.besideIce) ? flashHydrate(fluid, T, p, state.fluid) : undefined;
  if (state === undefined) return withoutFormer(fluid, T, p, check);
  const result = flash?.result ?? properties(fluid, state.fluid);
  const solids = flash?.solids ?? [];
  return { result, solids, hydrate: describe(fluid, T, check, flash) };
}

/** No hydrate can form, but water may still freeze. */
function withoutFormer(fluid: Fluid, T: number, p: number, check: HydrateCheck): HydrateResult {
  const alone = flashTP(fluid, T, p);
  const freezes = possibleSolids(fluid, alone, 0).some(({ component }) => component === 'water');
  const flash = freezes ? flashHydrate(fluid, T, p) : undefined;
  return {
    result: flash?.result ?? alone,
    solids: flash?.solids ?? [],
    hydrate: describe(fluid, T, check, flash),
  };
}

function describe(fluid: Fluid, T: number, check: HydrateCheck, flash: HydrateFlashResult | undefined): HydrateAnswer {
  const hydrates = flash?.solids.filter(({ lattice }) => lattice !== undefined) ?? [];
  const formed = hydrates.length > 0;
  const besideIce = (flash?.split.iceAmount ?? 0) > 0;
  const boundary = check.equilibriumTemperature;
  // A boundary found for the fluid without ice can lie below T where all gas is dissolved in freezing water.
  const limit = boundary !== undefined && formed && boundary < T ? undefined : boundary;
  return {
    warnings: [...warningsOf(fluid, check), ...structureWarnings(flash)],
    assumptions: flash === undefined || flash.solids.length === 0 ? [] : assumptionsOf(flash),
    data: {
      formed,
      equilibriumTemperature_C: limit === undefined ? null : toCelsius(limit),
      ...(limit === undefined ? {} : { subcooling_C: limit - T }),
      structure: hydrates[0]?.lattice?.structure ?? check.structure ?? null,
      ...(formed ? { ...latticeOf(hydrates[0]!), besideIce, ...amounts(fluid, hydrates) } : reason(check, besideIce)),
    },
  };
}

function amounts(fluid: Fluid, hydrates: readonly SolidState[]): JsonObject {
  const water = fluid.components.findIndex(({ name }) => name === 'water');
  const held = hydrates.reduce((sum, { fraction, x }) => sum + fraction * x[water]!, 0);
  return {
    moleFraction: hydrates.reduce((sum, { fraction }) => sum + fraction, 0),
    massFraction: hydrates.reduce((sum, { massFraction }) => sum + massFraction, 0),
    waterConverted: held / fluid.z[water]!,
    phases: Object.fromEntries(
      hydrates.map((phase) => [phase.name, { structure: phase.lattice!.structure, ...latticeOf(phase) }]),
    ),
  };
}

function latticeOf({ lattice }: SolidState): JsonObject {
  const { hydrationNumber, occupancy } = lattice!;
  return {
    hydrationNumber,
    occupancy: Object.fromEntries(
      Object.entries(occupancy).map(([cavity, share]) => [cavity, { ...(share as Readonly<Record<string, number>>) }]),
    ),
  };
}

function reason(check: HydrateCheck, besideIce: boolean): JsonObject {
  if (check.formed) return { reason: REASONS['not-stable'] };
  return { reason: REASONS[check.reason], ...(besideIce ? { besideIce } : {}) };
}

function warningsOf(fluid: Fluid, check: HydrateCheck): Warning[] {
  const warnings: Warning[] = [];
  if (check.ignoredFormers.length > 0) {
    warnings.push({
      code: 'MODEL_LIMITATION',
      severity: 'WARNING',
      message: `${check.ignoredFormers.join(', ')} may enter hydrates, but the model has no parameters for it: the true hydrate may be stabler than stated.`,
    });
  }
  if (fluid.eos.id !== 'CPA') {
    warnings.push({
      code: 'HYDRATE_APPROXIMATE',
      severity: 'INFO',
      message: `${fluid.eos.id} describes water and inhibitors roughly: the hydrate temperature may be off by some kelvin. CPA is the model for it.`,
    });
  }
  return warnings;
}

/** Differences below this leave the structure open: water potentials, J/mol. */
const UNSURE_STRUCTURE = 30;

/** A single hydrate of a structure that is not the measured one, or hardly stabler than the other. */
function structureWarnings(flash: HydrateFlashResult | undefined): Warning[] {
  const hydrates = flash?.split.hydrates ?? [];
  if (flash === undefined || hydrates.length !== 1) return [];
  const { structureDifference, measuredStructure } = flash.split;
  const { structure } = hydrates[0]!;
  const other = structure === 'sI' ? 'sII' : 'sI';
  const by = `${Math.abs(structureDifference).toFixed(0)} J per mol of water`;
  if (measuredStructure === other) {
    const message = `The constants of the model make ${structure} the stabler structure by ${by}; measured for this guest alone is ${other}. Structure, occupancy and hydration number are those of ${structure} and may be wrong.`;
    return [{ code: 'HYDRATE_APPROXIMATE', severity: 'WARNING', message }];
  }
  if (structure === measuredStructure || Math.abs(structureDifference) > UNSURE_STRUCTURE) return [];
  const message = `Structures ${structure} and ${other} lie within ${by} of each other: the model cannot tell which one forms; ${structure} is given.`;
  return [{ code: 'HYDRATE_APPROXIMATE', severity: 'INFO', message }];
}

function assumptionsOf({ solids }: HydrateFlashResult): string[] {
  const ice = solids.some(({ name }) => name === 'solid');
  const hydrate = solids.some(({ lattice }) => lattice !== undefined);
  return [
    ...(hydrate
      ? [
          'Gas hydrate: solid solution of van der Waals and Platteeuw with the constants of Munck et al. (1988). One mole of the phase is one mole of water and guest molecules together.',
          'Equilibrium is complete: all water and gas that can turn into hydrate have done so.',
        ]
      : []),
    ...(ice ? ['The phase solid is ice.'] : []),
    'Volumes of hydrate and ice are those of the lattice (Avlonitis 1994), independent of pressure and guests; heat capacity, speed of sound, viscosity and conductivity of solids are not computed.',
  ];
}

const REASONS: Readonly<Record<Extract<HydrateCheck, { formed: false }>['reason'], string>> = {
  'no-water': 'the fluid holds no water',
  'no-former': 'no component enters a hydrate lattice',
  'not-stable': 'hydrate is less stable than the fluid at this temperature and pressure',
};
