/**
 * Critical points of a mixture, computed directly (R. A. Heidemann, A. M. Khalil, AIChE J. 26 (1980) 769, doi:10.1002/aic.690260510;
 * M. L. Michelsen, R. A. Heidemann, AIChE J. 27 (1981) 521).
 *
 * With B_ij = delta_ij + sqrt(z_i z_j) n d ln phi_i/dn_j, its least eigenvalue lambda and eigenvector e, a critical point has
 *   lambda = 0 and c = d2/ds2 [sum_i e_i sqrt(z_i) ln f_i(z + s e sqrt(z))] at s = 0 equal to 0.
 * lambda = 0 is solved for T at fixed density, from high T; densities are scanned for changes of sign of c; Newton in ln T, ln p on both
 * conditions finishes. c comes from central differences of analytic fugacities.
 *
 * It guarantees: both conditions met, lambda within 1e-8 and c within 1e-5, and a feed that passes the stability test there (an unstable
 * critical point lies inside another phase region and is left out). A mixture may have several, or none (open envelopes). A pure fluid
 * has the one of pure-critical.ts; mixtures that are nearly pure (a fraction above about 0.99) may be missed, and are traced instead.
 */
import { createLnPhiDerivatives, createResidual, type EquationOfState } from '../model.ts';
import { choleskyFactor, choleskySolve } from './linear-solve.ts';
import { pureCritical } from './pure-critical.ts';
import { StabilityTest } from './stability-test.ts';

export interface CriticalPoint {
  /** Temperature [K], pressure [Pa], molar density of the equation of state [mol/m3]. */
  readonly T: number;
  readonly p: number;
  readonly rho: number;
}

/** Densities scanned, in units of the pseudo-critical one: dense enough for liquid-liquid points, thin enough for light mixtures. */
const LOWEST_DENSITY = 0.35;
const HIGHEST_DENSITY = 3.2;
const DENSITIES = 30;
/** Longest step along the eigenvector for the third-order condition. */
const STEP = 4e-3;
const EIGEN_STEPS = 60;
const EIGENVECTOR_ERROR = 1e-10;
const NEWTON_STEPS = 15;
const DIFFERENCE = 1e-5;
const FRESH_JACOBIAN = 5;
const BETWEEN_STEPS = 10;
const MOST_POLISHES = 3;
/** Good enough for the sign of c; Newton finishes. */
const SPINODAL_LAMBDA = 1e-5;
const LAMBDA_TOLERANCE = 1e-8;
const CUBIC_TOLERANCE = 1e-5;
const UNSTABLE = -1e-8;

export class CriticalPointSolver {
  private readonly eos: EquationOfState;
  private readonly stability: StabilityTest;
  private readonly derivatives;
  private readonly residual = createResidual();
  private readonly lnPhi: Float64Array;
  private readonly x: Float64Array;
  private z: Float64Array = new Float64Array(0);
  private active: Int32Array = new Int32Array(0);
  private e = new Float64Array(0);
  private matrix = new Float64Array(0);
  private factors = new Float64Array(0);
  /** sqrt(z), and sqrt(z) (Tc/mean - 1): where the search for the first eigenvector begins. */
  private root = new Float64Array(0);
  private heaviness = new Float64Array(0);
  /** Whether `e` is the eigenvector of another state of this feed. */
  private warm = false;
  private scratch = new Float64Array(0);

  constructor(eos: EquationOfState) {
    this.eos = eos;
    this.stability = new StabilityTest(eos);
    this.derivatives = createLnPhiDerivatives(eos.n);
    this.lnPhi = new Float64Array(eos.n);
    this.x = new Float64Array(eos.n);
  }

  /** All critical points found, densest last. Throws 'invalid-input' for z out of sense, 'not-converged' for a pure fluid. */
  all(z: Float64Array): CriticalPoint[] {
    this.begin(z);
    const { eos, active } = this;
    if (active.length === 1) {
      const unit = Float64Array.from(z, (zi) => (zi > 0 ? 1 : 0));
      return [pureCritical(eos, unit, active[0]!)];
    }
    let Tc = 0;
    let vc = 0;
    let mostTc = 0;
    for (const i of active) {
      const c = eos.components[i]!;
      Tc += z[i]! * c.Tc;
      vc += (z[i]! * 0.3 * eos.gasConstant * c.Tc) / c.pc;
      mostTc = Math.max(mostTc, c.Tc);
    }
    const found: CriticalPoint[] = [];
    let last: { rho: number; T: number; c: number } | undefined;
    for (let k = 0; k < DENSITIES; k++) {
      const rho = (LOWEST_DENSITY * (HIGHEST_DENSITY / LOWEST_DENSITY) ** (k / (DENSITIES - 1))) / vc;
      const T = this.spinodal(rho, last?.T ?? 1.6 * Tc, 2 * mostTc);
      const here = T === undefined ? undefined : { rho, T, c: this.cubic(T, this.pressure(T, rho)) };
      if (here !== undefined && last !== undefined && here.c * last.c < 0) {
        const point = this.between(last, here, 2 * mostTc);
        if (point !== undefined && !found.some((other) => Math.abs(other.T / point.T - 1) < 1e-6)) found.push(point);
      }
      last = here;
    }
    return found;
  }

