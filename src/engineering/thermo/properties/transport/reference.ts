/**
 * Reference viscosity and thermal conductivity of pure fluids by component name.
 *
 * It guarantees: the published correlation of each fluid with its critical enhancement, evaluated with the fluid's
 * reference equation of state. It leaves to the caller: a density that belongs to a stable state (one inside
 * the spinodal is refused), and mixtures, which these correlations do not describe.
 *
 * Sources, viscosity / conductivity: methane Quinones-Cisneros and Deiters 2006 / Friend, Ely, Ingham 1989; ethane Friend,
 * Ingham, Ely 1991; propane Vogel et al. 1998 / Marsh et al. 2002; n-butane Vogel et al. 1999 / Perkins et al. 2002; i-butane
 * Vogel et al. 2000 / Perkins 2002; CO2 Laesecke, Muzny 2017 / Huber et al. 2016; nitrogen, oxygen, argon Lemmon, Jacobsen
 * 2004; hydrogen Muzny et al. 2013 / Assael et al. 2011; water IAPWS R12-08 / R15-11; H2S Schmidt et al. 2008 / none; ammonia
 * Fenghour et al. 1995 / Tufeu et al. 1984. Range: that of the equation of state, triple point to its maximum temperature.
 */
import { EngineError } from '../../errors.ts';
import { newCaloricState } from '../../models/helmholtz/caloric.ts';
import { type ReferenceFluid, referenceFluid } from '../../models/helmholtz/reference-fluid.ts';
import { waterConductivity, waterViscosity } from '../../models/if97/water-transport.ts';
import { backgroundConductivity, correlationConductivity, methaneConductivity } from './reference-conductivity.ts';
import { TRANSPORT } from './reference-data.ts';
import { correlationViscosity, diluteViscosity } from './reference-viscosity.ts';

const state = newCaloricState();

/** Fluids that have a reference viscosity. */
export function referenceViscosityFluids(): readonly string[] {
  return [...TRANSPORT].filter(([, data]) => data.viscosity !== undefined).map(([name]) => name);
}

/** Fluids that have a reference thermal conductivity. */
export function referenceConductivityFluids(): readonly string[] {
  return [...TRANSPORT].filter(([, data]) => data.conductivity !== undefined).map(([name]) => name);
}

/**
 * Viscosity [Pa s] at T [K], rho [mol/m3].
 * @throws EngineError 'missing-data' without correlation, 'outside-range' for T, 'invalid-input' for an unstable state
 */
export function referenceViscosity(name: string, T: number, rho: number): number {
  const data = TRANSPORT.get(name)?.viscosity;
  if (data === undefined) throw missing(name, 'reference viscosity');
  const fluid = stableState(name, T, rho);
  if ('hardcoded' in data) return waterViscosity(T, rho * fluid.M, fluid.M / state.dpdrho);
  return correlationViscosity(data, fluid, T, rho);
}

/** Thermal conductivity [W/(m K)] at T [K], rho [mol/m3]. Errors as `referenceViscosity`. */
export function referenceConductivity(name: string, T: number, rho: number): number {
  const entry = TRANSPORT.get(name);
  const data = entry?.conductivity;
  if (entry === undefined || data === undefined) throw missing(name, 'reference thermal conductivity');
  const fluid = stableState(name, T, rho);
  if ('hardcoded' in data) {
    if (data.hardcoded === 'Methane') return methaneConductivity(fluid, T, rho);
    return waterConductivity(T, rho * fluid.M, {
      drhodp: fluid.M / state.dpdrho,
      cp: state.cp / fluid.M,
      cv: state.cv / fluid.M,
    });
  }
  const { viscosity } = entry;
  if (viscosity === undefined || 'hardcoded' in viscosity) throw missing(name, 'reference viscosity');
  return correlationConductivity(
    data,
    fluid,
    T,
    rho,
    correlationViscosity(viscosity, fluid, T, rho),
    diluteViscosity(viscosity, T),
  );
}

/**
 * Viscosity [Pa s] as `referenceViscosity` gives it, at any T and rho of the formula, unstable ones too: for corresponding states, which maps
 * dense mixtures into the two-phase region of the reference fluid.
 * @throws EngineError 'missing-data' without correlation
 */
export function conformalViscosity(name: string, T: number, rho: number): number {
  const data = TRANSPORT.get(name)?.viscosity;
  if (data === undefined || 'hardcoded' in data) throw missing(name, 'reference viscosity');
  return correlationViscosity(data, referenceFluid(name), T, rho);
}

/** Thermal conductivity [W/(m K)] without critical enhancement, in its two parts, likewise. */
export function conformalConductivity(name: string, T: number, rho: number): { dilute: number; residual: number } {
  const entry = TRANSPORT.get(name);
  const data = entry?.conductivity;
  const viscosity = entry?.viscosity;
  if (data === undefined || 'hardcoded' in data || viscosity === undefined || 'hardcoded' in viscosity)
    throw missing(name, 'reference thermal conductivity');
  return backgroundConductivity(data, referenceFluid(name), T, rho, diluteViscosity(viscosity, T));
}

/** The fluid, with the properties at T, rho in `state`; refuses states outside the range or inside the spinodal. */
function stableState(name: string, T: number, rho: number): ReferenceFluid {
  const fluid = referenceFluid(name);
  if (!(T >= fluid.Ttriple * (1 - 1e-9) && T <= 1.05 * fluid.Tmax))
    throw new EngineError({
      kind: 'outside-range',
      quantity: 'temperature',
      value: T,
      min: fluid.Ttriple,
      max: fluid.Tmax,
      unit: 'K',
    });
  if (!(rho > 0)) throw new EngineError({ kind: 'invalid-input', field: 'density', reason: 'must be positive' });
  fluid.properties(T, rho, state);
  if (!(state.dpdrho > 0) || insideDome(fluid, T, rho))
    throw new EngineError({ kind: 'invalid-input', field: 'density', reason: `no stable ${name} at this density` });
  return fluid;
}

/** True in the middle of the two-phase region, where the equation has loops that rise with density but are no phase. */
function insideDome(fluid: ReferenceFluid, T: number, rho: number): boolean {
  if (T > 0.9995 * fluid.Tc) return false;
  const { rhoL, rhoV } = fluid.saturation(T);
  const share = (rho - rhoV) / (rhoL - rhoV);
  return share > 0.25 && share < 0.75;
}

function missing(component: string, property: string): EngineError {
  return new EngineError({ kind: 'missing-data', component, property });
}
