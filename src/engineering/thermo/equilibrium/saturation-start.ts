/** Where the search for a bubble or dew point begins: Wilson's estimate and a few substitution steps. */
import type { Branch } from '../model.ts';
import type { SaturationSystem } from './saturation-system.ts';
import { wilsonLnK } from './wilson.ts';

type Given = 'T' | 'p';

const MAX_SUBSTITUTIONS = 8;

/** Leaves in `system` Wilson's ratios at the start value of the unknown, or at his estimate of it, after substitution on named roots. */
export function startFromWilson(
  system: SaturationSystem,
  bubble: boolean,
  given: Given,
  value: number,
  start: number | undefined,
): void {
  const { eos, m, u, active } = system;
  const unknown = start ?? wilsonEstimate(system, bubble, given, value);
  if (!(unknown > 0 && Number.isFinite(unknown))) {
    // Newton ends at once.
    u.fill(Number.NaN);
    return;
  }
  u[m] = Math.log(given === 'T' ? value : unknown);
  u[m + 1] = Math.log(given === 'p' ? value : unknown);
  const lnK = new Float64Array(eos.n);
  wilsonLnK(eos.components, system.T, system.p, lnK);
  for (let a = 0; a < m; a++) u[a] = (bubble ? 1 : -1) * lnK[active[a]!]!;
  substituteOnNamedRoots(system, bubble, given);
}

/** Raoult's law with Wilson's vapour pressures. */
export function wilsonEstimate(system: SaturationSystem, bubble: boolean, given: Given, value: number): number {
  const { eos, active, z } = system;
  const lnK = new Float64Array(eos.n);
  const sum = (T: number, p: number) => {
    wilsonLnK(eos.components, T, p, lnK);
    let total = 0;
    for (const i of active) total += z[i]! * Math.exp(bubble ? lnK[i]! : -lnK[i]!);
    return Math.log(total) * (bubble ? 1 : -1);
  };
  // p sum z K/p = 1, or 1 / sum z/(p K).
  if (given === 'T') return Math.exp(sum(value, 1));
  let lo = 1e-3;
  let hi = 1;
  for (let k = 0; k < 60; k++) {
    const inverse = 0.5 * (lo + hi);
    if (sum(1 / inverse, value) > 0) lo = inverse;
    else hi = inverse;
  }
  return 2 / (lo + hi);
}

/** Substitution in K with Newton in the unknown on the roots that the kind names; leaves u where Newton on all can start. */
function substituteOnNamedRoots(system: SaturationSystem, bubble: boolean, given: Given): void {
  const { eos, m, u, active, z, w, feed, incipient } = system;
  const feedBranch: Branch = bubble ? 'liquid' : 'vapour';
  const incipientBranch: Branch = bubble ? 'vapour' : 'liquid';
  const theta = given === 'T' ? m + 1 : m;
  for (let k = 0; k < MAX_SUBSTITUTIONS; k++) {
    const { T, p } = system;
    let total = 0;
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      w[i] = z[i]! * Math.exp(u[a]!);
      total += w[i]!;
    }
    for (let a = 0; a < m; a++) w[active[a]!] = w[active[a]!]! / total;
    eos.lnPhiDerivatives(T, p, z, feedBranch, feed);
    eos.lnPhiDerivatives(T, p, w, incipientBranch, incipient);
    let sum = 0;
    let slope = 0;
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      u[a] = feed.lnPhi[i]! - incipient.lnPhi[i]!;
      const term = z[i]! * Math.exp(u[a]!);
      sum += term;
      slope += term * (theta === m ? T * (feed.dT[i]! - incipient.dT[i]!) : p * (feed.dp[i]! - incipient.dp[i]!));
    }
    const step = (-Math.log(sum) * sum) / slope;
    const longest = theta === m ? 0.1 : 0.7;
    if (!Number.isFinite(step)) return;
    u[theta] = u[theta]! + Math.max(-longest, Math.min(longest, step));
    if (Math.abs(step) < 0.01) return;
  }
}
