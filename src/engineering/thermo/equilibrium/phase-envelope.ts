/**
 * The phase envelope of a mixture in T and p: dew and bubble curve, critical point, cricondenbar and cricondentherm.
 *
 * It guarantees: every point has equal fugacities in the feed and in an incipient phase; critical point and extreme points lie on the
 * curve. Whether the feed is stable there (it may split into other phases before, e.g. two liquids at low temperature) is said by `stable`,
 * tested at every STABILITY_STRIDE-th point and, where that changes, at the points between. A curve that does not come back to the
 * starting pressure ends with a stated reason. A pure fluid gives its vapour-pressure line.
 *
 * Route: dew point at the lowest pressure (bubble-dew.ts), continuation through the critical point (envelope-trace.ts). When that
 * curve stays open or comes back without one, the bubble curve is traced from the lowest pressure as well.
 */
import { isEngineError } from '../errors.ts';
import type { SaturationKind, SaturationPoint, SaturationSolver } from './bubble-dew.ts';
import type { CriticalPointSolver } from './critical-point.ts';
import { type Trace, type TraceEnd, type TracePoint, traceEnvelope } from './envelope-trace.ts';
import { hermite } from './hermite.ts';

export interface EnvelopeOptions {
  /** Pressure [Pa] at which the curves begin and end; default 1e5. */
  readonly minPressure?: number;
  /** Default 1e8 Pa. */
  readonly maxPressure?: number;
  /** Most points of one curve; default 500. */
  readonly maxPoints?: number;
  /** Set false to leave out the stability tests: `stable` is then undefined. */
  readonly stability?: boolean;
  /**
   * Set true for points as far apart as the continuation bears: enough for critical and extreme points, which are solved for themselves. Once
   * a critical point is found, metastable stretches and a second curve are left out.
   */
  readonly coarse?: boolean;
}

export interface TemperaturePressure {
  readonly T: number;
  readonly p: number;
}

export interface EnvelopePoint extends TemperaturePressure {
  /** dew: the incipient phase is the heavier one. */
  readonly kind: SaturationKind;
  /** Composition of the incipient phase. */
  readonly incipient: Float64Array;
  readonly rhoFeed: number;
  readonly rhoIncipient: number;
  /** False where the feed is not one stable phase, so that the point is no visible phase boundary. */
  readonly stable: boolean | undefined;
}

export interface EnvelopeCriticalPoint extends TemperaturePressure {
  /** False between two points of an unstable feed: it is none of the mixture's own. Undefined when stability is not tested. */
  readonly stable: boolean | undefined;
}

export interface EnvelopeCurve {
  /** First and last index of its points. */
  readonly first: number;
  readonly last: number;
  /** Why the curve ends; 'minimum pressure' closes it, 'critical point' ends the line of a pure fluid. */
  readonly end: TraceEnd | 'critical point';
}

export interface PhaseEnvelope {
  /** In trace order: dew curve from low pressure, critical point, bubble curve. */
  readonly points: readonly EnvelopePoint[];
  readonly curves: readonly EnvelopeCurve[];
  /** Where feed and incipient phase become alike, those of a stable feed first, else in trace order; empty when no curve passes one. */
  readonly criticalPoints: readonly EnvelopeCriticalPoint[];
  /** Highest pressure and highest temperature of two phases; undefined when no curve has such a maximum. */
  readonly cricondenbar: TemperaturePressure | undefined;
  readonly cricondentherm: TemperaturePressure | undefined;
}

const STABILITY_STRIDE = 8;
/** Spacing of the points of a coarse envelope, in units of the usual one. */
const COARSE = 5;
const UNSTABLE = -1e-8;
/** Densities of two roots differ by more (relative). */
const SAME_ROOT = 1e-3;
/** Bubble curves that begin nearer than this (in ln T) to where the traced curve came back are the same. */
const SAME_START = 0.02;
const PURE_POINTS = 100;
const EXTREME_SOLVES = 8;

