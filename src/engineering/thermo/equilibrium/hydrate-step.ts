/**
 * One Newton step of the hydrate flash: Phi = G/(R T) - mu sum ln(lattice water, ice) - muFluid ln(fluid) as a function of what the solids hold (HydrateWork).
 *
 * It guarantees: amounts stay above 0, the balance is kept, and the step, which leads down the convex Phi, ends where the slope along it has not turned or is at most half as
 * steep as at the start.
 */
import { isEngineError } from '../errors.ts';
import { fluidResponse } from './fluid-response.ts';
import { addSolidHessian, lnSolidFugacities, longestSolidStep } from './hydrate-amounts.ts';
import type { HydrateWork } from './hydrate-work.ts';
import { choleskyFactor, choleskySolve } from './linear-solve.ts';

const TO_THE_EDGE = 0.99;
const MAX_TRIALS = 40;
const MAX_FAILURES = 5;
/** Slopes below this are rounding. */
const ROUNDING = 1e-16;
/** Curvature [1/mol] below which a direction is flat, as where two components fill two phases: the step then goes to the edge. */
const FLAT = 1e-12;

/**
 * Takes the step and returns the decrement -gradient x step, twice the fall of Phi that the quadratic model promises. The step is taken in all amounts but one
 * per component: the largest follows from the balance, so that traces, in the fluid or in a cavity, keep their digits. Throws 'not-converged' and
 * what the flash throws.
 */
export function hydrateStep(work: HydrateWork, mu: number, muFluid: number): number {
  const { solids, v, u } = work;
  const { size } = solids;
  const moving = [...new Set(solids.component)].filter((i) => !work.gone.has(i));
  const k = moving.length;
  const owner = [...moving, ...solids.component];
  const all = k + size;
  const amount = (i: number) => (i < k ? u[moving[i]!]! : v[i - k]!);
  const dependent = new Map<number, number>();
  for (let i = 0; i < all; i++) {
    const most = dependent.get(owner[i]!);
    if (most === undefined || amount(i) > amount(most)) dependent.set(owner[i]!, i);
  }
  const free: number[] = [];
  for (let i = 0; i < all; i++) if (dependent.get(owner[i]!) !== i) free.push(i);
  const bound = free.map((i) => dependent.get(owner[i]!)!);

  const curvature = curvatureOf(work, moving, mu, muFluid);
  const slopes = new Float64Array(all);
  const fill = () => {
    for (let i = 0; i < k; i++) slopes[i] = work.lnF[moving[i]!]! - muFluid / work.U;
    const own = slopes.subarray(k);
    lnSolidFugacities(solids, v, own);
    for (const { at } of solids.lattices) own[at] = own[at]! - mu / v[at]!;
    if (solids.ice !== undefined) own[solids.ice.at] = own[solids.ice.at]! - mu / v[solids.ice.at]!;
  };
  fill();
  const m = free.length;
  const hessian = new Float64Array(m * m);
  for (let r = 0; r < m; r++)
    for (let c = 0; c < m; c++) {
      const [i, j, di, dj] = [free[r]!, free[c]!, bound[r]!, bound[c]!];
      hessian[r * m + c] =
        curvature[i * all + j]! - curvature[i * all + dj]! - curvature[di * all + j]! + curvature[di * all + dj]!;
    }
  const gradient = Float64Array.from(free, (i, r) => slopes[i]! - slopes[bound[r]!]!);
  const reduced = newtonStep(hessian, gradient, m);
  if (reduced === undefined) work.fail(work.flashes, Number.NaN);
  const d = new Float64Array(all);
  for (let r = 0; r < m; r++) {
    d[free[r]!] = reduced[r]!;
    d[bound[r]!] = d[bound[r]!]! - reduced[r]!;
  }
  const slopeAlong = () => {
    let sum = 0;
    for (let r = 0; r < m; r++) sum += (slopes[free[r]!]! - slopes[bound[r]!]!) * reduced[r]!;
    return sum;
  };
  const slope = slopeAlong();
  if (-slope < 1e-3 * mu) return -slope;

  const inSolids = d.subarray(k);
  let longest = longestSolidStep(solids, v, inSolids);
  for (let i = 0; i < k; i++) if (d[i]! < 0) longest = Math.min(longest, -u[moving[i]!]! / d[i]!);
  let failures = 0;
  const v0 = Float64Array.from(v);
  const u0 = Float64Array.from(u);
  search(slope, Math.min(1, TO_THE_EDGE * longest), (at) => {
    for (let i = 0; i < size; i++) v[i] = v0[i]! + at * inSolids[i]!;
    for (let i = 0; i < k; i++) u[moving[i]!] = u0[moving[i]!]! + at * d[i]!;
    try {
      work.evaluate();
    } catch (error) {
      // Right where a phase vanishes the flash may not decide; a little before it will.
      if (!isEngineError(error, 'not-converged') || failures++ >= MAX_FAILURES) throw error;
      work.troubled = true;
      return Number.NaN;
    }
    fill();
    return slopeAlong();
  });
  return -slope;
}

