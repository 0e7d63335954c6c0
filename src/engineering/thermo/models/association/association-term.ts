/**
 * Wertheim's first-order perturbation theory for any mixture of association sites, as the stationary value of
 *   Q = sum_k m_k (ln X_k - X_k + 1) - 1/2 sum_kl m_k m_l X_k X_l Delta_kl / V,      m_k = n_i(k) multiplicity_k,
 * whose maximum over the unbonded fractions X is the association part of A_res/(R T). At the maximum dQ/dX = 0, so first derivatives
 * are explicit and second derivatives need one linear solve per variable and none of the iteration:
 *   F_p = Q_p,   F_pq = Q_pq + Q_pX X_q   with   Q_XX X_q = -Q_Xq.
 * M. L. Michelsen and E. M. Hendriks, Fluid Phase Equilib. 180 (2001) 165, doi:10.1016/S0378-3812(01)00344-2.
 *
 * It guarantees site fractions in (0, 1] that satisfy 1/X_k = 1 + sum_l m_l Delta_kl X_l / V to working precision, or EngineError
 * 'not-converged'; derivatives in V, T, mole numbers and in the structural variables s of the model (contact values, reduced
 * densities) through which Delta depends on volume and composition. It leaves Delta(T, s) and the chain rule for s to the model.
 * Mole numbers of zero are allowed. Units: V in m3/mol (per mole of mixture), Delta in m3/mol.
 */
import { EngineError } from '../../errors.ts';
import type { SiteType } from './association-sites.ts';

const MAX_NEWTON = 60;
const MAX_SUBSTITUTION = 4000;
const RESTART_SUBSTITUTIONS = 40;
const COLD_START = 0.2;
const START_SUBSTITUTIONS = 4;
/** Relative Newton step after which the quadratic convergence has reached rounding. */
const LAST_STEP = 1e-9;
/**
 * Largest relative residual of a site balance that is rounding, and the Newton step from which it counts. Where nearly all sites are bonded, at low temperature, the
 * balances leave the ratio of donor to acceptor fractions so weakly determined that steps do not get smaller than the rounding of 1 over X.
 */
const ROUNDING = 4e-15;
const FIRST_ROUNDED_STEP = 12;

/**
 * Largest association energy over k T that is computed. Free fractions are then near exp(-20); beyond it they are lost in rounding. It is 50 K for water and 60 K for glycols.
 */
export const STRONGEST_BOND = 40;

/** Upper bound that the failure names; nothing else limits association from above [K]. */
const HIGHEST_T = 10_000;

/** Throws 'outside-range' for a temperature [K] at which the energy over k T, `y`, is above STRONGEST_BOND. */
export function refuseStrongBond(y: number, T: number): never {
  throw new EngineError({
    kind: 'outside-range',
    quantity: 'temperature',
    value: T,
    min: Math.ceil((T * y) / STRONGEST_BOND),
    max: HIGHEST_T,
    unit: 'K',
  });
}

export class AssociationTerm {
  readonly sites: readonly SiteType[];
  /** Components that carry sites, in mixture order. */
  readonly components: readonly number[];
  readonly size: number;
  /** Association strength [m3/mol] and derivatives, row-major over site types; the model fills them before `evaluate`. */
  readonly delta: Float64Array;
  readonly delta_T: Float64Array;
  readonly delta_TT: Float64Array;
  readonly delta_s: readonly Float64Array[];
  readonly delta_sT: readonly Float64Array[];
  /** [a * S + b] for a <= b. */
  readonly delta_ss: readonly Float64Array[];
  /** Unbonded fraction of each site type. */
  readonly X: Float64Array;

  /** Directions: V is 0, s_a is 1 + a, T is `T`, component number c of `components` is `T` + 1 + c. */
  readonly T: number;
  readonly directions: number;
  value = 0;
  readonly gradient: Float64Array;
  /** Row-major over directions. */
  readonly hessian: Float64Array;

