/**
 * Density roots of multiparameter equations (GERG-2008, AGA8, reference equations of pure fluids).
 *
 * Inside the two-phase region such equations run through further loops, with pressures from minus to plus millions of
 * bar and stretches where dp/drho > 0. A bracketing search started anywhere can end on one of those. Here only two
 * stretches count as phases: the vapour branch, connected to zero density, where p(rho) is concave up to its spinodal, and
 * the liquid branch, connected to the dense end, where p(rho) is convex down to its spinodal. Newton steps on a concave
 * (convex) stretch stay short of the root, so a search that starts on a branch never leaves it while a root is there;
 * and the tangent bounds what the branch can reach, which ends a search for a root that is not there.
 *
 * It guarantees: a returned density has dp/drho > 0 and lies on one of the two branches; where only one branch has a
 * root, every `Branch` gives it. Near a critical point of a mixture a shallow loop may lie between both branches and alone
 * reach p: then its root is given, as long as no pressure on the way there is below half of p. NaN otherwise. It leaves to the model: that its inner loops stay within
 * 0.4 to 1.6 of the reducing density (true for the equations named above; the tests scan them).
 */
import {
  type Branch,
  createHelmholtzState,
  type EquationOfState,
  type HelmholtzModel,
  type HelmholtzState,
} from '../model.ts';
import { fromHelmholtz } from './helmholtz-adaptor.ts';

/** A Helmholtz model whose density scale is known. */
export interface BranchedModel extends HelmholtzModel {
  /** Reducing density [mol/m3] at x. */
  reducingDensity(x: Float64Array): number;
  /** True when the model describes gas only: the liquid branch is then never searched. */
  readonly gasOnly?: boolean;
}

/** The vapour search begins below this fraction of the reducing density; inner loops begin above it. */
const VAPOUR_START = 0.3;
/** The liquid search begins here (3.0 is above every saturated liquid but the coldest) and gives up below LIQUID_END. */
const LIQUID_START = 3;
const LIQUID_END = 0.7;
/**
 * Longest step in units of the reducing density, shorter than any unstable stretch that separates two phases: those that
 * begin above DENSE are wide.
 */
const LONGEST_STEP = 0.15;
const LONGEST_DENSE_STEP = 0.35;
const DENSE = 1.6;
/** Steps and beginning of the walk between the branches, in units of the reducing density. */
const SHALLOW_START = 0.3;
const SHALLOW_STEP = 0.02;
const TOLERANCE = 1e-14;
const MAX_ITERATIONS = 120;

export class DensityBranches {
  private readonly model: BranchedModel;
  private readonly state: HelmholtzState;
  /** Last liquid density over its reducing density: of another composition, so not as it is. */
  private lastReduced = Number.NaN;
  /** Pressure and dp/drho at the density last tried. */
  private p = 0;
  private slope = 0;

  constructor(model: BranchedModel) {
    this.model = model;
    this.state = createHelmholtzState(model.n);
  }

  /** Molar density [mol/m3]; see EquationOfState.density. */
  density(T: number, p: number, x: Float64Array, branch: Branch): number {
    if (!(T > 0) || !(p > 0) || p === Number.POSITIVE_INFINITY) return Number.NaN;
    if (this.model.gasOnly === true) return this.vapour(T, p, x);
    if (branch === 'vapour') {
      const vapour = this.vapour(T, p, x);
      return Number.isNaN(vapour) ? this.other(T, p, x, this.liquid(T, p, x)) : vapour;
    }
    const liquid = this.liquid(T, p, x);
    if (branch === 'liquid') return Number.isNaN(liquid) ? this.other(T, p, x, this.vapour(T, p, x)) : liquid;
    const vapour = this.vapour(T, p, x);
    if (Number.isNaN(vapour) && Number.isNaN(liquid)) return this.between(T, p, x);
    if (Number.isNaN(vapour) || Math.abs(vapour - liquid) <= 1e-9 * liquid) return liquid;
    if (Number.isNaN(liquid)) return vapour;
    return this.gibbs(T, p, x, vapour) < this.gibbs(T, p, x, liquid) ? vapour : liquid;
  }

  /** Root on the vapour branch, NaN when p exceeds its spinodal pressure. */
  vapour(T: number, p: number, x: Float64Array): number {
    const { model } = this;
    const scale = model.reducingDensity(x);
    const longest = LONGEST_STEP * scale;
    const max = model.maxDensity(T, x);
    let lo = 0;
    let loP = 0;
    let loSlope = model.gasConstant * T;
    let hi = max;
    let unstable = false; // hi is beyond the spinodal, not just beyond the root
    let rho = Math.min(p / loSlope, VAPOUR_START * scale);
    for (let i = 0; i < MAX_ITERATIONS; i++) {
      this.at(T, rho, x);
      if (!(this.slope > 0) || (unstable && this.p < loP)) {
        hi = rho;
        unstable = true;
      } else if (this.p > p) {
        hi = rho;
        unstable = false;
      } else {
        lo = rho;
        loP = this.p;
        loSlope = this.slope;
      }
      const newton = rho + (p - this.p) / this.slope;
      if (this.slope > 0 && this.settled(rho, newton, p)) return newton;
      if (unstable) {
        // Concave below the spinodal: the tangent at lo is the most the branch can reach.
        if (loP + loSlope * (hi - lo) < p || hi - lo <= 1e-14 * hi) return Number.NaN;
        const climb = lo + (p - loP) / loSlope;
        rho = lo > 0 && climb - lo < 0.5 * (hi - lo) ? climb : 0.5 * (lo + hi);
        if (rho === lo) rho = 0.5 * (lo + hi);
      } else {
        rho = this.slope > 0 && newton > lo && newton < hi ? newton : 0.5 * (lo + hi);
        if (rho > lo + longest) rho = Math.min(rho, lo + longest);
        if (rho >= max) return Number.NaN;
      }
    }
    return this.accept(T, rho, x, p);
  }

