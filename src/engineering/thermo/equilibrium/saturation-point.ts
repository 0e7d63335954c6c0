/** What bubble and dew point calculations return. */
import { type PhaseSplit, reducedGibbs, type SplitPhase } from './phase-split.ts';
import type { PureSaturationLine } from './pure-saturation.ts';
import type { SaturationSystem } from './saturation-system.ts';

export type SaturationKind = 'bubble' | 'dew';

/** A split whose incipient phase has fraction 0. The other phases are the feed alone, or two of them: oil and free water at their bubble point. */
export interface SaturationPoint extends PhaseSplit {
  /** bubble: the incipient phase is lighter (mass density) than the feed, or than the oil beside free water; dew: heavier. */
  readonly kind: SaturationKind;
  readonly incipient: SplitPhase;
  /** Whether the incipient phase is there above this pressure (temperature) or below it. */
  readonly twoPhaseSide: 'above' | 'below';
}

/** A point of the saturation line `line` of the one component present, at `given` = value. */
export function purePoint(
  line: PureSaturationLine,
  kind: SaturationKind,
  given: 'T' | 'p',
  value: number,
  z: Float64Array,
): SaturationPoint {
  const found = given === 'T' ? line.atTemperature(value) : line.atPressure(value);
  const lnPhi = new Float64Array(z.length).fill(Number.NaN);
  for (let i = 0; i < z.length; i++) if (z[i]! > 0) lnPhi[i] = found.lnPhi;
  const phase = (rho: number, fraction: number): SplitPhase => ({ x: Float64Array.from(z), lnPhi, rho, fraction });
  const vapour = phase(found.rhoVapour, kind === 'bubble' ? 0 : 1);
  const liquid = phase(found.rhoLiquid, kind === 'bubble' ? 1 : 0);
  const gibbs = found.lnPhi;
  return {
    T: found.T,
    p: found.p,
    z: Float64Array.from(z),
    kind,
    incipient: kind === 'bubble' ? vapour : liquid,
    phases: [vapour, liquid],
    twoPhaseSide: (kind === 'bubble') === (given === 'T') ? 'below' : 'above',
    convergence: {
      iterations: found.iterations,
      fugacityError: found.error,
      balanceError: 0,
      gibbs,
      feedGibbs: gibbs,
      stabilityMargin: Number.POSITIVE_INFINITY,
    },
  };
}

/** The solution in `system` as a point; `margin`: tangent plane distance of the nearest other trial phase. */
export function pointAt(
  system: SaturationSystem,
  given: 'T' | 'p',
  iterations: number,
  margin: number,
): SaturationPoint {
  const { eos, active, z, w, feed, incipient, T, p } = system;
  let feedMass = 0;
  let incipientMass = 0;
  let inT = 0;
  let inP = 0;
  for (const i of active) {
    feedMass += z[i]! * eos.components[i]!.molarMass;
    incipientMass += w[i]! * eos.components[i]!.molarMass;
    inT += w[i]! * (incipient.dT[i]! - feed.dT[i]!);
    inP += w[i]! * (incipient.dp[i]! - feed.dp[i]!);
  }
  const feedPhase: SplitPhase = {
    x: Float64Array.from(z),
    lnPhi: Float64Array.from(feed.lnPhi),
    rho: system.rhoFeed,
    fraction: 1,
  };
  const incipientPhase: SplitPhase = {
    x: Float64Array.from(w),
    lnPhi: Float64Array.from(incipient.lnPhi),
    rho: system.rhoIncipient,
    fraction: 0,
  };
  const bubble = incipientMass * system.rhoIncipient < feedMass * system.rhoFeed;
  const gibbs = reducedGibbs(z, feed.lnPhi);
  return {
    T,
    p,
    z: Float64Array.from(z),
    kind: bubble ? 'bubble' : 'dew',
    incipient: incipientPhase,
    phases: bubble ? [incipientPhase, feedPhase] : [feedPhase, incipientPhase],
    // The tangent plane distance of the incipient phase falls on the side where the feed splits.
    twoPhaseSide: (given === 'T' ? inP : inT) < 0 ? 'above' : 'below',
    convergence: {
      iterations,
      fugacityError: system.error,
      balanceError: 0,
      gibbs,
      feedGibbs: gibbs,
      stabilityMargin: margin,
    },
  };
}
