/**
 * Stability of a feed, or of phases in equilibrium, against every start of trial-phases.ts: one tangent plane, many trials.
 *
 * It guarantees: a negative answer comes with a trial phase `w` whose tangent plane distance is that negative number. A result of 0 says
 * that no start found anything lower, which is no proof for every model.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { StabilityAnalysis, UNSTABLE } from './stability.ts';
import { TrialPaths } from './trial-paths.ts';
import { groupStart, planTrials, pureStart, type TrialPlan } from './trial-phases.ts';
import { wilsonLnK } from './wilson.ts';

const HYDROCARBON_SHARES = [1, 1 / 3];
/** Near a critical point a whole ln K is too far away: the trial falls back on the feed. */
const NEAR_CRITICAL_SHARE = 0.25;
/** ln of two mole fractions whose product is below the smallest number. */
const LEAST_LN = -700;

export class StabilityTest {
  readonly eos: EquationOfState;
  /** Components present in the feed. */
  active: Int32Array = new Int32Array(0);
  /** Fugacity coefficients and molar density of the feed as one phase. */
  readonly lnPhi: Float64Array;
  rhoFeed = Number.NaN;
  /** ln z and the tangent plane d = ln x + ln phi; only components present count. */
  readonly lnZ: Float64Array;
  readonly d: Float64Array;
  /** The trial phase that proved instability, and its molar density. */
  readonly w: Float64Array;
  trialRho = Number.NaN;
  /** Smallest tangent plane distance of the non-trivial trials of the last test. */
  margin = Number.POSITIVE_INFINITY;
  iterations = 0;
  private readonly stability: StabilityAnalysis;
  private readonly lnWilson: Float64Array;
  private plan: TrialPlan = planTrials([], new Int32Array(0));
  private T = Number.NaN;
  private p = Number.NaN;
  private references: readonly Float64Array[] = [];
  private readonly paths: TrialPaths;
  /** Set while trials look for the paths of earlier ones. */
  private onTrial: TrialPaths | undefined;
  private readonly lnIncipient: Float64Array;
  /** Set while all trials are wanted rather than the first that proves instability. */
  private collected: { tm: number; w: Float64Array }[] | undefined;

  constructor(eos: EquationOfState) {
    const { n } = eos;
    this.eos = eos;
    this.stability = new StabilityAnalysis(eos);
    this.lnPhi = new Float64Array(n);
    this.lnZ = new Float64Array(n);
    this.d = new Float64Array(n);
    this.w = new Float64Array(n);
    this.lnWilson = new Float64Array(n);
    this.lnIncipient = new Float64Array(n);
    this.paths = new TrialPaths(n);
  }

  /**
   * Takes a feed: checks T, p and z, finds the components present, evaluates the feed as one phase. Returns true when the set of
   * components changed. Throws 'invalid-input', and 'not-converged' when the model has no density there.
   */
  setFeed(T: number, p: number, z: Float64Array): boolean {
    const { eos, lnPhi, lnZ, d } = this;
    if (!(T > 0 && Number.isFinite(T))) invalid('T', `${T} K is no temperature`);
    if (!(p > 0 && Number.isFinite(p))) invalid('p', `${p} Pa is no pressure`);
    this.T = T;
    this.p = p;
    this.iterations = 0;
    this.margin = Number.POSITIVE_INFINITY;
    const changed = this.findActive(z);
    this.rhoFeed = eos.lnPhi(T, p, z, 'stable', lnPhi);
    if (!(this.rhoFeed > 0))
      throw new EngineError({ kind: 'not-converged', algorithm: 'density', iterations: 0, residual: Number.NaN });
    for (let a = 0; a < this.active.length; a++) {
      const i = this.active[a]!;
      const ln = Math.log(z[i]!);
      lnZ[i] = ln;
      d[i] = ln + lnPhi[i]!;
    }
    return changed;
  }

  /** The list of components present, rebuilt only when it changed. */
  private findActive(z: Float64Array): boolean {
    const { active, eos } = this;
    if (z.length !== eos.n) invalid('z', `${z.length} mole fractions for ${eos.n} components`);
    let total = 0;
    let count = 0;
    let same = true;
    for (let i = 0; i < z.length; i++) {
      const zi = z[i]!;
      if (!(zi >= 0)) invalid('z', `mole fraction ${zi} of ${eos.components[i]!.name}`);
      total += zi;
      if (zi > 0) {
        if (active[count] !== i) same = false;
        count++;
      }
    }
    if (!(Math.abs(total - 1) < 1e-9)) invalid('z', `mole fractions sum to ${total}`);
    if (same && count === active.length) return false;
    this.active = Int32Array.from(z.keys()).filter((i) => z[i]! > 0);
    this.plan = planTrials(eos.components, this.active);
    return true;
  }