  private readonly structural: number;
  private readonly m: Float64Array;
  private readonly load: Float64Array;
  private readonly step: Float64Array;
  private readonly trial: Float64Array;
  private readonly matrix: Float64Array;
  private readonly pivots: Int32Array;
  /** df_k/dp for each direction, and the response X_p. */
  private readonly f: Float64Array;
  private readonly response: Float64Array;
  private readonly slot: Int32Array;
  private factored = false;

  /** `structural` is the number S of structural variables. */
  constructor(sites: readonly SiteType[], structural: number) {
    const size = sites.length;
    const matrix = () => new Float64Array(size * size);
    this.sites = sites;
    this.size = size;
    this.structural = structural;
    this.components = [...new Set(sites.map((site) => site.component))];
    this.slot = Int32Array.from(sites, (site) => this.components.indexOf(site.component));
    this.delta = matrix();
    this.delta_T = matrix();
    this.delta_TT = matrix();
    this.delta_s = Array.from({ length: structural }, matrix);
    this.delta_sT = Array.from({ length: structural }, matrix);
    this.delta_ss = Array.from({ length: structural * structural }, matrix);
    this.X = new Float64Array(size).fill(COLD_START);
    this.T = 1 + structural;
    this.directions = this.T + 1 + this.components.length;
    this.gradient = new Float64Array(this.directions);
    this.hessian = new Float64Array(this.directions * this.directions);
    this.m = new Float64Array(size);
    this.load = new Float64Array(size);
    this.step = new Float64Array(size);
    this.trial = new Float64Array(size);
    this.matrix = matrix();
    this.pivots = new Int32Array(size);
    this.f = new Float64Array(this.directions * size);
    this.response = new Float64Array(this.directions * size);
  }

  /**
   * Fills `value`, `gradient` and `hessian` at molar volume V and mole fractions x. order 0: value, gradient and Hessian in V and s.
   * 1: and the gradient in mole numbers. 2: all; delta_T, delta_TT and delta_sT are read for order 2 only.
   */
  evaluate(V: number, x: Float64Array, order: 0 | 1 | 2): void {
    const { sites, size, m, X, load, gradient } = this;
    for (let k = 0; k < size; k++) m[k] = x[sites[k]!.component]! * sites[k]!.multiplicity;
    this.solve(V);
    let value = 0;
    let bonded = 0;
    for (let k = 0; k < size; k++) {
      value += m[k]! * (Math.log(X[k]!) + 0.5 * (1 - X[k]!));
      bonded += m[k]! * (1 - X[k]!);
    }
    this.value = value;
    gradient.fill(0);
    gradient[0] = bonded / (2 * V);
    if (order > 0)
      for (let k = 0; k < size; k++) {
        const direction = this.T + 1 + this.slot[k]!;
        gradient[direction] = gradient[direction]! + sites[k]!.multiplicity * Math.log(X[k]!);
      }
    // load_k = 1/X_k - 1, the explicit volume derivative of the site balance times V.
    for (let k = 0; k < size; k++) load[k] = 1 / X[k]! - 1;
    this.fillBalanceDerivatives(V, order);
    this.fillHessian(V, bonded, order);
  }

  private fillBalanceDerivatives(V: number, order: 0 | 1 | 2): void {
    const { size, X, load, f, structural, delta, delta_s, delta_T, T, slot, sites } = this;
    f.fill(0);
    for (let k = 0; k < size; k++) f[k] = load[k]! / V;
    for (let a = 0; a < structural; a++) this.contract(delta_s[a]!, V, (1 + a) * size);
    if (order < 2) return;
    this.contract(delta_T, V, T * size);
    for (let k = 0; k < size; k++)
      for (let l = 0; l < size; l++) {
        const at = (T + 1 + slot[l]!) * size + k;
        f[at] = f[at]! - (sites[l]!.multiplicity * delta[k * size + l]! * X[l]!) / V;
      }
  }

