/**
 * Viscosity and thermal conductivity of gas and oil by corresponding states with one reference fluid, methane: the state of the mixture
 * is mapped to T0, p0 of methane and methane's value scaled back.
 *
 * Viscosity: K. S. Pedersen, Aa. Fredenslund, P. L. Christensen and P. Thomassen, Chem. Eng. Sci. 39, 1011 (1984); K. S. Pedersen and
 * Aa. Fredenslund, Chem. Eng. Sci. 42, 182 (1987). Conductivity: P. L. Christensen and Aa. Fredenslund, Chem. Eng. Sci. 35, 871 (1980);
 * both as in K. S. Pedersen and P. L. Christensen, Phase Behavior of Petroleum Reservoir Fluids (2007), chapter 10, but for the points
 * named at `conductivity`.
 *
 * Validity: hydrocarbon gases and oils with N2, CO2, H2S; typical error of gas 1 to 8 % (conductivity to 12 %), 10 to 20 % for oil of up
 * to 10 mPa s, up to 30 % high in the viscosity of dense CO2 (see carbon-dioxide.ts). Below 65 K of methane the viscosity is an extrapolation that may be off by
 * a factor. Conductivity of single heavy liquids falls behind (decane -14 %, dodecane -19 %). Not for water, alcohols, glycols, nor for
 * gases ruled by hydrogen or helium; states whose methane state lies below 30 K or above 2000 K (conductivity 1000 K) are refused.
 * It guarantees: pure methane gives methane's own value; a component with mole fraction 0 changes nothing; order changes nothing; gas and
 * liquid keep their branch of the reference fluid; given the density of the mixture, values pass from one to the other without a step.
 */
import type { Component } from '../../components/component.ts';
import { R } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import { conformalDensity } from './conformal-density.ts';
import { METHANE, METHANE_MIN_T, methaneDensity } from './methane-mbwr.ts';
import { methaneConductivity, methaneDiluteViscosity, methaneViscosity } from './methane-transport.ts';

export type FluidBranch = 'vapour' | 'liquid';

/** Upper end of methane's dilute-gas equations [K]: above it the polynomial turns down, or the heat capacity is not known. */
const MAX_T = 2000;
const MAX_T_CONDUCTIVITY = 1000;
const MAX_T_RESIDUAL = 500;
/** 7.378e-3 M0^0.5173, rounded to 0.031 in the publication. */
const ALPHA_METHANE = 7.378e-3 * (METHANE.M * 1e3) ** 0.5173;
/** Ideal gas, as in the component table [J/(mol K)]. */
const METHANE_CP = [37.978352, -0.07461815, 3.01881e-4, -2.83e-7, 9.070574e-11] as const;

export interface PseudoCritical {
  readonly Tc: number;
  readonly pc: number;
  readonly rhoc: number;
  readonly M: number;
}

export class CorrespondingStates {
  private readonly components: readonly Component[];
  /** (Tc/pc)^(1/3) per component. */
  private readonly size: Float64Array;
  private Tc = 0;
  private pc = 0;

  constructor(components: readonly Component[]) {
    this.components = components;
    this.size = Float64Array.from(components, (c) => Math.cbrt(c.Tc / c.pc));
  }

  /**
   * Viscosity [Pa s]: mu = (Tcm/Tc0)^(-1/6) (pcm/pc0)^(2/3) (Mm/M0)^(1/2) (alpham/alpha0) mu0(T0, p0),
   * T0 = T Tc0 alpha0/(Tcm alpham), p0 = p pc0 alpha0/(pcm alpham),
   * alpham = 1 + 7.378e-3 rhor^1.847 Mm^0.5173, alpha0 = 1 + 0.031 rhor^1.847,
   * Mm = 1.304e-4 (Mw^2.303 - Mn^2.303) + Mn, g/mol.
   * @param rho molar density of the mixture [mol/m3], for states near the critical point of methane (conformal-density.ts); left out, the
   * branch alone decides there
   * @throws EngineError 'outside-range' where the methane state is; 'missing-data' without critical data
   */
  viscosity(T: number, p: number, x: Float64Array, branch: FluidBranch, rho?: number): number {
    this.mixCritical(x);
    const M = this.viscosityMolarMass(x);
    const rhor = this.reducedDensity(T, p, branch, rho && this.mappedDensity(rho));
    const power = rhor ** 1.847;
    const ratio = (1 + 7.378e-3 * power * M ** 0.5173) / (1 + ALPHA_METHANE * power);
    const T0 = within((T * METHANE.Tc) / this.Tc, MAX_T) / ratio;
    const p0 = (p * METHANE.pc) / (this.pc * ratio);
    return this.viscosityScale(M) * ratio * methaneViscosity(T0, density(T0, p0, branch, rho && rhor * METHANE.rhoc));
  }

