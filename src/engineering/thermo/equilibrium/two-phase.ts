/**
 * Two-phase equilibrium at T, p from given equilibrium ratios: successive substitution with dominant-eigenvalue acceleration, then
 * Newton on the Gibbs energy in the mole numbers of the vapour (M. L. Michelsen, Fluid Phase Equilib. 9 (1982) 21,
 * doi:10.1016/0378-3812(82)85002-4).
 *
 * It guarantees: a result 'two-phase' has equal fugacities within FUGACITY_TOLERANCE, a closed balance and two different
 * compositions. It leaves the question whether that state is stable to the caller.
 */
import { createLnPhiDerivatives, type EquationOfState } from '../model.ts';
import { choleskyFactor, choleskySolve } from './linear-solve.ts';
import { rachfordRice } from './rachford-rice.ts';

export const FUGACITY_TOLERANCE = 1e-10;
const MAX_SUBSTITUTIONS = 400;
/** Change of ln K at which Newton takes over, once at least MIN_SUBSTITUTIONS steps are done. */
const NEWTON_ENTRY = 0.3;
const MIN_SUBSTITUTIONS = 4;
const MAX_NEWTON = 40;
/** Substitutions between a Newton that stalled and the next. */
const AFTER_STALL = 10;
/** Near a critical point the negative curvature that has to be outweighed is as small as this, over that of the ideal part. */
const LEAST_DAMPING = 1e-8;
/** Largest |ln K| at which both phases count as one. */
const TRIVIAL_LNK = 1e-6;

/**
 * two-phase: converged inside 0 < beta < 1. single: the ratios converged to a negative flash or one phase vanished.
 * trivial: both phases alike. stalled: tolerance not met.
 */
export type TwoPhaseOutcome = 'two-phase' | 'single' | 'trivial' | 'stalled';

export class TwoPhaseSolver {
  private readonly eos: EquationOfState;
  /** ln(y/x): start on entry, result on return. Only components with z > 0 count. */
  readonly lnK: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly lnPhiX: Float64Array;
  readonly lnPhiY: Float64Array;
  rhoX = Number.NaN;
  rhoY = Number.NaN;
  beta = 0.5;
  /** Largest |ln f_i(y) - ln f_i(x)| at x, y. */
  error = Number.POSITIVE_INFINITY;
  iterations = 0;
  private readonly K: Float64Array;
  private readonly change: Float64Array;
  private readonly previous: Float64Array;
  private readonly v: Float64Array;
  private readonly trial: Float64Array;
  private readonly scale: Float64Array;
  private readonly gradient: Float64Array;
  private readonly step: Float64Array;
  private readonly matrix: Float64Array;
  private readonly hessian: Float64Array;
  private readonly dX;
  private readonly dY;

  constructor(eos: EquationOfState) {
    const { n } = eos;
    const vector = () => new Float64Array(n);
    this.eos = eos;
    this.lnK = vector();
    this.x = vector();
    this.y = vector();
    this.lnPhiX = vector();
    this.lnPhiY = vector();
    this.K = vector();
    this.change = vector();
    this.previous = vector();
    this.v = vector();
    this.trial = vector();
    this.scale = vector();
    this.gradient = vector();
    this.step = vector();
    this.matrix = new Float64Array(n * n);
    this.hessian = new Float64Array(n * n);
    this.dX = createLnPhiDerivatives(n);
    this.dY = createLnPhiDerivatives(n);
  }