  /** The critical point that Newton reaches from T, p, stable or not; undefined when it does not converge. */
  from(T: number, p: number, z: Float64Array): CriticalPoint | undefined {
    this.begin(z);
    return this.polish(T, p);
  }

  private begin(z: Float64Array): void {
    this.stability.setFeed(300, 1e5, z);
    this.z = z;
    this.active = this.stability.active;
    const m = this.active.length;
    if (this.e.length !== m) {
      this.e = new Float64Array(m);
      this.matrix = new Float64Array(m * m);
      this.factors = new Float64Array(m * m);
      this.root = new Float64Array(m);
      this.heaviness = new Float64Array(m);
      this.scratch = new Float64Array(m);
    }
    let mean = 0;
    for (const i of this.active) mean += z[i]! * this.eos.components[i]!.Tc;
    for (let a = 0; a < m; a++) {
      const i = this.active[a]!;
      this.root[a] = Math.sqrt(z[i]!);
      this.heaviness[a] = this.root[a]! * (this.eos.components[i]!.Tc / mean - 1);
    }
    this.warm = false;
    this.x.fill(0);
  }

  private pressure(T: number, rho: number): number {
    this.eos.residual(T, rho, this.z, this.residual);
    return this.residual.dpdrho > 0 ? this.residual.p : Number.NaN;
  }

  /** Least eigenvalue at T and density; negative infinity inside the mechanical spinodal or at negative pressure. */
  private lambdaAt(T: number, rho: number): number {
    const p = this.pressure(T, rho);
    if (!(p > 0)) return Number.NEGATIVE_INFINITY;
    for (const branch of ['vapour', 'liquid'] as const) {
      const root = this.eos.lnPhiDerivatives(T, p, this.z, branch, this.derivatives);
      if (Math.abs(root / rho - 1) < 1e-4) return this.eigen();
    }
    return Number.NEGATIVE_INFINITY;
  }

  /** Highest T at which the feed of this density is on the limit of stability, by bisection and secant. */
  private spinodal(rho: number, guess: number, top: number): number | undefined {
    let hi = Math.min(top, 1.03 * guess);
    while (hi < top && !(this.lambdaAt(hi, rho) > 0)) hi = Math.min(top, 1.15 * hi);
    let fHi = this.lambdaAt(hi, rho);
    if (!(fHi > 0)) return undefined;
    let lo = hi;
    let fLo = fHi;
    for (let k = 0; k < 60 && fLo > 0; k++) {
      hi = lo;
      fHi = fLo;
      lo *= 0.94;
      fLo = this.lambdaAt(lo, rho);
    }
    if (fLo > 0) return undefined;
    for (let k = 0; k < 60; k++) {
      let T = fLo > Number.NEGATIVE_INFINITY ? (lo * fHi - hi * fLo) / (fHi - fLo) : 0.5 * (lo + hi);
      if (k % 3 === 2) T = 0.5 * (lo + hi);
      const f = this.lambdaAt(T, rho);
      if (f > 0) {
        hi = T;
        fHi = f;
        if (f < SPINODAL_LAMBDA) return T;
      } else {
        lo = T;
        fLo = f;
      }
      if (hi - lo < 1e-7 * hi) return hi;
    }
    return hi;
  }

  /** Secant in density on c along the limit of stability until Newton converges. */
  private between(
    a: { rho: number; T: number; c: number },
    b: { rho: number; T: number; c: number },
    top: number,
  ): CriticalPoint | undefined {
    let lo = a;
    let hi = b;
    const first = Math.min(Math.abs(a.c), Math.abs(b.c));
    let polished = 0;
    for (let k = 0; k < BETWEEN_STEPS && polished < MOST_POLISHES; k++) {
      const rho = k % 3 === 2 ? 0.5 * (lo.rho + hi.rho) : (lo.rho * hi.c - hi.rho * lo.c) / (hi.c - lo.c);
      const T = this.spinodal(rho, Math.max(lo.T, hi.T), top);
      if (T === undefined) return undefined;
      const p = this.pressure(T, rho);
      const c = this.cubic(T, p);
      if (!Number.isFinite(c)) return undefined;
      // A zero of c, not a jump: c shrinks with the bracket.
      if (Math.abs(c) < 0.3 * first) {
        polished++;
        const point = this.polish(T, p);
        if (point !== undefined && point.rho > 0.9 * a.rho && point.rho < 1.1 * b.rho && this.isStable(point))
          return point;
      }
      if (c * lo.c < 0) hi = { rho, T, c };
      else lo = { rho, T, c };
    }
    return undefined;
  }

