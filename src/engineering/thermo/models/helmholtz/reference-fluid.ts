/**
 * Reference equations of state of pure fluids: alpha(tau, delta) = alpha0 + alphar, tau = T_r/T, delta = rho/rho_r, with
 * the terms of each publication (IAPWS-95 for water, Setzmann-Wagner for methane, Span-Wagner for CO2, ...).
 *
 * It guarantees: saturation meets equal pressure and equal Gibbs energy (Maxwell) by the equation itself, the ancillary
 * equations only start the search; a density asked for on a branch lies on that branch; failures are typed. It leaves to
 * the caller: staying above the melting line, which these equations do not know.
 *
 * Validity per fluid: `Ttriple` to `Tmax`, up to `pmax`; sources in `reference`. Air is a pseudo-pure fluid: no saturation.
 */
import { EngineError } from '../../errors.ts';
import type { Branch } from '../../model.ts';
import { type CaloricState, fillCaloric, newCaloricState } from './caloric.ts';
import { ancillary, FLUIDS, type FluidData, residualTerms } from './fluid-data.ts';
import { IdealPart, type IdealParts } from './ideal-part.ts';
import { addNonAnalytic, type NonAnalyticTerms } from './non-analytic.ts';
import { PureDensity } from './pure-density.ts';
import type { PureEquation, Saturation } from './pure-equation.ts';
import { saturationAt, temperatureAt } from './saturation.ts';
import { TermBank, WIDTH } from './term-bank.ts';

export class ReferenceFluid implements PureEquation {
  readonly data: FluidData;
  readonly name: string;
  readonly reference: string;
  /** Molar mass [kg/mol], gas constant [J/(mol K)] of the publication. */
  readonly M: number;
  readonly R: number;
  readonly Tc: number;
  readonly pc: number;
  /** Critical density [mol/m3]. */
  readonly rhoc: number;
  readonly Ttriple: number;
  readonly Tmax: number;
  readonly pmax: number;
  /** Reducing temperature [K] and density [mol/m3]. */
  readonly Tr: number;
  readonly rhor: number;
  /** False for Air, which is pseudo-pure. */
  readonly saturates: boolean;
  /** Scaled residual derivatives of the state last evaluated, in the order of `TermBank`. */
  readonly res = new Float64Array(WIDTH);
  private readonly bank: TermBank;
  private readonly nonAnalytic: readonly NonAnalyticTerms[];
  private readonly idealPart: IdealPart;
  private readonly idealSum: IdealParts = { phi: 0, t: 0, tt: 0 };
  private readonly densitySearch: PureDensity;
  private lastT = Number.NaN;
  private lastSaturation: Saturation | undefined;

  constructor(data: FluidData) {
    const { terms, nonAnalytic } = residualTerms(data);
    this.data = data;
    this.name = data.name;
    this.reference = data.reference;
    this.M = data.molarMass_kg_mol;
    this.R = data.R_J_molK;
    this.Tc = data.critical.T;
    this.pc = data.critical.p;
    this.rhoc = data.critical.rhomolar;
    this.Ttriple = data.Ttriple_K;
    this.Tmax = data.Tmax_K;
    this.pmax = data.pmax_Pa;
    this.Tr = data.reducing.T;
    this.rhor = data.reducing.rhomolar;
    this.saturates = data.ancillary.pS !== undefined;
    this.bank = new TermBank([terms]);
    this.bank.combine(new Float64Array([1]));
    this.nonAnalytic = nonAnalytic;
    this.idealPart = new IdealPart(data.alpha0);
    this.densitySearch = new PureDensity(this);
  }

  /** Fills `res` with the scaled derivatives of alphar at T [K], rho [mol/m3]. No allocation. */
  residual(T: number, rho: number): Float64Array {
    const tau = this.Tr / T;
    const delta = Math.max(rho, MIN_DENSITY) / this.rhor;
    this.bank.prepare(tau, delta);
    this.bank.total(this.res);
    for (let k = 0; k < this.nonAnalytic.length; k++) addNonAnalytic(this.nonAnalytic[k]!, tau, delta, this.res, 0);
    return this.res;
  }

  /** Ideal-gas part at T: phi = alpha0 - ln delta, tau phi', tau^2 phi''. */
  ideal(T: number): IdealParts {
    this.idealPart.evaluate(this.Tr / T, this.idealSum);
    return this.idealSum;
  }

