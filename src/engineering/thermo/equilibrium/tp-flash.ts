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
import { fugacityError, solveMultiphase, type WorkingPhase } from './multiphase.ts';
import { type PhaseSplit, reducedGibbs } from './phase-split.ts';
import { StabilityAnalysis, UNSTABLE } from './stability.ts';
import { groupStart, planTrials, pureStart, type TrialPlan } from './trial-phases.ts';
import { TwoPhaseSolver } from './two-phase.ts';
import { wilsonLnK } from './wilson.ts';

export interface TpFlashOptions {
  /**
   * Most phases looked for; default 4 (gas, two oils, aqueous). 2 skips the test for a third phase; a larger limit that is met by an
   * answer still unstable shows as a negative stabilityMargin.
   */
  readonly maxPhases?: number;
}

const ALGORITHM = 'TP flash';
const QUICK_SUBSTITUTIONS = 3;
const MAX_PHASE_ADDITIONS = 6;
const HYDROCARBON_SHARES = [1, 1 / 3];

export class TpFlash {
  readonly eos: EquationOfState;
  private readonly maxPhases: number;
  private readonly two: TwoPhaseSolver;
  private readonly stability: StabilityAnalysis;
  private readonly lnPhi: Float64Array;
  private readonly lnZ: Float64Array;
  private readonly d: Float64Array;
  private readonly lnWilson: Float64Array;
  private readonly w: Float64Array;
  private active: Int32Array = new Int32Array(0);
  private plan: TrialPlan = planTrials([], new Int32Array(0));
  private T = Number.NaN;
  private p = Number.NaN;
  private z: Float64Array = new Float64Array(0);
  private rhoFeed = Number.NaN;
  private iterations = 0;
  private margin = Number.POSITIVE_INFINITY;
  private trialRho = Number.NaN;
  private references: readonly Float64Array[] = [];

  constructor(eos: EquationOfState, options: TpFlashOptions = {}) {
    const { n } = eos;
    this.eos = eos;
    this.maxPhases = options.maxPhases ?? 4;
    this.two = new TwoPhaseSolver(eos);
    this.stability = new StabilityAnalysis(eos);
    this.lnPhi = new Float64Array(n);
    this.lnZ = new Float64Array(n);
    this.d = new Float64Array(n);
    this.lnWilson = new Float64Array(n);
    this.w = new Float64Array(n);
  }

  /**
   * Phases at T [K], p [Pa] of a mixture with mole fractions z (sum 1; zeros allowed). `near`: an answer at a neighbouring state, whose
   * ratios start the search; it changes the effort, not the result.
   * Throws 'invalid-input' for T, p or z out of sense and 'not-converged' when no state meets the guarantees above.
   */
  solve(T: number, p: number, z: Float64Array, near?: PhaseSplit): PhaseSplit {
    this.begin(T, p, z);
    if (this.active.length === 1) return this.singlePhase();
    if (this.quickTwoPhase(near) && this.twoPhase()) return this.completed();
    const tm = this.testFeed();
    if (tm >= UNSTABLE) return this.singlePhase();
    this.startFromTrial();
    if (this.twoPhase()) return this.completed();
    return this.twoPhaseByDescent(tm);
  }

  private begin(T: number, p: number, z: Float64Array): void {
    const { eos, lnPhi, lnZ, d } = this;
    if (!(T > 0 && Number.isFinite(T))) invalid('T', `${T} K is no temperature`);
    if (!(p > 0 && Number.isFinite(p))) invalid('p', `${p} Pa is no pressure`);
    if (z.length !== eos.n) invalid('z', `${z.length} mole fractions for ${eos.n} components`);
    this.T = T;
    this.p = p;
    this.z = z;
    this.iterations = 0;
    this.margin = Number.POSITIVE_INFINITY;
    this.findActive();
    this.rhoFeed = eos.lnPhi(T, p, z, 'stable', lnPhi);
    if (!(this.rhoFeed > 0))
      throw new EngineError({ kind: 'not-converged', algorithm: 'density', iterations: 0, residual: Number.NaN });
    for (let a = 0; a < this.active.length; a++) {
      const i = this.active[a]!;
      const ln = Math.log(z[i]!);
      lnZ[i] = ln;
      d[i] = ln + lnPhi[i]!;
    }
  }

