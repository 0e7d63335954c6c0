import fc from 'fast-check';
import t from 'tap';
import {
  bubblePoint,
  createFluid,
  criticalPoint,
  criticalPoints,
  EngineError,
  type PhaseEnvelope,
  phaseEnvelope,
  splitTP,
} from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { FLUIDS } from '../fluids.ts';
import { randomFluid } from '../random-states.ts';

/** Throws unless feed and incipient phase have equal fugacities at every point that is called stable. */
function assertSaturated(fluid: ReturnType<typeof createFluid>, envelope: PhaseEnvelope): void {
  const { eos, z } = fluid;
  const feed = new Float64Array(z.length);
  const incipient = new Float64Array(z.length);
  for (const point of envelope.points) {
    if (point.stable !== true) continue;
    eos.lnPhi(point.T, point.p, z, 'stable', feed);
    eos.lnPhi(point.T, point.p, point.incipient, 'stable', incipient);
    for (let i = 0; i < z.length; i++) {
      const error = Math.log(point.incipient[i]! / z[i]!) + incipient[i]! - feed[i]!;
      if (!(Math.abs(error) < 1e-6)) throw new Error(`component ${i} at ${point.T} K, ${point.p} Pa: ${error}`);
    }
  }
}

t.test(
  'every stable point of a random fluid is a saturation point, and the criconden points bound the curve',
  async (t) => {
    let closed = 0;
    let points = 0;
    fc.assert(
      fc.property(randomFluid(), ({ fluid }) => {
        let envelope: PhaseEnvelope;
        try {
          envelope = phaseEnvelope(fluid);
        } catch (error) {
          if (error instanceof EngineError && error.kind === 'spec-unreachable') return;
          throw error;
        }
        assertSaturated(fluid, envelope);
        points += envelope.points.length;
        const { cricondenbar, cricondentherm } = envelope;
        if (envelope.curves.length !== 1 || envelope.curves[0]!.end !== 'minimum pressure') return;
        closed++;
        if (cricondenbar === undefined || cricondentherm === undefined) throw new Error('a closed curve has both');
        for (const { T, p } of envelope.points)
          if (T > cricondentherm.T * (1 + 1e-9) || p > cricondenbar.p * (1 + 1e-9))
            throw new Error(`beyond at ${T} K, ${p} Pa`);
      }),
      { numRuns: 60, seed: 3 },
    );
    t.ok(closed > 20 && points > 3000, `${closed} closed curves, ${points} points`);
  },
);

t.test('inside the envelope the fluid splits, outside it does not', async (t) => {
  for (const name of ['leanGas', 'naturalGas', 'condensate', 'oil'])
    for (const model of ['SRK', 'PR'] as const) {
      const fluid = createFluid({ components: FLUIDS[name]!, model });
      const envelope = phaseEnvelope(fluid);
      const bar = envelope.cricondenbar!;
      const therm = envelope.cricondentherm!;
      t.ok(splitTP(fluid, bar.T, 0.9995 * bar.p).phases.length >= 2, `${name} ${model} below the cricondenbar`);
      t.equal(splitTP(fluid, bar.T, 1.0005 * bar.p).phases.length, 1, `${name} ${model} above the cricondenbar`);
      t.ok(splitTP(fluid, 0.9995 * therm.T, therm.p).phases.length >= 2, `${name} ${model} below the cricondentherm`);
      t.equal(splitTP(fluid, 1.0005 * therm.T, therm.p).phases.length, 1, `${name} ${model} above the cricondentherm`);
    }
});

t.test('points come in trace order, dew before the critical point and bubble after it, close together', async (t) => {
  for (const model of ['SRK', 'PR'] as const) {
    const fluid = createFluid({ components: FLUIDS['naturalGas']!, model });
    const { points, criticalPoints: criticals } = phaseEnvelope(fluid);
    t.ok(points.length > 100);
    t.equal(criticals.length, 1);
    const turn = points.findIndex((point) => point.kind === 'bubble');
    t.ok(points.slice(0, turn).every((point) => point.kind === 'dew'));
    t.ok(points.slice(turn).every((point) => point.kind === 'bubble'));
    t.ok(points[turn - 1]!.T > criticals[0]!.T && points[turn]!.T < criticals[0]!.T, 'the critical point lies between');
    for (let k = 1; k < points.length; k++) {
      t.ok(Math.abs(Math.log(points[k]!.T / points[k - 1]!.T)) < 0.05);
      t.ok(Math.abs(Math.log(points[k]!.p / points[k - 1]!.p)) < 0.2);
    }
  }
});

