/** Phase envelopes against another program's traces (reference/README.md); its extreme points are those of its coarse trace. */
import t from 'tap';
import { createFluid, type PhaseEnvelope, phaseEnvelope } from '../../../src/engineering/thermo/index.ts';
import { type ReferenceInput, referenceCases } from './reference-cases.ts';

interface Point {
  readonly temperature_K: number;
  readonly pressure_bara: number;
}
interface Expect {
  readonly cricondentherm: Point;
  readonly cricondenbar: Point;
  readonly criticalPoint: Point;
  readonly dewPoints: readonly Point[];
  readonly bubblePoints: readonly Point[];
}

/** One traced point of the condensate lies 0.8 K off its own neighbours, in the stretch where two liquids form. */
const OFF_ITS_OWN_CURVE = [195.416];

/** Smallest distance in T between the curve and a point, at the pressure of the point. */
function distance(envelope: PhaseEnvelope, { temperature_K, pressure_bara }: Point): number {
  let least = Number.POSITIVE_INFINITY;
  const q = Math.log(1e5 * pressure_bara);
  for (let k = 1; k < envelope.points.length; k++) {
    const a = envelope.points[k - 1]!;
    const b = envelope.points[k]!;
    const [pa, pb] = [Math.log(a.p), Math.log(b.p)];
    if ((q - pa) * (q - pb) > 0 || pa === pb) continue;
    least = Math.min(least, Math.abs(a.T + ((b.T - a.T) * (q - pa)) / (pb - pa) - temperature_K));
  }
  return least;
}

const cases = referenceCases<ReferenceInput, Expect>('getPhaseEnvelope.jsonl');
t.equal(cases.length, 11, 'all cases were read');

for (const { id, input, expect } of cases)
  t.test(id, async (t) => {
    const envelope = phaseEnvelope(createFluid(input));
    t.ok(envelope.points.length > 100, `${envelope.points.length} points`);
    for (const point of [...expect.dewPoints, ...expect.bubblePoints]) {
      if (OFF_ITS_OWN_CURVE.includes(point.temperature_K)) continue;
      const off = distance(envelope, point);
      t.ok(off < 0.3, `${point.temperature_K} K, ${point.pressure_bara} bar: ${off} K off`);
    }
    const critical = envelope.criticalPoints[0]!;
    t.ok(Math.abs(critical.T - expect.criticalPoint.temperature_K) < 0.1, `critical ${critical.T} K`);
    t.ok(Math.abs(critical.p / (1e5 * expect.criticalPoint.pressure_bara) - 1) < 1e-3, `critical ${critical.p} Pa`);
    const bar = envelope.cricondenbar!;
    t.ok(Math.abs(bar.p / (1e5 * expect.cricondenbar.pressure_bara) - 1) < 0.002, `cricondenbar ${bar.p} Pa`);
    t.ok(bar.p > 1e5 * expect.cricondenbar.pressure_bara * (1 - 1e-5), 'a maximum is no less than a traced point');
    const therm = envelope.cricondentherm!;
    t.ok(Math.abs(therm.T - expect.cricondentherm.temperature_K) < 0.3, `cricondentherm ${therm.T} K`);
    t.ok(therm.T > expect.cricondentherm.temperature_K * (1 - 1e-6), 'a maximum is no less than a traced point');
  });
