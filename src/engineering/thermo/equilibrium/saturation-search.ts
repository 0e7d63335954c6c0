/**
 * Bubble and dew points with a last resort: the phase envelope.
 *
 * Where the two-phase region is a narrow band of pressure (beside a critical point, in a nearly pure fluid), the scan of bubble-dew.ts can step
 * over it; and at given pressure a cold point, at which two liquids part, can stand before the boiling point. The envelope passes it point by point, so what the scan does not find is looked for where the traced curve crosses the wanted T or p.
 * The guarantees are those of bubble-dew.ts; a curve that ends early proves nothing, so 'spec-unreachable' still says what was searched.
 */
import { hasNoAnswer, isEngineError } from '../errors.ts';
import { namePhases } from '../properties/phase-identification.ts';
import type { SaturationKind, SaturationOptions, SaturationPoint, SaturationSolver } from './bubble-dew.ts';
import { type TracePoint, traceEnvelope } from './envelope-trace.ts';

type Given = 'T' | 'p';

/** Pressure at which curves begin [Pa], and the highest they are followed to. */
const FROM = 1e5;
const TO = 1e8;
const MAX_POINTS = 500;
/** Two points closer than this (ratio) are one. */
const SAME = 1e-6;

/** The point of `kind` at `given` = value, as SaturationSolver.atTemperature and atPressure. */
export function findSaturation(
  solver: SaturationSolver,
  kind: SaturationKind,
  given: Given,
  value: number,
  z: Float64Array,
  options: SaturationOptions = {},
): SaturationPoint {
  const direct = attempt(() =>
    given === 'T' ? solver.atTemperature(kind, value, z, options) : solver.atPressure(kind, value, z, options),
  );
  // A start value may ask for a point of two liquids.
  const settled = solver.system.m === 1 || options.start !== undefined;
  if (direct.point !== undefined && (settled || hasVapour(solver, direct.point))) return direct.point;
  if (solver.system.m > 1) {
    const points = onEnvelope(solver, given, value, z).filter(
      (point) => point.kind === kind && hasVapour(solver, point),
    );
    const ordinary = (kind === 'bubble') === (given === 'T') ? 'below' : 'above';
    const { start, retrograde } = options;
    const chosen =
      start !== undefined
        ? points.sort((a, b) => distance(given, a, start) - distance(given, b, start))[0]
        : points.find((point) => (point.twoPhaseSide === ordinary) === (retrograde !== true));
    if (chosen !== undefined) return chosen;
  }
  if (direct.point === undefined) throw direct.error;
  return direct.point;
}

function attempt(find: () => SaturationPoint): { readonly point?: SaturationPoint; readonly error?: unknown } {
  try {
    return { point: find() };
  } catch (error) {
    if (isEngineError(error, 'spec-unreachable')) return { error };
    throw error;
  }
}

/** Two liquids can part as well; a point with a vapour goes before that. */
function hasVapour({ eos }: SaturationSolver, { T, phases }: SaturationPoint): boolean {
  return namePhases(eos.components, T, phases).some(({ name }) => name.startsWith('gas'));
}

/** Every saturation point that the scan or the envelope finds, from low to high. */
export function allSaturations(
  solver: SaturationSolver,
  given: Given,
  value: number,
  z: Float64Array,
): SaturationPoint[] {
  const points = solver.all(given, value, z);
  // A scan that sees an odd number of limits, or none, may have stepped over a band.
  if (points.length > 1 || solver.system.m === 1) return points;
  for (const point of onEnvelope(solver, given, value, z))
    if (!points.some((other) => distance(given, other, unknown(given, point)) < SAME)) points.push(point);
  return points.sort((a, b) => unknown(given, a) - unknown(given, b));
}

const unknown = (given: Given, point: SaturationPoint) => (given === 'T' ? point.p : point.T);
const distance = (given: Given, point: SaturationPoint, from: number) =>
  Math.abs(Math.log(unknown(given, point) / from));

function onEnvelope(solver: SaturationSolver, given: Given, value: number, z: Float64Array): SaturationPoint[] {
  const from = given === 'p' ? Math.min(FROM, 0.5 * value) : FROM;
  const found: SaturationPoint[] = [];
  for (const kind of ['dew', 'bubble'] as const) {
    let start: SaturationPoint;
    try {
      start = solver.atPressure(kind, from, z);
    } catch (error) {
      if (isEngineError(error)) continue;
      throw error;
    }
    let guesses: Float64Array[];
    try {
      guesses = crossings(solver, start, given, value);
    } catch (error) {
      // The trace left what the model describes; that is no answer to the caller's question.
      if (hasNoAnswer(error)) continue;
      throw error;
    }
    for (const guess of guesses) {
      const point = solver.fromEstimate(given, value, guess);
      if (point !== undefined && !found.some((other) => distance(given, other, unknown(given, point)) < SAME))
        found.push(point);
    }
    // The dew curve comes back as the bubble curve where the envelope closes.
    if (found.length > 0) break;
  }
  return found;
}

/** Estimates of (ln K, ln T, ln p) where the curve from `start` crosses the value; copies, since a trace reuses its points. */
function crossings(solver: SaturationSolver, start: SaturationPoint, given: Given, value: number): Float64Array[] {
  const { system } = solver;
  const { components } = solver.eos;
  solver.setPoint(start);
  const critical = Array.from(system.active, (i) => components[i]!.Tc);
  const { points } = traceEnvelope(system, {
    minPressure: Math.exp(system.u[system.m + 1]!) * 0.999,
    maxPressure: TO,
    minTemperature: 0.25 * Math.min(...critical),
    maxTemperature: 2 * Math.max(...critical),
    maxPoints: MAX_POINTS,
    spacing: 1,
    onlyStable: false,
  });
  const s = given === 'T' ? system.m : system.m + 1;
  const S = Math.log(value);
  const guesses: Float64Array[] = [];
  for (let k = 0; k + 1 < points.length; k++) {
    const [a, b]: [TracePoint, TracePoint] = [points[k]!, points[k + 1]!];
    if ((a.u[s]! - S) * (b.u[s]! - S) > 0) continue;
    const share = (S - a.u[s]!) / (b.u[s]! - a.u[s]!);
    guesses.push(a.u.map((from, i) => from + share * (b.u[i]! - from)));
  }
  return guesses;
}