  /** Newton in ln T, ln p on lambda and c: differences for the Jacobian at first, then Broyden's corrections of it. */
  private polish(startT: number, startP: number): CriticalPoint | undefined {
    let t = Math.log(startT);
    let q = Math.log(startP);
    let lambda = this.lambda(startT, startP);
    let c = this.cubicHere(startT, startP);
    let [lambdaT, cT, lambdaP, cP] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    for (let k = 0; k < NEWTON_STEPS; k++) {
      // Far from the point, where steps are cut short, and when corrections do not get there, the Jacobian is taken afresh.
      if (Number.isNaN(lambdaT) || k % FRESH_JACOBIAN === 0) {
        lambdaT = (this.lambda(Math.exp(t + DIFFERENCE), Math.exp(q)) - lambda) / DIFFERENCE;
        cT = (this.cubicHere(Math.exp(t + DIFFERENCE), Math.exp(q)) - c) / DIFFERENCE;
        lambdaP = (this.lambda(Math.exp(t), Math.exp(q + DIFFERENCE)) - lambda) / DIFFERENCE;
        cP = (this.cubicHere(Math.exp(t), Math.exp(q + DIFFERENCE)) - c) / DIFFERENCE;
      }
      const det = lambdaT * cP - lambdaP * cT;
      let dt = -(lambda * cP - lambdaP * c) / det;
      let dq = -(lambdaT * c - lambda * cT) / det;
      if (!Number.isFinite(dt + dq)) return undefined;
      const length = Math.min(1, 0.03 / Math.abs(dt), 0.1 / Math.abs(dq));
      const last = Math.abs(dt) < 1e-9 && Math.abs(dq) < 1e-8;
      dt *= length;
      dq *= length;
      t += dt;
      q += dq;
      const T = Math.exp(t);
      const p = Math.exp(q);
      const nextLambda = this.lambda(T, p);
      const nextC = this.cubicHere(T, p);
      if (last) {
        if (!(Math.abs(nextLambda) < LAMBDA_TOLERANCE) || !(Math.abs(nextC) < CUBIC_TOLERANCE)) return undefined;
        return { T, p, rho: this.eos.density(T, p, this.z, 'stable') };
      }
      if (length < 1) lambdaT = Number.NaN;
      const square = dt * dt + dq * dq;
      const lambdaOff = (nextLambda - lambda - lambdaT * dt - lambdaP * dq) / square;
      const cOff = (nextC - c - cT * dt - cP * dq) / square;
      lambdaT += lambdaOff * dt;
      lambdaP += lambdaOff * dq;
      cT += cOff * dt;
      cP += cOff * dq;
      lambda = nextLambda;
      c = nextC;
    }
    return undefined;
  }

  private isStable({ T, p }: CriticalPoint): boolean {
    this.stability.setFeed(T, p, this.z);
    return this.stability.testFeed() >= UNSTABLE;
  }

  private lambda(T: number, p: number): number {
    const rho = this.eos.lnPhiDerivatives(T, p, this.z, 'stable', this.derivatives);
    return rho > 0 ? this.eigen() : Number.NaN;
  }

  private cubic(T: number, p: number): number {
    this.lambda(T, p);
    return this.cubicHere(T, p);
  }

