import type { IdealGasPart } from '../model.ts';

/**
 * Ideal-gas Helmholtz energy shared by GERG-2008 and AGA8 (Jaeschke and Schley 1995; ISO 20765-1 and -2):
 * a0_i = ln(D/d0) + n1 + n2/T - (n3 - 1) ln T + sum n ln|sinh(theta/T)| - sum n ln cosh(theta/T), plus ln x_i in a mixture,
 * d0 = 101.325 kPa/(R 298.15 K). Enthalpy and entropy are zero for the ideal gas at 298.15 K and 101.325 kPa.
 */
export interface IdealGasData {
  readonly n1: number;
  readonly n2: number;
  readonly n3: number;
  readonly terms: readonly { readonly n: number; readonly theta_K: number; readonly kind: 'sinh' | 'cosh' }[];
}

/** a0 and its scaled temperature derivatives: t = tau a0_tau = -T a0_T, tt = tau^2 a0_tautau. */
export interface IdealSum {
  a: number;
  t: number;
  tt: number;
}

export class NistIdealGas implements IdealGasPart {
  private readonly R: number;
  private readonly sum: IdealSum = { a: 0, t: 0, tt: 0 };
  private readonly d0: number;
  private readonly n1: Float64Array;
  private readonly n2: Float64Array;
  private readonly lnT: Float64Array;
  private readonly terms: readonly { readonly n: number; readonly theta: number; readonly sinh: boolean }[][];

  /**
   * @param scale R-star/R of GERG-2008: the ideal part was fitted with R-star = 8.31451. 1 for AGA8.
   * @param R gas constant of the model, J/(mol K)
   */
  constructor(data: readonly IdealGasData[], R: number, scale: number) {
    this.R = R;
    this.d0 = 101325 / (R * 298.15);
    this.n1 = Float64Array.from(data, (d) => scale * d.n1);
    // n2 holds the enthalpy zero at 298.15 K, which the scaling must leave where it is.
    this.n2 = Float64Array.from(data, (d) => scale * (d.n2 + 298.15) - 298.15);
    this.lnT = Float64Array.from(data, (d) => scale * (d.n3 - 1));
    this.terms = data.map((d) =>
      d.terms.map((term) => ({ n: scale * term.n, theta: term.theta_K, sinh: term.kind === 'sinh' })),
    );
  }

  /** Enthalpy, entropy and heat capacity at T [K], p [Pa]: molar, of the mixture. */
  evaluate(T: number, p: number, x: Float64Array, out: { h: number; s: number; cp: number }): void {
    const { R, sum } = this;
    this.helmholtz(T, p / (R * T), x, sum);
    out.h = R * T * (sum.t + 1);
    out.s = R * (sum.t - sum.a);
    out.cp = R * (1 - sum.tt);
  }

  /** Ideal part of the mixture at T [K], molar density rho [mol/m3], mole fractions x. */
  helmholtz(T: number, rho: number, x: Float64Array, out: IdealSum): void {
    const lnD = Math.log(rho / this.d0);
    const lnT = Math.log(T);
    let a = 0;
    let t = 0;
    let tt = 0;
    for (let i = 0; i < x.length; i++) {
      const xi = x[i]!;
      if (xi <= 0) continue;
      let ai = Math.log(xi) + lnD + this.n1[i]! + this.n2[i]! / T - this.lnT[i]! * lnT;
      let ti = this.n2[i]! / T + this.lnT[i]!;
      let tti = -this.lnT[i]!;
      for (const term of this.terms[i]!) {
        const y = term.theta / T;
        const e = Math.exp(-2 * y);
        if (term.sinh) {
          ai += term.n * (y + Math.log1p(-e) - Math.LN2);
          ti += (term.n * y * (1 + e)) / (1 - e);
          tti -= (term.n * 4 * y * y * e) / ((1 - e) * (1 - e));
        } else {
          ai -= term.n * (y + Math.log1p(e) - Math.LN2);
          ti -= (term.n * y * (1 - e)) / (1 + e);
          tti -= (term.n * 4 * y * y * e) / ((1 + e) * (1 + e));
        }
      }
      a += xi * ai;
      t += xi * ti;
      tt += xi * tti;
    }
    out.a = a;
    out.t = t;
    out.tt = tt;
  }
}
