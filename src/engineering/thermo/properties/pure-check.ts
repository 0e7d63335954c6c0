import { ATM } from '../constants.ts';
import { isEngineError } from '../errors.ts';
import { createFluid, type Fluid } from '../fluid.ts';
import type { ModelId } from '../model.ts';

/** How well a model knows one of its components alone, by two figures that the component table holds. */
export interface PureCheck {
  /**
   * Liquid at 15 C and 1 atm [kg/m3]. `tabulated` is undefined where the table has none and the volume shift of the model is extrapolated
   * (acentric factor above 1). Left out for what boils below 15 C, for liquids the model does not have and where there is nothing to say.
   */
  readonly density?: { readonly computed: number; readonly tabulated: number | undefined };
  /**
   * Vapour pressure at the tabulated normal boiling point, over 1 atm [-]. Left out outside the model's range, below the triple point (CO2), and
   * where the model has no vapour pressure there.
   */
  readonly boilingPressureRatio?: number;
}

const T_STANDARD = 288.15;
/** Acentric factors that ZRA = 0.29056 - 0.08775 omega, and with it the volume shift of a cubic, was made for (Yamada and Gunn 1973). */
const MOST_OMEGA = 1;

/** Throws what createFluid throws for the component alone. */
export function checkPure(model: ModelId, name: string): PureCheck {
  const fluid = createFluid({ components: { [name]: 1 }, model });
  const density = standardDensity(fluid);
  const boilingPressureRatio = boilingRatio(fluid);
  return {
    ...(density === undefined ? {} : { density }),
    ...(boilingPressureRatio === undefined ? {} : { boilingPressureRatio }),
  };
}

function standardDensity({ eos, components, z }: Fluid): PureCheck['density'] {
  const { Tb, omega, molarMass, liquidDensity15C } = components[0]!;
  if (!(Tb > T_STANDARD)) return undefined;
  const tabulated = liquidDensity15C > 0 ? liquidDensity15C : undefined;
  if (tabulated === undefined && !(omega > MOST_OMEGA)) return undefined;
  const rho = eos.density(T_STANDARD, ATM, z, 'liquid');
  const computed = molarMass / (1 / rho - eos.volumeShift(T_STANDARD, z));
  return computed > 0 ? { computed, tabulated } : undefined;
}

function boilingRatio({ eos, components, z, saturation }: Fluid): number | undefined {
  const { Tb, Ttriple } = components[0]!;
  const { minT, maxT } = eos.validity;
  if (!(Tb >= minT && Tb <= maxT) || Tb < Ttriple) return undefined;
  try {
    return saturation.atTemperature('bubble', Tb, z).p / ATM;
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}