  /** f_k = -sum_l d_kl m_l X_l / V at `offset`. */
  private contract(d: Float64Array, V: number, offset: number): void {
    const { size, m, X, f } = this;
    for (let k = 0; k < size; k++) {
      let sum = 0;
      for (let l = 0; l < size; l++) sum += d[k * size + l]! * m[l]! * X[l]!;
      f[offset + k] = -sum / V;
    }
  }

  private fillHessian(V: number, bonded: number, order: 0 | 1 | 2): void {
    const { size, m, f, response, hessian, gradient, structural, directions, T } = this;
    const count = order < 2 ? T : directions;
    // The factors of the last Newton step serve the lower orders: at the solution the two matrices are the same.
    if (order === 2 || !this.factored) this.factorise(V);
    for (let q = 0; q < count; q++) this.respond(q * size);
    for (let p = 0; p < count; p++)
      for (let q = 0; q <= p; q++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += m[k]! * f[p * size + k]! * response[q * size + k]!;
        hessian[p * directions + q] = sum;
      }
    // Q_s and the explicit second derivatives.
    for (let a = 0; a < structural; a++) {
      gradient[1 + a] = this.halfSum((1 + a) * size);
      this.add(1 + a, 0, -gradient[1 + a]! / V);
      for (let b = 0; b <= a; b++) this.add(1 + a, 1 + b, this.quadratic(this.delta_ss[b * structural + a]!, V));
    }
    this.add(0, 0, -bonded / (V * V));
    if (order === 2) {
      gradient[T] = this.halfSum(T * size);
      this.add(T, 0, -gradient[T]! / V);
      this.add(T, T, this.quadratic(this.delta_TT, V));
      for (let a = 0; a < structural; a++) this.add(T, 1 + a, this.quadratic(this.delta_sT[a]!, V));
      this.addMoleNumberTerms();
    }
    for (let p = 0; p < count; p++)
      for (let q = 0; q < p; q++) hessian[q * directions + p] = hessian[p * directions + q]!;
  }

  /** Q_{m_k q} = X_k f_k^q, summed over the sites of each component. */
  private addMoleNumberTerms(): void {
    const { size, X, f, sites, slot, T } = this;
    for (let k = 0; k < size; k++) {
      const p = T + 1 + slot[k]!;
      const weight = sites[k]!.multiplicity * X[k]!;
      for (let q = 0; q <= p; q++) this.add(p, q, weight * f[q * size + k]!);
    }
  }

  private add(p: number, q: number, value: number): void {
    const at = p * this.directions + q;
    this.hessian[at] = this.hessian[at]! + value;
  }

  /** -1/2 sum m m X X d / V from the contracted row at `offset`. */
  private halfSum(offset: number): number {
    const { size, m, X, f } = this;
    let sum = 0;
    for (let k = 0; k < size; k++) sum += m[k]! * X[k]! * f[offset + k]!;
    return 0.5 * sum;
  }

  private quadratic(d: Float64Array, V: number): number {
    const { size, m, X } = this;
    let sum = 0;
    for (let k = 0; k < size; k++)
      for (let l = 0; l < size; l++) sum += m[k]! * X[k]! * m[l]! * X[l]! * d[k * size + l]!;
    return (-0.5 * sum) / V;
  }

  /** Newton from the last fractions after a few damped substitutions; where that fails, from the better start that substitution gives, or substitution alone. */
  private solve(V: number): void {
    const { size, X } = this;
    this.factored = false;
    for (let k = 0; k < size; k++) if (!(X[k]! > 0 && X[k]! <= 1)) X[k] = COLD_START;
    if (this.substitute(V) > 0.1) for (let i = 0; i < START_SUBSTITUTIONS; i++) this.substitute(V);
    if (this.newton(V)) return;
    X.fill(COLD_START);
    if (this.substituteGeometric(V, RESTART_SUBSTITUTIONS) <= ROUNDING || this.newton(V)) return;
    const residual = this.substituteGeometric(V, MAX_SUBSTITUTION);
    if (residual <= ROUNDING) return;
    X.fill(COLD_START);
    throw new EngineError({
      kind: 'not-converged',
      algorithm: 'association site balance',
      iterations: MAX_SUBSTITUTION,
      residual,
    });
  }

