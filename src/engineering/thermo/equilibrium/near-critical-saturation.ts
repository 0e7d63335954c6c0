import type { SaturationSystem } from './saturation-system.ts';

const TRIVIAL = 1e-5;
/** Largest ln K up to which a start that failed is taken for one beside a critical point. */
const NEAR_CRITICAL = 1;
const MAX_SECANTS = 40;
/** Smallest largest ln K with which the phases of a point can still be told apart. */
const CLOSEST = 3e-4;
/** There the fugacities fix T and p to about this (relative), because they differ by the cube of ln K only. */
const SECANT_NOISE = 2e-6;
/** More secants are worth it until u_s is met as well as this, and PATIENCE of them beyond. */
const WELL_MET = 5e-7;
const PATIENCE = 5;
/** Largest difference of ln f that is accepted when Newton cannot take the last step. */
const ALIKE_RESIDUAL = 1e-9;

/**
 * Close to a critical point Newton at given T or p falls into the trivial solution. Holding the largest ln K keeps the phases apart:
 * secant steps in it until u_s meets the value wanted. `best` holds u on entry. True when `system` then holds a solution at u_s = wanted;
 * it is known to about SECANT_NOISE in T and p, because the fugacities differ by the cube of ln K only.
 */
export function solveNearCritical(system: SaturationSystem, s: number, wanted: number, best: Float64Array): boolean {
  const { m, u } = system;
  let k = 0;
  for (let a = 1; a < m; a++) if (Math.abs(u[a]!) > Math.abs(u[k]!)) k = a;
  if (!(Math.abs(u[k]!) > TRIVIAL && Math.abs(u[k]!) < NEAR_CRITICAL)) return false;
  let S = u[k]!;
  let last: { S: number; error: number } | undefined;
  let least = Number.POSITIVE_INFINITY;
  let since = 0;
  for (let step = 0; step < MAX_SECANTS && since < PATIENCE; step++) {
    if (!system.solve(k, S, 12) || !(system.largestLnK() > TRIVIAL)) {
      // Half way back to where the last solution was.
      if (last === undefined) break;
      u.set(best);
      S = 0.5 * (S + last.S);
      continue;
    }
    const error = u[s]! - wanted;
    since = least < WELL_MET ? since + 1 : 0;
    if (Math.abs(error) < least) {
      least = Math.abs(error);
      best.set(u);
    }
    if (least < 1e-12) break;
    const next =
      last === undefined || error === last.error ? 1.05 * S : S - (error * (S - last.S)) / (error - last.error);
    last = { S, error };
    S = Math.max(-3 * Math.abs(S), Math.min(3 * Math.abs(S), next));
    // At zero the phases are alike: step over it. All ln K vanish there in proportion.
    if (Math.abs(S) < CLOSEST) S = Math.sign(S) * CLOSEST;
    for (let a = 0; a < m; a++) u[a] = (u[a]! * S) / last.S;
  }
  u.set(best);
  if (!(least < SECANT_NOISE)) return false;
  const S0 = u[k]!;
  if (system.solve(s, wanted, 4) && Math.abs(u[k]! / S0 - 1) < 0.5) return true;
  // Rounding can keep Newton from that last step; phases so alike hardly notice it.
  u.set(best);
  u[s] = wanted;
  return system.remeasure() < ALIKE_RESIDUAL;
}
