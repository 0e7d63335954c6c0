/**
 * Viscosity of phases rich in CO2 by corresponding states with CO2 as the reference fluid:
 *   mu = (Tcm/TcC)^(-1/6) (pcm/pcC)^(2/3) (M/MC)^(1/2) muC(T TcC/Tcm, p pcC/pcm)
 * with the Laesecke-Muzny viscosity and Span-Wagner density of CO2 and the critical point of corresponding-states.ts. With methane as
 * reference the viscosity of dense CO2 comes out 10 to 30 % high between 290 and 370 K.
 *
 * Validity: CO2 above half the moles; the pure limit is exact. `viscosityNearCarbonDioxide` passes from one reference to the other between
 * 50 and 80 % CO2, so that composition sweeps have no step. States below CO2's triple point (216.6 K, scaled) stay with methane.
 */
import { isEngineError } from '../../errors.ts';
import { referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import type { CorrespondingStates, FluidBranch } from './corresponding-states.ts';
import { referenceViscosity } from './reference.ts';

const CO2 = 'CO2';
const FROM = 0.5;
const FULL = 0.8;

export interface RichState {
  readonly states: CorrespondingStates;
  readonly T: number;
  readonly p: number;
  readonly x: Float64Array;
  readonly branch: FluidBranch;
}

/** [Pa s]; undefined where the scaled state lies outside the range of CO2's equation. */
export function carbonDioxideViscosity({ states, T, p, x, branch }: RichState): number | undefined {
  const fluid = referenceFluid(CO2);
  const { Tc, pc, M } = states.pseudoCritical(x);
  const T0 = (T * fluid.Tc) / Tc;
  const p0 = (p * fluid.pc) / pc;
  const scale = (Tc / fluid.Tc) ** (-1 / 6) * Math.cbrt((pc / fluid.pc) ** 2) * Math.sqrt(M / fluid.M);
  try {
    return scale * referenceViscosity(CO2, T0, fluid.density(T0, p0, branch));
  } catch (error) {
    if (isEngineError(error, 'outside-range')) return undefined;
    throw error;
  }
}

/** Viscosity [Pa s] with `share` of CO2, 0 to 1, from the value with methane as reference. */
export function viscosityNearCarbonDioxide(state: RichState, share: number, withMethane: number): number {
  const t = Math.min(Math.max((share - FROM) / (FULL - FROM), 0), 1);
  const rich = t > 0 ? carbonDioxideViscosity(state) : undefined;
  if (rich === undefined) return withMethane;
  const weight = t * t * (3 - 2 * t);
  return withMethane ** (1 - weight) * rich ** weight;
}
