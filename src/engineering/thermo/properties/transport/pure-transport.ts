/**
 * Viscosity and thermal conductivity of a phase of one substance, by the best method that the data allow:
 *  1. its reference correlation (reference.ts), at the density of the phase; water and ammonia at the density of their reference equation at T and
 *     p on the side of the phase, as cubic densities of these liquids are 15 to 30 % off and their transport properties multiply that error;
 *  2. liquid: the saturated-liquid correlation, viscosity with the pressure correction of K. Lucas (Chem. Ing. Tech. 53, 959 (1981);
 *     B. E. Poling et al., The Properties of Gases and Liquids, 5th ed., equation 9-9.1);
 *  3. gas: the low-pressure correlation times the pressure ratio of corresponding states.
 * What corresponding states describes passes from 2 to 3 without a step: its value takes the ratio of the correlation to itself as a factor,
 * that of the liquid in dense states (kept at the end of the correlation and fading out at 1.05 Tc), that of the gas in thin ones.
 * Accuracy 1 to 5 % for 1 (as the density), 5 to 10 % for 2 and 3. It gives undefined where no method has data.
 * A value of a pure phase and of a nearly pure mixture come from different methods and may differ by the error of the latter.
 */
import type { Component } from '../../components/component.ts';
import { isEngineError } from '../../errors.ts';
import { type ReferenceFluid, referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { liquidWater } from './aqueous.ts';
import { smooth } from './conformal-density.ts';
import type { CorrespondingStates, FluidBranch } from './corresponding-states.ts';
import {
  gasConductivity,
  gasViscosity,
  liquidConductivity,
  liquidRange,
  liquidViscosity,
} from './pure-correlations.ts';
import {
  referenceConductivity,
  referenceConductivityFluids,
  referenceViscosity,
  referenceViscosityFluids,
} from './reference.ts';

export interface PureState {
  readonly component: Component;
  readonly T: number;
  readonly p: number;
  /** Molar density of the phase [mol/m3]. */
  readonly rho: number;
  readonly branch: FluidBranch;
  readonly states: CorrespondingStates;
  /** Composition of the fluid: 1 at this component. */
  readonly x: Float64Array;
  /** Ideal-gas heat capacity [J/(mol K)]. */
  readonly cp: number;
  /** Molar density [mol/m3] of the liquid at another temperature and the pressure of the state. */
  readonly liquidDensity: (T: number) => number;
  /** Critical enhancement of the conductivity [W/(m K)]; a liquid correlation holds it already. */
  readonly enhancement: () => number;
}

export interface Estimate {
  readonly value: number;
  readonly method: string;
}

const viscosityFluids = new Set(referenceViscosityFluids());
const conductivityFluids = new Set(referenceConductivityFluids());
const LIQUID = 'liquid correlation';
const GAS = 'gas correlation';
const BEYOND = 'corresponding states beyond the liquid correlation';
/** Types of component that corresponding states describes. */
const CONFORMAL: ReadonlySet<string> = new Set(['HC', 'pseudo', 'other', 'inert']);

/** [Pa s] */
export function pureViscosity(state: PureState): Estimate | undefined {
  const { component, T, p, rho, branch, states, x } = state;
  if (viscosityFluids.has(component.name)) {
    const value = byReference(state, referenceViscosity, 'viscosity');
    if (value !== undefined) return { value, method: 'reference correlation' };
  }
  return byCorrelation(state, liquidRange(component).viscosity, {
    liquid: (at) => scaled(liquidViscosity(component, at), lucas(component, at, p)),
    gas: () => gasViscosity(component, T),
    dilute: () => states.diluteViscosity(T, x),
    conformal: () => states.viscosity(T, p, x, branch, rho),
    conformalLiquid: (at) => states.viscosity(at, p, x, 'liquid', state.liquidDensity(at)),
    enhancement: () => 0,
  });
}

/** [W/(m K)] */
export function pureConductivity(state: PureState): Estimate | undefined {
  const { component, T, p, rho, branch, states, x, cp } = state;
  if (conductivityFluids.has(component.name)) {
    const value = byReference(state, referenceConductivity, 'conductivity');
    if (value !== undefined) return { value, method: 'reference correlation' };
  }
  return byCorrelation(state, liquidRange(component).conductivity, {
    liquid: (at) => liquidConductivity(component, at),
    gas: () => gasConductivity(component, T),
    dilute: () => states.diluteConductivity(T, x, cp),
    conformal: () => states.conductivity(T, p, x, cp, branch, rho),
    conformalLiquid: (at) => states.conductivity(at, p, x, cp, 'liquid', state.liquidDensity(at)),
    enhancement: state.enhancement,
  });
}

interface Correlated {
  /** Liquid at a temperature, at the pressure of the state. */
  readonly liquid: (T: number) => number | undefined;
  readonly gas: () => number | undefined;
  /** By corresponding states: dilute gas, the state itself, liquid at another temperature. */
  readonly dilute: () => number;
  readonly conformal: () => number;
  readonly conformalLiquid: (T: number) => number;
  readonly enhancement: () => number;
}

/** Share of Tc up to which a liquid correlation is used, and at which its influence ends. */
const LIQUID_END = 0.98;
const FADED = 1.05;

function byCorrelation(state: PureState, range: number | undefined, values: Correlated): Estimate | undefined {
  const { component, T, rho, branch, states, x } = state;
  const liquid = branch === 'liquid' && T < LIQUID_END * component.Tc ? values.liquid(T) : undefined;
  if (!CONFORMAL.has(component.type)) {
    if (liquid !== undefined) return { value: liquid, method: LIQUID };
    const gas = branch === 'vapour' ? values.gas() : undefined;
    return gas === undefined ? undefined : { value: (gas * values.conformal()) / values.dilute(), method: GAS };
  }
  const rhor = states.reducedMolarDensity(rho, x);
  const thin = 1 - smooth((rhor - 0.3) / 0.7);
  const dense = smooth((rhor - 0.7) / 0.8);
  if (liquid !== undefined && dense === 1) return { value: liquid, method: LIQUID };
  const gas = thin > 0 ? values.gas() : undefined;
  const end = Math.min(range ?? 0, LIQUID_END * component.Tc);
  const from = Math.min(T, end);
  const anchor = dense > 0 && T < FADED * component.Tc ? values.liquid(from) : undefined;
  if (gas === undefined && anchor === undefined) return undefined;
  const fading = smooth((FADED * component.Tc - T) / (FADED * component.Tc - end));
  const share = anchor === undefined ? 0 : dense * (T > end ? fading : 1);
  return {
    value:
      values.conformal() *
        (gas === undefined ? 1 : (gas / values.dilute()) ** thin) *
        (anchor === undefined ? 1 : (anchor / values.conformalLiquid(from)) ** share) +
      (1 - share) * values.enhancement(),
    method: gas !== undefined ? GAS : T > end ? BEYOND : LIQUID,
  };
}

const scaled = (value: number | undefined, factor: number): number | undefined => value && value * factor;

/** Fluids whose liquid densities cubic equations miss. */
const OWN_DENSITY: ReadonlySet<string> = new Set(['water', 'ammonia']);

/** undefined outside the temperature range of the correlation. */
function byReference(
  { component: { name }, T, p, rho, branch }: PureState,
  correlation: (name: string, T: number, rho: number) => number,
  property: 'viscosity' | 'conductivity',
): number | undefined {
  const fluid = referenceFluid(name);
  try {
    if (name === 'water' && branch === 'liquid' && T < fluid.Tc) return liquidWater(T, p)[property];
    const own = OWN_DENSITY.has(name) ? referenceDensity(fluid, T, p, branch) : undefined;
    try {
      return correlation(name, T, own ?? rho);
    } catch (error) {
      // The model's density may lie between the phases of the reference equation; its own density at T and p does not.
      if (own === undefined && isEngineError(error, 'invalid-input'))
        return correlation(name, T, fluid.density(T, p, branch));
      throw error;
    }
  } catch (error) {
    if (isEngineError(error, 'outside-range')) return undefined;
    throw error;
  }
}

/**
 * Density [mol/m3] of the reference equation at T, p on the side of the phase; undefined where it has none there (the phase is metastable beyond
 * its spinodal) or does not converge. Above the critical temperature or pressure there is one density and no side.
 */
function referenceDensity(fluid: ReferenceFluid, T: number, p: number, branch: FluidBranch): number | undefined {
  const one = T >= fluid.Tc || p >= fluid.pc;
  try {
    const rho = fluid.density(T, p, one ? 'stable' : branch);
    return one || rho > fluid.rhoc === (branch === 'liquid') ? rho : undefined;
  } catch (error) {
    if (isEngineError(error, 'not-converged')) return undefined;
    throw error;
  }
}

/** Ratio of the viscosity at p to that at saturation. */
function lucas({ Tc, pc, omega }: Component, T: number, p: number): number {
  const Tr = T / Tc;
  const saturation = pc * Math.exp(5.373 * (1 + omega) * (1 - 1 / Tr));
  const dp = (p - saturation) / pc;
  if (!(dp > 0) || Number.isNaN(omega)) return 1;
  const A = 0.9991 - 4.674e-4 / (1.0523 * Tr ** -0.03877 - 1.0513);
  const D = 0.3257 / (1.0039 - Tr ** 2.573) ** 0.2906 - 0.2086;
  const C =
    -0.07921 +
    Tr * (2.1616 + Tr * (-13.404 + Tr * (44.1706 + Tr * (-84.8291 + Tr * (96.1209 + Tr * (-59.8127 + Tr * 15.6719))))));
  return (1 + D * (dp / 2.118) ** A) / (1 + C * omega * dp);
}