/** Throws 'invalid-input' and, when no saturation point begins a curve, what bubble-dew.ts throws for the dew point. */
export function phaseEnvelope(solver: SaturationSolver, z: Float64Array, options: EnvelopeOptions = {}): PhaseEnvelope {
  const minPressure = options.minPressure ?? 1e5;
  const maxPressure = options.maxPressure ?? 1e8;
  const coarse = options.coarse === true;
  solver.begin(z);
  const { system, eos } = solver;
  if (system.m === 1) return pureEnvelope(solver, z, minPressure);
  let leastTc = Number.POSITIVE_INFINITY;
  let mostTc = 0;
  for (const i of system.active) {
    leastTc = Math.min(leastTc, eos.components[i]!.Tc);
    mostTc = Math.max(mostTc, eos.components[i]!.Tc);
  }
  const limits = {
    minPressure,
    maxPressure,
    minTemperature: 0.25 * leastTc,
    maxTemperature: 2 * mostTc,
    maxPoints: options.maxPoints ?? 500,
    spacing: coarse ? COARSE : 1,
    onlyStable: coarse,
  };

  const points: EnvelopePoint[] = [];
  const curves: EnvelopeCurve[] = [];
  const criticalPoints: EnvelopeCriticalPoint[] = [];
  const bars: TemperaturePressure[] = [];
  const therms: TemperaturePressure[] = [];
  let failure: unknown;
  const begin = (kind: SaturationKind): SaturationPoint | undefined => {
    try {
      return solver.atPressure(kind, minPressure, z);
    } catch (error) {
      if (!isEngineError(error)) throw error;
      failure ??= error;
      return undefined;
    }
  };
  const follow = (start: SaturationPoint) => {
    solver.setPoint(start);
    const trace = traceEnvelope(system, limits);
    if (trace.points.length === 0) return;
    const first = points.length;
    const stable = options.stability === false ? undefined : stabilityOf(solver, trace);
    const added = describe(trace, system.m, start.kind, stable);
    points.push(...(start.kind === 'dew' ? added : added.reverse()));
    curves.push({ first, last: points.length - 1, end: trace.end });
    for (const k of trace.crossings)
      criticalPoints.push({
        ...refineCritical(solver.critical, z, crossingPoint(trace, k, system.m)),
        stable: stable === undefined ? undefined : stable[k] === true || stable[k + 1] === true,
      });
    therms.push(...maxima(solver, trace, system.m));
    bars.push(...maxima(solver, trace, system.m + 1));
  };
  const dew = begin('dew');
  if (dew !== undefined) follow(dew);
  const back = points[points.length - 1];
  const returned = curves[0]?.end === 'minimum pressure';
  // A curve that comes back as a dew curve has turned at a metastable stretch: the bubble curve is another one.
  if ((!returned || back?.kind === 'dew') && !(coarse && criticalPoints.length > 0)) {
    const bubble = begin('bubble');
    const known = returned && bubble !== undefined && Math.abs(Math.log(bubble.T / back!.T)) < SAME_START;
    if (bubble !== undefined && !known) follow(bubble);
  }
  if (points.length === 0) throw failure;
  return {
    points,
    curves,
    criticalPoints: criticalPoints.sort((a, b) => Number(a.stable === false) - Number(b.stable === false)),
    cricondenbar: highest(bars, 'p', points),
    cricondentherm: highest(therms, 'T', points),
  };
}

function describe(
  trace: Trace,
  m: number,
  first: SaturationKind,
  stable: readonly boolean[] | undefined,
): EnvelopePoint[] {
  let kind = first;
  return trace.points.map((point, k) => {
    const described = {
      T: Math.exp(point.u[m]!),
      p: Math.exp(point.u[m + 1]!),
      kind,
      incipient: point.w,
      rhoFeed: point.rhoFeed,
      rhoIncipient: point.rhoIncipient,
      stable: stable?.[k],
    };
    if (trace.crossings.includes(k)) kind = kind === 'dew' ? 'bubble' : 'dew';
    return described;
  });
}

/** Stability of the feed at every stride-th point, and at those between two that differ. */
function stabilityOf(solver: SaturationSolver, trace: Trace): boolean[] {
  const { stability, system } = solver;
  const known: (boolean | undefined)[] = trace.points.map(() => undefined);
  let unstable = false;
  const test = (k: number): boolean => {
    const { u, w, rhoFeed, rhoIncipient } = trace.points[k]!;
    const T = Math.exp(u[system.m]!);
    const p = Math.exp(u[system.m + 1]!);
    stability.setFeed(T, p, system.z);
    // On a root that is not the one of lowest Gibbs energy a phase is unstable, whatever is true of that other root.
    if (differs(stability.rhoFeed, rhoFeed)) return false;
    if (differs(stability.eos.density(T, p, w, 'stable'), rhoIncipient)) return false;
    const tm = stability.testSaturated(w, unstable);
    unstable = tm < 0;
    return tm >= UNSTABLE;
  };
  let last = 0;
  known[0] = test(0);
  while (last < trace.points.length - 1) {
    const next = Math.min(last + STABILITY_STRIDE, trace.points.length - 1);
    known[next] = test(next);
    for (let k = last + 1; k < next; k++) known[k] = known[last] === known[next] ? known[last] : test(k);
    last = next;
  }
  return known.map((value) => value === true);
}

function differs(stableRoot: number, rho: number): boolean {
  return !(Math.abs(stableRoot / rho - 1) < SAME_ROOT);
}

/** Where all ln K are zero between points k and k + 1; it lies between them or little beyond. */
function crossingPoint(trace: Trace, k: number, m: number) {
  const a = trace.points[k]!;
  const b = trace.points[k + 1]!;
  let s = 0;
  for (let i = 1; i < m; i++) if (Math.abs(b.u[i]! - a.u[i]!) > Math.abs(b.u[s]! - a.u[s]!)) s = i;
  const u = new Float64Array(m + 2);
  hermite([a, b], 2, s, 0, u);
  return {
    T: Math.exp(u[m]!),
    p: Math.exp(u[m + 1]!),
    errorT: 2e-3 + Math.abs(b.u[m]! - a.u[m]!),
    errorP: 1e-2 + Math.abs(b.u[m + 1]! - a.u[m + 1]!),
  };
}

