/**
 * Phase equilibrium at given temperature and pressure: one, two or more fluid phases of any EquationOfState.
 *
 * It guarantees: equal fugacities in all phases, a closed material balance, a Gibbs energy not above the feed as one phase nor above any
 * trial state it met, and that a stability test with every start of trial-phases.ts found nothing better. What it cannot meet it
 * reports as EngineError 'not-converged'. It leaves phase names, properties and the choice of model to others; solids and hydrates
 * are not looked for.
 *
 * Route: a few substitution steps from Wilson's ratios show most two-phase states at once; otherwise a stability test of the feed
 * decides. Two-phase equilibrium is solved (two-phase.ts), tested for stability, and phases are added (multiphase.ts) until the
 * answer is stable. After M. L. Michelsen and J. M. Mollerup, Thermodynamic Models: Fundamentals and Computational
 * Aspects, 2nd ed. (2007), chapters 9 to 12.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import {
  descend,
  fugacityError,
  type MultiphaseResult,
  solveMultiphase,
  type WorkingPhase,
  withTrialPhase,
} from './multiphase.ts';
import { massDensity, type PhaseSplit, reducedGibbs } from './phase-split.ts';
import { UNSTABLE } from './stability.ts';
import { StabilityTest } from './stability-test.ts';
import { FUGACITY_TOLERANCE, TwoPhaseSolver } from './two-phase.ts';
import { wilsonLnK } from './wilson.ts';

export interface TpFlashOptions {
  /**
   * Most phases looked for; default 6: below 165 K gas, methane, CO2, H2S, glycol and water can each make one. 2 skips the test for a third phase; a larger limit that is met by an
   * answer still unstable shows as a negative stabilityMargin.
   */
  readonly maxPhases?: number;
}

const ALGORITHM = 'TP flash';
const QUICK_SUBSTITUTIONS = 3;
const MAX_PHASE_ADDITIONS = 8;
/** Amount with which a trial phase is added. */
const TRIAL_AMOUNT = 1e-2;
const MAX_TRIALS = 4;

export class TpFlash {
  readonly eos: EquationOfState;
  private readonly maxPhases: number;
  private readonly two: TwoPhaseSolver;
  private readonly stability: StabilityTest;
  private T = Number.NaN;
  private p = Number.NaN;
  private z: Float64Array = new Float64Array(0);
  private iterations = 0;

  constructor(eos: EquationOfState, options: TpFlashOptions = {}) {
    this.eos = eos;
    this.maxPhases = options.maxPhases ?? 6;
    this.two = new TwoPhaseSolver(eos);
    this.stability = new StabilityTest(eos);
  }

  /**
   * Phases at T [K], p [Pa] of a mixture with mole fractions z (sum 1; zeros allowed). `near`: an answer at a neighbouring state, whose
   * ratios start the search; it changes the effort, not the result.
   * Throws 'invalid-input' for T, p or z out of sense and 'not-converged' when no state meets the guarantees above.
   */
  solve(T: number, p: number, z: Float64Array, near?: PhaseSplit): PhaseSplit {
    this.begin(T, p, z);
    if (this.stability.active.length === 1) return this.singlePhase();
    if (this.quickTwoPhase(near) && this.twoPhase()) return this.completed();
    const tm = this.testFeed();
    if (tm >= UNSTABLE) return this.singlePhase();
    this.startFromTrial();
    if (this.twoPhase()) return this.completed();
    return this.twoPhaseByDescent(tm);
  }

  private begin(T: number, p: number, z: Float64Array): void {
    this.T = T;
    this.p = p;
    this.z = z;
    this.iterations = 0;
    if (this.stability.setFeed(T, p, z)) {
      this.two.x.fill(0);
      this.two.y.fill(0);
    }
  }