  /** Viscosity [Pa s] of the dilute gas: the limit of `viscosity` at p = 0. */
  diluteViscosity(T: number, x: Float64Array): number {
    this.mixCritical(x);
    return (
      this.viscosityScale(this.viscosityMolarMass(x)) *
      methaneDiluteViscosity(within((T * METHANE.Tc) / this.Tc, MAX_T))
    );
  }

  /**
   * Thermal conductivity [W/(m K)]: lambda = S(M) (alpham/alpha0) l(T0, rho0) + [S(Mk) - S(M)] l(T Tc0/Tcm, 0) + lambda_int,
   * S(M) = (Tcm/Tc0)^(-1/6) (pcm/pc0)^(2/3) (M/M0)^(-1/2), l = lambda0 - lambda0,int; T0, p0 as for viscosity with
   * alpha_i = 1 + 6.004e-4 rhor^2.043 M_i^1.086, alpham = (sum x_i alpha_i^(1/2))^2;
   * lambda_int = 1.18653 mu1(T) (cp - 2.5 R) f(rhor)/M, f = 1 + 0.053432 rhor - 0.030182 rhor^2 - 0.029725 rhor^3,
   * mu1 the viscosity at low pressure, cp that of the ideal gas.
   *
   * Two departures from the publication, both without effect on pure fluids. M is the number average; the published average Mk is kept
   * for the dilute gas, which it was derived for (in oils with dissolved methane it gives half too much). rhor in alpha_i is that
   * of the mixture: a component's own state would put light and heavy components into different phases.
   * @param cp ideal-gas heat capacity of the mixture [J/(mol K)]; @param rho as for viscosity
   * @throws EngineError as `viscosity`
   */
  conductivity(T: number, p: number, x: Float64Array, cp: number, branch: FluidBranch, rho?: number): number {
    this.mixCritical(x);
    const { Tc, pc } = this;
    const M = this.meanMolarMass(x);
    const rhor = this.reducedDensity(T, p, branch, rho && this.mappedDensity(rho));
    const ratio = this.conductivityAlpha(rhor, x) / conductivityAlpha(rhor, METHANE.M);
    const dilute0 = within((T * METHANE.Tc) / Tc, MAX_T_CONDUCTIVITY);
    const T0 = dilute0 / ratio;
    const rho0 = density(T0, (p * METHANE.pc) / (pc * ratio), branch, rho && rhor * METHANE.rhoc);
    const scale = this.conductivityScale(M);
    return (
      scale * ratio * translational(T0, rho0) +
      (this.conductivityScale(this.kineticMolarMass(x)) - scale) * translational(dilute0, 0) +
      internal(this.diluteViscosity(T, x), cp, rhor, M)
    );
  }

  /** Thermal conductivity [W/(m K)] of the dilute gas: the limit of `conductivity` at p = 0. */
  diluteConductivity(T: number, x: Float64Array, cp: number): number {
    this.mixCritical(x);
    const dilute0 = within((T * METHANE.Tc) / this.Tc, MAX_T_CONDUCTIVITY);
    const M = this.meanMolarMass(x);
    const scale = this.conductivityScale(this.kineticMolarMass(x));
    return scale * translational(dilute0, 0) + internal(this.diluteViscosity(T, x), cp, 0, M);
  }