/** Second derivatives of Phi in the moles of the components `moving` in the fluid, then in those of the solids: row-major. */
function curvatureOf(work: HydrateWork, moving: readonly number[], mu: number, muFluid: number): Float64Array {
  const { solids, v, U } = work;
  const { size } = solids;
  const k = moving.length;
  const all = k + size;
  const present = work.active.filter((i) => !work.gone.has(i));
  const m = present.length;
  const out = new Float64Array(all * all);
  if (k > 0) {
    const response = fluidResponse(work.eos, work.fluid, U, present);
    const place = moving.map((i) => present.indexOf(i));
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) out[i * all + j] = response[place[i]! * m + place[j]!]! + muFluid / (U * U);
  }
  const own = new Float64Array(size * size);
  addSolidHessian(solids, v, own);
  const barrier = (at: number) => {
    own[at * size + at] = own[at * size + at]! + mu / (v[at]! * v[at]!);
  };
  for (const { at } of solids.lattices) barrier(at);
  if (solids.ice !== undefined) barrier(solids.ice.at);
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) out[(k + i) * all + k + j] = own[i * size + j]!;
  return out;
}

/** The whole step unless the slope has turned by then; else a place where it is smaller than at the start, on either side of the minimum. */
function search(slope: number, whole: number, slopeAt: (at: number) => number): void {
  const size = Math.abs(slope);
  let low = 0;
  let slopeLow = size;
  let high = whole;
  let at = whole;
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const here = slopeAt(at);
    if (Number.isNaN(here)) {
      at = low + 0.9 * (at - low);
      high = at;
      continue;
    }
    if (Math.abs(here) <= 0.5 * size || (at >= high && here <= 0) || size < ROUNDING) return;
    if (here > 0) high = at;
    else {
      low = at;
      slopeLow = -here;
    }
    if (high - low < 1e-13 * whole) return;
    at = low + (high - low) * (here > 0 ? Math.min(0.5, Math.max(0.1, slopeLow / (slopeLow + here))) : 0.5);
  }
}

/** -H^-1 g of a positive semidefinite H, scaled to a unit diagonal and lifted where it is singular; undefined when nothing helps. */
function newtonStep(hessian: Float64Array, gradient: Float64Array, size: number): Float64Array | undefined {
  const scale = Float64Array.from(
    { length: size },
    (_, i) => 1 / Math.sqrt(Math.max(Math.abs(hessian[i * size + i]!), FLAT)),
  );
  const matrix = new Float64Array(size * size);
  for (let ridge = 0; ridge <= 1e3; ridge = ridge === 0 ? 1e-13 : ridge * 10) {
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++)
        matrix[i * size + j] = hessian[i * size + j]! * scale[i]! * scale[j]! + (i === j ? ridge : 0);
    if (!choleskyFactor(matrix, size)) continue;
    const d = Float64Array.from(gradient, (g, i) => -g * scale[i]!);
    choleskySolve(matrix, size, d);
    for (let i = 0; i < size; i++) d[i] = d[i]! * scale[i]!;
    return d;
  }
  return undefined;
}
