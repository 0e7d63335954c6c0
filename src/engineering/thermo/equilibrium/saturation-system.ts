/**
 * The equations of a saturation point, shared by bubble and dew points and the phase envelope (M. L. Michelsen, Fluid Phase Equilib.
 * 4 (1980) 1, doi:10.1016/0378-3812(80)80001-X). Unknowns u = (ln K_1 ... ln K_m, ln T, ln p) over the m components present, with
 * K_i = w_i/z_i the ratio of the incipient phase w to the feed z:
 *   ln K_i + ln phi_i(w) - ln phi_i(z) = 0,   ln sum z_i K_i = 0,   u_s = S.
 * The last one is put in by hand: m + 1 linear equations are left for each Newton step.
 * The incipient phase may be lighter (bubble point) or heavier (dew point) than the feed; nothing here tells the two apart, so a
 * continuation runs through the critical point, where all ln K change sign.
 *
 * It guarantees: `solve` returns true only with all residuals below RESIDUAL, both phases on their stable root unless
 * `pinBranches` was called. It leaves to others: the trivial solution (all ln K = 0) and the stability of the feed.
 */
import { type Branch, createLnPhiDerivatives, createResidual, type EquationOfState } from '../model.ts';
import { luFactor, luSolve } from './linear-solve.ts';

/** Largest |residual| of a solution: difference of ln f between the phases. */
export const RESIDUAL = 1e-10;
/** A step this small, after quadratic convergence, leaves an error of its square. */
const LAST_STEP = 1e-7;
/** Largest ln K below which the fugacities, which differ by its cube, leave steps of the size of NOISE_STEP to rounding. */
const NEARLY_ALIKE = 0.02;
const NOISE_STEP = 1e-6;
/** After a step s this small one more, e, with the same Jacobian may be enough: it leaves about 2 e^2/s, which must be below RESIDUAL. */
const LAST_BUT_ONE_STEP = 2e-4;
/** Roots whose ln rho differ by less are one. */
const ONE_ROOT = 1e-9;
const LONGEST_LNT = 0.15;
const LONGEST_LNP = 1;
const LONGEST_LNK = 2;

export class SaturationSystem {
  readonly eos: EquationOfState;
  /** Components present. */
  active: Int32Array = new Int32Array(0);
  /** Number of components present; ln T is u[m], ln p is u[m + 1]. */
  m = 0;
  u: Float64Array = new Float64Array(0);
  z: Float64Array = new Float64Array(0);
  /** Composition of the incipient phase at the last evaluation. */
  readonly w: Float64Array;
  readonly feed;
  readonly incipient;
  /** Roots of the two phases. A true saturation point is on stable roots; a metastable stretch of a curve may not be. */
  feedBranch: Branch = 'stable';
  incipientBranch: Branch = 'stable';
  rhoFeed = Number.NaN;
  rhoIncipient = Number.NaN;
  /** Largest |residual| of the last evaluation. */
  error = Number.POSITIVE_INFINITY;
  iterations = 0;
  /** Room for the points of a trace (envelope-trace.ts). */
  readonly path: Float64Array[] = [];
  /** Jacobian of m + 1 equations: the column of u_s is in `along`, its place is taken by that of ln p. */
  private matrix: Float64Array = new Float64Array(0);
  private along: Float64Array = new Float64Array(0);
  private held = 0;
  private readonly residual = createResidual();
  private rows: Int32Array = new Int32Array(0);
  private step: Float64Array = new Float64Array(0);

  constructor(eos: EquationOfState) {
    this.eos = eos;
    this.w = new Float64Array(eos.n);
    this.feed = createLnPhiDerivatives(eos.n);
    this.incipient = createLnPhiDerivatives(eos.n);
  }

  setFeed(z: Float64Array): void {
    this.z = z;
    let m = 0;
    for (let i = 0; i < z.length; i++) if (z[i]! > 0) m++;
    this.active = new Int32Array(m);
    for (let i = 0, a = 0; i < z.length; i++) if (z[i]! > 0) this.active[a++] = i;
    if (m !== this.m) {
      this.m = m;
      this.u = new Float64Array(m + 2);
      this.step = new Float64Array(m + 2);
      this.matrix = new Float64Array((m + 1) * (m + 1));
      this.along = new Float64Array(m + 1);
      this.rows = new Int32Array(m + 1);
    }
    this.w.fill(0);
    this.feedBranch = 'stable';
    this.incipientBranch = 'stable';
  }

  /** Holds the phases on the roots they are on at the last evaluation, by name. */
  pinBranches(): void {
    this.feedBranch = this.branchOf(this.z, this.rhoFeed, this.feedBranch);
    this.incipientBranch = this.branchOf(this.w, this.rhoIncipient, this.incipientBranch);
  }