/** A critical point of a mixture from an estimate with its uncertainty (relative); the estimate when none is found so near. */
function refineCritical(
  solver: CriticalPointSolver,
  z: Float64Array,
  estimate: { readonly T: number; readonly p: number; readonly errorT: number; readonly errorP: number },
): { readonly T: number; readonly p: number } {
  const { T, p, errorT, errorP } = estimate;
  try {
    const point = solver.from(T, p, z);
    const near = point !== undefined && Math.abs(point.T / T - 1) < errorT && Math.abs(point.p / p - 1) < errorP;
    return near ? { T: point.T, p: point.p } : { T, p };
  } catch (error) {
    if (isEngineError(error)) return { T, p };
    throw error;
  }
}

/** Maxima of u_index along the trace: where its tangent changes sign, narrowed by secant steps on the curve itself. */
function maxima(solver: SaturationSolver, trace: Trace, index: number): TemperaturePressure[] {
  const { points } = trace;
  const found: TemperaturePressure[] = [];
  for (let k = 0; k + 1 < points.length; k++)
    if (points[k]!.tangent[index]! > 0 && points[k + 1]!.tangent[index]! <= 0)
      found.push(maximumBetween(solver, points[k]!, points[k + 1]!, index));
  return found;
}

function maximumBetween(solver: SaturationSolver, a: TracePoint, b: TracePoint, index: number): TemperaturePressure {
  const { system } = solver;
  const { m, u } = system;
  const size = m + 2;
  // The variable that changes most between the two points, but not the one whose maximum is wanted.
  let s = index === 0 ? 1 : 0;
  for (let i = 0; i < size; i++) if (i !== index && Math.abs(b.u[i]! - a.u[i]!) > Math.abs(b.u[s]! - a.u[s]!)) s = i;
  const slopeAt = (point: TracePoint) => point.tangent[index]! / point.tangent[s]!;
  const ends = [a, b];
  const guess = new Float64Array(size);
  const tangent = new Float64Array(size);
  let lo = a.u[s]!;
  let hi = b.u[s]!;
  let fLo = slopeAt(a);
  let fHi = slopeAt(b);
  let best = a.u[index]! > b.u[index]! ? a.u : b.u;
  for (let k = 0; k < EXTREME_SOLVES; k++) {
    const S = (lo * fHi - hi * fLo) / (fHi - fLo);
    if (!Number.isFinite(S)) break;
    hermite(ends, 2, s, S, guess);
    u.set(guess);
    // Too close to the critical point for Newton: the cubic is exact enough there.
    if (system.largestLnK() < 1e-2 || !system.solve(s, S, 8)) {
      if (guess[index]! > best[index]!) best = Float64Array.from(guess);
      break;
    }
    if (u[index]! > best[index]!) best = Float64Array.from(u);
    system.sensitivity(tangent);
    const f = tangent[index]!;
    // The maximum is flat: its place is known when the next step is short.
    if (Math.abs((f * (hi - lo)) / (fHi - fLo)) < 1e-8) break;
    // Regula falsi with the Illinois rule.
    if (f * fHi < 0) {
      lo = hi;
      fLo = fHi;
    } else fLo *= 0.5;
    hi = S;
    fHi = f;
  }
  return { T: Math.exp(best[m]!), p: Math.exp(best[m + 1]!) };
}

/** The highest maximum; undefined where a curve goes higher without one, because it ends before it turns. */
function highest(
  maxima: readonly TemperaturePressure[],
  by: 'T' | 'p',
  points: readonly EnvelopePoint[],
): TemperaturePressure | undefined {
  let best: TemperaturePressure | undefined;
  for (const point of maxima) if (best === undefined || point[by] > best[by]) best = point;
  if (best === undefined) return undefined;
  for (const point of points) if (point[by] > best[by] * (1 + 1e-6)) return undefined;
  return best;
}

function pureEnvelope(solver: SaturationSolver, z: Float64Array, minPressure: number): PhaseEnvelope {
  const { line } = solver.pureLine();
  const { critical } = line;
  const from = solver.eos.saturationLine === undefined ? minPressure : Math.max(minPressure, lowest());
  const points: EnvelopePoint[] = [];
  for (let k = 0; k < PURE_POINTS; k++) {
    const p = from * (critical.p / from) ** (k / PURE_POINTS);
    const { T, rhoVapour, rhoLiquid } = line.atPressure(p);
    points.push({
      T,
      p,
      kind: 'bubble',
      incipient: Float64Array.from(z),
      rhoFeed: rhoLiquid,
      rhoIncipient: rhoVapour,
      stable: true,
    });
  }
  const end = { T: critical.T, p: critical.p, stable: true };
  points.push({
    ...end,
    kind: 'bubble',
    incipient: Float64Array.from(z),
    rhoFeed: critical.rho,
    rhoIncipient: critical.rho,
    stable: true,
  });
  return {
    points,
    curves: [{ first: 0, last: points.length - 1, end: 'critical point' }],
    criticalPoints: [end],
    cricondenbar: end,
    cricondentherm: end,
  };

  function lowest(): number {
    return line.atTemperature(solver.eos.validity.minT).p;
  }
}
