/**
 * Density of methane, the reference fluid of the corresponding-states methods, by the 32-term modified Benedict-Webb-Rubin
 * equation of R. D. McCarty, Cryogenics 14, 276 (1974):
 *   p = rho R T + sum_k b_k(T) rho^k (k = 2..9) + exp(-0.0096 rho^2) sum_k e_k(T) rho^k (k = 3, 5 .. 13)
 * with p in atm, rho in mol/L. The equations of methane-transport.ts were fitted with it.
 *
 * Validity: 90.7 to 500 K, to 500 bar; there within 0.4 % of the Setzmann-Wagner equation in density outside the critical region
 * (2 % at 1000 bar near the triple point). Corresponding states also asks for states colder than methane's triple point, where the
 * equation is an extrapolation: it keeps one rising liquid branch down to 30 K and is refused below.
 * It guarantees a density on the branch asked for, or the limit of stability of that branch where it has no root at p.
 */
import { ATM } from '../../constants.ts';
import { EngineError } from '../../errors.ts';

/** Critical point [K], [Pa], [mol/m3] and molar mass [kg/mol] of the reference fluid; Tc, pc, M as in the component table. */
export const METHANE = { Tc: 190.56, pc: 45.99e5, rhoc: 10150, M: 16.043e-3 } as const;
export const METHANE_MIN_T = 30;

/** [L atm/(mol K)], as in the publication. */
const GAS_CONSTANT = 0.08205616;
const GAMMA = 0.0096;
/** Coefficients N1 to N32, at index 1 to 32. */
const N = [
  0, -1.8439486666e-2, 1.0510162064, -1.6057820303e1, 8.4844027562e2, -4.2738409106e4, 7.6565285254e-4,
  -4.8360724197e-1, 8.5195473835e1, -1.6607434721e4, -3.7521074532e-5, 2.8616309259e-2, -2.8685285973, 1.1906973942e-4,
  -8.5315715698e-3, 3.8365063841, 2.4986828379e-5, 5.7974531455e-6, -7.1648329297e-3, 1.2577853784e-4, 2.2240102466e4,
  -1.4800512328e6, 5.0498054887e1, 1.6428375992e6, 2.1325387196e-1, 3.7791273422e1, -1.1857016815e-5, -3.1630780767e1,
  -4.1006782941e-6, 1.4870043284e-3, 3.1512261532e-9, -2.1670774745e-6, 2.4000551079e-5,
] as const;
/** Search grid on an isotherm [mol/L]. At INSIDE_LIQUID every isotherm from 30 K rises; RHO_MAX is denser than any valid state. */
const STEP = 0.5;
const INSIDE_LIQUID = 28;
const RHO_MAX = 40;
/** Start of a search for a liquid: denser than liquid methane at its triple point under 1000 bar. */
const DENSE = 34;

const b = new Float64Array(10);
const e = new Float64Array(6);
let temperature = Number.NaN;
let slope = 0;

function isotherm(T: number): void {
  if (T === temperature) return;
  temperature = T;
  const T2 = T * T;
  const T3 = T2 * T;
  const T4 = T2 * T2;
  b[1] = GAS_CONSTANT * T;
  b[2] = N[1] * T + N[2] * Math.sqrt(T) + N[3] + N[4] / T + N[5] / T2;
  b[3] = N[6] * T + N[7] + N[8] / T + N[9] / T2;
  b[4] = N[10] * T + N[11] + N[12] / T;
  b[5] = N[13];
  b[6] = N[14] / T + N[15] / T2;
  b[7] = N[16] / T;
  b[8] = N[17] / T + N[18] / T2;
  b[9] = N[19] / T2;
  e[0] = N[20] / T2 + N[21] / T3;
  e[1] = N[22] / T2 + N[23] / T4;
  e[2] = N[24] / T2 + N[25] / T3;
  e[3] = N[26] / T2 + N[27] / T4;
  e[4] = N[28] / T2 + N[29] / T3;
  e[5] = N[30] / T2 + N[31] / T3 + N[32] / T4;
}

/** Pressure [atm] on the isotherm at rho [mol/L]; leaves dp/drho in `slope`. */
function pressure(rho: number): number {
  let p = 0;
  let dp = 0;
  for (let k = 9; k >= 1; k--) {
    dp = dp * rho + k * b[k]!;
    p = (p + b[k]!) * rho;
  }
  const r2 = rho * rho;
  let q = 0;
  let dq = 0;
  for (let k = 5; k >= 0; k--) {
    dq = dq * r2 + (2 * k + 3) * e[k]!;
    q = q * r2 + e[k]!;
  }
  const decay = Math.exp(-GAMMA * r2);
  q *= r2 * rho;
  slope = dp + decay * (dq * r2 - 2 * GAMMA * rho * q);
  return p + decay * q;
}

