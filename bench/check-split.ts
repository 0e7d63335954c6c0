/**
 * What a TP flash promises, checked with nothing but the fugacity coefficients of the model: the flash's own algorithms and numbers are
 * not used.
 */
import type { EquationOfState, PhaseSplit } from '../src/engineering/thermo/index.ts';

const BALANCE = 1e-12;
const FUGACITY = 1e-9;
/** A tangent plane distance below this disproves an answer. */
export const LOWER_PLANE = -1e-8;
const RANDOM_STARTS = 10;
const SUBSTITUTIONS = 300;
const STATIONARY = 1e-18;
/** Largest fraction below which a component has no fugacity to compare. */
const NOTHING = 1e-280;

/** What is wrong with the answer at first sight: fractions, sums, balances, fugacities; undefined when nothing is. */
export function fault(eos: EquationOfState, split: PhaseSplit, z: Float64Array): string | undefined {
  const { n } = eos;
  const f = split.phases.map(({ x }) => lnFugacities(eos, split.T, split.p, x));
  let total = 0;
  for (const phase of split.phases) {
    if (!(phase.fraction > 0 && phase.fraction <= 1)) return `phase fraction ${phase.fraction}`;
    total += phase.fraction;
    let sum = 0;
    for (const xi of phase.x) {
      if (!(xi >= 0 && xi <= 1)) return `mole fraction ${xi}`;
      sum += xi;
    }
    if (!(Math.abs(sum - 1) < 1e-10)) return `composition sums to ${sum}`;
  }
  if (!(Math.abs(total - 1) < 1e-10)) return `phase fractions sum to ${total}`;
  for (let i = 0; i < n; i++) {
    let held = 0;
    for (const phase of split.phases) held += phase.fraction * phase.x[i]!;
    if (!(Math.abs(held - z[i]!) < BALANCE)) return `balance of component ${i}: ${held} for ${z[i]}`;
    for (let k = 1; k < split.phases.length; k++) {
      if (!(split.phases[k]!.x[i]! > NOTHING && split.phases[0]!.x[i]! > NOTHING)) continue;
      const difference = f[k]![i]! - f[0]![i]!;
      if (!(Math.abs(difference) < FUGACITY)) return `ln f of component ${i} differs by ${difference}`;
    }
  }
  return undefined;
}

/**
 * The lowest tangent plane distance sum w (ln w + ln phi(w) - d) that plain successive substitution meets from each pure component, the
 * feed with Wilson's ratios and their fourth roots either way, the cubes of random numbers and equal parts; 0 when none lies below the plane.
 */
export function lowestPlane(eos: EquationOfState, split: PhaseSplit, z: Float64Array, random: () => number): number {
  const { n, components } = eos;
  const { T, p, phases } = split;
  const present = [...z.keys()].filter((i) => z[i]! > 0);
  const f = phases.map(({ x }) => lnFugacities(eos, T, p, x));
  // The phase that holds most of a component knows its fugacity best.
  const d = Float64Array.from(z, (_, i) => {
    let most = 0;
    for (let k = 1; k < phases.length; k++) if (phases[k]!.x[i]! > phases[most]!.x[i]!) most = k;
    return f[most]![i]!;
  });
  const wilson = (i: number) => {
    const { Tc, pc, omega } = components[i]!;
    return Math.log(pc / p) + 5.373 * (1 + omega) * (1 - Tc / T);
  };
  const starts: Float64Array[] = present.map((k) => Float64Array.from(z, (_, i) => (i === k ? 1 : 1e-8)));
  for (const share of [1, -1, 0.25, -0.25])
    starts.push(Float64Array.from(z, (zi, i) => zi * Math.exp(share * wilson(i))));
  for (let k = 0; k < RANDOM_STARTS; k++) starts.push(Float64Array.from(z, () => random() ** 3));
  starts.push(new Float64Array(n).fill(1));
  let lowest = 0;
  const lnPhi = new Float64Array(n);
  const w = new Float64Array(n);
  for (const start of starts) {
    const W = start;
    for (let k = 0; k < SUBSTITUTIONS; k++) {
      let total = 0;
      for (const i of present) total += W[i]!;
      for (const i of present) w[i] = W[i]! / total;
      if (!(eos.lnPhi(T, p, w, 'stable', lnPhi) > 0)) break;
      let distance = 0;
      let change = 0;
      for (const i of present) {
        if (w[i]! > 0) distance += w[i]! * (Math.log(w[i]!) + lnPhi[i]! - d[i]!);
        const next = Math.exp(Math.min(600, d[i]! - lnPhi[i]!));
        if (w[i]! > 0) change += w[i]! * Math.log(next / W[i]!) ** 2;
        W[i] = next;
      }
      lowest = Math.min(lowest, distance);
      if (!(change > STATIONARY)) break;
    }
  }
  return lowest;
}

function lnFugacities(eos: EquationOfState, T: number, p: number, x: Float64Array): Float64Array {
  const lnPhi = new Float64Array(x.length);
  eos.lnPhi(T, p, x, 'stable', lnPhi);
  return lnPhi.map((value, i) => value + Math.log(x[i]!));
}
