/**
 * Bubble and dew points of any model at given temperature or given pressure.
 *
 * It guarantees: a point returned has equal fugacities in feed and incipient phase within 1e-9, and the feed is stable there against
 * every start of trial-phases.ts, so a metastable (false) point is never returned. Where several points of one kind exist (retrograde
 * condensation), the ordinary one is preferred: the upper bubble pressure, the lower dew pressure, the lower bubble temperature, the
 * upper dew temperature; `retrograde` asks for the other. What does not exist is an EngineError 'spec-unreachable'. A pure fluid gives
 * its saturation line. An oil with free water has the bubble point at which the first vapour appears beside both liquids (wet-saturation.ts).
 *
 * Route: Wilson's estimate, a few substitution steps with Newton in ln p or ln T on named roots, then Newton on all ln K with analytic
 * derivatives (saturation-system.ts), then the stability test. Nearly pure fluids and azeotropes are solved on named roots. An unstable answer restarts from the phase that disproved it. When that
 * fails, the feed's stability is scanned over the whole range of the unknown, and Newton starts from the trial phase at
 * every limit of stability.
 */
import { EngineError, hasNoAnswer, isEngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { CriticalPointSolver } from './critical-point.ts';
import { approach, mainComponent, nameRoots, startFromFeed, startFromPure } from './named-roots-saturation.ts';
import { solveNearCritical } from './near-critical-saturation.ts';
import { reducedGibbs } from './phase-split.ts';
import { PureSaturationLine } from './pure-saturation.ts';
import { pointAt, purePoint, type SaturationKind, type SaturationPoint } from './saturation-point.ts';
import { startFromWilson, wilsonEstimate } from './saturation-start.ts';
import { SaturationSystem } from './saturation-system.ts';
import { limitsOfStability, type StabilityLimit } from './stability-limits.ts';
import { StabilityTest } from './stability-test.ts';
import { TpFlash } from './tp-flash.ts';
import { WetSaturation } from './wet-saturation.ts';

export type { SaturationKind, SaturationPoint } from './saturation-point.ts';

export interface SaturationOptions {
  /** Estimate of the unknown: T [K] or p [Pa]. The nearest point of the kind asked for is returned. */
  readonly start?: number;
  /** The retrograde point where there are two. */
  readonly retrograde?: boolean;
}

type Given = 'T' | 'p';

/** A point this near to the start (logarithm of the ratio) is the nearest one. */
const NEAR_T = 0.005;
const NEAR_P = 0.05;
const MAX_RESTARTS = 4;
const ERROR = 1e-9;
const TRIVIAL = 1e-5;
/** Difference of ln rho by which the phases of an azeotrope, whose ln K are zero, are told apart. */
const APART = 1e-3;
/** A tangent plane distance above this is the incipient phase itself. */
const ON_THE_PLANE = -1e-8;

export class SaturationSolver {
  readonly eos: EquationOfState;
  readonly system: SaturationSystem;
  readonly stability: StabilityTest;
  private ownCritical: CriticalPointSolver | undefined;
  /** Points of a feed that is not one phase because water has dropped out. */
  readonly wet: WetSaturation;
  private start: Float64Array = new Float64Array(0);
  private readonly pure = new Map<number, PureSaturationLine>();

  constructor(eos: EquationOfState) {
    this.eos = eos;
    this.system = new SaturationSystem(eos);
    this.stability = new StabilityTest(eos);
    this.wet = new WetSaturation(eos, new TpFlash(eos));
  }

  /** For the critical points that lie on a curve. */
  get critical(): CriticalPointSolver {
    this.ownCritical ??= new CriticalPointSolver(this.eos);
    return this.ownCritical;
  }

  /** Saturation temperature [K] at p [Pa]. Throws 'invalid-input', 'spec-unreachable', 'not-converged'. */
  atPressure(kind: SaturationKind, p: number, z: Float64Array, options: SaturationOptions = {}): SaturationPoint {
    if (!(p > 0 && Number.isFinite(p))) invalid('p', `${p} Pa is no pressure`);
    return this.find(kind, 'p', p, z, options);
  }

  /** Saturation pressure [Pa] at T [K]. Throws 'invalid-input', 'spec-unreachable', 'not-converged'. */
  atTemperature(kind: SaturationKind, T: number, z: Float64Array, options: SaturationOptions = {}): SaturationPoint {
    if (!(T > 0 && Number.isFinite(T))) invalid('T', `${T} K is no temperature`);
    return this.find(kind, 'T', T, z, options);
  }

  /** Every saturation point that a scan of the unknown's whole range finds, from low to high. */
  all(given: Given, value: number, z: Float64Array): SaturationPoint[] {
    if (!(value > 0 && Number.isFinite(value))) invalid(given, `${value} is out of sense`);
    this.begin(z);
    if (this.system.m === 1) return [this.pureLine().point('bubble', given, value, z)];
    return this.scan(given, value).points;
  }

  /** The saturation line of a component, of the one present when none is named. */
  pureLine(component = this.system.active[0]!): {
    line: PureSaturationLine;
    point: (k: SaturationKind, g: Given, v: number, z: Float64Array) => SaturationPoint;
  } {
    let line = this.pure.get(component);
    if (line === undefined) {
      line = new PureSaturationLine(this.eos, component);
      this.pure.set(component, line);
    }
    const found = line;
    return { line, point: (kind, given, value, z) => purePoint(found, kind, given, value, z) };
  }

  /** Puts a point into `system`, to go on from. */
  setPoint(point: SaturationPoint): void {
    const { system } = this;
    system.setFeed(point.z);
    const { m, u, active } = system;
    u[m] = Math.log(point.T);
    u[m + 1] = Math.log(point.p);
    const [light, heavy] = [point.phases[0]!, point.phases[1]!];
    const feed = point.incipient === light ? heavy : light;
    for (let a = 0; a < m; a++) {
      const i = active[a]!;
      u[a] = feed.lnPhi[i]! - point.incipient.lnPhi[i]!;
    }
  }

  begin(z: Float64Array): void {
    // Any state does: this checks z.
    this.stability.setFeed(300, 1e5, z);
    this.system.setFeed(z);
  }

  private find(
    kind: SaturationKind,
    given: Given,
    value: number,
    z: Float64Array,
    o: SaturationOptions,
  ): SaturationPoint {
    this.begin(z);
    if (this.system.m === 1) return this.pureLine().point(kind, given, value, z);
    const ordinary = (kind === 'bubble') === (given === 'T') ? 'below' : 'above';
    const side = o.retrograde === true ? (ordinary === 'above' ? 'below' : 'above') : ordinary;
    const fits = (point: SaturationPoint | undefined): point is SaturationPoint =>
      point !== undefined && point.kind === kind && (o.start !== undefined || point.twoPhaseSide === side);
    const nearest = o.start;
    const distance = (point: SaturationPoint) => Math.abs(Math.log((given === 'T' ? point.p : point.T) / nearest!));
    let direct: SaturationPoint | undefined;
    if (o.retrograde !== true || nearest !== undefined) {
      direct = this.direct(kind, given, value, nearest) ?? this.onNamedRoots(kind, given, value, nearest);
      // Newton may jump over a nearer point.
      if (fits(direct) && (nearest === undefined || distance(direct) < (given === 'T' ? NEAR_P : NEAR_T)))
        return direct;
    }
    const scanned = this.scan(given, value);
    const points = scanned.points.filter((point) => point.kind === kind);
    if (nearest !== undefined) {
      if (fits(direct)) points.push(direct);
      points.sort((a, b) => distance(a) - distance(b));
    }
    const chosen =
      nearest !== undefined
        ? points[0]
        : (points.find((point) => point.twoPhaseSide === side) ?? (o.retrograde === true ? undefined : points[0]));
    if (chosen !== undefined) return chosen;
    if (kind === 'bubble' && o.retrograde !== true) {
      const wet = this.wet.bubble(given, value, z, this.range(given));
      if (wet !== undefined) return wet;
    }
    if (scanned.unresolved > 0)
      throw new EngineError({
        kind: 'not-converged',
        algorithm: `${kind} point (stability of the feed ends there, but no phase in equilibrium with it was found)`,
        iterations: this.system.iterations,
        residual: this.system.error,
      });
    throw new EngineError({
      kind: 'spec-unreachable',
      specification: `${o.retrograde === true ? 'retrograde ' : ''}${kind} point at ${value} ${given === 'T' ? 'K' : 'Pa'}`,
      reason: `one stable phase of this composition meets no incipient ${kind === 'bubble' ? 'lighter' : 'heavier'} phase in ${this.rangeText(given)}`,
    });
  }

  private direct(
    kind: SaturationKind,
    given: Given,
    value: number,
    start: number | undefined,
  ): SaturationPoint | undefined {
    return this.attempt(given, value, () => startFromWilson(this.system, kind === 'bubble', given, value, start));
  }

  /** The point that Newton reaches from an estimate of (ln K, ln T, ln p), for the feed last begun with. */
  fromEstimate(given: Given, value: number, estimate: Float64Array): SaturationPoint | undefined {
    const begin = () => this.system.u.set(estimate);
    return (
      this.attempt(given, value, begin) ??
      this.solveNamed(true, given, value, begin) ??
      this.solveNamed(false, given, value, begin)
    );
  }

  /** With the phases held on named roots: from the estimate of `direct`, and from the saturation line of a component that is nearly all. */
  private onNamedRoots(
    kind: SaturationKind,
    given: Given,
    value: number,
    start: number | undefined,
  ): SaturationPoint | undefined {
    const { system } = this;
    const bubble = kind === 'bubble';
    const main = mainComponent(system);
    return (
      this.solveNamed(bubble, given, value, () => startFromWilson(system, bubble, given, value, start)) ??
      (main === undefined
        ? undefined
        : this.solveNamed(bubble, given, value, () => startFromPure(system, this.pureLine(main).line, given, value))) ??
      this.solveNamed(bubble, given, value, () => {
        const estimate = start ?? wilsonEstimate(system, bubble, given, value);
        if (startFromFeed(system, given, value, estimate)) approach(system);
      })
    );
  }

  private solveNamed(bubble: boolean, given: Given, value: number, begin: () => void): SaturationPoint | undefined {
    const { system } = this;
    try {
      nameRoots(system, bubble);
      begin();
      const solved = system.solve(given === 'T' ? system.m : system.m + 1, Math.log(value));
      return solved && this.provedOnNamedRoots()
        ? pointAt(system, given, system.iterations, this.stability.margin)
        : undefined;
    } catch (error) {
      if (hasNoAnswer(error) || isEngineError(error, 'spec-unreachable')) return undefined;
      throw error;
    } finally {
      system.feedBranch = 'stable';
      system.incipientBranch = 'stable';
    }
  }

  /** Two different phases on the roots held, of which that of the feed is the stable one, and the feed stable. */
  private provedOnNamedRoots(): boolean {
    const { system, stability } = this;
    if (!(system.check() < ERROR)) return false;
    const apart = Math.abs(Math.log(system.rhoFeed / system.rhoIncipient));
    if (!(system.largestLnK() > TRIVIAL || apart > APART)) return false;
    stability.setFeed(system.T, system.p, system.z);
    const held = reducedGibbs(system.z, system.feed.lnPhi);
    return stability.testFeed() >= ON_THE_PLANE && held <= reducedGibbs(system.z, stability.lnPhi) - ON_THE_PLANE;
  }

  /** Newton from where `begin` leaves u; undefined where that leads to states without an answer of the model. */
  private attempt(given: Given, value: number, begin: () => void): SaturationPoint | undefined {
    try {
      begin();
      return this.converge(given, value);
    } catch (error) {
      if (hasNoAnswer(error)) return undefined;
      throw error;
    }
  }

  /** Newton from u, then the stability test; an unstable answer restarts from the phase that disproved it. */
  private converge(given: Given, value: number): SaturationPoint | undefined {
    const { system, stability } = this;
    const { m, u, active } = system;
    const s = given === 'T' ? m : m + 1;
    if (this.start.length !== m + 2) this.start = new Float64Array(m + 2);
    let iterations = 0;
    for (let restart = 0; restart <= MAX_RESTARTS; restart++) {
      this.start.set(u);
      const solved = system.solve(s, Math.log(value)) && system.largestLnK() > TRIVIAL;
      iterations += system.iterations;
      if (!solved) {
        u.set(this.start);
        if (!solveNearCritical(system, s, Math.log(value), this.start)) return undefined;
      }
      if (!(system.largestLnK() > TRIVIAL) || !(system.check() < ERROR)) return undefined;
      stability.setFeed(system.T, system.p, system.z);
      if (stability.testFeed() >= ON_THE_PLANE) return pointAt(system, given, iterations, stability.margin);
      for (let a = 0; a < m; a++) u[a] = Math.log(stability.w[active[a]!]!) - stability.lnZ[active[a]!]!;
      system.substitute();
    }
    return undefined;
  }

  /** Points at all limits of stability; `unresolved` counts the limits at which Newton found none. */
  private scan(given: Given, value: number): { points: SaturationPoint[]; unresolved: number } {
    const [lo, hi] = this.range(given);
    const points: SaturationPoint[] = [];
    let unresolved = 0;
    for (const limit of limitsOfStability(this.stability, this.system.z, given, value, lo, hi)) {
      const point = this.fromLimit(given, value, limit);
      const unknown = (other: SaturationPoint) => (given === 'T' ? other.p : other.T);
      if (point === undefined) unresolved++;
      else if (!points.some((other) => Math.abs(unknown(other) / unknown(point) - 1) < 1e-7)) points.push(point);
    }
    return { points, unresolved };
  }

  private fromLimit(given: Given, value: number, limit: StabilityLimit): SaturationPoint | undefined {
    const { m, u, active, z } = this.system;
    u[m] = Math.log(given === 'T' ? value : limit.unstable);
    u[m + 1] = Math.log(given === 'p' ? value : limit.unstable);
    for (let a = 0; a < m; a++) u[a] = Math.log(limit.w[active[a]!]! / z[active[a]!]!);
    return this.attempt(given, value, () => this.system.substitute());
  }

  /** Range of the unknown that is searched. */
  private range(given: Given): [number, number] {
    const { validity, components } = this.eos;
    if (given === 'T') return [1, Math.max(validity.maxP, 1e8)];
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (const i of this.system.active) {
      least = Math.min(least, components[i]!.Tc);
      most = Math.max(most, components[i]!.Tc);
    }
    return [0.3 * least, 1.3 * most];
  }

  private rangeText(given: Given): string {
    const [lo, hi] = this.range(given);
    return given === 'T' ? `${lo} to ${hi} Pa` : `${lo.toFixed(0)} to ${hi.toFixed(0)} K`;
  }
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
