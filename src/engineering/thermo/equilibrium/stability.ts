/**
 * Phase stability by the tangent plane distance (M. L. Michelsen, Fluid Phase Equilib. 9 (1982) 1, doi:10.1016/0378-3812(82)85001-2).
 *
 * For a reference phase with d_i = ln z_i + ln phi_i(z), a trial phase of mole numbers W has
 *   tm(W) = 1 + sum_i W_i (ln W_i + ln phi_i(W) - d_i - 1).
 * tm < 0 at any W proves that the reference is unstable. This file finds the stationary point reached from one start: successive
 * substitution with dominant-eigenvalue acceleration, then Newton in alpha_i = 2 sqrt(W_i) with a trust region.
 * A negative tm on the way counts although the search may lose it again (strongly non-ideal phases): the lowest is kept.
 * It guarantees the sign of tm at the point returned; which starts are tried is the caller's choice (tp-flash.ts), and no finite
 * set of starts can prove stability for every model.
 */
import { createLnPhiDerivatives, type EquationOfState } from '../model.ts';
import { choleskyFactor, choleskySolve } from './linear-solve.ts';
import type { TrialPaths } from './trial-paths.ts';

const MAX_SUBSTITUTIONS = 12;
const MAX_NEWTON = 60;
/** Mean squared change of ln W at which a stationary point counts as found. */
const STATIONARY = 1e-16;
/** Mean squared distance in ln W to the reference below which the trial has fallen back on it. */
const TRIVIAL = 1e-5;
const MAX_DAMPING = 1e12;
/** tm below this proves instability beyond rounding. */
export const UNSTABLE = -1e-9;

export interface TrialResult {
  /** Tangent plane distance of the stationary point, over R T and per mole; 0 for a trivial one. */
  tm: number;
  trivial: boolean;
  converged: boolean;
  /** Molar density of the trial phase [mol/m3]. */
  rho: number;
  iterations: number;
}

export class StabilityAnalysis {
  private readonly eos: EquationOfState;
  /** ln W of the last trial; the caller writes the start here. Entries of absent components are ignored. */
  readonly lnW: Float64Array;
  /** Composition W / sum W of the last trial. */
  readonly w: Float64Array;
  readonly result: TrialResult = { tm: 0, trivial: false, converged: false, rho: Number.NaN, iterations: 0 };
  private readonly lnPhi: Float64Array;
  private readonly change: Float64Array;
  private readonly previous: Float64Array;
  private readonly alpha: Float64Array;
  private readonly step: Float64Array;
  private readonly matrix: Float64Array;
  private readonly hessian: Float64Array;
  private readonly derivatives;
  /** Lowest tm met below UNSTABLE, with its composition and density. */
  private lowest = UNSTABLE;
  private lowestRho = Number.NaN;
  private readonly lowestW: Float64Array;

  constructor(eos: EquationOfState) {
    const { n } = eos;
    this.eos = eos;
    this.lnW = new Float64Array(n);
    this.w = new Float64Array(n);
    this.lowestW = new Float64Array(n);
    this.lnPhi = new Float64Array(n);
    this.change = new Float64Array(n);
    this.previous = new Float64Array(n);
    this.alpha = new Float64Array(n);
    this.step = new Float64Array(n);
    this.matrix = new Float64Array(n * n);
    this.hessian = new Float64Array(n * n);
    this.derivatives = createLnPhiDerivatives(n);
  }

