/**
 * Phase amounts for given equilibrium ratios. Neither function fails: the problems are monotone (two phases) and convex (many),
 * and every Newton step is kept inside a bracket or a line search.
 */
import { choleskyFactor, choleskySolve } from './linear-solve.ts';

const MAX_ITERATIONS = 100;
const MAX_HALVINGS = 40;
const MAX_RIDGE = 1e12;
const GRADIENT_TOLERANCE = 1e-14;
const RELEASE_GRADIENT = 1e-12;

/**
 * Vapour fraction beta of the Rachford-Rice equation sum z_i (K_i - 1)/(1 + beta (K_i - 1)) = 0, also outside 0..1
 * (negative flash: C. H. Whitson, M. L. Michelsen, Fluid Phase Equilib. 53 (1989) 51, doi:10.1016/0378-3812(89)80072-X), where
 * both compositions stay positive. +Infinity when every K exceeds 1, -Infinity when none does. Components with z = 0 are ignored.
 */
export function rachfordRice(n: number, z: Float64Array, K: Float64Array, start = 0.5): number {
  let lo = Number.NEGATIVE_INFINITY;
  let hi = Number.POSITIVE_INFINITY;
  // From x_i < 1 and y_i < 1 at the solution (C. F. Leibovici, J. Neoschil).
  for (let i = 0; i < n; i++) {
    const zi = z[i]!;
    const k = K[i]!;
    if (zi === 0) continue;
    if (k > 1) lo = Math.max(lo, (k * zi - 1) / (k - 1));
    else if (k < 1) hi = Math.min(hi, (1 - zi) / (1 - k));
  }
  if (lo === Number.NEGATIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (hi === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  let beta = start > lo && start < hi ? start : 0.5 * (lo + hi);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    let h = 0;
    let slope = 0;
    for (let i = 0; i < n; i++) {
      const zi = z[i]!;
      if (zi === 0) continue;
      const k = K[i]! - 1;
      const term = k / (1 + beta * k);
      h += zi * term;
      slope -= zi * term * term;
    }
    if (h > 0) lo = beta;
    else hi = beta;
    let next = beta - h / slope;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    const step = Math.abs(next - beta);
    beta = next;
    if (step <= 1e-15 * Math.max(1, Math.abs(beta)) || hi - lo <= 1e-16 * Math.max(1, Math.abs(beta))) break;
  }
  return beta;
}

/**
 * Amounts of several phases from their fugacity coefficients: minimises the convex
 *   Q(beta) = sum_k beta_k - sum_i z_i ln E_i,   E_i = sum_k beta_k / phi_ik,   beta_k >= 0
 * (M. L. Michelsen, Comput. Chem. Eng. 18 (1994) 545, doi:10.1016/0098-1354(93)E0017-4). At the minimum
 * x_ik = z_i / (E_i phi_ik); phases that cannot exist get beta_k = 0.
 *
 * `lnPhi` has one array of n per phase; `beta` holds the start and receives the amounts. Components with z = 0 are ignored.
 */
export function multiphaseRachfordRice(z: Float64Array, lnPhi: readonly Float64Array[], beta: Float64Array): void {
  const n = z.length;
  const phases = lnPhi.length;
  // 1/phi scaled per component: the scale cancels everywhere.
  const e: Float64Array[] = lnPhi.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < phases; k++) least = Math.min(least, lnPhi[k]![i]!);
    for (let k = 0; k < phases; k++) e[k]![i] = Math.exp(least - lnPhi[k]![i]!);
  }
  const gradient = new Float64Array(phases);
  const step = new Float64Array(phases);
  const hessian = new Float64Array(phases * phases);
  const reduced = new Float64Array(phases * phases);
  const trial = new Float64Array(phases);
  const E = new Float64Array(n);
  const fixed = new Uint8Array(phases);
  let total = 0;
  for (let k = 0; k < phases; k++) total += beta[k]!;
  for (let k = 0; k < phases; k++) beta[k] = total > 0 ? beta[k]! / total : 1 / phases;
  for (let k = 0; k < phases; k++) fixed[k] = beta[k]! > 0 ? 0 : 1;

  let q = objective(beta);
  let stalled = false;
  let released = false;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    evaluateDerivatives();
    const settled = stalled || worstFree() < GRADIENT_TOLERANCE;
    // Once the free amounts have settled, a phase at zero may come back if that lowers Q.
    if (settled && ((stalled && released) || !release())) return;
    released = settled;
    newtonStep();
    // Longest step that keeps every amount non-negative.
    let longest = 1;
    let blocking = -1;
    for (let k = 0; k < phases; k++)
      if (step[k]! < 0 && -beta[k]! / step[k]! < longest) {
        longest = -beta[k]! / step[k]!;
        blocking = k;
      }
    let length = longest;
    let accepted = false;
    for (let halving = 0; halving < MAX_HALVINGS && !accepted; halving++) {
      for (let k = 0; k < phases; k++)
        trial[k] = k === blocking && length === longest ? 0 : Math.max(0, beta[k]! + length * step[k]!);
      const value = objective(trial);
      accepted = value <= q + 1e-15 * Math.abs(q);
      if (accepted) q = value;
      else length *= 0.5;
    }
    let moved = 0;
    if (accepted)
      for (let k = 0; k < phases; k++) {
        moved = Math.max(moved, Math.abs(trial[k]! - beta[k]!));
        beta[k] = trial[k]!;
        if (beta[k] === 0) fixed[k] = 1;
      }
    stalled = moved < 1e-15;
  }

  function worstFree(): number {
    let worst = 0;
    for (let k = 0; k < phases; k++) if (fixed[k] === 0) worst = Math.max(worst, Math.abs(gradient[k]!));
    return worst;
  }

  /** Frees the phase at zero whose return lowers Q most; false when there is none. */
  function release(): boolean {
    let most = -1;
    for (let k = 0; k < phases; k++)
      if (fixed[k] === 1 && gradient[k]! < -RELEASE_GRADIENT && (most < 0 || gradient[k]! < gradient[most]!)) most = k;
    if (most >= 0) fixed[most] = 0;
    return most >= 0;
  }

  function objective(b: Float64Array): number {
    let value = 0;
    for (let k = 0; k < phases; k++) value += b[k]!;
    for (let i = 0; i < n; i++) {
      if (z[i] === 0) continue;
      let sum = 0;
      for (let k = 0; k < phases; k++) sum += b[k]! * e[k]![i]!;
      if (!(sum > 0)) return Number.POSITIVE_INFINITY;
      value -= z[i]! * Math.log(sum);
    }
    return value;
  }

  function evaluateDerivatives(): void {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < phases; k++) sum += beta[k]! * e[k]![i]!;
      E[i] = sum;
    }
    hessian.fill(0);
    for (let k = 0; k < phases; k++) {
      let g = 1;
      for (let i = 0; i < n; i++) {
        if (z[i] === 0) continue;
        const ratio = e[k]![i]! / E[i]!;
        g -= z[i]! * ratio;
        for (let l = 0; l <= k; l++)
          hessian[k * phases + l] = hessian[k * phases + l]! + (z[i]! * ratio * e[l]![i]!) / E[i]!;
      }
      gradient[k] = g;
    }
  }

  /** Newton step on the free amounts; a ridge keeps the matrix definite when two phases are alike. */
  function newtonStep(): void {
    for (let ridge = 0; ; ridge = Math.max(1e-12, ridge * 100)) {
      for (let k = 0; k < phases; k++) {
        step[k] = fixed[k] === 1 ? 0 : -gradient[k]!;
        for (let l = 0; l <= k; l++)
          reduced[k * phases + l] =
            fixed[k] === 1 || fixed[l] === 1 ? (k === l ? 1 : 0) : hessian[k * phases + l]! + (k === l ? ridge : 0);
      }
      if (choleskyFactor(reduced, phases)) {
        choleskySolve(reduced, phases, step);
        return;
      }
      // Not finite: the amounts stay, which ends the iteration.
      if (ridge > MAX_RIDGE) {
        step.fill(0);
        return;
      }
    }
  }
}
