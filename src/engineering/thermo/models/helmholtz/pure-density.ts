import { isEngineError } from '../../errors.ts';
import type { Branch } from '../../model.ts';
import type { PureEquation, Saturation } from './pure-equation.ts';
import { D, DD } from './term-bank.ts';

/** Iterations after which a step at the level of rounding is the root: the usual search takes 4 to 12. */
const SETTLED = 30;

/**
 * Density of a pure fluid at T, p. Below Tc the saturated densities split the axis: the stable root is bracketed on its
 * side of the dome, where p(rho) is monotonic, and a metastable root is followed from its saturated end until dp/drho
 * vanishes. The loops of the equation inside the dome are never entered.
 */
export class PureDensity {
  private readonly fluid: PureEquation;
  private p = 0;
  private slope = 0;

  constructor(fluid: PureEquation) {
    this.fluid = fluid;
  }

  /** Molar density [mol/m3]; NaN when none is found. */
  density(T: number, p: number, branch: Branch): number {
    const { fluid } = this;
    if (T >= fluid.Tc || !fluid.saturates) return this.between(T, p, 0, this.ceiling(T, p, fluid.rhoc));
    const sat = this.dome(T);
    if (sat === undefined) return this.between(T, p, 0, this.ceiling(T, p, fluid.rhoc));
    if (branch !== 'liquid' && p <= sat.p) return this.between(T, p, 0, sat.rhoV);
    if (branch !== 'vapour' && p >= sat.p) return this.between(T, p, sat.rhoL, this.ceiling(T, p, sat.rhoL));
    const metastable =
      branch === 'vapour' ? this.follow(T, p, sat.rhoV, sat.rhoL) : this.follow(T, p, sat.rhoL, sat.rhoV);
    return Number.isNaN(metastable) ? this.density(T, p, 'stable') : metastable;
  }

  /** Saturation; undefined in the last 2e-4 below the tabulated Tc where the equation itself has no two phases left. */
  private dome(T: number): Saturation | undefined {
    const { fluid } = this;
    try {
      return fluid.saturation(T);
    } catch (error) {
      if (isEngineError(error, 'not-converged') && T > fluid.Tc * (1 - 2e-4)) return undefined;
      throw error;
    }
  }

  /** A density above `from` whose pressure exceeds p. */
  private ceiling(T: number, p: number, from: number): number {
    let rho = from;
    for (let i = 0; i < 60; i++) {
      rho *= 1.05;
      this.at(T, rho);
      if (this.p > p) return rho;
    }
    return Number.NaN;
  }

  /** Root in (lo, hi] with p(lo) <= p <= p(hi): Newton, bisection when it leaves the bracket. */
  private between(T: number, p: number, lo: number, hi: number): number {
    if (Number.isNaN(hi)) return Number.NaN;
    const ideal = p / (this.fluid.R * T);
    let rho = lo === 0 && ideal < hi ? ideal : lo === 0 ? 0.5 * hi : lo;
    let a = lo;
    let b = hi;
    for (let i = 0; i < 200; i++) {
      this.at(T, rho);
      if (this.p > p) b = rho;
      else a = rho;
      let next = rho + (p - this.p) / this.slope;
      // Rounding of p may keep Newton stepping to and fro beside the root, as with liquid water near 4 C.
      if (this.slope > 0 && Math.abs(next - rho) <= (i < SETTLED ? 1e-14 : 1e-11) * rho) return next;
      if (!(this.slope > 0) || !(next >= a && next <= b)) {
        // At a bracket end (a saturated state met within rounding) the Newton step points just outside.
        if (this.slope > 0 && Math.abs(next - rho) <= 1e-11 * rho) return rho;
        next = 0.5 * (a + b);
      }
      if (b - a <= 1e-15 * b) return next;
      rho = next;
    }
    return Number.NaN;
  }

  /** Metastable root: from the saturated density towards the other phase, up to the spinodal; NaN beyond it. */
  private follow(T: number, p: number, from: number, to: number): number {
    let good = from;
    let bad = to;
    let step = (to - from) / 200;
    let found = false;
    for (let i = 0; i < 400 && !found; i++) {
      const rho = good + step;
      this.at(T, rho);
      if (!(this.slope > 0)) {
        bad = rho;
        step = 0.5 * (bad - good);
        if (Math.abs(step) <= 1e-12 * good) return Number.NaN;
      } else if ((this.p - p) * (to - from) > 0) {
        bad = rho;
        found = true;
      } else {
        good = rho;
        if (bad !== to) step = 0.5 * (bad - good);
        if (Math.abs(step) <= 1e-12 * good) return Number.NaN;
      }
    }
    return found ? this.between(T, p, Math.min(good, bad), Math.max(good, bad)) : Number.NaN;
  }

  private at(T: number, rho: number): void {
    const { fluid } = this;
    const r = fluid.residual(T, rho);
    const rt = fluid.R * T;
    this.p = rho * rt * (1 + r[D]!);
    this.slope = rt * (1 + 2 * r[D]! + r[DD]!);
  }
}
