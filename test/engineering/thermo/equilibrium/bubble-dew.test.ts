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
  for (let i = 0; i < z.length; i++)
    if (!(Math.abs(f[0]![i]! - f[1]![i]!) < 1e-8)) throw new Error(`fugacity of ${i}: ${f[0]![i]} and ${f[1]![i]}`);
  const count = (factor: number) =>
    moved === 'T' ? splitTP(fluid, T * factor, p).phases.length : splitTP(fluid, T, p * factor).phases.length;
  const [more, less] = [count(1 + 1e-4), count(1 - 1e-4)];
  const [inside, outside] = point.twoPhaseSide === 'above' ? [more, less] : [less, more];
  if (inside < 2 || outside !== 1) throw new Error(`${inside} phases inside, ${outside} outside`);
}

for (const [unknown, kind, solve] of [
  ['p', 'bubble', bubblePoint],
  ['p', 'dew', dewPoint],
  ['T', 'bubble', bubblePoint],
  ['T', 'dew', dewPoint],
] as const)
  t.test(
    `a ${kind} point at given ${unknown === 'p' ? 'T' : 'p'} borders one phase on one side and more on the other`,
    async (t) => {
      let found = 0;
      let none = 0;
      fc.assert(
        fc.property(randomFluid(), temperature(170, 500), pressure(2e5, 1.2e7), ({ label, fluid }, T, p) => {
          let point: SaturationPoint;
          try {
            point = solve(fluid, unknown === 'p' ? { T } : { p });
          } catch (error) {
            if (!(error instanceof EngineError) || error.kind !== 'spec-unreachable') throw error;
            none++;
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

t.test('a metastable point is refused: a wet oil has no bubble point of one liquid', async (t) => {
  const fluid = createFluid({ components: { 'n-heptane': 0.4, nC10: 0.3, water: 0.2, methane: 0.1 }, model: 'SRK' });
  t.equal(engineErrorOf(() => bubblePoint(fluid, { T: 300 })).kind, 'spec-unreachable');
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