  /** tm of the first trial that proves the feed unstable, else 0; that trial is left in `w`. */
  testFeed(): number {
    const { lnZ, active, stability, lnWilson } = this;
    const { lnW } = stability;
    wilsonLnK(this.eos.components, this.T, this.p, lnWilson);
    this.references = [lnZ];
    this.margin = Number.POSITIVE_INFINITY;
    for (const i of active) lnW[i] = lnZ[i]! + lnWilson[i]!;
    if (this.trial(true)) return stability.result.tm;
    for (const i of active) lnW[i] = lnZ[i]! - lnWilson[i]!;
    if (this.trial(true)) return stability.result.tm;
    for (const i of active) lnW[i] = lnZ[i]! + NEAR_CRITICAL_SHARE * lnWilson[i]!;
    if (this.trial(true)) return stability.result.tm;
    if (this.plan.hasPolar) {
      for (const i of active) lnW[i] = lnZ[i]! - NEAR_CRITICAL_SHARE * lnWilson[i]!;
      if (this.trial(true)) return stability.result.tm;
    }
    return this.tryPlan(true);
  }

  /**
   * testFeed on a saturation curve, where `incipient` is in equilibrium with the feed: trials that fall back on it are trivial too, and
   * trials that join the path of an earlier one are given up. With `again` the trial phase that proved instability in the last test is
   * tried first.
   */
  testSaturated(incipient: Float64Array, again: boolean): number {
    const { active, stability, lnZ, w, lnIncipient, paths } = this;
    for (const i of active) lnIncipient[i] = Math.log(incipient[i]!);
    paths.reset();
    paths.record(lnZ);
    paths.record(lnIncipient);
    this.onTrial = paths;
    let proved = false;
    if (again) {
      this.references = [lnZ];
      this.margin = Number.POSITIVE_INFINITY;
      for (const i of active) stability.lnW[i] = Math.log(w[i]!);
      proved = this.trial(true);
    }
    const tm = proved ? stability.result.tm : this.testFeed();
    this.onTrial = undefined;
    return tm;
  }

  /** Every start run to its stationary point: the trial phases that prove the feed unstable, lowest tangent plane distance first. */
  allUnstableTrials(): Float64Array[] {
    const found: { tm: number; w: Float64Array }[] = [];
    this.collected = found;
    this.testFeed();
    this.collected = undefined;
    return found.sort((a, b) => a.tm - b.tm).map(({ w }) => w);
  }

  /** The same for phases in equilibrium, given as compositions with their fugacity coefficients: they share one tangent plane. */
  testPhases(phases: readonly { readonly x: Float64Array; readonly lnPhi: Float64Array }[]): number {
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
    const tm = this.tryPlan(false);
    return tm < UNSTABLE || !this.plan.hasPolar ? tm : this.tryBetween(phases);
  }

  /**
   * Starts half way between two phases, in composition and in its logarithm: for a further phase that lies between them, which polar
   * components can make.
   */
  private tryBetween(phases: readonly { readonly x: Float64Array }[]): number {
    const { active, stability } = this;
    const { lnW, result } = stability;
    for (let k = 1; k < phases.length; k++)
      for (let l = 0; l < k; l++) {
        const a = phases[k]!.x;
        const b = phases[l]!.x;
        for (const i of active) lnW[i] = 0.5 * Math.max(LEAST_LN, Math.log(a[i]! * b[i]!));
        if (this.trial(false)) return result.tm;
        for (const i of active) lnW[i] = Math.log(0.5 * (a[i]! + b[i]!));
        if (this.trial(false)) return result.tm;
      }
    return 0;
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
      untilNegative && this.collected === undefined,
      this.onTrial,
    );
    this.iterations += iterations;
    if (trivial) return false;
    this.margin = Math.min(this.margin, tm);
    if (tm >= UNSTABLE) return false;
    this.onTrial?.drop();
    if (this.collected !== undefined) {
      this.collected.push({ tm, w: Float64Array.from(stability.w) });
      return false;
    }
    this.w.set(stability.w);
    this.trialRho = rho;
    return true;
  }
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