  /**
   * Runs one trial from `lnW`. `d` is the tangent plane, `active` lists the components with z > 0, `references` the log
   * compositions of phases on the plane (falling back on one of them is trivial). With `untilNegative` the search may stop at the
   * first proof of instability, once the composition is good enough to start a flash. With `paths` a trial that meets the path of an
   * earlier one counts as trivial, and its own path is added unless it proves instability.
   */
  run(
    T: number,
    p: number,
    d: Float64Array,
    active: Int32Array,
    references: readonly Float64Array[],
    untilNegative = false,
    paths?: TrialPaths,
  ): TrialResult {
    const { lnW, w, lnPhi, change, previous, result } = this;
    paths?.begin();
    const m = active.length;
    result.trivial = false;
    result.converged = false;
    this.lowest = UNSTABLE;
    w.fill(0);
    let lastSquare = 0;
    for (let iteration = 1; iteration <= MAX_SUBSTITUTIONS; iteration++) {
      result.iterations = iteration;
      const total = this.normalise(active);
      result.rho = this.eos.lnPhi(T, p, w, 'stable', lnPhi);
      if (Number.isNaN(result.rho)) return this.finishTrivial();
      let tm = 1;
      let square = 0;
      let product = 0;
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        const delta = d[i]! - lnPhi[i]! - lnW[i]!;
        const W = w[i]! * total;
        tm -= W * (1 + delta);
        square += W * delta * delta;
        product += W * delta * previous[i]!;
        change[i] = delta;
      }
      square /= total;
      product /= total;
      result.tm = tm;
      if (tm < this.lowest) this.keep(tm);
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        lnW[i] = lnW[i]! + change[i]!;
      }
      if (square < STATIONARY) {
        result.converged = true;
        return this.settle(active, references);
      }
      if (tm < UNSTABLE) {
        if (untilNegative && square < 1e-2) return result;
      } else if (iteration > 1) {
        if (square < 1e-2 && this.isTrivial(active, references)) return this.finishTrivial();
        if (paths?.meet(lnW, w, active) === true) return this.finishTrivial();
      }
      // Dominant eigenvalue: an error that shrinks by lambda a step is removed by delta / (1 - lambda).
      if (iteration % 4 === 0 && lastSquare > 0) {
        const lambda = product / lastSquare;
        if (lambda > 0.1 && lambda < 0.98)
          for (let a = 0; a < m; a++) {
            const i = active[a]!;
            lnW[i] = lnW[i]! + (change[i]! * lambda) / (1 - lambda);
          }
      }
      lastSquare = square;
      previous.set(change);
    }
    return this.newton(T, p, d, active, references, untilNegative);
  }

  private newton(
    T: number,
    p: number,
    d: Float64Array,
    active: Int32Array,
    references: readonly Float64Array[],
    untilNegative: boolean,
  ): TrialResult {
    const { eos, lnW, w, alpha, step, matrix, derivatives, result } = this;
    const { n } = eos;
    const m = active.length;
    let damping = 0;
    let best = Number.POSITIVE_INFINITY;
    for (let a = 0; a < m; a++) alpha[a] = 2 * Math.exp(0.5 * lnW[active[a]!]!);
    for (let iteration = 0; iteration < MAX_NEWTON; iteration++) {
      result.iterations++;
      const total = this.normalise(active);
      result.rho = eos.lnPhiDerivatives(T, p, w, 'stable', derivatives);
      const { lnPhi, dn } = derivatives;
      let tm = 1;
      let square = 0;
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        const excess = lnW[i]! + lnPhi[i]! - d[i]!;
        const W = w[i]! * total;
        tm += W * (excess - 1);
        square += W * excess * excess;
      }
      square /= total;
      if (tm > best + 1e-13 && iteration > 0) {
        // The quadratic model failed: take the step back and damp.
        damping = Math.max(1, damping * 8);
        for (let a = 0; a < m; a++) alpha[a] = alpha[a]! - step[a]!;
        if (damping > 1e8) break;
      } else {
        best = tm;
        result.tm = tm;
        if (tm < this.lowest) this.keep(tm);
        if (square < STATIONARY) {
          result.converged = true;
          return this.settle(active, references);
        }
        if (tm < UNSTABLE) {
          if (untilNegative && square < 1e-3) return result;
        } else if (this.isTrivial(active, references)) return this.finishTrivial();
        damping = damping < 1e-3 ? 0 : damping / 8;
        for (let a = 0; a < m; a++) {
          const i = active[a]!;
          const root = 0.5 * alpha[a]!;
          this.change[a] = -root * (lnW[i]! + lnPhi[i]! - d[i]!);
          for (let b = 0; b <= a; b++) {
            const j = active[b]!;
            this.hessian[a * m + b] = (root * 0.5 * alpha[b]! * dn[i * n + j]!) / total + (a === b ? 1 : 0);
          }
        }
      }
      for (;;) {
        for (let a = 0; a < m; a++) {
          step[a] = this.change[a]!;
          for (let b = 0; b <= a; b++) matrix[a * m + b] = this.hessian[a * m + b]! + (a === b ? damping : 0);
        }
        if (choleskyFactor(matrix, m)) break;
        damping = Math.max(0.1, damping * 4);
        // Derivatives that are not finite: no damping helps.
        if (damping > MAX_DAMPING) return this.settle(active, references);
      }
      choleskySolve(matrix, m, step);
      for (let a = 0; a < m; a++) {
        // alpha stays positive: a mole number may shrink, not vanish.
        if (alpha[a]! + step[a]! < 0.1 * alpha[a]!) step[a] = -0.9 * alpha[a]!;
        alpha[a] = alpha[a]! + step[a]!;
        lnW[active[a]!] = 2 * Math.log(0.5 * alpha[a]!);
      }
    }
    return this.settle(active, references);
  }

  /** Sets w = W / sum W and returns sum W. */
  private normalise(active: Int32Array): number {
    const { lnW, w } = this;
    let total = 0;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      const W = Math.exp(lnW[i]!);
      w[i] = W;
      total += W;
    }
    const inverse = 1 / total;
    for (let a = 0; a < active.length; a++) w[active[a]!] = w[active[a]!]! * inverse;
    return total;
  }

  private settle(active: Int32Array, references: readonly Float64Array[]): TrialResult {
    if (this.result.tm < UNSTABLE) return this.result;
    if (this.lowest < UNSTABLE) return this.restore();
    return this.isTrivial(active, references) ? this.finishTrivial() : this.result;
  }

  private keep(tm: number): void {
    this.lowest = tm;
    this.lowestRho = this.result.rho;
    this.lowestW.set(this.w);
  }

  /** Back to the lowest tm, which proves what the end of the search does not. */
  private restore(): TrialResult {
    const { result } = this;
    result.tm = this.lowest;
    result.rho = this.lowestRho;
    result.trivial = false;
    result.converged = false;
    this.w.set(this.lowestW);
    return result;
  }

  private finishTrivial(): TrialResult {
    if (this.lowest < UNSTABLE) return this.restore();
    this.result.trivial = true;
    this.result.tm = 0;
    return this.result;
  }

  private isTrivial(active: Int32Array, references: readonly Float64Array[]): boolean {
    const { lnW, w } = this;
    for (const reference of references) {
      let distance = 0;
      for (let a = 0; a < active.length && distance < TRIVIAL; a++) {
        const i = active[a]!;
        const delta = lnW[i]! - reference[i]!;
        distance += w[i]! * delta * delta;
      }
      if (distance < TRIVIAL) return true;
    }
    return false;
  }
}