  /** Newton with Michelsen's modified Hessian, an ascent direction from any start. */
  private newton(V: number): boolean {
    const { size, m, X, delta, step, trial, matrix } = this;
    for (let iteration = 0; iteration < MAX_NEWTON; iteration++) {
      let residual = 0;
      for (let k = 0; k < size; k++) {
        let sum = 1;
        for (let l = 0; l < size; l++) {
          const w = (delta[k * size + l]! * m[l]!) / V;
          matrix[k * size + l] = w;
          sum += w * X[l]!;
        }
        step[k] = 1 / X[k]! - sum;
        residual = Math.max(residual, Math.abs(step[k]! * X[k]!));
        matrix[k * size + k] = matrix[k * size + k]! + sum / X[k]!;
      }
      if (iteration >= FIRST_ROUNDED_STEP && residual <= ROUNDING) return true;
      this.decompose();
      this.backSubstitute(step, 0);
      let largest = 0;
      for (let k = 0; k < size; k++) {
        // No step takes away more than four fifths of a fraction.
        step[k] = Math.max(step[k]!, -0.8 * X[k]!);
        largest = Math.max(largest, Math.abs(step[k]! / X[k]!));
      }
      if (largest > 1e-3) {
        const before = this.objective(X, V);
        let length = 1;
        for (let halving = 0; halving < 12; halving++, length *= 0.5) {
          for (let k = 0; k < size; k++) trial[k] = Math.min(1, X[k]! + length * step[k]!);
          if (this.objective(trial, V) >= before) break;
        }
        X.set(trial);
      } else {
        for (let k = 0; k < size; k++) X[k] = Math.min(1, X[k]! + step[k]!);
        if (largest < LAST_STEP) {
          this.factored = true;
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Substitution with the geometric mean, X <- sqrt(X/(1 + sum)), for nearly complete bonding, where the products of donor and acceptor fractions are sharply
   * determined and their ratio so weakly that Newton's steps drown in rounding. The ratio comes from the count of bonds, as many donors as acceptors.
   * Ends when the balances are met to rounding; returns the largest relative residual.
   */
  private substituteGeometric(V: number, limit: number): number {
    const { size, m, X, delta, trial } = this;
    let residual = 1;
    for (let i = 0; i < limit; i++) {
      this.balanceBonds();
      residual = 0;
      for (let k = 0; k < size; k++) {
        let sum = 1;
        for (let l = 0; l < size; l++) sum += (delta[k * size + l]! * m[l]! * X[l]!) / V;
        residual = Math.max(residual, Math.abs(X[k]! * sum - 1));
        trial[k] = Math.min(1, Math.sqrt(X[k]! / sum));
      }
      if (residual <= ROUNDING) return residual;
      X.set(trial);
    }
    return residual;
  }

  /** Scales donor fractions by s and acceptor fractions by 1/s so that sum m (1 - X) is the same for both. */
  private balanceBonds(): void {
    const { size, sites, m, X } = this;
    let donors = 0;
    let acceptors = 0;
    let freeDonors = 0;
    let freeAcceptors = 0;
    for (let k = 0; k < size; k++) {
      const { kind } = sites[k]!;
      if (kind === 'any') return;
      if (kind === 'donor') {
        donors += m[k]!;
        freeDonors += m[k]! * X[k]!;
      } else {
        acceptors += m[k]!;
        freeAcceptors += m[k]! * X[k]!;
      }
    }
    const product = freeDonors * freeAcceptors;
    if (!(product > 0)) return;
    // s^2 freeDonors - s (donors - acceptors) - freeAcceptors = 0, without cancellation.
    const excess = donors - acceptors;
    const root = Math.sqrt(excess * excess + 4 * product);
    const s = excess > 0 ? (excess + root) / (2 * freeDonors) : (2 * freeAcceptors) / (root - excess);
    for (let k = 0; k < size; k++) X[k] = Math.min(1, sites[k]!.kind === 'donor' ? X[k]! * s : X[k]! / s);
  }

  /** One damped substitution X <- (X + 1/(1 + sum))/2, site by site; returns the largest relative change. */
  private substitute(V: number): number {
    const { size, m, X, delta } = this;
    let largest = 0;
    for (let k = 0; k < size; k++) {
      let sum = 1;
      for (let l = 0; l < size; l++) sum += (delta[k * size + l]! * m[l]! * X[l]!) / V;
      const next = 0.5 * (X[k]! + 1 / sum);
      largest = Math.max(largest, Math.abs(next / X[k]! - 1));
      X[k] = next;
    }
    return largest;
  }

  private objective(X: Float64Array, V: number): number {
    const { size, m, delta } = this;
    let q = 0;
    for (let k = 0; k < size; k++) {
      if (m[k] === 0) continue;
      let sum = 0;
      for (let l = 0; l < size; l++) sum += delta[k * size + l]! * m[l]! * X[l]!;
      q += m[k]! * (Math.log(X[k]!) - X[k]! + 1 - (0.5 * X[k]! * sum) / V);
    }
    return q;
  }

  /** Factors delta_kl/X_k^2 + W_kl m_l at the solution. */
  private factorise(V: number): void {
    const { size, m, X, delta, matrix } = this;
    for (let k = 0; k < size; k++) {
      for (let l = 0; l < size; l++) matrix[k * size + l] = (delta[k * size + l]! * m[l]!) / V;
      matrix[k * size + k] = matrix[k * size + k]! + 1 / (X[k]! * X[k]!);
    }
    this.decompose();
  }

  private respond(offset: number): void {
    const { size, f, response } = this;
    for (let k = 0; k < size; k++) response[offset + k] = f[offset + k]!;
    this.backSubstitute(response, offset);
  }

  /** LU with row pivoting of `matrix`, in place. Scaled by X its rows are strictly diagonally dominant, so it is never singular. */
  private decompose(): void {
    const { size: n, matrix: a, pivots } = this;
    for (let c = 0; c < n; c++) {
      let pivot = c;
      for (let r = c + 1; r < n; r++) if (Math.abs(a[r * n + c]!) > Math.abs(a[pivot * n + c]!)) pivot = r;
      pivots[c] = pivot;
      if (pivot !== c)
        for (let k = 0; k < n; k++) {
          const held = a[c * n + k]!;
          a[c * n + k] = a[pivot * n + k]!;
          a[pivot * n + k] = held;
        }
      for (let r = c + 1; r < n; r++) {
        const factor = a[r * n + c]! / a[c * n + c]!;
        a[r * n + c] = factor;
        if (factor !== 0) for (let k = c + 1; k < n; k++) a[r * n + k] = a[r * n + k]! - factor * a[c * n + k]!;
      }
    }
  }

  private backSubstitute(b: Float64Array, offset: number): void {
    const { size: n, matrix: a, pivots } = this;
    for (let c = 0; c < n; c++) {
      const pivot = pivots[c]!;
      const held = b[offset + pivot]!;
      b[offset + pivot] = b[offset + c]!;
      b[offset + c] = held;
    }
    for (let r = 1; r < n; r++) {
      let sum = b[offset + r]!;
      for (let k = 0; k < r; k++) sum -= a[r * n + k]! * b[offset + k]!;
      b[offset + r] = sum;
    }
    for (let r = n - 1; r >= 0; r--) {
      let sum = b[offset + r]!;
      for (let k = r + 1; k < n; k++) sum -= a[r * n + k]! * b[offset + k]!;
      b[offset + r] = sum / a[r * n + r]!;
    }
  }
}
