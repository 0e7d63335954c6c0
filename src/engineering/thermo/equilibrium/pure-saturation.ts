/**
 * Saturation line of a pure fluid by any model: equal fugacity of the vapour and the liquid root, f = ln phi_V - ln phi_L = 0.
 * At given T Newton runs in ln p (df/dln p = Z_V - Z_L), at given p in 1/T (df/d(1/T) = (h_V - h_L)/R); f rises with either, so every
 * step is kept inside a bracket. Where the model has one root only, its density against the critical one tells the side.
 *
 * It guarantees: two different roots with |f| below 1e-9, or an EngineError: 'spec-unreachable' at or above the critical point and where the
 * model has no two phases, 'not-converged'. Models that know their own line (EquationOfState.saturationLine) are asked instead.
 */
import { EngineError } from '../errors.ts';
import { createLnPhiDerivatives, type EquationOfState } from '../model.ts';
import { type CriticalState, pureCritical } from './pure-critical.ts';

export interface PureSaturation {
  /** Temperature [K], saturation pressure [Pa], molar densities [mol/m3]. */
  readonly T: number;
  readonly p: number;
  readonly rhoVapour: number;
  readonly rhoLiquid: number;
  readonly lnPhi: number;
  /** |ln phi_V - ln phi_L|. */
  readonly error: number;
  readonly iterations: number;
}

const MAX_ITERATIONS = 120;

export class PureSaturationLine {
  private readonly eos: EquationOfState;
  private readonly x: Float64Array;
  private readonly i: number;
  private readonly vapour;
  private readonly liquid;
  private rhoV = Number.NaN;
  private rhoL = Number.NaN;
  private criticalState: CriticalState | undefined;

  /** Of component `i` of the model. */
  constructor(eos: EquationOfState, i: number) {
    this.eos = eos;
    this.i = i;
    this.x = new Float64Array(eos.n);
    this.x[i] = 1;
    this.vapour = createLnPhiDerivatives(eos.n);
    this.liquid = createLnPhiDerivatives(eos.n);
  }

  get critical(): CriticalState {
    this.criticalState ??= pureCritical(this.eos, this.x, this.i);
    return this.criticalState;
  }

  /** Saturation at T [K]. */
  atTemperature(T: number): PureSaturation {
    const { critical, eos } = this;
    if (!(T < critical.T))
      unreachable(`saturation at ${T} K`, `the critical temperature is ${critical.T.toFixed(3)} K`);
    if (eos.saturationLine !== undefined) return this.finish(T, eos.saturationLine.pressure(T), 0);
    const c = eos.components[this.i]!;
    // Wilson's line, moved to the critical point of the model.
    const start = Math.log(critical.p) + 5.373 * (1 + c.omega) * (1 - critical.T / T);
    const lnp = this.search(
      (theta) => this.difference(T, Math.exp(theta)),
      (theta) => (this.vapour.dp[this.i]! - this.liquid.dp[this.i]!) * Math.exp(theta),
      start,
      Math.log(critical.p),
      0.7,
    );
    return this.finish(T, Math.exp(lnp.at), lnp.iterations);
  }

  /** Saturation at p [Pa]. */
  atPressure(p: number): PureSaturation {
    const { critical, eos } = this;
    if (!(p < critical.p))
      unreachable(`saturation at ${p} Pa`, `the critical pressure is ${Math.round(critical.p)} Pa`);
    if (eos.saturationLine !== undefined) return this.finish(eos.saturationLine.temperature(p), p, 0);
    const c = eos.components[this.i]!;
    const slope = 5.373 * (1 + c.omega);
    const start = (1 - Math.log(p / critical.p) / slope) / critical.T;
    const inverse = this.search(
      (b) => this.difference(1 / b, p),
      (b) => (this.liquid.dT[this.i]! - this.vapour.dT[this.i]!) / (b * b),
      start,
      1 / critical.T,
      0.05 / critical.T,
    );
    return this.finish(1 / inverse.at, p, inverse.iterations);
  }

  /** Sets both roots and returns f; +-Infinity where there is one root only. */
  private difference(T: number, p: number): number {
    const { eos, x, i, vapour, liquid } = this;
    this.rhoV = eos.lnPhiDerivatives(T, p, x, 'vapour', vapour);
    this.rhoL = eos.lnPhiDerivatives(T, p, x, 'liquid', liquid);
    if (!(this.rhoV > 0 && this.rhoL > 0)) return Number.NaN;
    if (this.rhoL - this.rhoV <= 1e-9 * this.rhoL)
      return this.rhoL < this.critical.rho ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return vapour.lnPhi[i]! - liquid.lnPhi[i]!;
  }

  /** Newton for f(theta) = 0, f rising. `limit` bounds the search on the critical side: above for ln p, below for 1/T. */
  private search(
    f: (theta: number) => number,
    slope: (theta: number) => number,
    start: number,
    limit: number,
    stride: number,
  ): { at: number; iterations: number } {
    let lo = limit <= start ? limit : Number.NEGATIVE_INFINITY;
    let hi = limit <= start ? Number.POSITIVE_INFINITY : limit;
    let theta = start;
    let lastStep = Number.POSITIVE_INFINITY;
    for (let k = 1; k <= MAX_ITERATIONS; k++) {
      const value = f(theta);
      if (Number.isNaN(value)) break;
      if (value < 0) lo = theta;
      else hi = theta;
      let next = Number.isFinite(value) ? theta - value / slope(theta) : Number.NaN;
      if (Number.isFinite(value)) {
        const step = Math.abs(next - theta);
        if (step <= 1e-14 * Math.abs(theta) || (Math.abs(value) < 1e-11 && step >= 0.5 * lastStep))
          return { at: next > lo && next < hi ? next : theta, iterations: k };
        lastStep = step;
      }
      if (!(next > lo && next < hi))
        next =
          Number.isFinite(lo) && Number.isFinite(hi)
            ? 0.5 * (lo + hi)
            : Number.isFinite(hi)
              ? hi - stride
              : lo + stride;
      if (Number.isFinite(lo) && Number.isFinite(hi) && hi - lo <= 2e-16 * Math.abs(hi)) break;
      theta = next;
    }
    return unreachable('saturation', 'the model has no liquid and vapour of equal fugacity there');
  }

  private finish(T: number, p: number, iterations: number): PureSaturation {
    const { eos, x, i, vapour, liquid } = this;
    const rhoVapour = eos.lnPhi(T, p, x, 'vapour', vapour.lnPhi);
    const rhoLiquid = eos.lnPhi(T, p, x, 'liquid', liquid.lnPhi);
    const error = Math.abs(vapour.lnPhi[i]! - liquid.lnPhi[i]!);
    // A line that is an equation of its own (IF97 region 4) meets the fugacities to the accuracy of the formulation only.
    const tolerance = eos.saturationLine === undefined ? 1e-9 : 1e-4;
    if (!(error <= tolerance))
      throw new EngineError({ kind: 'not-converged', algorithm: 'pure saturation', iterations, residual: error });
    if (!(rhoLiquid > rhoVapour * (1 + 1e-7))) throw new EngineError({ kind: 'trivial', algorithm: 'pure saturation' });
    return { T, p, rhoVapour, rhoLiquid, lnPhi: vapour.lnPhi[i]!, error, iterations };
  }
}

function unreachable(specification: string, reason: string): never {
  throw new EngineError({ kind: 'spec-unreachable', specification, reason });
}