  /** One substitution step from lnK: amounts, compositions, fugacities, new lnK. False when the ratios allow no split. */
  substitute(T: number, p: number, z: Float64Array, active: Int32Array): boolean {
    const { eos, lnK, K, x, y, lnPhiX, lnPhiY, change } = this;
    this.iterations++;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      K[i] = Math.exp(lnK[i]!);
    }
    const beta = rachfordRice(eos.n, z, K, this.beta);
    if (!Number.isFinite(beta)) {
      this.beta = beta;
      return false;
    }
    this.beta = beta;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      x[i] = z[i]! / (1 + beta * (K[i]! - 1));
      y[i] = K[i]! * x[i]!;
    }
    this.rhoX = eos.lnPhi(T, p, x, 'stable', lnPhiX);
    this.rhoY = eos.lnPhi(T, p, y, 'stable', lnPhiY);
    let error = 0;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      const delta = lnPhiX[i]! - lnPhiY[i]! - lnK[i]!;
      change[i] = delta;
      lnK[i] = lnK[i]! + delta;
      error = Math.max(error, Math.abs(delta));
    }
    this.error = Number.isNaN(this.rhoX) || Number.isNaN(this.rhoY) ? Number.NaN : error;
    return !Number.isNaN(this.error);
  }

  solve(T: number, p: number, z: Float64Array, active: Int32Array): TwoPhaseOutcome {
    const { lnK, change, previous } = this;
    let lastSquare = 0;
    let outside = 0;
    let newtonFrom = MIN_SUBSTITUTIONS;
    for (let count = 1; count <= MAX_SUBSTITUTIONS; count++) {
      if (!this.substitute(T, p, z, active)) return 'single';
      const inside = this.beta > 0 && this.beta < 1;
      if (this.error < FUGACITY_TOLERANCE) return this.classify(inside, active);
      outside = inside ? 0 : outside + 1;
      // A negative flash that has nearly converged will not come back.
      if (outside > 3 && this.error < 1e-3) return 'single';
      if (this.error < 1e-2 && this.isTrivial(active)) return 'trivial';
      if (inside && count >= newtonFrom && this.error < NEWTON_ENTRY) {
        const outcome = this.newton(T, p, z, active);
        if (outcome !== 'stalled') return outcome;
        newtonFrom = count + AFTER_STALL;
      }
      let square = 0;
      let product = 0;
      for (let a = 0; a < active.length; a++) {
        const i = active[a]!;
        square += change[i]! * change[i]!;
        product += change[i]! * previous[i]!;
      }
      if (count % 4 === 0 && lastSquare > 0) {
        const lambda = product / lastSquare;
        if (lambda > 0.1 && lambda < 0.98)
          for (let a = 0; a < active.length; a++) {
            const i = active[a]!;
            lnK[i] = lnK[i]! + (change[i]! * lambda) / (1 - lambda);
          }
      }
      lastSquare = square;
      previous.set(change);
    }
    return 'stalled';
  }

  /**
   * Minimises G over the vapour mole numbers v, with l = z - v, from the current x, y, beta (0 < beta < 1). Variables are scaled by
   * sqrt(v l / z) so that traces do not spoil the matrix. Every accepted step lowers G; 'single' when a phase vanishes.
   */
  newton(T: number, p: number, z: Float64Array, active: Int32Array): TwoPhaseOutcome {
    const { eos, x, y, v, trial, lnPhiX, lnPhiY, lnK, scale, gradient, step, matrix, hessian, dX, dY } = this;
    const { n } = eos;
    const m = active.length;
    for (let a = 0; a < m; a++) v[a] = this.beta * y[active[a]!]!;
    let best = Number.POSITIVE_INFINITY;
    let damping = 0;
    let length = 1;
    for (let iteration = 0; iteration < MAX_NEWTON; iteration++) {
      this.iterations++;
      let beta = 0;
      for (let a = 0; a < m; a++) beta += v[a]!;
      if (!(beta > 1e-13 && beta < 1 - 1e-13)) return 'single';
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        y[i] = v[a]! / beta;
        x[i] = (z[i]! - v[a]!) / (1 - beta);
      }
      // Close to the solution plain fugacities suffice to confirm the last step.
      const confirm = this.error < 1e-4;
      if (confirm) {
        this.rhoX = eos.lnPhi(T, p, x, 'stable', lnPhiX);
        this.rhoY = eos.lnPhi(T, p, y, 'stable', lnPhiY);
      } else {
        this.rhoX = eos.lnPhiDerivatives(T, p, x, 'stable', dX);
        this.rhoY = eos.lnPhiDerivatives(T, p, y, 'stable', dY);
        lnPhiX.set(dX.lnPhi);
        lnPhiY.set(dY.lnPhi);
      }
      let g = 0;
      let error = 0;
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        const fy = Math.log(y[i]!) + lnPhiY[i]!;
        const fx = Math.log(x[i]!) + lnPhiX[i]!;
        gradient[a] = fy - fx;
        error = Math.max(error, Math.abs(fy - fx));
        g += v[a]! * fy + (z[i]! - v[a]!) * fx;
        lnK[i] = lnPhiX[i]! - lnPhiY[i]!;
      }
      this.beta = beta;
      if (error < FUGACITY_TOLERANCE) {
        this.error = error;
        return this.classify(true, active);
      }
      if (Number.isNaN(g)) return 'stalled';
      if (g > best + 1e-12 * Math.abs(best) && error > 1e-7) {
        // Gibbs rose: shorten the last step.
        length *= 0.3;
        if (length < 1e-6) return 'stalled';
        for (let a = 0; a < m; a++) v[a] = trial[a]! + length * step[a]!;
        this.error = 1;
        continue;
      }
      best = g;
      this.error = error;
      if (confirm) {
        eos.lnPhiDerivatives(T, p, x, 'stable', dX);
        eos.lnPhiDerivatives(T, p, y, 'stable', dY);
      }
      const common = 1 / (beta * (1 - beta));
      for (let a = 0; a < m; a++) {
        const i = active[a]!;
        const s = Math.sqrt((x[i]! * y[i]!) / z[i]!);
        scale[a] = s;
        for (let b = 0; b <= a; b++) {
          const j = active[b]!;
          const second = -common + dY.dn[i * n + j]! / beta + dX.dn[i * n + j]! / (1 - beta);
          hessian[a * m + b] = s * scale[b]! * second + (a === b ? common : 0);
        }
      }
      for (;;) {
        for (let a = 0; a < m; a++) {
          step[a] = -scale[a]! * gradient[a]!;
          for (let b = 0; b <= a; b++) matrix[a * m + b] = hessian[a * m + b]! + (a === b ? damping * common : 0);
        }
        if (choleskyFactor(matrix, m)) break;
        damping = Math.max(LEAST_DAMPING, damping * 10);
        if (damping > 1e6) return 'stalled';
      }
      choleskySolve(matrix, m, step);
      damping = damping < 10 * LEAST_DAMPING ? 0 : damping / 6;
      length = 1;
      for (let a = 0; a < m; a++) {
        step[a] = step[a]! * scale[a]!;
        const room = step[a]! > 0 ? z[active[a]!]! - v[a]! : v[a]!;
        const size = Math.abs(step[a]!);
        if (size * length > 0.9 * room) length = (0.9 * room) / size;
      }
      for (let a = 0; a < m; a++) {
        trial[a] = v[a]!;
        v[a] = v[a]! + length * step[a]!;
      }
    }
    return 'stalled';
  }

  private classify(inside: boolean, active: Int32Array): TwoPhaseOutcome {
    if (this.isTrivial(active)) return 'trivial';
    return inside ? 'two-phase' : 'single';
  }

  private isTrivial(active: Int32Array): boolean {
    for (let a = 0; a < active.length; a++) if (Math.abs(this.lnK[active[a]!]!) > TRIVIAL_LNK) return false;
    return true;
  }
}