  /** The list of components present, rebuilt only when it changed. */
  private findActive(): void {
    const { z, active } = this;
    let total = 0;
    let count = 0;
    let same = true;
    for (let i = 0; i < z.length; i++) {
      const zi = z[i]!;
      if (!(zi >= 0)) invalid('z', `mole fraction ${zi} of ${this.eos.components[i]!.name}`);
      total += zi;
      if (zi > 0) {
        if (active[count] !== i) same = false;
        count++;
      }
    }
    if (!(Math.abs(total - 1) < 1e-9)) invalid('z', `mole fractions sum to ${total}`);
    if (same && count === active.length) return;
    this.active = Int32Array.from(z.keys()).filter((i) => z[i]! > 0);
    this.plan = planTrials(this.eos.components, this.active);
    this.two.x.fill(0);
    this.two.y.fill(0);
  }

  /** True when a few substitution steps prove that the feed splits; the ratios found are left in the two-phase solver. */
  private quickTwoPhase(near: PhaseSplit | undefined): boolean {
    const { eos, T, p, z, two, active, d } = this;
    two.iterations = 0;
    two.beta = 0.5;
    if (near !== undefined && near.phases.length >= 2) {
      const light = near.phases[0]!;
      const heavy = near.phases[near.phases.length - 1]!;
      for (const i of active) two.lnK[i] = heavy.lnPhi[i]! - light.lnPhi[i]!;
      two.beta = light.fraction;
    } else {
      wilsonLnK(eos.components, T, p, this.lnWilson);
      two.lnK.set(this.lnWilson);
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

  /** tm of the first trial that proves the feed unstable, else 0; that trial is left in `w`. */
  private testFeed(): number {
    const { lnZ, active, stability, lnWilson } = this;
    const { lnW } = stability;
    wilsonLnK(this.eos.components, this.T, this.p, lnWilson);
    this.references = [lnZ];
    this.margin = Number.POSITIVE_INFINITY;
    for (const i of active) lnW[i] = lnZ[i]! + lnWilson[i]!;
    if (this.trial(true)) return stability.result.tm;
    for (const i of active) lnW[i] = lnZ[i]! - lnWilson[i]!;
    if (this.trial(true)) return stability.result.tm;
    return this.tryPlan(true);
  }

  /** The same for phases in equilibrium: they share one tangent plane. */
  private testPhases(phases: readonly WorkingPhase[]): number {
    const { d, active } = this;
    this.references = phases.map((phase) => Float64Array.from(phase.x, Math.log));
    // The phase that holds most of a component gives its chemical potential best.
    for (const i of active) {
      let most = phases[0]!;
      for (const phase of phases) if (phase.x[i]! > most.x[i]!) most = phase;
      d[i] = Math.log(most.x[i]!) + most.lnPhi[i]!;
    }
    wilsonLnK(this.eos.components, this.T, this.p, this.lnWilson);
    this.margin = Number.POSITIVE_INFINITY;
    return this.tryPlan(false);
  }

  private tryPlan(untilNegative: boolean): number {
    const { plan, lnZ, d, active, stability, lnWilson } = this;
    const { lnW, result } = stability;
    for (const i of plan.pure) {
      pureStart(lnW, i);
      if (this.trial(untilNegative)) return result.tm;
    }
    if (plan.polar.length > 0) {
      groupStart(lnW, plan.polar, lnZ, lnWilson, 0);
      if (this.trial(untilNegative)) return result.tm;
    }
    if (plan.hydrocarbons.length > 0) {
      for (const share of HYDROCARBON_SHARES) {
        groupStart(lnW, plan.hydrocarbons, lnZ, lnWilson, share);
        if (this.trial(untilNegative)) return result.tm;
      }
    }
    for (const i of active) lnW[i] = d[i]!;
    return this.trial(untilNegative) ? result.tm : 0;
  }

  /** One trial from the ln W set; true when it proves instability, with the trial phase kept. */
  private trial(untilNegative: boolean): boolean {
    const { stability } = this;
    const { tm, trivial, rho, iterations } = stability.run(
      this.T,
      this.p,
      this.d,
      this.active,
      this.references,
      untilNegative,
    );
    this.iterations += iterations;
    if (trivial) return false;
    this.margin = Math.min(this.margin, tm);
    if (tm >= UNSTABLE) return false;
    this.w.set(stability.w);
    this.trialRho = rho;
    return true;
  }

  /** Ratios from the unstable trial phase. */
  private startFromTrial(): void {
    const { two, w, lnZ, active } = this;
    const sign = this.trialRho < this.rhoFeed ? 1 : -1;
    for (const i of active) two.lnK[i] = sign * (Math.log(w[i]!) - lnZ[i]!);
    two.beta = sign > 0 ? 0.1 : 0.9;
  }

  private twoPhase(): boolean {
    const { two, z } = this;
    const outcome = two.solve(this.T, this.p, z, this.active);
    this.iterations += two.iterations;
    two.iterations = 0;
    return outcome === 'two-phase' && this.twoPhaseGibbs() <= this.feedGibbs() + 1e-12;
  }

  private feedGibbs(): number {
    return reducedGibbs(this.z, this.lnPhi);
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
    const { eos, two, w, z, active, T, p } = this;
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
    throw new EngineError({
      kind: 'not-converged',
      algorithm: ALGORITHM,
      iterations: this.iterations,
      residual: found.error,
    });
  }

  private completed(): PhaseSplit {
    const { two } = this;
    const phase = (x: Float64Array, lnPhi: Float64Array, fraction: number, rho: number): WorkingPhase => ({
      x: Float64Array.from(x),
      lnPhi: Float64Array.from(lnPhi),
      fraction,
      rho,
    });
    const phases = [phase(two.y, two.lnPhiY, two.beta, two.rhoY), phase(two.x, two.lnPhiX, 1 - two.beta, two.rhoX)];
    return this.maxPhases > 2 ? this.withStabilityTest(phases, two.error) : this.result(phases, two.error);
  }

  /** Tests the phases found and adds the best trial phase until nothing better is found. */
  private withStabilityTest(found: WorkingPhase[], fugacity: number): PhaseSplit {
    const { eos, T, p, z, active } = this;
    let phases = found;
    let error = fugacity;
    for (let addition = 0; ; addition++) {
      const tm = this.testPhases(phases);
      if (tm >= UNSTABLE || phases.length >= this.maxPhases) return this.result(phases, error);
      if (addition === MAX_PHASE_ADDITIONS) break;
      const before = gibbsOf(phases);
      const next = solveMultiphase(
        eos,
        T,
        p,
        z,
        active,
        [...phases.map((phase) => phase.x), this.w],
        [...phases.map((phase) => phase.fraction), 1e-2],
      );
      this.iterations += next.iterations;
      if (!next.converged || gibbsOf(next.phases) > before + 1e-11) {
        if (tm > -1e-7) return this.result(phases, error);
        error = next.error;
        break;
      }
      phases = next.phases;
      error = next.error;
    }
    throw new EngineError({
      kind: 'not-converged',
      algorithm: ALGORITHM,
      iterations: this.iterations,
      residual: error,
    });
  }

  private singlePhase(): PhaseSplit {
    return this.result(
      [{ x: Float64Array.from(this.z), lnPhi: Float64Array.from(this.lnPhi), fraction: 1, rho: this.rhoFeed }],
      0,
    );
  }

  private result(phases: WorkingPhase[], error: number): PhaseSplit {
    const { z, active, eos } = this;
    let balanceError = 0;
    for (let i = 0; i < z.length; i++) {
      let total = 0;
      for (const phase of phases) total += phase.fraction * phase.x[i]!;
      balanceError = Math.max(balanceError, Math.abs(total - z[i]!));
    }
    const massDensity = (phase: WorkingPhase) => {
      let m = 0;
      for (const i of active) m += phase.x[i]! * eos.components[i]!.molarMass;
      return m * phase.rho;
    };
    return {
      T: this.T,
      p: this.p,
      z: Float64Array.from(z),
      phases: phases.sort((a, b) => massDensity(a) - massDensity(b)),
      convergence: {
        iterations: this.iterations,
        fugacityError: phases.length > 1 ? fugacityError(phases, active) : error,
        balanceError,
        gibbs: gibbsOf(phases),
        feedGibbs: this.feedGibbs(),
        stabilityMargin: this.margin,
      },
    };
  }
}

function gibbsOf(phases: readonly WorkingPhase[]): number {
  let g = 0;
  for (const phase of phases) g += phase.fraction * reducedGibbs(phase.x, phase.lnPhi);
  return g;
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
