/**
 * Continuation along a saturation curve through the critical point (M. L. Michelsen, Fluid Phase Equilib. 4 (1980) 1). The variable
 * that changes fastest is held while Newton solves for the others; the next point is predicted by the polynomial through the last three
 * points and their tangents (hermite.ts); the step follows the number of Newton iterations. Near the critical point, where every ln K passes zero,
 * the largest ln K is held and the point is stepped over, so that the trivial solution is never met. A metastable stretch may leave
 * the root of lowest Gibbs energy; the curve is then followed on the roots it is on, until one of them ceases to exist.
 */
import { hermite } from './hermite.ts';
import type { SaturationSystem } from './saturation-system.ts';

export interface TracePoint {
  readonly u: Float64Array;
  /** Tangent du along the path; its largest component has size 1. */
  readonly tangent: Float64Array;
  readonly w: Float64Array;
  readonly rhoFeed: number;
  readonly rhoIncipient: number;
}

export interface TraceLimits {
  readonly minPressure: number;
  readonly maxPressure: number;
  readonly minTemperature: number;
  readonly maxTemperature: number;
  readonly maxPoints: number;
  /** Factor on the largest changes a step. */
  readonly spacing: number;
  /** Set to end a curve that has passed a critical point where it would go on along a root that is not stable. */
  readonly onlyStable: boolean;
}

export type TraceEnd =
  | 'minimum pressure'
  | 'maximum pressure'
  | 'minimum temperature'
  | 'maximum temperature'
  | 'point limit'
  /** Of coarse envelopes only: beyond, a phase is on a metastable root. */
  | 'root no longer stable'
  /** One of the phases ceases to exist: beyond, its density would be mechanically unstable. Only within the region of two phases. */
  | 'limit of mechanical stability'
  | 'step too small';

export interface Trace {
  readonly points: readonly TracePoint[];
  readonly end: TraceEnd;
  /** Indices k for which a critical point lies between points k and k + 1. */
  readonly crossings: readonly number[];
}

const FIRST_STEP = 0.05;
const LEAST_STEP = 1e-4;
/** A step this small on roots of lowest Gibbs energy: one of the phases is about to lose that root to another. */
const PINNING_STEP = 1e-3;
const DOUBTED_RESIDUAL = 1e-8;
/** Ways to name the roots of two phases anew. */
const MOST_NAMES = 3;
/** dp/drho over its value for the ideal gas, below which a phase is at its limit of mechanical stability. */
const AT_SPINODAL = 0.05;
/** Largest deviation from the prediction. */
const STRAYED_LNT = 0.012;
const STRAYED_LNP = 0.06;
/** Largest change a step in ln T and ln p: sets how dense the points are. */
const LNT_STEP = 0.016;
const LNP_STEP = 0.085;
const LNK_STEP = 0.8;
/** Below HELD_BELOW the largest ln K is held; no point is placed with one below CLOSEST. */
const HELD_BELOW = 0.2;
const CLOSEST = 0.04;
/** Share of the fastest variable's change at which the largest ln K is still worth holding: towards zero, and away from it. */
const SLOWEST_APPROACH = 0.03;
const SLOWEST_DEPARTURE = 0.2;
const NEWTON_LIMIT = 7;
/** Points that a prediction rests on. */
const MOST_NODES = 3;
/** Points stored together. */
const BLOCK = 64;
const MOST_FAILURES = 8;

