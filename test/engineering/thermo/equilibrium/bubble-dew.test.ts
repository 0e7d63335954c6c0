import fc from 'fast-check';
import t from 'tap';
import {
  bubblePoint,
  createFluid,
  dewPoint,
  EngineError,
  properties,
  type SaturationPoint,
  saturationPoints,
  splitTP,
} from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { FLUIDS } from '../fluids.ts';
import { pressure, randomFluid, temperature } from '../random-states.ts';

/** Fugacities recomputed from the model, and the number of phases just inside and just outside. Throws when they do not fit. */
function assertSaturation(fluid: ReturnType<typeof createFluid>, point: SaturationPoint, moved: 'T' | 'p'): void {
  const { T, p, z, phases } = point;
  const f = phases.map((phase) => {
    const lnPhi = new Float64Array(z.length);
    fluid.eos.lnPhi(T, p, phase.x, 'stable', lnPhi);
    return lnPhi.map((value, i) => value + Math.log(phase.x[i]!));
  });
  // Beside water a point near a critical one is known to 1e-7.
  for (let i = 0; i < z.length; i++)
    for (const other of f.slice(1))
      if (!(Math.abs(f[0]![i]! - other[i]!) < (phases.length > 2 ? 1e-7 : 1e-8)))
        throw new Error(`fugacity of ${i}: ${f[0]![i]} and ${other[i]}`);
  const count = (factor: number) =>
    moved === 'T' ? splitTP(fluid, T * factor, p).phases.length : splitTP(fluid, T, p * factor).phases.length;
  const [more, less] = [count(1 + 1e-4), count(1 - 1e-4)];
  const [inside, outside] = point.twoPhaseSide === 'above' ? [more, less] : [less, more];
  // Oil with free water has two phases outside.
  if (inside <= outside || outside !== phases.length - 1)
    throw new Error(`${inside} phases inside, ${outside} outside`);
}

for (const [unknown, kind, solve] of [
  ['p', 'bubble', bubblePoint],
  ['p', 'dew', dewPoint],
  ['T', 'bubble', bubblePoint],
  ['T', 'dew', dewPoint],
] as const)
  t.test(
    `a ${kind} point at given ${unknown === 'p' ? 'T' : 'p'} borders its phases on one side and one more on the other`,
    async (t) => {
      let found = 0;
      let none = 0;
      let unresolved = 0;
      fc.assert(
        fc.property(randomFluid(), temperature(170, 500), pressure(2e5, 1.2e7), ({ label, fluid }, T, p) => {
          let point: SaturationPoint;
          try {
            point = solve(fluid, unknown === 'p' ? { T } : { p });
          } catch (error) {
            if (!(error instanceof EngineError)) throw error;
            if (error.kind === 'spec-unreachable') none++;
            // With free water, next to a critical point of the oil.
            else if (error.kind === 'not-converged' && fluid.components.some((c) => c.name === 'water')) unresolved++;
            else throw error;
            return;
          }
          found++;
          try {
            if (point.kind !== kind) throw new Error(`kind ${point.kind}`);
            assertSaturation(fluid, point, unknown);
          } catch (error) {
            throw new Error(`${label} at ${point.T} K, ${point.p} Pa: ${String(error)}`);
          }
        }),
        { numRuns: 120, seed: 11 },
      );
      t.ok(found > 30, `${found} points found`);
      t.ok(none < 90, `${none} fluids without one`);
      t.ok(unresolved <= 2, `${unresolved} next to a critical point`);
    },
  );

t.test('between critical temperature and cricondentherm both dew pressures are found', async (t) => {
  const fluid = createFluid({ components: FLUIDS['naturalGas']!, model: 'SRK' });
  const at = { T: 300 };
  const lower = dewPoint(fluid, at);
  const upper = dewPoint(fluid, at, { retrograde: true });
  t.ok(lower.p < 20e5 && upper.p > 100e5);
  t.equal(lower.twoPhaseSide, 'above');
  t.equal(upper.twoPhaseSide, 'below');
  t.same(
    saturationPoints(fluid, at).map((point) => Math.round(point.p)),
    [lower, upper].map((point) => Math.round(point.p)),
  );
  const near = dewPoint(fluid, at, { start: 0.98 * upper.p });
  t.ok(Math.abs(near.p / upper.p - 1) < 1e-8, 'a start leads to the point beside it');
});

t.test('at a pressure below the cricondenbar there is a dew temperature on either side of it', async (t) => {
  const fluid = createFluid({ components: FLUIDS['naturalGas']!, model: 'SRK' });
  const upper = dewPoint(fluid, { p: 110e5 });
  const lower = dewPoint(fluid, { p: 110e5 }, { retrograde: true });
  t.ok(upper.T > 290 && lower.T < 260);
});

t.test('beyond the cricondentherm no saturation point exists, and the error says so', async (t) => {
  const fluid = createFluid({ components: FLUIDS['naturalGas']!, model: 'SRK' });
  for (const solve of [dewPoint, bubblePoint])
    t.equal(engineErrorOf(() => solve(fluid, { T: 330 })).kind, 'spec-unreachable');
});

