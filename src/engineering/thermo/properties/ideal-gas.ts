/**
 * Caloric properties of the ideal-gas mixture, cp = A + B T + C T^2 + D T^3 + E T^4 per component (fit range about 200 to 1000 K, used
 * as it is below). From 1000 K on cp is held: 2 to 17 % low at 1500 K for N2, CO2, water and methane, where the polynomials themselves are
 * off by up to 60 % and turn negative farther on. Zero of enthalpy: ideal gas at 273.15 K. Zero of entropy: pure ideal gas at 273.15 K and 1.01325 bar; the entropy of
 * mixing is included. SI units, per mole of mixture.
 */
import type { Component } from '../components/component.ts';
import { P_REF, T_REF } from '../constants.ts';
import { EngineError } from '../errors.ts';

export interface IdealGasState {
  /** Enthalpy [J/mol], entropy at T, p [J/(mol K)], isobaric heat capacity [J/(mol K)]. */
  h: number;
  s: number;
  cp: number;
}

/** End of the fit range of the polynomials [K]. */
const FITTED_TO = 1000;

export class IdealGas {
  private readonly components: readonly Component[];
  private readonly gasConstant: number;

  constructor(components: readonly Component[], gasConstant: number) {
    this.components = components;
    this.gasConstant = gasConstant;
  }

  /**
   * h = sum x_i int cp_i dT, s = sum x_i (int cp_i/T dT - R ln(x_i p/p0)), integrals from 273.15 K.
   * Throws 'missing-data' when a component that is present has no heat capacity.
   */
  evaluate(T: number, p: number, x: Float64Array, out: IdealGasState): void {
    const { components, gasConstant } = this;
    let h = 0;
    let s = 0;
    let cp = 0;
    const Tfit = Math.min(T, FITTED_TO);
    const logT = Math.log(T / T_REF);
    const logFit = T > FITTED_TO ? Math.log(FITTED_TO / T_REF) : logT;
    for (let i = 0; i < x.length; i++) {
      const xi = x[i]!;
      if (xi <= 0) continue;
      const c = components[i]!.idealGasCp;
      if (c === undefined)
        throw new EngineError({
          kind: 'missing-data',
          component: components[i]!.name,
          property: 'ideal-gas heat capacity',
        });
      const last = heatCapacity(c, Tfit);
      h += xi * (enthalpyIntegral(c, Tfit) - enthalpyIntegral(c, T_REF) + last * (T - Tfit));
      s +=
        xi *
        (c[0]! * logFit +
          entropyIntegral(c, Tfit) -
          entropyIntegral(c, T_REF) +
          last * (logT - logFit) -
          gasConstant * Math.log(xi));
      cp += xi * last;
    }
    out.h = h;
    out.s = s - gasConstant * Math.log(p / P_REF);
    out.cp = cp;
  }
}

function enthalpyIntegral(c: readonly number[], T: number): number {
  return T * (c[0]! + T * (c[1]! / 2 + T * (c[2]! / 3 + T * (c[3]! / 4 + (T * c[4]!) / 5))));
}

/** int cp/T dT without the part of A. */
function entropyIntegral(c: readonly number[], T: number): number {
  return T * (c[1]! + T * (c[2]! / 2 + T * (c[3]! / 3 + (T * c[4]!) / 4)));
}

function heatCapacity(c: readonly number[], T: number): number {
  return c[0]! + T * (c[1]! + T * (c[2]! + T * (c[3]! + T * c[4]!)));
}