/** Follows the curve from the solution in `system`, towards rising pressure. Its points hold until the next trace of the same system. */
export function traceEnvelope(system: SaturationSystem, limits: TraceLimits): Trace {
  const { m, u } = system;
  const size = m + 2;
  const points: TracePoint[] = [];
  const crossings: number[] = [];
  const predicted = new Float64Array(size);
  const mostLnK = LNK_STEP * limits.spacing;
  const mostLnT = LNT_STEP * limits.spacing;
  const mostLnP = LNP_STEP * limits.spacing;
  const store = new PointStore(m, system.z.length, system.path);
  const ended = (end: TraceEnd): Trace => ({ points, end, crossings });

  if (!system.solve(m + 1, u[m + 1]!)) return ended('step too small');
  points.push(take(system, undefined, store));
  let step = FIRST_STEP;
  let failures = 0;
  /** Whether the phases are held on named roots. */
  let pinned = false;
  /** Whether a step from this point has failed. */
  let again = false;
  /** Other names tried at this point. */
  let tried = 0;
  while (points.length < limits.maxPoints) {
    const here = points[points.length - 1]!;
    const s = held(here, m);
    const direction = Math.sign(here.tangent[s]!);
    const scale = Math.abs(here.tangent[s]!);
    let length = Math.min(
      step,
      mostLnK,
      (mostLnT * scale) / Math.abs(here.tangent[m]!),
      (mostLnP * scale) / Math.abs(here.tangent[m + 1]!),
    );
    let crossing = false;
    if (s < m && here.u[s]! * direction < 0 && isCriticalAhead(here, s, m)) {
      // Towards the critical point: land on either side of it, not on it; nearer to it after every failure.
      const left = Math.abs(here.u[s]!);
      const closest = CLOSEST * 0.6 ** failures;
      if (length > left - closest) {
        if (left > 2.5 * closest) length = 0.5 * left;
        else {
          length = left + Math.max(closest, Math.min(left, 0.3));
          crossing = true;
        }
      }
    }
    const S = here.u[s]! + direction * length;
    hermite(points, usable(points, s, S), s, S, predicted);
    u.set(predicted);
    if (
      !system.solve(s, S, NEWTON_LIMIT) ||
      !(system.largestLnK() > 0.25 * CLOSEST * 0.6 ** failures) ||
      strayed(u, predicted, length, m, crossing ? 8 : limits.spacing) ||
      (crossing && !isOpposite(here.u, u, m)) ||
      // Newton's last step says little beside a limit of mechanical stability.
      ((pinned || again) && !(system.remeasure() < DOUBTED_RESIDUAL))
    ) {
      again = true;
      step = 0.4 * length;
      if (crossing) failures++;
      if (step >= (pinned ? LEAST_STEP : PINNING_STEP) && failures < MOST_FAILURES) continue;
      failures = 0;
      restore(system, here);
      step = FIRST_STEP;
      if (pinned) {
        // Where a phase has one root, its name says nothing about which of several it will be.
        let renamed = false;
        while (!renamed && tried < MOST_NAMES) renamed = system.renameBranches(++tried);
        if (renamed) continue;
        return ended(system.leastStiffness() < AT_SPINODAL ? 'limit of mechanical stability' : 'step too small');
      }
      if (limits.onlyStable && crossings.length > 0) return ended('root no longer stable');
      // Where a metastable phase is no longer on the root of lowest Gibbs energy, the curve goes on along its own root.
      pinned = true;
      system.pinBranches();
      continue;
    }
    const iterations = system.iterations;
    const next = take(system, here, store);
    // A turn of the whole tangent at once is a jump to another curve, or back along this one.
    if (!crossing && turn(here.tangent, next.tangent) < 0.2 && length > (pinned ? LEAST_STEP : PINNING_STEP)) {
      store.giveBack();
      again = true;
      step = 0.4 * length;
      continue;
    }
    failures = 0;
    tried = 0;
    again = false;
    if (pinned) system.pinBranches();
    if ((crossing || isOpposite(here.u, next.u, m)) && changesPlaces(here, next)) crossings.push(points.length - 1);
    points.push(next);
    step = iterations <= 2 ? 1.6 * length : iterations === 3 ? 1.15 * length : 0.6 * length;
    const p = Math.exp(next.u[m + 1]!);
    const T = Math.exp(next.u[m]!);
    if (p <= limits.minPressure) return ended('minimum pressure');
    if (p >= limits.maxPressure) return ended('maximum pressure');
    if (T <= limits.minTemperature) return ended('minimum temperature');
    if (T >= limits.maxTemperature) return ended('maximum temperature');
  }
  return ended('point limit');
}

/** Whether all ln K, and not only the one held, go towards zero together: at u_s = 0 the tangent leaves little of the others. */
function isCriticalAhead({ u, tangent }: TracePoint, s: number, m: number): boolean {
  let largest = 0;
  let left = 0;
  for (let i = 0; i < m; i++) {
    largest = Math.max(largest, Math.abs(u[i]!));
    left = Math.max(left, Math.abs(u[i]! - (tangent[i]! / tangent[s]!) * u[s]!));
  }
  return left < 0.5 * largest;
}

/** Whether the ln K of two points are opposite: a critical point lies between. */
function isOpposite(a: Float64Array, b: Float64Array, m: number): boolean {
  let product = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < m; i++) {
    product += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return product < 0 && product * product > 0.25 * aa * bb;
}

/** At a critical point the phases change places in density; at an azeotrope, where all ln K vanish as well, they do not. */
function changesPlaces(a: TracePoint, b: TracePoint): boolean {
  return (a.rhoFeed - a.rhoIncipient) * (b.rhoFeed - b.rhoIncipient) < 0;
}

function restore(system: SaturationSystem, point: TracePoint): void {
  system.u.set(point.u);
  system.w.set(point.w);
  system.rhoFeed = point.rhoFeed;
  system.rhoIncipient = point.rhoIncipient;
}