  /** The name of the root nearer to rho; that of before where there is one root only. */
  private branchOf(x: Float64Array, rho: number, before: Branch): Branch {
    const { T, p } = this;
    const fromVapour = Math.abs(Math.log(this.eos.density(T, p, x, 'vapour') / rho));
    const fromLiquid = Math.abs(Math.log(this.eos.density(T, p, x, 'liquid') / rho));
    if (before !== 'stable' && Math.abs(fromVapour - fromLiquid) < ONE_ROOT) return before;
    return fromVapour < fromLiquid ? 'vapour' : 'liquid';
  }

  /**
   * Renames pinned roots at a point where both names mean one root: turn 1 the feed's, 2 both back and forth, 3 the feed's again, so that
   * every naming has been had. False when nothing is renamed.
   */
  renameBranches(turn: number): boolean {
    const { z, w } = this;
    const renamed = (x: Float64Array, branch: Branch): Branch =>
      this.hasOneRoot(x) ? (branch === 'liquid' ? 'vapour' : 'liquid') : branch;
    const feed = renamed(z, this.feedBranch);
    const incipient = turn === 2 ? renamed(w, this.incipientBranch) : this.incipientBranch;
    const changed = feed !== this.feedBranch || incipient !== this.incipientBranch;
    this.feedBranch = feed;
    this.incipientBranch = incipient;
    return changed;
  }

  private hasOneRoot(x: Float64Array): boolean {
    const { T, p, eos } = this;
    return Math.abs(Math.log(eos.density(T, p, x, 'vapour') / eos.density(T, p, x, 'liquid'))) < ONE_ROOT;
  }

  /** dp/drho of the phase that is nearer to its limit of mechanical stability, over its value for the ideal gas. */
  leastStiffness(): number {
    const { eos, T, z, w, residual, rhoFeed, rhoIncipient } = this;
    eos.residual(T, rhoFeed, z, residual);
    const feed = residual.dpdrho;
    eos.residual(T, rhoIncipient, w, residual);
    return Math.min(feed, residual.dpdrho) / (eos.gasConstant * T);
  }

  get T(): number {
    return Math.exp(this.u[this.m]!);
  }

  get p(): number {
    return Math.exp(this.u[this.m + 1]!);
  }

