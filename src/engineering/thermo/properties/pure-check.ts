import { ATM } from '../constants.ts';
import { pureCritical } from '../equilibrium/pure-critical.ts';
import { isEngineError } from '../errors.ts';
import { createFluid, type Fluid } from '../fluid.ts';
import type { ModelId } from '../model.ts';

/** How well a model knows one of its components alone, by three figures that the component table holds. */
export interface PureCheck {
  /**
   * Liquid at 15 C [kg/m3] and 1 atm, of what boils below 15 C at the model's vapour pressure. `tabulated` is undefined where the table has none and the
   * volume shift of the model is extrapolated (acentric factor above 1). Left out for gases (Tc up to 320 K: no liquid at 15 C or one near its
   * critical point), for liquids the model does not have and where there is nothing to say.
   */
  readonly density?: { readonly computed: number; readonly tabulated: number | undefined };
  /**
   * Vapour pressure at the tabulated normal boiling point, over 1 atm [-]. Left out outside the model's range, below the triple point (CO2), and
   * where the model has no vapour pressure there.
   */
  readonly boilingPressureRatio?: number;
  /** Critical point [K, Pa] of the model over that of the table [-]. Left out where the search for it fails. */
  readonly critical?: { readonly temperatureRatio: number; readonly pressureRatio: number };
}

const T_STANDARD = 288.15;
/** Critical temperature [K] from which a substance that boils below 15 C has an ordinary liquid there. */
const LEAST_TC = 320;
/** Acentric factors that ZRA = 0.29056 - 0.08775 omega, and with it the volume shift of a cubic, was made for (Yamada and Gunn 1973). */
const MOST_OMEGA = 1;

/** Throws what createFluid throws for the component alone. */
export function checkPure(model: ModelId, name: string): PureCheck {
  const fluid = createFluid({ components: { [name]: 1 }, model });
  const density = standardDensity(fluid);
  const boilingPressureRatio = boilingRatio(fluid);
  const critical = criticalRatios(fluid);
  return {
    ...(density === undefined ? {} : { density }),
    ...(boilingPressureRatio === undefined ? {} : { boilingPressureRatio }),
    ...(critical === undefined ? {} : { critical }),
  };
}

function standardDensity(fluid: Fluid): PureCheck['density'] {
  const { eos, components, z } = fluid;
  const { Tb, Tc, omega, molarMass, liquidDensity15C } = components[0]!;
  const boiled = !(Tb > T_STANDARD);
  if (boiled && !(Tb > 0 && Tc > LEAST_TC)) return undefined;
  const tabulated = liquidDensity15C > 0 ? liquidDensity15C : undefined;
  if (tabulated === undefined && (boiled || !(omega > MOST_OMEGA))) return undefined;
  const p = boiled ? vapourPressure(fluid, T_STANDARD) : ATM;
  if (p === undefined) return undefined;
  const rho = eos.density(T_STANDARD, p, z, 'liquid');
  const computed = molarMass / (1 / rho - eos.volumeShift(T_STANDARD, z));
  return computed > 0 ? { computed, tabulated } : undefined;
}

function boilingRatio(fluid: Fluid): number | undefined {
  const { Tb, Ttriple } = fluid.components[0]!;
  const { minT, maxT } = fluid.eos.validity;
  if (!(Tb >= minT && Tb <= maxT) || Tb < Ttriple) return undefined;
  const p = vapourPressure(fluid, Tb);
  return p === undefined ? undefined : p / ATM;
}

/** [Pa]; undefined where the model has none. */
function vapourPressure({ saturation, z }: Fluid, T: number): number | undefined {
  return attempt(() => saturation.atTemperature('bubble', T, z).p);
}

function criticalRatios({ eos, components, z }: Fluid): PureCheck['critical'] {
  const { Tc, pc } = components[0]!;
  const found = attempt(() => pureCritical(eos, z, 0));
  if (found === undefined || !(Tc > 0 && pc > 0)) return undefined;
  return { temperatureRatio: found.T / Tc, pressureRatio: found.p / pc };
}

function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}
