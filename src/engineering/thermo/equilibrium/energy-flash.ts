/**
 * What PH, PS, TV and UV flashes share: equilibrium at a trial T, p with its slopes, the saturated states of a pure fluid, and mixtures of the
 * two sides of a jump.
 *
 * Trial states use the two-phase flash, started from the last state; the answer is computed with every phase looked for, and where a further
 * phase appears the search goes on with that flash. So the answer has the guarantees of tp-flash.ts.
 */
import { EngineError, hasNoAnswer } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import type { PropertyCalculator } from '../properties/phase-state.ts';
import { monotoneSearch, type SearchLimits, type SearchResult, type SearchState } from './monotone-search.ts';
import { fugacityError, samePhase } from './multiphase.ts';
import { massDensity, type PhaseSplit, reducedGibbs, type SplitPhase } from './phase-split.ts';
import { PureSaturationLine } from './pure-saturation.ts';
import { SplitCaloric } from './split-caloric.ts';
import { TpFlash } from './tp-flash.ts';

/** Where a search begins; a good estimate saves time and changes nothing else. */
export interface FlashStart {
  /** Temperature [K], pressure [Pa]. */
  readonly T?: number;
  readonly p?: number;
  /** An answer at a neighbouring state. */
  readonly near?: PhaseSplit;
}

type TrialState = (theta: number, near: PhaseSplit | undefined, complete: boolean) => SearchState<PhaseSplit>;

const SHORTER = 0.25;

export class EquilibriumStates {
  readonly eos: EquationOfState;
  readonly caloric: SplitCaloric;
  private readonly bare: TpFlash;
  private readonly full: TpFlash;
  private readonly lines = new Map<number, PureSaturationLine>();

  constructor(eos: EquationOfState, calculator: PropertyCalculator, full: TpFlash) {
    this.eos = eos;
    this.caloric = new SplitCaloric(eos, calculator);
    this.bare = new TpFlash(eos, { maxPhases: 2 });
    this.full = full;
  }

  /** Split and, in `caloric`, its properties and slopes. */
  at(T: number, p: number, z: Float64Array, near: PhaseSplit | undefined, complete: boolean): PhaseSplit {
    const split = (complete ? this.full : this.bare).solve(T, p, z, near);
    this.caloric.evaluate(split);
    return split;
  }

  /** The feed as one phase on its stable root, in `caloric`: a cheap first approach, right when that phase is stable. */
  atOnePhase(T: number, p: number, z: Float64Array): void {
    const rho = this.eos.density(T, p, z, 'stable');
    if (!(rho > 0))
      throw new EngineError({ kind: 'not-converged', algorithm: 'density', iterations: 0, residual: Number.NaN });
    this.caloric.onePhase(T, p, z, rho);
  }

  /**
   * Searches with the two-phase flash, then confirms with the full one. `state` runs `at` and returns value and slope, both of
   * increasing theta. Where a trial state far off has no answer, the search goes once more from `otherwise` in shorter steps.
   */
  search(
    state: TrialState,
    wanted: number,
    start: number,
    limits: SearchLimits,
    thetaOf: (split: PhaseSplit) => number,
    otherwise: number,
    near?: PhaseSplit,
  ): SearchResult<PhaseSplit> {
    try {
      return confirmed(state, wanted, start, limits, thetaOf, near);
    } catch (error) {
      if (!hasNoAnswer(error)) throw error;
      return confirmed(state, wanted, otherwise, { ...limits, stride: SHORTER * limits.stride }, thetaOf, undefined);
    }
  }

  /** The saturation line when one component alone is present. */
  pureLine(z: Float64Array): PureSaturationLine | undefined {
    let only = -1;
    for (let i = 0; i < z.length; i++) {
      if (!(z[i]! > 0)) continue;
      if (only >= 0) return undefined;
      only = i;
    }
    if (only < 0) return undefined;
    let line = this.lines.get(only);
    if (line === undefined) {
      line = new PureSaturationLine(this.eos, only);
      this.lines.set(only, line);
    }
    return line;
  }