  /** Composition of the incipient phase at u into `x`, zero at first (w is that of the last evaluation, one Newton step before). */
  composition(x: Float64Array): void {
    const { active, z, u } = this;
    let total = 0;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      x[i] = z[i]! * Math.exp(u[a]!);
      total += x[i]!;
    }
    for (let a = 0; a < active.length; a++) x[active[a]!] = x[active[a]!]! / total;
  }

  /** Largest |ln K|: 0 at the critical point and at the trivial solution. */
  largestLnK(): number {
    let most = 0;
    for (let a = 0; a < this.m; a++) most = Math.max(most, Math.abs(this.u[a]!));
    return most;
  }

  /** Sets w from u; returns sum z_i K_i. */
  private weigh(): number {
    const { active, m, u, z, w } = this;
    let total = 0;
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      const W = z[i]! * Math.exp(u[a]!);
      w[i] = W;
      total += W;
    }
    const inverse = 1 / total;
    for (let a = 0; a < m; a++) w[active[a]!] = w[active[a]!]! * inverse;
    return total;
  }

  /** Residuals into `step`, negative, from ln phi in `feed` and `incipient`. */
  private compare(total: number): void {
    const { active, m, u, feed, incipient, step } = this;
    let error = 0;
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      const residual = u[a]! + incipient.lnPhi[i]! - feed.lnPhi[i]!;
      step[a] = -residual;
      error = Math.max(error, Math.abs(residual));
    }
    const sum = Math.log(total);
    step[m] = -sum;
    this.error = Math.max(error, Math.abs(sum));
  }

  private exists(total: number): boolean {
    return this.rhoFeed > 0 && this.rhoIncipient > 0 && Number.isFinite(total);
  }

  /** Residuals at u into `step` (negative, ready to solve). False when a phase has no root. */
  private evaluate(): boolean {
    const { eos, z, w, feed, incipient, T, p } = this;
    const total = this.weigh();
    this.rhoFeed = eos.lnPhi(T, p, z, this.feedBranch, feed.lnPhi);
    this.rhoIncipient = eos.lnPhi(T, p, w, this.incipientBranch, incipient.lnPhi);
    if (!this.exists(total)) return false;
    this.compare(total);
    return !Number.isNaN(this.error);
  }

  /** Residuals at u with u_s = S into `step`, Jacobian into `matrix` and `along`. False when a phase has no root. */
  private assemble(s: number, S: number): boolean {
    const { eos, active, m, u, z, w, feed, incipient, matrix, along, step, T, p } = this;
    const { n } = eos;
    const size = m + 1;
    const total = this.weigh();
    this.rhoFeed = eos.lnPhiDerivatives(T, p, z, this.feedBranch, feed, false);
    this.rhoIncipient = eos.lnPhiDerivatives(T, p, w, this.incipientBranch, incipient);
    if (!this.exists(total)) return false;
    this.compare(total);
    this.held = s;
    const { dn } = incipient;
    for (let a = 0, row = 0; a < m; a++, row += size) {
      const i = active[a]!;
      const from = i * n;
      for (let b = 0; b < m; b++) {
        const j = active[b]!;
        matrix[row + b] = dn[from + j]! * w[j]!;
      }
      matrix[row + a] = matrix[row + a]! + 1;
      matrix[row + m] = T * (incipient.dT[i]! - feed.dT[i]!);
      along[a] = p * (incipient.dp[i]! - feed.dp[i]!);
    }
    for (let b = 0; b < m; b++) matrix[m * size + b] = w[active[b]!]!;
    matrix[m * size + m] = 0;
    along[m] = 0;
    if (s <= m)
      for (let a = 0, at = s; a <= m; a++, at += size) {
        const column = along[a]!;
        along[a] = matrix[at]!;
        matrix[at] = column;
      }
    const change = S - u[s]!;
    if (change !== 0) for (let a = 0; a <= m; a++) step[a] = step[a]! - along[a]! * change;
    step[m + 1] = change;
    return !Number.isNaN(this.error);
  }

  /** Solves for the step from the residuals with the factored Jacobian; on entry step[m + 1] is the change of u_s. */
  private solveStep(b: Float64Array): void {
    const { m, held, matrix, rows } = this;
    const change = b[m + 1]!;
    luSolve(matrix, m + 1, rows, b);
    if (held > m) return;
    b[m + 1] = b[held]!;
    b[held] = change;
  }

  /** Replaces ln K by what the composition it gives implies: sets traces right that Newton's limited steps would take long to reach. */
  substitute(): void {
    const { active, m, u, feed, incipient } = this;
    if (!this.evaluate()) return;
    for (let a = 0; a < m; a++) u[a] = feed.lnPhi[active[a]!]! - incipient.lnPhi[active[a]!]!;
  }

  /**
   * Newton from u with u_s held at S. False when it does not converge in `limit` iterations; u is then spoilt. Long steps are shortened,
   * all components alike, so that a poor start does not leave the region of two phases.
   */
  solve(s: number, S: number, limit = 20): boolean {
    const { m, u, step, matrix, rows } = this;
    const size = m + 2;
    this.iterations = 0;
    for (let iteration = 0; iteration < limit; iteration++) {
      this.iterations++;
      if (!this.assemble(s, S)) return false;
      if (!luFactor(matrix, m + 1, rows)) return false;
      if (this.error < RESIDUAL && Math.abs(step[m + 1]!) < RESIDUAL) return true;
      this.solveStep(step);
      let length = 1;
      let largest = 0;
      for (let a = 0; a < size; a++) {
        const change = Math.abs(step[a]!);
        if (!(change < Number.POSITIVE_INFINITY)) return false;
        const longest = a < m ? LONGEST_LNK : a === m ? LONGEST_LNT : LONGEST_LNP;
        if (change * length > longest) length = longest / change;
        largest = Math.max(largest, change);
      }
      for (let a = 0; a < size; a++) u[a] = u[a]! + length * step[a]!;
      if (this.largestLnK() < NEARLY_ALIKE) {
        if (largest < NOISE_STEP) return true;
      } else if (largest < LAST_STEP || (largest < LAST_BUT_ONE_STEP && this.chord(largest))) return true;
    }
    return false;
  }

  /** A step with the Jacobian of the last one, which had the size `before`, at u_s as it is; true when little is left after it. */
  private chord(before: number): boolean {
    const { m, u, step } = this;
    this.iterations++;
    if (!this.evaluate()) return false;
    step[m + 1] = 0;
    this.solveStep(step);
    let largest = 0;
    for (let a = 0; a < m + 2; a++) {
      u[a] = u[a]! + step[a]!;
      largest = Math.max(largest, Math.abs(step[a]!));
    }
    return 2 * largest * largest < 0.1 * RESIDUAL * before;
  }

  /** du/dS of the last solution into `out` (its Jacobian is kept factored). */
  sensitivity(out: Float64Array): void {
    const { m, along } = this;
    for (let a = 0; a <= m; a++) out[a] = -along[a]!;
    out[m + 1] = 1;
    this.solveStep(out);
  }

  /** Residual error at u, evaluated afresh; the Jacobian of `sensitivity` is kept. */
  remeasure(): number {
    return this.evaluate() ? this.error : Number.POSITIVE_INFINITY;
  }

  /** Residual error at u, evaluated afresh; fills w, feed, incipient and the densities. */
  check(): number {
    return this.assemble(this.m, this.u[this.m]!) ? this.error : Number.POSITIVE_INFINITY;
  }
}