  /** c for the eigenvector last found: central differences at two steps, extrapolated to none. */
  private cubicHere(T: number, p: number): number {
    const { e, z, root, active, lnPhi, eos } = this;
    let s = STEP;
    for (let a = 0; a < active.length; a++) s = Math.min(s, (0.3 * root[a]!) / Math.abs(e[a]!));
    eos.lnPhi(T, p, z, 'stable', lnPhi);
    let middle = 0;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      middle += e[a]! * root[a]! * (Math.log(z[i]!) + lnPhi[i]!);
    }
    const h = 0.5 * s;
    const wide = (this.alongEigenvector(T, p, s) - 2 * middle + this.alongEigenvector(T, p, -s)) / (s * s);
    const narrow = (this.alongEigenvector(T, p, h) - 2 * middle + this.alongEigenvector(T, p, -h)) / (h * h);
    return (4 * narrow - wide) / 3;
  }

  /** sum e_i sqrt(z_i) ln f_i at mole numbers z + s e sqrt(z), f over p and the sum of the mole numbers (stability.ts). */
  private alongEigenvector(T: number, p: number, s: number): number {
    const { e, z, x, root, active, lnPhi, eos } = this;
    let total = 0;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      x[i] = z[i]! + s * e[a]! * root[a]!;
      total += x[i]!;
    }
    for (let a = 0; a < active.length; a++) x[active[a]!] = x[active[a]!]! / total;
    eos.lnPhi(T, p, x, 'stable', lnPhi);
    let sum = 0;
    for (let a = 0; a < active.length; a++) {
      const i = active[a]!;
      sum += e[a]! * root[a]! * (Math.log(x[i]! * total) + lnPhi[i]!);
    }
    return sum;
  }

  /**
   * Least eigenvalue of B from `derivatives`, its eigenvector in `e`: inverse iteration with a Rayleigh shift, from the eigenvector of the
   * state before when there is one. A shift below the least eigenvalue leaves a positive definite matrix, so Cholesky's factors prove that
   * no lower one is passed by.
   */
  private eigen(): number {
    const { derivatives, active, e, root, matrix, factors, scratch, eos } = this;
    const m = active.length;
    const { n } = eos;
    for (let a = 0; a < m; a++)
      for (let b = 0; b < m; b++) {
        const i = active[a]!;
        const j = active[b]!;
        matrix[a * m + b] = (a === b ? 1 : 0) + root[a]! * root[b]! * derivatives.dn[i * n + j]!;
      }
    // Gershgorin gives a shift below every eigenvalue; later shifts follow the Rayleigh quotient from below.
    let lowest = Number.POSITIVE_INFINITY;
    for (let a = 0; a < m; a++) {
      let radius = 0;
      for (let b = 0; b < m; b++) if (b !== a) radius += Math.abs(matrix[a * m + b]!);
      lowest = Math.min(lowest, matrix[a * m + a]! - radius);
    }
    lowest -= 0.1;
    let shift = lowest;
    let warm = this.warm;
    scratch.set(warm ? e : this.heaviness);
    let proved = Number.NEGATIVE_INFINITY;
    let lambda = Number.NaN;
    for (let k = 0; k < EIGEN_STEPS; k++) {
      let norm = 0;
      for (let a = 0; a < m; a++) norm += scratch[a]! * scratch[a]!;
      norm = 1 / Math.sqrt(norm);
      for (let a = 0; a < m; a++) e[a] = scratch[a]! * norm;
      let value = 0;
      let error = 0;
      for (let a = 0; a < m; a++) {
        let row = 0;
        for (let b = 0; b < m; b++) row += matrix[a * m + b]! * e[b]!;
        value += e[a]! * row;
        scratch[a] = row;
      }
      for (let a = 0; a < m; a++) error += (scratch[a]! - value * e[a]!) ** 2;
      lambda = value;
      error = Math.sqrt(error);
      // The eigenvalue is then known to the square of this.
      if (error < EIGENVECTOR_ERROR) {
        if (proved > value - 1e-6 || this.factorShifted(value - 1e-7)) break;
        // An eigenvector, but not that of the least eigenvalue (sqrt(z) always is one, of 1): away from it.
        for (let a = 0; a < m; a++) scratch[a] = (warm ? this.heaviness[a]! : e[a]!) + 0.1 / (a + 1);
        warm = false;
        shift = lowest;
        continue;
      }
      // The eigenvalue nearest to value lies within `error` of it; staying below keeps the least one.
      if (k > 2 || warm) shift = Math.max(shift, value - 1.5 * error - 1e-9);
      if (!this.factorShifted(shift)) {
        shift = lowest;
        if (!this.factorShifted(shift)) break;
      }
      proved = Math.max(proved, shift);
      for (let a = 0; a < m; a++) scratch[a] = e[a]!;
      choleskySolve(factors, m, scratch);
    }
    this.warm = Number.isFinite(lambda);
    // One sign for all states: towards the heavy components.
    let towards = 0;
    for (let a = 0; a < m; a++) towards += e[a]! * this.heaviness[a]!;
    if (towards < 0) for (let a = 0; a < m; a++) e[a] = -e[a]!;
    return lambda;
  }

  /** Cholesky's factors of the matrix less the shift; false when that is not positive definite. */
  private factorShifted(shift: number): boolean {
    const { matrix, factors, active } = this;
    const m = active.length;
    for (let a = 0; a < m * m; a++) factors[a] = matrix[a]!;
    for (let a = 0; a < m; a++) factors[a * m + a] = factors[a * m + a]! - shift;
    return choleskyFactor(factors, m);
  }
}