  /** All properties of the homogeneous state T [K], rho [mol/m3]. */
  properties(T: number, rho: number, out: CaloricState = newCaloricState()): CaloricState {
    const res = this.residual(T, rho);
    const ideal = this.ideal(T);
    fillCaloric(this.R, this.M, T, rho, res, ideal.phi + Math.log(rho / this.rhor), ideal.t, ideal.tt, out);
    return out;
  }

  /**
   * Molar density [mol/m3] at T, p. 'stable' compares p with the saturation pressure below Tc. A branch without a root
   * gives the other one, as in EquationOfState.
   * @throws EngineError 'outside-range' below the triple-point or 5 % above the maximum temperature, or for p outside
   * 0 < p <= 1.05 pmax
   */
  density(T: number, p: number, branch: Branch = 'stable'): number {
    this.requireT(T, 1.05 * this.Tmax);
    if (!(p > 0 && p <= 1.05 * this.pmax)) throw outside('pressure', p, 0, this.pmax, 'Pa');
    const rho = this.densitySearch.density(T, p, branch);
    if (Number.isNaN(rho))
      throw new EngineError({
        kind: 'not-converged',
        algorithm: `density of ${this.name}`,
        iterations: 0,
        residual: Number.NaN,
      });
    return rho;
  }

  /**
   * Saturation at T [K]: pressure [Pa] and molar densities [mol/m3] of both phases.
   * @throws EngineError 'outside-range' outside triple point to critical point, 'not-converged', 'missing-data' for Air
   */
  saturation(T: number): Saturation {
    this.requireT(T, this.Tc);
    if (T !== this.lastT || this.lastSaturation === undefined) {
      this.lastSaturation = saturationAt(this, T);
      this.lastT = T;
    }
    return this.lastSaturation;
  }

  /** Saturation temperature [K] at p [Pa]. Errors as `saturation`. */
  saturationTemperature(p: number): number {
    return temperatureAt(this, p);
  }

  /**
   * Surface tension [N/m] at T below Tc: sum a_i (1 - T/Tc)^n_i (Mulero, Cachadina et al., J. Phys. Chem. Ref. Data).
   * @throws EngineError 'missing-data' where no correlation is held
   */
  surfaceTension(T: number): number {
    const data = this.data.ancillary.surface_tension;
    if (data === undefined)
      throw new EngineError({ kind: 'missing-data', component: this.name, property: 'surface tension correlation' });
    this.requireT(T, data.Tc);
    let sum = 0;
    for (let k = 0; k < data.a.length; k++) sum += data.a[k]! * (1 - T / data.Tc) ** data.n[k]!;
    return sum;
  }

  /** Ancillary estimates of saturation pressure [Pa] and densities [mol/m3]; starting values only. */
  estimate(T: number): Saturation {
    const { pS, rhoL, rhoV } = this.data.ancillary;
    if (pS === undefined)
      throw new EngineError({
        kind: 'missing-data',
        component: this.name,
        property: 'saturation curve (pseudo-pure fluid)',
      });
    return { T, p: ancillary(pS, T), rhoL: ancillary(rhoL, T), rhoV: ancillary(rhoV, T) };
  }

  private requireT(T: number, max: number): void {
    if (!(T >= this.Ttriple * (1 - 1e-9) && T <= max * (1 + 1e-12)))
      throw outside('temperature', T, this.Ttriple, max, 'K');
  }
}

/** Below this density [mol/m3] the residual part is linear in density to machine precision. */
const MIN_DENSITY = 1e-14;

function outside(quantity: string, value: number, min: number, max: number, unit: string): EngineError {
  return new EngineError({ kind: 'outside-range', quantity, value, min, max, unit });
}

const cache = new Map<string, ReferenceFluid>();

/** Names of the fluids that have a reference equation. */
export function referenceFluidNames(): readonly string[] {
  return [...FLUIDS.keys()];
}

/**
 * The reference fluid of a component name (shared object: it keeps its last state).
 * @throws EngineError 'missing-data' for a substance without reference equation
 */
export function referenceFluid(name: string): ReferenceFluid {
  let fluid = cache.get(name);
  if (fluid === undefined) {
    const data = FLUIDS.get(name);
    if (data === undefined)
      throw new EngineError({ kind: 'missing-data', component: name, property: 'reference equation of state' });
    fluid = new ReferenceFluid(data);
    cache.set(name, fluid);
  }
  return fluid;
}
