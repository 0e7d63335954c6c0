/**
 * Viscosity and thermal conductivity of phases rich in CO2 by corresponding states with CO2 as the reference fluid:
 *   mu = s (M/MC)^(1/2) muC(T0, rho0),   lambda = lambda1 + s (MC/M)^(1/2) [lambdaC(T0, rho0) - lambdaC(T0, 0)],
 *   s = (Tcm/TcC)^(-1/6) (pcm/pcC)^(2/3), T0 = T TcC/Tcm, rho0 = rhoC(T0, p pcC/pcm) or mapped (conformal-density.ts)
 * with the Laesecke-Muzny viscosity, the Huber et al. conductivity without its critical enhancement and the Span-Wagner density of CO2, and
 * the critical point of corresponding-states.ts. lambda1, the low-pressure mixture, is CO2's times the ratio of mixture to CO2 by
 * corresponding-states.ts (J. F. Ely, H. J. M. Hanley, Ind. Eng. Chem. Fundam. 22, 90 (1983), use the same sum). With methane as reference dense
 * CO2 comes out 10 to 30 % high in viscosity between 290 and 370 K, and 8 to 13 % off in conductivity.
 *
 * Validity: CO2 above half the moles; the pure limit is exact but for the critical enhancement. Values pass from one reference to the other
 * between 50 and 80 % CO2, and where T0 falls below CO2's triple point from 216.6 to 190 K, so that sweeps have no step.
 */
import type { Component } from '../../components/component.ts';
import { isEngineError } from '../../errors.ts';
import { type ReferenceFluid, referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { conformalDensity, smooth } from './conformal-density.ts';
import type { CorrespondingStates, FluidBranch } from './corresponding-states.ts';
import { conformalConductivity, conformalViscosity } from './reference.ts';

const CO2 = 'CO2';
const FROM = 0.5;
const FULL = 0.8;
/** Coldest T0 [K] at which CO2 still has a share. */
const COLDEST = 190;

export interface RichState {
  readonly states: CorrespondingStates;
  readonly T: number;
  readonly p: number;
  readonly x: Float64Array;
  readonly branch: FluidBranch;
  /** Molar density of the phase [mol/m3]. */
  readonly rho: number;
}

/** Viscosity [Pa s] with `share` of CO2, 0 to 1, from the value with methane as reference. */
export function viscosityNearCarbonDioxide(state: RichState, share: number, withMethane: number): number {
  return near(state, share, withMethane, ({ T0, rho0, scale, mass }) => {
    return scale * Math.sqrt(mass) * conformalViscosity(CO2, T0, rho0);
  });
}

/**
 * Thermal conductivity [W/(m K)], without critical enhancement, with `share` of CO2 from the value with methane as reference.
 * @param cp ideal-gas heat capacity of the mixture [J/(mol K)]
 */
export function conductivityNearCarbonDioxide(
  state: RichState,
  components: readonly Component[],
  cp: number,
  share: number,
  withMethane: number,
): number {
  return near(state, share, withMethane, ({ T0, rho0, scale, mass }) => {
    const { residual } = conformalConductivity(CO2, T0, rho0);
    return diluteConductivity(state, components, cp) + (scale / Math.sqrt(mass)) * residual;
  });
}

interface ConformalState {
  readonly T0: number;
  readonly rho0: number;
  readonly scale: number;
  /** M/MC */
  readonly mass: number;
}

function near(
  state: RichState,
  share: number,
  withMethane: number,
  value: (conformal: ConformalState) => number,
): number {
  const { states, T, p, x, branch, rho } = state;
  const fluid = referenceFluid(CO2);
  const { Tc, pc, M } = states.pseudoCritical(x);
  const T0 = (T * fluid.Tc) / Tc;
  const weight = smooth((share - FROM) / (FULL - FROM)) * smooth((T0 - COLDEST) / (fluid.Ttriple - COLDEST));
  if (weight === 0) return withMethane;
  const mapped = (rho * Tc * fluid.pc) / (fluid.Tc * pc);
  const rho0 = density(fluid, T0, (p * fluid.pc) / pc, branch, mapped);
  if (rho0 === undefined) return withMethane;
  const scale = (Tc / fluid.Tc) ** (-1 / 6) * Math.cbrt((pc / fluid.pc) ** 2);
  return withMethane ** (1 - weight) * value({ T0, rho0, scale, mass: M / fluid.M }) ** weight;
}

/** [mol/m3]; undefined where CO2's equation ends. */
function density(fluid: ReferenceFluid, T: number, p: number, branch: FluidBranch, mapped: number): number | undefined {
  try {
    return conformalDensity(T, mapped, fluid.Tc, fluid.rhoc, () =>
      T < fluid.Ttriple ? supercooled(fluid, T, p, branch) : fluid.density(T, p, branch),
    );
  } catch (error) {
    if (isEngineError(error, 'outside-range')) return undefined;
    throw error;
  }
}

/** Root of the equation of state below the triple point, which it passes smoothly: Newton from the liquid there, or from the ideal gas. */
function supercooled(fluid: ReferenceFluid, T: number, p: number, branch: FluidBranch): number {
  let rho = branch === 'liquid' ? fluid.density(fluid.Ttriple, p, 'liquid') : p / (fluid.R * T);
  for (let i = 0; i < 20; i++) {
    const { p: at, dpdrho } = fluid.properties(T, rho);
    const step = (p - at) / dpdrho;
    if (!(Math.abs(step) < 0.5 * rho)) break;
    rho += step;
    if (Math.abs(step) < 1e-10 * rho) break;
  }
  return rho;
}

/** [W/(m K)]: CO2's times the ratio of mixture to CO2 by corresponding states, which has no gaps in temperature. */
function diluteConductivity({ states, T, x }: RichState, components: readonly Component[], cp: number): number {
  const index = components.findIndex(({ name }) => name === CO2);
  const pure = new Float64Array(x.length);
  pure[index] = 1;
  const [A = 0, B = 0, C = 0, D = 0, E = 0] = components[index]!.idealGasCp ?? [];
  const own = A + T * (B + T * (C + T * (D + T * E)));
  const mixture = states.diluteConductivity(T, x, cp);
  return (conformalConductivity(CO2, T, 0).dilute * mixture) / states.diluteConductivity(T, pure, own);
}
