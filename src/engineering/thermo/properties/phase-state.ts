/**
 * Thermodynamic properties of one phase at T, p, x: ideal gas (of the model, else
 * ideal-gas.ts) plus residual of the model. Molar values per mole of the
 * phase, SI units. Density is reported with the model's volume shift; Z, caloric properties and speed of sound are those of the
 * unshifted equation of state, so Z and density do not match through the gas law for SRK and PR.
 */
import type { SplitPhase } from '../equilibrium/phase-split.ts';
import { createResidual, type EquationOfState, type IdealGasPart } from '../model.ts';
import { IdealGas, type IdealGasState } from './ideal-gas.ts';
import type { PhaseName } from './phase-identification.ts';

export interface PhaseState {
  readonly name: PhaseName;
  /** Share of the moles and of the mass of the mixture. */
  readonly fraction: number;
  readonly massFraction: number;
  readonly x: Float64Array;
  readonly lnPhi: Float64Array;
  readonly T: number;
  readonly p: number;
  /** [kg/mol] */
  readonly molarMass: number;
  /** Molar density of the equation of state, unshifted [mol/m3]. */
  readonly rho: number;
  /** Compressibility factor p/(rho R T), unshifted [-]. */
  readonly Z: number;
  /** Molar volume [m3/mol] and mass density [kg/m3], with volume shift. */
  readonly molarVolume: number;
  readonly density: number;
  /** Molar enthalpy, internal, Helmholtz and Gibbs energy [J/mol], entropy [J/(mol K)]. */
  readonly enthalpy: number;
  readonly internalEnergy: number;
  readonly helmholtzEnergy: number;
  readonly gibbsEnergy: number;
  readonly entropy: number;
  /** Molar heat capacities [J/(mol K)]. */
  readonly cp: number;
  readonly cv: number;
  /** w = sqrt(cp/cv (dp/drho)_T / M) [m/s]. */
  readonly speedOfSound: number;
  /** (dT/dp)_h [K/Pa]. */
  readonly jouleThomson: number;
  /** -1/v (dv/dp)_T [1/Pa] and 1/v (dv/dT)_p [1/K]. */
  readonly isothermalCompressibility: number;
  readonly thermalExpansion: number;
}

export class PropertyCalculator {
  private readonly eos: EquationOfState;
  private readonly ideal: IdealGasPart;
  private readonly residual = createResidual();
  private readonly idealState: IdealGasState = { h: 0, s: 0, cp: 0 };

  constructor(eos: EquationOfState) {
    this.eos = eos;
    this.ideal = eos.idealGas ?? new IdealGas(eos.components, eos.gasConstant);
  }

  /** Molar enthalpy [J/mol] and entropy [J/(mol K)] at T, p, x on the root `rho`: what PH and PS flashes iterate on. */
  caloric(T: number, p: number, x: Float64Array, rho: number, out: CaloricState): void {
    const { eos, residual: r, idealState } = this;
    eos.residual(T, rho, x, r);
    this.ideal.evaluate(T, p, x, idealState);
    const R = eos.gasConstant;
    const Z = p / (rho * R * T);
    out.h = idealState.h + r.u + R * T * (Z - 1);
    out.s = idealState.s + r.s + R * Math.log(Z);
    out.cv = idealState.cp - R + r.cv;
    out.dvdp = -1 / (rho * rho * r.dpdrho);
    out.dvdT = -r.dpdT * out.dvdp;
    out.cp = out.cv + T * r.dpdT * out.dvdT;
  }

  /** All properties of a phase. Throws 'missing-data' when a component present has no ideal-gas heat capacity. */
  phaseState(
    name: PhaseName,
    T: number,
    p: number,
    phase: SplitPhase,
    mixtureMolarMass: number = this.molarMass(phase.x),
  ): PhaseState {
    const { eos, residual: r } = this;
    const { x, rho } = phase;
    const caloric = createCaloricState();
    this.caloric(T, p, x, rho, caloric);
    const molarMass = this.molarMass(x);
    const v = 1 / rho;
    const molarVolume = v - eos.volumeShift(T, x);
    const { dvdT } = caloric;
    const internalEnergy = caloric.h - p * v;
    const w2 = ((caloric.cp / caloric.cv) * r.dpdrho) / molarMass;
    return {
      name,
      fraction: phase.fraction,
      massFraction: (phase.fraction * molarMass) / mixtureMolarMass,
      x,
      lnPhi: phase.lnPhi,
      T,
      p,
      molarMass,
      rho,
      Z: p / (rho * eos.gasConstant * T),
      molarVolume,
      density: molarMass / molarVolume,
      enthalpy: caloric.h,
      internalEnergy,
      helmholtzEnergy: internalEnergy - T * caloric.s,
      gibbsEnergy: caloric.h - T * caloric.s,
      entropy: caloric.s,
      cp: caloric.cp,
      cv: caloric.cv,
      speedOfSound: w2 > 0 ? Math.sqrt(w2) : Number.NaN,
      jouleThomson: (T * dvdT - v) / caloric.cp,
      isothermalCompressibility: 1 / (rho * r.dpdrho),
      thermalExpansion: dvdT * rho,
    };
  }

  molarMass(x: Float64Array): number {
    let m = 0;
    for (let i = 0; i < x.length; i++) if (x[i]! > 0) m += x[i]! * this.eos.components[i]!.molarMass;
    return m;
  }
}

export interface CaloricState {
  h: number;
  s: number;
  cp: number;
  cv: number;
  /** dv/dT at constant p [m3/(mol K)] and dv/dp at constant T [m3/(mol Pa)]. */
  dvdT: number;
  dvdp: number;
}

export function createCaloricState(): CaloricState {
  return { h: 0, s: 0, cp: 0, cv: 0, dvdT: 0, dvdp: 0 };
}
