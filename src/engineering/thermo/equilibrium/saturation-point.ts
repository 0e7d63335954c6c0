/** What bubble and dew point calculations return. */
import type { PhaseSplit, SplitPhase } from './phase-split.ts';
import type { PureSaturationLine } from './pure-saturation.ts';

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