  /** True when a few substitution steps prove that the feed splits; the ratios found are left in the two-phase solver. */
  private quickTwoPhase(near: PhaseSplit | undefined): boolean {
    const { eos, T, p, z, two } = this;
    const { active, d } = this.stability;
    two.iterations = 0;
    two.beta = 0.5;
    if (near !== undefined && near.phases.length >= 2) {
      const light = near.phases[0]!;
      const heavy = near.phases[near.phases.length - 1]!;
      for (const i of active) two.lnK[i] = heavy.lnPhi[i]! - light.lnPhi[i]!;
      two.beta = light.fraction;
    } else {
      wilsonLnK(eos.components, T, p, two.lnK);
    }
    for (let k = 0; k < QUICK_SUBSTITUTIONS; k++) {
      if (!two.substitute(T, p, z, active)) return false;
      let tpdX = 0;
      let tpdY = 0;
      for (let a = 0; a < active.length; a++) {
        const i = active[a]!;
        tpdX += two.x[i]! * (Math.log(two.x[i]!) + two.lnPhiX[i]! - d[i]!);
        tpdY += two.y[i]! * (Math.log(two.y[i]!) + two.lnPhiY[i]! - d[i]!);
      }
      if (tpdX < UNSTABLE || tpdY < UNSTABLE) return true;
    }
    return false;
  }

  private testFeed(): number {
    const tm = this.stability.testFeed();
    this.iterations += this.stability.iterations;
    return tm;
  }

  /** Ratios from the unstable trial phase. */
  private startFromTrial(): void {
    const { two } = this;
    const { w, lnZ, active, trialRho, rhoFeed } = this.stability;
    const sign = trialRho < rhoFeed ? 1 : -1;
    for (const i of active) two.lnK[i] = sign * (Math.log(w[i]!) - lnZ[i]!);
    two.beta = sign > 0 ? 0.1 : 0.9;
  }

  private twoPhase(): boolean {
    const { two, z } = this;
    const outcome = two.solve(this.T, this.p, z, this.stability.active);
    this.iterations += two.iterations;
    two.iterations = 0;
    return outcome === 'two-phase' && this.twoPhaseGibbs() <= this.feedGibbs() + 1e-12;
  }

  private feedGibbs(): number {
    return reducedGibbs(this.z, this.stability.lnPhi);
  }

  private twoPhaseGibbs(): number {
    const { two } = this;
    return (1 - two.beta) * reducedGibbs(two.x, two.lnPhiX) + two.beta * reducedGibbs(two.y, two.lnPhiY);
  }

  /**
   * The feed is unstable against `w`, but substitution lost the split (small phases, near-critical states). Moving along `w` lowers the
   * Gibbs energy from the feed, so Newton with descent from there cannot return to one phase.
   */
  private twoPhaseByDescent(tm: number): PhaseSplit {
    const { eos, two, z, T, p } = this;
    const { w, active } = this.stability;
    const g0 = this.feedGibbs();
    let most = 1;
    for (const i of active) if (w[i]! > 0) most = Math.min(most, z[i]! / w[i]!);
    for (let amount = 0.5 * most; amount > 1e-12; amount *= 0.3) {
      for (const i of active) {
        two.y[i] = w[i]!;
        two.x[i] = (z[i]! - amount * w[i]!) / (1 - amount);
      }
      two.beta = amount;
      two.rhoX = eos.lnPhi(T, p, two.x, 'stable', two.lnPhiX);
      two.rhoY = eos.lnPhi(T, p, two.y, 'stable', two.lnPhiY);
      if (!(this.twoPhaseGibbs() < g0)) continue;
      two.error = 1;
      const outcome = two.newton(T, p, z, active);
      this.iterations += two.iterations;
      two.iterations = 0;
      if (outcome === 'two-phase' && this.twoPhaseGibbs() <= g0 + 1e-12) return this.completed();
      break;
    }
    const found = solveMultiphase(eos, T, p, z, active, [z, w], [1 - 0.5 * most, 0.5 * most]);
    this.iterations += found.iterations;
    if (found.converged && found.phases.length === 2 && gibbsOf(found.phases) <= g0 + 1e-12)
      return this.withStabilityTest(found.phases, found.error);
    // Within rounding of the phase boundary: the feed as one phase is the answer to working precision.
    if (tm > -1e-7) return this.singlePhase();
    const split = this.fromAllTrials(g0);
    if (split !== undefined) return this.withStabilityTest(split.phases, split.error);
    throw this.failure(found.error);
  }