  /** Temperatures [K] that are searched: those of the model, with room for extrapolation where it allows that. */
  temperatureLimits(): [number, number] {
    const { validity, saturationLine } = this.eos;
    return saturationLine === undefined ? [0.5 * validity.minT, 2.5 * validity.maxT] : [validity.minT, validity.maxT];
  }
}

function confirmed(
  state: TrialState,
  wanted: number,
  start: number,
  limits: SearchLimits,
  thetaOf: (split: PhaseSplit) => number,
  near: PhaseSplit | undefined,
): SearchResult<PhaseSplit> {
  const quick = monotoneSearch<PhaseSplit>((theta, last) => state(theta, last ?? near, false), wanted, start, limits);
  // One phase has passed the stability test of the two-phase flash already.
  if (quick.kind === 'found' && quick.state.phases.length === 1) return quick;
  const from = quick.kind === 'found' ? quick.state : quick.kind === 'jump' ? quick.below.state : undefined;
  return monotoneSearch<PhaseSplit>(
    (theta, last) => state(theta, last ?? from, true),
    wanted,
    from === undefined ? start : thetaOf(from),
    limits,
  );
}

/** One phase of a pure fluid with z as it is. */
export function purePhase(z: Float64Array, rho: number, lnPhiOf: number): SplitPhase {
  const lnPhi = Float64Array.from(z, (zi) => (zi > 0 ? lnPhiOf : Number.NaN));
  return { x: Float64Array.from(z), lnPhi, rho, fraction: 1 };
}

/** `phases` alone at T, p, as an answer. */
export function splitOf(
  T: number,
  p: number,
  z: Float64Array,
  phases: readonly SplitPhase[],
  iterations = 0,
): PhaseSplit {
  let gibbs = 0;
  for (const phase of phases) gibbs += phase.fraction * reducedGibbs(phase.x, phase.lnPhi);
  return {
    T,
    p,
    z: Float64Array.from(z),
    phases,
    convergence: {
      iterations,
      fugacityError: 0,
      balanceError: 0,
      gibbs,
      feedGibbs: gibbs,
      stabilityMargin: Number.POSITIVE_INFINITY,
    },
  };
}

/**
 * (1 - share) of one equilibrium state and `share` of another at the same T, p: both lie on one tangent plane, so their phases are in
 * equilibrium together. Phases that are alike are joined.
 */
export function blend(eos: EquationOfState, below: PhaseSplit, above: PhaseSplit, share: number): PhaseSplit {
  const phases = below.phases.map((phase) => ({ ...phase, fraction: (1 - share) * phase.fraction }));
  for (const phase of above.phases) {
    const twin = phases.find((other) => samePhase(other, phase));
    if (twin === undefined) phases.push({ ...phase, fraction: share * phase.fraction });
    else twin.fraction += share * phase.fraction;
  }
  const kept = phases.filter((phase) => phase.fraction > 0);
  const active = Int32Array.from(below.z.keys()).filter((i) => below.z[i]! > 0);
  const error = kept.length > 1 ? fugacityError(kept, active) : 0;
  return {
    ...below,
    phases: kept.sort((a, b) => massDensity(eos.components, a) - massDensity(eos.components, b)),
    convergence: {
      ...below.convergence,
      iterations: below.convergence.iterations + above.convergence.iterations,
      fugacityError: Math.max(error, below.convergence.fugacityError, above.convergence.fugacityError),
    },
  };
}

/** Turns the result of a search into an answer; `name` and `unit` of the specified quantity for the error text. */
export function answer(
  eos: EquationOfState,
  result: SearchResult<PhaseSplit>,
  wanted: number,
  name: string,
  limitText: string,
): PhaseSplit {
  if (result.kind === 'found') return result.state;
  if (result.kind === 'jump') {
    const { below, above } = result;
    const share = (wanted - below.value) / (above.value - below.value);
    return blend(eos, below.state, above.state, Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)));
  }
  throw new EngineError({
    kind: 'spec-unreachable',
    specification: name,
    reason: `it lies ${result.side} what the model reaches ${limitText}`,
  });
}