  /**
   * Viscosity [Pa s] and thermal conductivity [W/(m K)] that density adds to the dilute gas, from methane at the mapped density of the mixture
   * rho [mol/m3]: s (M/M0)^(1/2) [mu0(T0, rho0) - mu0(T0, 0)] and s (M0/M)^(1/2) [lambda0(T0, rho0) - lambda0(T0, 0)], as J. F. Ely and
   * H. J. M. Hanley, Ind. Eng. Chem. Fundam. 20, 323 (1981) and 22, 90 (1983), without shape factors. T0 is taken as 500 K at most, the end of
   * methane's range: the difference hardly depends on it. Hydrogen of 100 to 600 K, to 700 bar: with its dilute gas 1.5 % mean, 8 % at worst.
   */
  residual(T: number, rho: number, x: Float64Array): { readonly viscosity: number; readonly conductivity: number } {
    this.mixCritical(x);
    const T0 = Math.min((T * METHANE.Tc) / this.Tc, MAX_T_RESIDUAL);
    const rho0 = this.mappedDensity(rho);
    const M = this.meanMolarMass(x);
    return {
      viscosity: this.viscosityScale(M * 1e3) * (methaneViscosity(T0, rho0) - methaneDiluteViscosity(T0)),
      conductivity: this.conductivityScale(M) * (methaneConductivity(T0, rho0) - methaneConductivity(T0, 0)),
    };
  }

  /** Critical point [K], [Pa], [mol/m3] of the mixture as these methods see it, and its molar mass [kg/mol]. */
  pseudoCritical(x: Float64Array): PseudoCritical {
    this.mixCritical(x);
    const { Tc, pc } = this;
    return { Tc, pc, rhoc: (METHANE.rhoc * METHANE.Tc * pc) / (Tc * METHANE.pc), M: this.meanMolarMass(x) };
  }

  /** Reduced density of the mixture when its molar density is rho [mol/m3]: above 1 a dense phase is taken for a liquid. */
  reducedMolarDensity(rho: number, x: Float64Array): number {
    this.mixCritical(x);
    return this.mappedDensity(rho) / METHANE.rhoc;
  }

  /** Critical point of the mixture with volumes ~ Tc/pc: cubic mean of size, geometric mean of Tc (van der Waals one-fluid). */
  private mixCritical(x: Float64Array): void {
    const { components, size } = this;
    let volume = 0;
    let energy = 0;
    for (let i = 0; i < x.length; i++) {
      if (x[i]! <= 0) continue;
      const c = components[i]!;
      if (!(c.Tc > 0 && c.pc > 0))
        throw new EngineError({ kind: 'missing-data', component: c.name, property: 'critical point' });
      for (let j = 0; j < x.length; j++) {
        if (x[j]! <= 0) continue;
        const width = size[i]! + size[j]!;
        const term = x[i]! * x[j]! * width * width * width;
        volume += term;
        energy += term * Math.sqrt(c.Tc * components[j]!.Tc);
      }
    }
    this.Tc = energy / volume;
    this.pc = (8 * energy) / (volume * volume);
  }

  private viscosityScale(M: number): number {
    return (
      (this.Tc / METHANE.Tc) ** (-1 / 6) * Math.cbrt((this.pc / METHANE.pc) ** 2) * Math.sqrt(M / (METHANE.M * 1e3))
    );
  }

  private meanMolarMass(x: Float64Array): number {
    let M = 0;
    for (let i = 0; i < x.length; i++) if (x[i]! > 0) M += x[i]! * this.components[i]!.molarMass;
    return M;
  }

  /** [g/mol], between number and weight average. */
  private viscosityMolarMass(x: Float64Array): number {
    let number = 0;
    let square = 0;
    for (let i = 0; i < x.length; i++) {
      if (x[i]! <= 0) continue;
      const M = this.components[i]!.molarMass * 1e3;
      number += x[i]! * M;
      square += x[i]! * M * M;
    }
    const weight = square / number;
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: fitted exponent, not ln 10
    return 1.304e-4 * (weight ** 2.303 - number ** 2.303) + number;
  }