/**
 * Index of the variable to hold: the one that changes fastest; close to a critical point the largest ln K, unless it hardly changes
 * (between two critical points the ln K pass an extreme).
 */
function held(point: TracePoint, m: number): number {
  let fastest = 0;
  for (let i = 1; i < m + 2; i++) if (Math.abs(point.tangent[i]!) > Math.abs(point.tangent[fastest]!)) fastest = i;
  let most = 0;
  for (let i = 1; i < m; i++) if (Math.abs(point.u[i]!) > Math.abs(point.u[most]!)) most = i;
  const close = Math.abs(point.u[most]!) < HELD_BELOW;
  const least = point.u[most]! * point.tangent[most]! < 0 ? SLOWEST_APPROACH : SLOWEST_DEPARTURE;
  return close && Math.abs(point.tangent[most]!) > least * Math.abs(point.tangent[fastest]!) ? most : fastest;
}

/** The solution in the system with its tangent, oriented along the path (towards rising pressure at first). */
function take(system: SaturationSystem, last: TracePoint | undefined, store: PointStore): TracePoint {
  const { m, u } = system;
  const { u: stored, tangent, w } = store.take();
  stored.set(u);
  system.composition(w);
  system.sensitivity(tangent);
  let most = 0;
  for (let i = 0; i < m + 2; i++) most = Math.max(most, Math.abs(tangent[i]!));
  let along = tangent[m + 1]!;
  if (last !== undefined) {
    along = 0;
    for (let i = 0; i < m + 2; i++) along += tangent[i]! * (u[i]! - last.u[i]!);
  }
  const factor = (along < 0 ? -1 : 1) / most;
  for (let i = 0; i < m + 2; i++) tangent[i] = tangent[i]! * factor;
  return { u: stored, tangent, w, rhoFeed: system.rhoFeed, rhoIncipient: system.rhoIncipient };
}

/**
 * Hands out the arrays of the points as views of large blocks: making a view costs a tenth of making an array. The blocks of u and tangents
 * serve one trace after another; compositions are new, since envelopes keep them.
 */
class PointStore {
  private readonly size: number;
  private readonly n: number;
  private readonly blocks: Float64Array[];
  private block = -1;
  private path: Float64Array = new Float64Array(0);
  private compositions = new Float64Array(0);
  private used = BLOCK;

  constructor(m: number, n: number, blocks: Float64Array[]) {
    this.size = m + 2;
    this.n = n;
    this.blocks = blocks;
  }

  /** The arrays of the last point are free again. */
  giveBack(): void {
    this.used--;
  }

  take(): { readonly u: Float64Array; readonly tangent: Float64Array; readonly w: Float64Array } {
    const { size, n } = this;
    if (this.used === BLOCK) {
      this.block++;
      const kept = this.blocks[this.block];
      const length = 2 * BLOCK * size;
      this.path = kept !== undefined && kept.length >= length ? kept : new Float64Array(length);
      this.blocks[this.block] = this.path;
      this.compositions = new Float64Array(BLOCK * n);
      this.used = 0;
    }
    const k = this.used++;
    const { path, compositions } = this;
    return {
      u: path.subarray(2 * k * size, (2 * k + 1) * size),
      tangent: path.subarray((2 * k + 1) * size, (2 * k + 2) * size),
      w: compositions.subarray(k * n, (k + 1) * n),
    };
  }
}

/** How many of the last points can predict u at u_s = S: u_s must go one way through them, not too fast for the steps between. */
function usable(points: readonly TracePoint[], s: number, S: number): number {
  let count = 1;
  let step = S - points[points.length - 1]!.u[s]!;
  while (count < MOST_NODES && count < points.length) {
    const here = points[points.length - count]!;
    const before = points[points.length - count - 1]!;
    const H = here.u[s]! - before.u[s]!;
    if (!(step * H > 0) || Math.abs(step) >= 3 * Math.abs(H) || Math.abs(before.tangent[s]!) <= 0.2) break;
    step = H;
    count++;
  }
  return count;
}

/** Whether the solution is further from the prediction than a step on the same curve can be; over a critical point it may be less exact. */
function strayed(u: Float64Array, predicted: Float64Array, length: number, m: number, wide: number): boolean {
  const allowed = 0.5 * length + 0.02;
  for (let i = 0; i < m; i++) if (Math.abs(u[i]! - predicted[i]!) > allowed) return true;
  return (
    Math.abs(u[m]! - predicted[m]!) > wide * STRAYED_LNT || Math.abs(u[m + 1]! - predicted[m + 1]!) > wide * STRAYED_LNP
  );
}

/** Cosine between two tangents. */
function turn(a: Float64Array, b: Float64Array): number {
  let product = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return product / Math.sqrt(aa * bb);
}