t.test('the traced critical point is the one computed directly', async (t) => {
  for (const name of [
    'leanGas',
    'naturalGas',
    'condensate',
    'oil',
    'asymmetric',
    'carbonDioxide',
    'acidGas',
    'hydrogenBlend',
  ])
    for (const model of ['SRK', 'PR'] as const) {
      const fluid = createFluid({ components: FLUIDS[name]!, model });
      const direct = criticalPoint(fluid);
      const traced = phaseEnvelope(fluid).criticalPoints[0]!;
      t.ok(Math.abs(direct.T - traced.T) < 2e-3, `${name} ${model}: ${direct.T} and ${traced.T} K`);
      t.ok(Math.abs(direct.p / traced.p - 1) < 1e-4, `${name} ${model}: ${direct.p} and ${traced.p} Pa`);
    }
});

t.test('methane and hydrogen sulfide have two critical points, and the curve runs through both', async (t) => {
  const fluid = createFluid({ components: { methane: 0.5, H2S: 0.5 }, model: 'SRK' });
  const direct = criticalPoints(fluid);
  t.equal(direct.length, 2);
  const envelope = phaseEnvelope(fluid);
  t.equal(envelope.criticalPoints.length, 2);
  t.equal(envelope.curves[0]!.end, 'maximum pressure', 'liquid and liquid, open to high pressure');
});

t.test('the critical point of a nearly pure fluid is near that of the pure one', async (t) => {
  const pure = criticalPoint(createFluid({ components: { ethane: 1 }, model: 'PR' }));
  const nearly = criticalPoint(createFluid({ components: { ethane: 0.999, propane: 0.001 }, model: 'PR' }));
  t.ok(Math.abs(pure.T - nearly.T) < 0.2 && Math.abs(pure.p / nearly.p - 1) < 0.01, `${pure.T} and ${nearly.T} K`);
});

t.test('where two liquids form at low temperature, points are marked as not stable', async (t) => {
  const fluid = createFluid({ components: FLUIDS['acidGas']!, model: 'PR' });
  const { points } = phaseEnvelope(fluid);
  const marked = points.filter((point) => point.stable === false);
  t.ok(marked.length > 5 && marked.every((point) => point.T < 250));
  const one = marked[Math.floor(marked.length / 2)]!;
  t.ok(splitTP(fluid, one.T, 1.02 * one.p).phases.length >= 2, 'the feed splits there');
});

t.test('an open envelope says why it ends, and has no cricondenbar', async (t) => {
  const fluid = createFluid({ components: FLUIDS['hydrogenBlend']!, model: 'SRK' });
  const envelope = phaseEnvelope(fluid);
  t.equal(envelope.curves[0]!.end, 'maximum pressure');
  t.equal(envelope.cricondenbar, undefined);
  t.ok(envelope.cricondentherm !== undefined);
});

t.test('a pure fluid gives its vapour-pressure line up to the critical point, for every kind of model', async (t) => {
  for (const [model, component, Tc] of [
    ['SRK', 'propane', 369.83],
    ['GERG2008', 'methane', 190.564],
    ['HELMHOLTZ', 'CO2', 304.1282],
    ['IF97', 'water', 647.096],
  ] as const) {
    const envelope = phaseEnvelope(createFluid({ components: { [component]: 1 }, model }));
    const last = envelope.points[envelope.points.length - 1]!;
    t.ok(Math.abs(last.T - Tc) < 0.01, `${model} ${component}: ${last.T}`);
    t.equal(envelope.curves[0]!.end, 'critical point');
    for (let k = 1; k < envelope.points.length; k++) t.ok(envelope.points[k]!.T > envelope.points[k - 1]!.T);
  }
});