  /**
   * The first proof of instability may point nowhere: then all stationary trial phases together, one by one beside the feed, and
   * in pairs are starts, and last the way downhill from a trace of each. Returns the equilibrium of lowest Gibbs energy among those that converge to two or more phases.
   */
  private fromAllTrials(g0: number): MultiphaseResult | undefined {
    const { eos, T, p, z, stability } = this;
    const { active } = stability;
    const trials = stability.allUnstableTrials().slice(0, MAX_TRIALS);
    const starts: Float64Array[][] = [trials, ...trials.map((w) => [z, w])];
    for (let a = 0; a < trials.length; a++) for (let b = 0; b < a; b++) starts.push([trials[a]!, trials[b]!]);
    let best: MultiphaseResult | undefined;
    for (const start of starts) {
      if (start.length < 2) continue;
      const found = solveMultiphase(
        eos,
        T,
        p,
        z,
        active,
        start,
        start.map(() => 1 / start.length),
      );
      this.iterations += found.iterations;
      if (!found.converged || found.phases.length < 2) continue;
      const gibbs = gibbsOf(found.phases);
      if (gibbs <= g0 + 1e-12 && (best === undefined || gibbs < gibbsOf(best.phases))) best = found;
    }
    const feed = [{ x: z, fraction: 1 }];
    for (const w of best === undefined ? trials : []) {
      const found = this.downhill(feed, w, g0);
      if (found !== undefined && (best === undefined || gibbsOf(found.phases) < gibbsOf(best.phases))) best = found;
    }
    return best;
  }

  private completed(): PhaseSplit {
    const { two } = this;
    const phase = (x: Float64Array, lnPhi: Float64Array, fraction: number, rho: number): WorkingPhase => ({
      x: normalised(x),
      lnPhi: Float64Array.from(lnPhi),
      fraction,
      rho,
    });
    const phases = [phase(two.y, two.lnPhiY, two.beta, two.rhoY), phase(two.x, two.lnPhiX, 1 - two.beta, two.rhoX)];
    return this.maxPhases > 2 ? this.withStabilityTest(phases, two.error) : this.result(phases, two.error);
  }

  /** Tests the phases found and adds the best trial phase until nothing better is found. */
  private withStabilityTest(found: WorkingPhase[], fugacity: number): PhaseSplit {
    const { stability } = this;
    let phases = found;
    let error = fugacity;
    for (let addition = 0; ; addition++) {
      stability.iterations = 0;
      const tm = stability.testPhases(phases);
      this.iterations += stability.iterations;
      const settled = error < FUGACITY_TOLERANCE;
      if (settled && (tm >= UNSTABLE || phases.length >= this.maxPhases)) return this.result(phases, error);
      if (addition === MAX_PHASE_ADDITIONS) break;
      const next = this.lower(phases, tm < UNSTABLE ? stability.w : undefined);
      if (next === undefined) {
        if (settled && tm > -1e-7) return this.result(phases, error);
        break;
      }
      phases = next.phases;
      error = next.error;
    }
    throw this.failure(error);
  }