/**
 * Molar density [mol/m3] at T [K], p [Pa]. Below Tc, where the branch asked for has no root at p, its limit of stability is given: a gas
 * stays a gas and a liquid a liquid.
 * @throws EngineError 'outside-range' below METHANE_MIN_T or for a pressure that the equation does not reach
 */
export function methaneDensity(T: number, p: number, branch: 'vapour' | 'liquid'): number {
  if (!(T >= METHANE_MIN_T && Number.isFinite(T)))
    throw outside('temperature of the reference fluid', T, METHANE_MIN_T, 500, 'K');
  if (!(p > 0 && Number.isFinite(p))) throw outside('pressure of the reference fluid', p, 0, 500 * ATM, 'Pa');
  isotherm(T);
  const target = p / ATM;
  // Below 120 K the loop inside the dome has further rising parts, which the direct search could take for a gas.
  if (branch === 'liquid' || T > 120) {
    const rho = monotonic(target, branch === 'liquid' ? DENSE : target / b[1]!);
    if (branch === 'liquid' || T >= METHANE.Tc ? rho > 0 : 1e3 * rho < METHANE.rhoc) return 1e3 * rho;
  }
  const gasLimit = T < METHANE.Tc ? limit(0, STEP) : Number.NaN;
  if (Number.isNaN(gasLimit)) return 1e3 * above(0, target, p);
  if (branch === 'vapour') return 1e3 * (pressure(gasLimit) > target ? root(target, 0, gasLimit) : gasLimit);
  const liquidLimit = limit(INSIDE_LIQUID, -STEP);
  return 1e3 * (pressure(liquidLimit) < target ? above(liquidLimit, target, p) : liquidLimit);
}

/**
 * Newton steps from `start` in one direction on a rising isotherm. From a density below a gas root, where the isotherm is concave, or above
 * a liquid root, where it is convex, they cannot pass the root. NaN when a step turns round, which says that there is none on this side.
 */
function monotonic(target: number, start: number): number {
  let rho = start;
  let direction = 0;
  for (let i = 0; i < 30; i++) {
    const step = (target - pressure(rho)) / slope;
    if (Math.abs(step) <= 1e-11 * rho) return rho + step;
    if (!(slope > 0) || step * direction < -1e-9 * rho || Math.abs(step) > 0.5 * rho) return Number.NaN;
    direction = step;
    rho += step;
  }
  return Number.NaN;
}

/** The density nearest to `from`, in the direction of `step`, at which dp/drho vanishes; NaN when it does not. */
function limit(from: number, step: number): number {
  let stable = from;
  for (let rho = from + step; rho > 0 && rho <= INSIDE_LIQUID; rho += step) {
    pressure(rho);
    if (!(slope > 0)) {
      let unstable = rho;
      for (let i = 0; i < 40; i++) {
        const middle = 0.5 * (stable + unstable);
        pressure(middle);
        if (slope > 0) stable = middle;
        else unstable = middle;
      }
      return stable;
    }
    stable = rho;
  }
  return Number.NaN;
}

/** The root above `from`, where the pressure is below `target`. `p` only names the state in the error. */
function above(from: number, target: number, p: number): number {
  let low = from;
  for (let rho = from + STEP; rho <= RHO_MAX; rho += STEP) {
    if (pressure(rho) >= target) return root(target, low, rho);
    if (!(slope > 0)) break;
    low = rho;
  }
  throw outside('pressure of the reference fluid', p, 0, pressure(low) * ATM, 'Pa');
}

/** Root in the bracket p(lo) < target <= p(hi): Newton, bisection where it leaves the bracket. */
function root(target: number, lo: number, hi: number): number {
  let a = lo;
  let c = hi;
  let rho = lo === 0 ? Math.min(target / b[1]!, hi) : 0.5 * (lo + hi);
  for (let i = 0; i < 100; i++) {
    const difference = pressure(rho) - target;
    if (difference > 0) c = rho;
    else a = rho;
    let next = rho - difference / slope;
    if (!(next > a && next < c)) next = 0.5 * (a + c);
    if (Math.abs(next - rho) <= 1e-12 * rho) return next;
    rho = next;
  }
  return rho;
}

function outside(quantity: string, value: number, min: number, max: number, unit: string): EngineError {
  return new EngineError({ kind: 'outside-range', quantity, value, min, max, unit });
}
