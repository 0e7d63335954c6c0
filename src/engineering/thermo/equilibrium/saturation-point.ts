/** What bubble and dew point calculations return. */
import type { PhaseSplit, SplitPhase } from './phase-split.ts';

export type SaturationKind = 'bubble' | 'dew';

/** A split whose incipient phase has fraction 0. The other phases are the feed alone, or two of them: oil and free water at their bubble point. */
export interface SaturationPoint extends PhaseSplit {
  /** bubble: the incipient phase is lighter (mass density) than the feed, or than the oil beside free water; dew: heavier. */
  readonly kind: SaturationKind;
  readonly incipient: SplitPhase;
  /** Whether the incipient phase is there above this pressure (temperature) or below it. */
  readonly twoPhaseSide: 'above' | 'below';
}