  /**
   * Phases of lower Gibbs energy: with the trial phase `w` added, else with it in place of one of them. A state that is lower but has not
   * met the fugacities is returned as it is, to go on from; undefined when nothing is lower.
   */
  private lower(phases: readonly WorkingPhase[], w: Float64Array | undefined): MultiphaseResult | undefined {
    const { eos, T, p, z, stability } = this;
    const before = gibbsOf(phases);
    const solve = (kept: readonly WorkingPhase[], trial: Float64Array | undefined, share: number): MultiphaseResult => {
      const result = solveMultiphase(
        eos,
        T,
        p,
        z,
        stability.active,
        trial === undefined ? kept.map((phase) => phase.x) : [...kept.map((phase) => phase.x), trial],
        trial === undefined ? kept.map((phase) => phase.fraction) : [...kept.map((phase) => phase.fraction), share],
      );
      this.iterations += result.iterations;
      return result;
    };
    const added = solve(phases, w, TRIAL_AMOUNT);
    const gibbs = gibbsOf(added.phases);
    // A trace of a new phase lowers the Gibbs energy by less than rounding.
    if (added.converged && (gibbs < before - 1e-12 || (added.phases.length > phases.length && gibbs <= before + 1e-11)))
      return added;
    let best = !added.converged && added.phases.length > 1 && gibbs < before - 1e-9 ? added : undefined;
    if (w !== undefined)
      for (let k = 0; k < phases.length; k++) {
        const swapped = solve(phases.toSpliced(k, 1), w, phases[k]!.fraction);
        const least = best === undefined ? before - 1e-12 : gibbsOf(best.phases);
        if (swapped.converged && gibbsOf(swapped.phases) < least) best = swapped;
      }
    return best?.converged === true || w === undefined ? best : (this.downhill(phases, w, before) ?? best);
  }

  /** Straight down from a trace of `w` that lowers the Gibbs energy: where substitution leads away. */
  private downhill(
    phases: readonly { x: Float64Array; fraction: number }[],
    w: Float64Array,
    before: number,
  ): MultiphaseResult | undefined {
    const { eos, T, p, z } = this;
    const { active } = this.stability;
    for (let amount = 0.1; amount > 1e-9; amount *= 0.1) {
      const start = withTrialPhase(eos, T, p, active, phases, w, amount);
      if (start === undefined || !(gibbsOf(start) < before)) continue;
      const found = descend(eos, T, p, z, active, start);
      this.iterations += found.iterations;
      return found.converged && gibbsOf(found.phases) < before - 1e-12 ? found : undefined;
    }
    return undefined;
  }

  private failure(residual: number): EngineError {
    return new EngineError({
      kind: 'not-converged',
      algorithm: Number.isNaN(residual) ? `${ALGORITHM} (the model has no density for a phase that forms)` : ALGORITHM,
      iterations: this.iterations,
      residual,
    });
  }

  private singlePhase(): PhaseSplit {
    const { lnPhi, rhoFeed } = this.stability;
    return this.result(
      [{ x: Float64Array.from(this.z), lnPhi: Float64Array.from(lnPhi), fraction: 1, rho: rhoFeed }],
      0,
    );
  }

  private result(phases: WorkingPhase[], error: number): PhaseSplit {
    const { z, eos } = this;
    const { active } = this.stability;
    let balanceError = 0;
    for (let i = 0; i < z.length; i++) {
      let total = 0;
      for (const phase of phases) total += phase.fraction * phase.x[i]!;
      balanceError = Math.max(balanceError, Math.abs(total - z[i]!));
    }
    return {
      T: this.T,
      p: this.p,
      z: Float64Array.from(z),
      phases: phases.sort((a, b) => massDensity(eos.components, a) - massDensity(eos.components, b)),
      convergence: {
        iterations: this.iterations,
        fugacityError: phases.length > 1 ? fugacityError(phases, active) : error,
        balanceError,
        gibbs: gibbsOf(phases),
        feedGibbs: this.feedGibbs(),
        stabilityMargin: this.stability.margin,
      },
    };
  }
}

/** A trace of a phase is known only as precisely as the small difference of amounts that it is. */
function normalised(x: Float64Array): Float64Array {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i]!;
  const out = Float64Array.from(x);
  for (let i = 0; i < x.length; i++) out[i] = x[i]! / total;
  return out;
}

function gibbsOf(phases: readonly WorkingPhase[]): number {
  let g = 0;
  for (const phase of phases) g += phase.fraction * reducedGibbs(phase.x, phase.lnPhi);
  return g;
}
