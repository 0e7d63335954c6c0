import { EngineError } from '../../errors.ts';
import type { PureEquation, Saturation } from './pure-equation.ts';
import { A, D, DD } from './term-bank.ts';

const MAX_ITERATIONS = 60;

/**
 * Saturation at T by Newton on equal pressure and equal Gibbs energy (Akasaka, J. Thermal Sci. Technol. 3, 442 (2008)):
 * J = delta (1 + delta alphar_delta), K = delta alphar_delta + alphar + ln delta, equal in both phases. The unknowns are
 * the logarithms of both densities, which keeps vapour pressures down to 1e-10 Pa within reach. The pressure is that of
 * the vapour, because in the liquid it is the difference of large numbers.
 */
export function saturationAt(fluid: PureEquation, T: number): Saturation {
  const start = fluid.estimate(T);
  if (fluid.Tc - T < 1e-9 * fluid.Tc) return { T, p: fluid.pc, rhoL: fluid.rhoc, rhoV: fluid.rhoc };
  let l = Math.log(start.rhoL / fluid.rhor);
  let v = Math.log(start.rhoV / fluid.rhor);
  let step = Number.POSITIVE_INFINITY;
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const dl = Math.exp(l);
    const dv = Math.exp(v);
    let r = fluid.residual(T, dl * fluid.rhor);
    const jl = dl * (1 + r[D]!);
    const kl = r[D]! + r[A]! + l;
    const jl1 = dl * (1 + 2 * r[D]! + r[DD]!); // dJ/d ln delta
    const kl1 = 1 + 2 * r[D]! + r[DD]!; // dK/d ln delta
    r = fluid.residual(T, dv * fluid.rhor);
    const jv = dv * (1 + r[D]!);
    const kv = r[D]! + r[A]! + v;
    const jv1 = dv * (1 + 2 * r[D]! + r[DD]!);
    const kv1 = 1 + 2 * r[D]! + r[DD]!;
    // jl1 L - jv1 V = jv - jl ; kl1 L - kv1 V = kv - kl
    const det = -jl1 * kv1 + jv1 * kl1;
    const L = ((jv - jl) * -kv1 + jv1 * (kv - kl)) / det;
    const V = (jl1 * (kv - kl) - kl1 * (jv - jl)) / det;
    // Near the critical point a full step can carry both densities to the same side.
    const limit = Math.min(
      1,
      0.5 * Math.abs((l - v) / (Math.abs(L) + Math.abs(V) + 1e-300)),
      0.5 / Math.max(Math.abs(L), Math.abs(V)),
    );
    const damp = Math.abs(L) + Math.abs(V) < 0.1 * Math.abs(l - v) ? 1 : limit;
    l += damp * L;
    v += damp * V;
    const size = Math.abs(L) + Math.abs(V);
    if (!Number.isFinite(size)) break;
    // Newton is quadratic: stop once steps are at rounding level and no longer shrink. Towards the critical point the
    // equations become flat and that level rises; it must stay small against the difference of the phases.
    if (damp === 1 && size < 1e-4 * (l - v) && (size < 1e-13 || size >= 0.5 * step)) return finish(fluid, T, l, v);
    step = size;
  }
  throw new EngineError({
    kind: 'not-converged',
    algorithm: `saturation of ${fluid.name}`,
    iterations: MAX_ITERATIONS,
    residual: step,
  });
}

function finish(fluid: PureEquation, T: number, l: number, v: number): Saturation {
  const rhoL = Math.exp(l) * fluid.rhor;
  const rhoV = Math.exp(v) * fluid.rhor;
  if (!(rhoL > rhoV * (1 + 1e-9))) throw new EngineError({ kind: 'trivial', algorithm: `saturation of ${fluid.name}` });
  const p = rhoV * fluid.R * T * (1 + fluid.residual(T, rhoV)[D]!);
  return { T, p, rhoL, rhoV };
}

/**
 * Saturation temperature at p: Newton on ln p(1/T) with the Clausius-Clapeyron slope dp/dT = (s_V - s_L)/(v_V - v_L), kept
 * between triple and critical point.
 */
export function temperatureAt(fluid: PureEquation, p: number): number {
  const low = fluid.saturation(fluid.Ttriple).p;
  if (!(p >= low * (1 - 1e-9) && p <= fluid.pc))
    throw new EngineError({
      kind: 'outside-range',
      quantity: 'pressure',
      value: p,
      min: low,
      max: fluid.pc,
      unit: 'Pa',
    });
  let lo = fluid.Ttriple;
  let hi = fluid.Tc;
  let T = startTemperature(fluid, p);
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const sat = fluid.saturation(T);
    if (sat.p > p) hi = T;
    else lo = T;
    const slope = clapeyron(fluid, sat);
    // d ln p / d(1/T) = -T^2/p dp/dT
    let next = 1 / (1 / T - (Math.log(p / sat.p) * sat.p) / (T * T * slope));
    if (Math.abs(next - T) <= 1e-13 * T) return next;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (hi - lo <= 1e-13 * hi) return next;
    T = next;
  }
  throw new EngineError({
    kind: 'not-converged',
    algorithm: `boiling temperature of ${fluid.name}`,
    iterations: MAX_ITERATIONS,
    residual: hi - lo,
  });
}

/** dp/dT [Pa/K] along the saturation curve. */
export function clapeyron(fluid: PureEquation, sat: Saturation): number {
  const sV = fluid.properties(sat.T, sat.rhoV).s;
  const sL = fluid.properties(sat.T, sat.rhoL).s;
  return (sV - sL) / (1 / sat.rhoV - 1 / sat.rhoL);
}

/** Inverse of the ancillary by bisection in 1/T. */
function startTemperature(fluid: PureEquation, p: number): number {
  let lo = 1 / fluid.Tc;
  let hi = 1 / fluid.Ttriple;
  for (let i = 0; i < 40; i++) {
    const mid = 0.5 * (lo + hi);
    if (fluid.estimate(1 / mid).p > p) lo = mid;
    else hi = mid;
  }
  return 1 / hi;
}