t.test('a metastable point is not given: a wet oil has no bubble point of one liquid', async (t) => {
  const fluid = createFluid({ components: { 'n-heptane': 0.4, nC10: 0.3, water: 0.2, methane: 0.1 }, model: 'SRK' });
  const point = bubblePoint(fluid, { T: 300 });
  t.equal(point.phases.length, 3, 'vapour beside two liquids');
  t.ok(point.convergence.gibbs < point.convergence.feedGibbs - 1e-3, 'of less Gibbs energy than one liquid');
  t.same(
    saturationPoints(fluid, { T: 300 })
      .map(({ kind }) => kind)
      .includes('bubble'),
    false,
  );
});

t.test('of several points the one nearest to the start is given', async (t) => {
  const fluid = createFluid({ components: FLUIDS['naturalGas']!, model: 'PR' });
  for (const at of [{ p: 60e5 }, { T: 290 }]) {
    const all = saturationPoints(fluid, at);
    for (const point of all) {
      const unknown = 'T' in at ? point.p : point.T;
      const found = (point.kind === 'dew' ? dewPoint : bubblePoint)(fluid, at, { start: 0.98 * unknown });
      t.ok(Math.abs(('T' in at ? found.p : found.T) / unknown - 1) < 1e-7, `${unknown}`);
    }
    t.ok(all.length >= 2);
  }
});

t.test('just below the bubble pressure beside a critical point the feed is seen to split', async (t) => {
  // The trial phase differs from the feed by a factor of 0.04 to 1.2 only; starts far away fall back on the feed.
  const components = {
    methane: 0.7196,
    ethane: 0.0707,
    propane: 0.0387,
    'n-butane': 0.0328,
    'n-pentane': 0.0232,
    'n-hexane': 0.0298,
    'n-heptane': 0.0224,
    'n-octane': 0.0105,
    nC10: 0.0223,
    CO2: 0.03,
  };
  const fluid = createFluid({ components, model: 'SRK' });
  const point = bubblePoint(fluid, { T: 202.603 });
  for (const factor of [0.99, 0.995, 0.998, 0.999, 0.9995])
    t.equal(splitTP(fluid, point.T, factor * point.p).phases.length, 2, `${factor} of the bubble pressure`);
});

t.test('the dew point of a wet gas is that of the phase that forms first', async (t) => {
  const wet = createFluid({ components: { methane: 0.9, propane: 0.06, 'n-hexane': 0.02, water: 0.02 }, model: 'SRK' });
  const point = dewPoint(wet, { p: 30e5 });
  t.ok(point.incipient.x[3]! > 0.99, 'water first');
  const dry = createFluid({ components: { methane: 0.9, propane: 0.06, 'n-hexane': 0.02, water: 1e-5 }, model: 'SRK' });
  t.ok(dewPoint(dry, { p: 30e5 }).incipient.x[2]! > 0.3, 'hydrocarbon first');
});

t.test('a pure fluid has one saturation line for both kinds', async (t) => {
  const propane = createFluid({ components: { propane: 1 }, model: 'PR' });
  const bubble = bubblePoint(propane, { T: 300 });
  const dew = dewPoint(propane, { p: bubble.p });
  t.ok(Math.abs(dew.T - 300) < 1e-9);
  const state = properties(propane, dew);
  t.equal(state.phases.length, 2);
  t.ok(state.phases[0]!.enthalpy - state.phases[1]!.enthalpy > 10e3, 'heat of evaporation');
  const [gas, oil] = state.phases;
  t.ok(Math.abs(gas!.gibbsEnergy - oil!.gibbsEnergy) < 1e-6, 'equal Gibbs energy');
  t.equal(engineErrorOf(() => dewPoint(propane, { p: 43e5 })).kind, 'spec-unreachable');
  t.equal(engineErrorOf(() => bubblePoint(propane, { T: 370 })).kind, 'spec-unreachable');
});

t.test('component order and components of zero amount change nothing', async (t) => {
  const components = FLUIDS['condensate']!;
  const plain = dewPoint(createFluid({ components, model: 'SRK' }), { p: 50e5 });
  const reversed = dewPoint(
    createFluid({ components: Object.fromEntries(Object.entries(components).reverse()), model: 'SRK' }),
    { p: 50e5 },
  );
  const padded = dewPoint(createFluid({ components: { water: 0, ...components, nC15: 0 }, model: 'SRK' }), { p: 50e5 });
  t.ok(Math.abs(reversed.T - plain.T) < 1e-8);
  t.ok(Math.abs(padded.T - plain.T) < 1e-8);
  t.equal(padded.incipient.x[0], 0);
});

t.test('a model of gas alone has no dew point, and states out of sense are refused', async (t) => {
  const gas = createFluid({ components: { methane: 0.9, ethane: 0.1 }, model: 'AGA8' });
  t.equal(engineErrorOf(() => dewPoint(gas, { T: 200 })).kind, 'spec-unreachable');
  const fluid = createFluid({ components: { methane: 1, ethane: 1 }, model: 'SRK' });
  for (const at of [{ T: 0 }, { T: Number.NaN }, { p: -1 }, { p: Number.POSITIVE_INFINITY }])
    t.equal(engineErrorOf(() => bubblePoint(fluid, at)).kind, 'invalid-input');
});
