import { type Fluid, type HydrateCheck, hydrateCheck } from '../../../engineering/thermo/index.ts';
import type { JsonObject, Warning } from '../../../kit/index.ts';
import { toCelsius } from '../units.ts';

/** The hydrate side of hydrateTP: whether hydrate is stable at T and p, and the temperature below which it is. */
export interface HydrateAnswer {
  readonly formed: boolean;
  readonly data: JsonObject;
  readonly warnings: readonly Warning[];
}

export function hydrateAt(fluid: Fluid, T: number, p: number): HydrateAnswer {
  const check = hydrateCheck(fluid, T, p);
  const { equilibriumTemperature: limit, structure, formed } = check;
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
  if (formed) {
    warnings.push({
      code: 'HYDRATE_APPROXIMATE',
      severity: 'INFO',
      message:
        'The amount of hydrate is not computed: phase fractions and properties are those of the fluid before hydrate takes water and gas out of it.',
    });
  }
  return {
    formed,
    warnings,
    data: {
      formed,
      equilibriumTemperature_C: limit === undefined ? null : toCelsius(limit),
      ...(limit === undefined ? {} : { subcooling_C: limit - T }),
      structure: structure ?? null,
      ...detail(check),
    },
  };
}

function detail(check: HydrateCheck): JsonObject {
  if (!check.formed) return { reason: REASONS[check.reason] };
  const { hydrationNumber, occupancy, besideIce } = check.state;
  return {
    hydrationNumber,
    besideIce,
    occupancy: Object.fromEntries(
      Object.entries(occupancy).map(([cavity, share]) => [cavity, { ...(share as Readonly<Record<string, number>>) }]),
    ),
  };
}

const REASONS: Readonly<Record<Extract<HydrateCheck, { formed: false }>['reason'], string>> = {
  'no-water': 'the fluid holds no water',
  'no-former': 'no component enters a hydrate lattice',
  'not-stable': 'hydrate is less stable than the fluid at this temperature and pressure',
};