  /** Root on the liquid branch, NaN when p lies below its spinodal pressure or the branch ends in the gas. */
  liquid(T: number, p: number, x: Float64Array): number {
    const { model } = this;
    const scale = model.reducingDensity(x);
    const max = model.maxDensity(T, x);
    const end = LIQUID_END * scale;
    let lo = 0;
    let hi = max;
    let hiP = Number.NaN;
    let hiSlope = Number.NaN;
    let unstable = false; // lo is below the spinodal
    // Below DENSE the search might begin on an inner loop.
    const warm = 1.02 * this.lastReduced;
    let rho = (warm > DENSE && warm < LIQUID_START ? warm : LIQUID_START) * scale;
    for (let i = 0; i < MAX_ITERATIONS; i++) {
      this.at(T, rho, x);
      if (!(this.slope > 0)) {
        lo = rho;
        unstable = true;
      } else if (this.p < p) {
        lo = rho;
        unstable = false;
      } else {
        hi = rho;
        hiP = this.p;
        hiSlope = this.slope;
      }
      const newton = rho + (p - this.p) / this.slope;
      if (this.slope > 0 && this.settled(rho, newton, p)) {
        this.lastReduced = newton / scale;
        return newton;
      }
      if (hi < end) return Number.NaN;
      if (unstable) {
        // Convex above the spinodal: the tangent at hi is the least the branch can reach.
        if (hiP - hiSlope * (hi - lo) > p || hi - lo <= 1e-14 * hi) return Number.NaN;
        const descend = hi - (hiP - p) / hiSlope;
        rho = hi - descend < 0.5 * (hi - lo) && descend < hi ? descend : 0.5 * (lo + hi);
      } else {
        rho = this.slope > 0 && newton > lo && newton < hi ? newton : 0.5 * (lo + hi);
        const longest = (hi > DENSE * scale ? LONGEST_DENSE_STEP : LONGEST_STEP) * scale;
        if (rho < hi - longest && hi < max) rho = hi - longest;
      }
    }
    return this.accept(T, rho, x, p);
  }

  private other(T: number, p: number, x: Float64Array, rho: number): number {
    return Number.isNaN(rho) ? this.between(T, p, x) : rho;
  }

  /** Where the pressure first rises through p between the two branches. */
  private between(T: number, p: number, x: Float64Array): number {
    const scale = this.model.reducingDensity(x);
    let lo = SHALLOW_START * scale;
    this.at(T, lo, x);
    if (!(this.p < p)) return Number.NaN;
    let least = p;
    for (let hi = lo + SHALLOW_STEP * scale; hi < DENSE * scale; hi += SHALLOW_STEP * scale) {
      const before = this.p;
      this.at(T, hi, x);
      if (this.p < before) least = Math.min(least, this.p);
      if (least < 0.5 * p) return Number.NaN;
      if (this.p < p) {
        lo = hi;
        continue;
      }
      for (let k = 0; k < MAX_ITERATIONS; k++) {
        const rho = 0.5 * (lo + hi);
        if (rho === lo || rho === hi) break;
        this.at(T, rho, x);
        if (this.p < p) lo = rho;
        else hi = rho;
      }
      return this.accept(T, 0.5 * (lo + hi), x, p);
    }
    return Number.NaN;
  }

  private at(T: number, rho: number, x: Float64Array): void {
    const { model, state } = this;
    model.evaluate(T, rho, x, 0, state);
    const rt = model.gasConstant * T;
    this.p = rho * rt * (1 + rho * state.a_rho);
    this.slope = rt * (1 + 2 * rho * state.a_rho + rho * rho * state.a_rhorho);
  }

  /** The Newton step is below rounding of the density, or the pressure is met within rounding of a stiff liquid. */
  private settled(rho: number, next: number, p: number): boolean {
    return (
      Math.abs(next - rho) <= TOLERANCE * rho ||
      (Math.abs(this.p - p) <= 1e-13 * Math.max(p, rho * this.slope) && Math.abs(next - rho) <= 1e-12 * rho)
    );
  }

  private accept(T: number, rho: number, x: Float64Array, p: number): number {
    this.at(T, rho, x);
    return this.slope > 0 && Math.abs(this.p - p) <= 1e-9 * Math.max(p, rho * this.slope) ? rho : Number.NaN;
  }

  /** Residual Gibbs energy over RT at T, p: a + Z - 1 - ln Z. */
  private gibbs(T: number, p: number, x: Float64Array, rho: number): number {
    this.model.evaluate(T, rho, x, 0, this.state);
    const z = p / (rho * this.model.gasConstant * T);
    return this.state.a + z - 1 - Math.log(z);
  }
}

/**
 * The generic adaptor with its density search replaced by the branch search above; every other quantity is the adaptor's.
 */
export function fromBranchedModel(model: BranchedModel): EquationOfState {
  const branches = new DensityBranches(model);
  const eos = fromHelmholtz(model);
  eos.density = (T, p, x, branch) => branches.density(T, p, x, branch);
  return eos;
}
