/**
 * Fugacity of a component as a pure solid. Three routes, by what is known best:
 *
 * ice          water: ln(f_S/f_L) of the hydrate model (models/hydrate/hydrate-phase.ts).
 * sublimation  where the solid boils off before it melts at 1 bar (CO2): f_S = p_sub phi_V(T, p_sub) exp(V_S (p - p_sub)/(R T)).
 * fusion       all others: ln(f_S/f_L) = int_Tm^T dH(T)/(R T^2) dT + dV p/(R T), dH(T) = Hfus + int_Tm^T dCp dT,
 *              dCp = Cp_L - Cp_S, dV = V_S - V_L.
 *
 * f_L is the fugacity of the pure liquid, undercooled, by the equation of state of the fluid. dCp of n-alkanes [J/(mol K)] is
 * 4.184 M (0.3033 - 4.635e-4 T), M in g/mol (K. S. Pedersen, P. Skovborg, H. P. Roenningsen, Energy & Fuels 5 (1991) 924), else zero: the tables hold no
 * heat capacities of solids that can be relied on. dV of hydrocarbons is -10 % of the liquid volume (P. R. Templin, Ind. Eng. Chem. 48 (1956) 154), else
 * zero. Transitions between solid forms below the melting point are not counted, so that odd n-alkanes are some kelvin too soluble far below it.
 * Mixed crystals, solvates (such as MEG monohydrate) and salts are not described.
 */
import type { Component } from '../../components/component.ts';
import { R } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { EquationOfState } from '../../model.ts';
import { lnIceRatio } from '../hydrate/hydrate-phase.ts';

export type SolidRoute = 'ice' | 'sublimation' | 'fusion';

/** Triple-point pressure [Pa] from which a solid is described by its sublimation pressure. */
const SUBLIMING = 1e5;
/** Largest relative deviation of a sublimation curve from the triple point that is taken for real. */
const TRIPLE_POINT_AGREEMENT = 0.1;
/** Temperatures [K] above and shares below the melting point between which the solid is described. */
const ABOVE_MELTING = 40;
const LOWEST_SHARE = 0.5;
const CONTRACTION = 0.1;
const CALORIE = 4.184;

export class PureSolid {
  readonly component: Component;
  readonly index: number;
  readonly route: SolidRoute;
  /** Temperatures [K] between which lnFugacity answers. */
  readonly minT: number;
  readonly maxT: number;
  private readonly eos: EquationOfState;
  private readonly x: Float64Array;
  private readonly lnPhi: Float64Array;

  /** Throws 'missing-data' when the tables hold neither melting point and enthalpy of fusion nor a sublimation curve. */
  constructor(eos: EquationOfState, index: number) {
    const component = eos.components[index]!;
    const route = solidRoute(component);
    if (route === undefined)
      throw new EngineError({
        kind: 'missing-data',
        component: component.name,
        property: 'melting temperature and enthalpy of fusion',
      });
    this.eos = eos;
    this.index = index;
    this.component = component;
    this.route = route;
    const Tm = route === 'sublimation' ? component.Ttriple : component.Tmelt;
    this.minT = LOWEST_SHARE * Tm;
    this.maxT = Tm + ABOVE_MELTING;
    this.x = new Float64Array(eos.n);
    this.x[index] = 1;
    this.lnPhi = new Float64Array(eos.n);
  }

  /** ln(f_S / 1 Pa) at T [K], p [Pa]. Throws 'outside-range' beyond minT and maxT and 'not-converged' where the model has no liquid (or vapour) root. */
  lnFugacity(T: number, p: number): number {
    const { component, minT, maxT } = this;
    if (!(T >= minT && T <= maxT))
      throw new EngineError({
        kind: 'outside-range',
        quantity: `temperature of solid ${component.name}`,
        value: T,
        min: minT,
        max: maxT,
        unit: 'K',
      });
    return this.evaluate(T, p);
  }

  /**
   * As lnFugacity, and below minT at least ln(f_S / 1 Pa): the sublimation curve extrapolated, else f_L at T with f_S/f_L at minT, which falls with T. Throws
   * 'outside-range' above maxT.
   */
  atMost(T: number, p: number): number {
    return T < this.minT ? this.evaluate(T, p) : this.lnFugacity(T, p);
  }

  private evaluate(T: number, p: number): number {
    const { component } = this;
    if (this.route === 'sublimation') {
      const psub = sublimationPressure(component, T);
      const lnPhiV = this.pure(T, psub, 'vapour').lnPhi;
      return Math.log(psub) + lnPhiV + (solidVolume(component, T) * (p - psub)) / (R * T);
    }
    const liquid = this.pure(T, p, 'liquid');
    const lnLiquid = Math.log(p) + liquid.lnPhi;
    const at = Math.max(T, this.minT);
    if (this.route === 'ice') return lnLiquid + lnIceRatio(at, p);
    const dV = component.type === 'HC' ? -CONTRACTION * liquid.volume : 0;
    return lnLiquid + lnFusion(component, at) + (dV * p) / (R * T);
  }

  private pure(T: number, p: number, branch: 'vapour' | 'liquid'): { lnPhi: number; volume: number } {
    const { eos, x, lnPhi, index } = this;
    const rho = eos.lnPhi(T, p, x, branch, lnPhi);
    if (!(rho > 0))
      throw new EngineError({ kind: 'not-converged', algorithm: 'density', iterations: 0, residual: Number.NaN });
    return { lnPhi: lnPhi[index]!, volume: 1 / rho - eos.volumeShift(T, x) };
  }
}

/** How a component is described as a solid; undefined when the tables do not hold what is needed. */
export function solidRoute(component: Component): SolidRoute | undefined {
  if (component.name === 'water') return 'ice';
  if (component.ptriple > SUBLIMING) {
    const { sublimationPressure: curve, Ttriple, ptriple, solidDensity } = component;
    if (curve === undefined || solidDensity === undefined) return undefined;
    const off = Math.abs(sublimationPressure(component, Ttriple) / ptriple - 1);
    return off <= TRIPLE_POINT_AGREEMENT ? 'sublimation' : undefined;
  }
  return component.Tmelt > 0 && component.Hfus > 0 ? 'fusion' : undefined;
}

/** [Pa] */
function sublimationPressure({ sublimationPressure: curve }: Component, T: number): number {
  const [A, B, C] = curve as [number, number, number];
  return 1e5 * (C === 0 ? Math.exp(A + B / T) : 10 ** (A + B / (T + C)));
}

/** [m3/mol]; the table holds sum c_k T^k in kmol/m3. */
function solidVolume({ solidDensity }: Component, T: number): number {
  let density = 0;
  for (let k = solidDensity!.length - 1; k >= 0; k--) density = density * T + solidDensity![k]!;
  return 1e-3 / density;
}

/** int_Tm^T dH(t)/(R t^2) dt with dH(t) = Hfus + a1 (t - Tm) + a2/2 (t^2 - Tm^2). */
function lnFusion(component: Component, T: number): number {
  const { Tmelt: Tm, Hfus, molarMass } = component;
  const scale = isNormalAlkane(component) ? CALORIE * molarMass * 1e3 : 0;
  const a1 = 0.3033 * scale;
  const a2 = -4.635e-4 * scale;
  const h0 = Hfus - a1 * Tm - 0.5 * a2 * Tm * Tm;
  return (h0 * (1 / Tm - 1 / T) + a1 * Math.log(T / Tm) + 0.5 * a2 * (T - Tm)) / R;
}

function isNormalAlkane({ name }: Component): boolean {
  return /^(nC\d+|n-(but|pent|hex|hept|oct|non)ane)$/.test(name);
}