t.test('a model of gas alone has no envelope', async (t) => {
  const gas = createFluid({ components: { methane: 0.9, ethane: 0.1 }, model: 'AGA8' });
  t.ok(['spec-unreachable', 'not-converged'].includes(engineErrorOf(() => phaseEnvelope(gas)).kind));
});

t.test('a dew curve that turns at a metastable stretch and comes back is not the whole envelope', async (t) => {
  // At low temperature this gas has two liquids; its dew curve goes on, metastable, as the boundary between them.
  const components = { methane: 0.9915, 'n-hexane': 0.0061, 'n-nonane': 0.0009, toluene: 0.0015 };
  for (const model of ['SRK', 'PR'] as const) {
    const fluid = createFluid({ components, model });
    const { points } = phaseEnvelope(fluid);
    const direct = bubblePoint(fluid, { p: 5e5 });
    const off = Math.min(
      ...points.map((q) => (q.kind === 'bubble' ? Math.hypot(Math.log(q.T / direct.T), Math.log(q.p / direct.p)) : 9)),
    );
    t.ok(off < 0.1, `${model}: bubble point at ${direct.T} K, ${off} off the curve`);
    t.ok(
      points.some((q) => q.kind === 'bubble' && q.stable === true),
      'part of the bubble curve is visible',
    );
  }
});

t.test('a curve whose phase ceases to exist says so, at a point of the region of two phases', async (t) => {
  const fluid = createFluid({ components: { methane: 0.99998, toluene: 0.00002 }, model: 'SRK' });
  const { points, curves } = phaseEnvelope(fluid);
  t.same(
    curves.map(({ end }) => end),
    ['limit of mechanical stability', 'limit of mechanical stability'],
  );
  for (const { first, last } of curves) t.ok(points[first]!.stable === false || points[last]!.stable === false);
});

t.test('a coarse envelope has the critical and extreme points of the usual one, from fewer points', async (t) => {
  for (const [name, components] of Object.entries(FLUIDS)) {
    const fluid = createFluid({ components, model: 'SRK' });
    const usual = phaseEnvelope(fluid, { stability: false });
    const coarse = phaseEnvelope(fluid, { stability: false, coarse: true });
    t.ok(coarse.points.length < 0.6 * usual.points.length, `${name}: ${coarse.points.length}`);
    t.equal(coarse.criticalPoints.length, usual.criticalPoints.length);
    for (const [k, { T, p }] of coarse.criticalPoints.entries()) {
      const same = usual.criticalPoints[k]!;
      t.ok(Math.abs(T / same.T - 1) < 1e-6 && Math.abs(p / same.p - 1) < 1e-6, `${name}: ${T} and ${same.T} K`);
    }
    t.equal(coarse.cricondenbar === undefined, usual.cricondenbar === undefined);
    if (usual.cricondenbar !== undefined)
      t.ok(Math.abs(coarse.cricondenbar!.p / usual.cricondenbar.p - 1) < 1e-6, `${name}: cricondenbar`);
  }
});

t.test('every point has equal fugacities, stable or not, on roots of the model', async (t) => {
  for (const [name, components] of Object.entries(FLUIDS)) {
    const { eos, z } = createFluid({ components, model: 'PR' });
    const branches = ['stable', 'vapour', 'liquid'] as const;
    const feed = new Float64Array(z.length);
    const incipient = new Float64Array(z.length);
    let worst = 0;
    for (const point of phaseEnvelope(createFluid({ components, model: 'PR' })).points) {
      let least = Number.POSITIVE_INFINITY;
      for (const ofFeed of branches)
        for (const ofIncipient of branches) {
          eos.lnPhi(point.T, point.p, z, ofFeed, feed);
          eos.lnPhi(point.T, point.p, point.incipient, ofIncipient, incipient);
          let error = 0;
          for (let i = 0; i < z.length; i++)
            error = Math.max(error, Math.abs(Math.log(point.incipient[i]! / z[i]!) + incipient[i]! - feed[i]!));
          least = Math.min(least, error);
        }
      worst = Math.max(worst, least);
    }
    t.ok(worst < 1e-8, `${name}: ${worst}`);
  }
});