  private conductivityScale(M: number): number {
    return (this.Tc / METHANE.Tc) ** (-1 / 6) * Math.cbrt((this.pc / METHANE.pc) ** 2) * Math.sqrt(METHANE.M / M);
  }

  /**
   * [kg/mol]: (1/8) [sum x_i x_j (1/M_i + 1/M_j)^(1/2) (Tc_i Tc_j)^(1/4)/((Tc_i/pc_i)^(1/3) + (Tc_j/pc_j)^(1/3))^2]^-2 Tcm^(-1/3)
   * pcm^(4/3), from the kinetic theory of hard spheres.
   */
  private kineticMolarMass(x: Float64Array): number {
    const { components, size } = this;
    let sum = 0;
    for (let i = 0; i < x.length; i++) {
      if (x[i]! <= 0) continue;
      const a = components[i]!;
      for (let j = 0; j < x.length; j++) {
        if (x[j]! <= 0) continue;
        const c = components[j]!;
        const width = size[i]! + size[j]!;
        sum +=
          (x[i]! * x[j]! * Math.sqrt(1 / a.molarMass + 1 / c.molarMass) * Math.sqrt(Math.sqrt(a.Tc * c.Tc))) /
          (width * width);
      }
    }
    const { Tc, pc } = this;
    return (Math.cbrt(pc / Tc) * pc) / (8 * sum * sum);
  }

  private conductivityAlpha(rhor: number, x: Float64Array): number {
    let root = 0;
    for (let i = 0; i < x.length; i++)
      if (x[i]! > 0) root += x[i]! * Math.sqrt(conductivityAlpha(rhor, this.components[i]!.molarMass));
    return root * root;
  }

  /** Reduced density of methane at the reduced temperature and pressure of the mixture. */
  private reducedDensity(T: number, p: number, branch: FluidBranch, mapped: number | undefined): number {
    const { Tc, pc } = this;
    return density((T * METHANE.Tc) / Tc, (p * METHANE.pc) / pc, branch, mapped) / METHANE.rhoc;
  }

  /** Density of methane [mol/m3] that corresponds to rho of the mixture. */
  private mappedDensity(rho: number): number {
    return (rho * this.Tc * METHANE.pc) / (METHANE.Tc * this.pc);
  }
}

/** Density of methane [mol/m3] at T, p, drawn to the mapped one near its critical point. */
function density(T: number, p: number, branch: FluidBranch, mapped: number | undefined): number {
  if (mapped === undefined) return methaneDensity(T, p, branch);
  return conformalDensity(T, mapped, METHANE.Tc, METHANE.rhoc, () => methaneDensity(T, p, branch));
}

const conductivityAlpha = (rhor: number, M: number): number => 1 + 6.004e-4 * rhor ** 2.043 * (M * 1e3) ** 1.086;

/** Methane's conductivity without its internal part [W/(m K)]. */
function translational(T: number, rho: number): number {
  return methaneConductivity(T, rho) - internal(methaneDiluteViscosity(T), methaneCp(T), rho / METHANE.rhoc, METHANE.M);
}

/** Part of the conductivity carried by internal degrees of freedom [W/(m K)]. */
function internal(viscosity: number, cp: number, rhor: number, M: number): number {
  const f = 1 + rhor * (0.053432 - rhor * (0.030182 + rhor * 0.029725));
  return (1.18653 * viscosity * (cp - 2.5 * R) * f) / M;
}

function methaneCp(T: number): number {
  const [a, b, c, d, e] = METHANE_CP;
  return a + T * (b + T * (c + T * (d + T * e)));
}

/** T, unless it lies above the range of methane's equations. */
function within(T: number, max: number): number {
  if (T <= max) return T;
  const quantity = 'temperature of the reference fluid';
  throw new EngineError({ kind: 'outside-range', quantity, value: T, min: METHANE_MIN_T, max, unit: 'K' });
}
