import fc from 'fast-check';
import t from 'tap';
import {
  bubblePoint,
  createFluid,
  dewPoint,
  EngineError,
  type Fluid,
  flashTP,
  hydrocarbonDewPoint,
  properties,
  type SaturationPoint,
  splitTP,
  waterDewPoint,
  withComposition,
} from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { FLUIDS } from '../fluids.ts';
import { pressure, randomFluid, temperature } from '../random-states.ts';

const WET_OIL = { methane: 0.2, ethane: 0.05, propane: 0.05, 'n-heptane': 0.2, nC10: 0.2, nC15: 0.1, water: 0.2 };

/** Phases by name a little on either side of the point, along what was solved for. */
function beside(fluid: Fluid, point: SaturationPoint, unknown: 'T' | 'p'): readonly [string[], string[]] {
  const names = (factor: number) =>
    (unknown === 'T'
      ? flashTP(fluid, point.T * factor, point.p)
      : flashTP(fluid, point.T, point.p * factor)
    ).phases.map(({ name }) => name);
  const [more, less] = [names(1 + 1e-4), names(1 - 1e-4)];
  return point.twoPhaseSide === 'above' ? [more, less] : [less, more];
}

/** Equal fugacities in all phases, recomputed, and the feed made up by the phases. */
function assertEquilibrium({ eos }: Fluid, { T, p, z, phases }: SaturationPoint): void {
  const f = phases.map(({ x }) => {
    const lnPhi = new Float64Array(x.length);
    eos.lnPhi(T, p, x, 'stable', lnPhi);
    return lnPhi.map((value, i) => value + Math.log(x[i]!));
  });
  for (let i = 0; i < z.length; i++) {
    const held = phases.reduce((sum, phase) => sum + phase.fraction * phase.x[i]!, 0);
    if (!(Math.abs(held - z[i]!) < 1e-8)) throw new Error(`balance of ${i}: ${held} for ${z[i]}`);
    for (const other of f.slice(1))
      if (phases.every(({ x }) => x[i]! > 1e-280) && !(Math.abs(other[i]! - f[0]![i]!) < 1e-8))
        throw new Error(`fugacity of ${i}: ${other[i]! - f[0]![i]!}`);
  }
}

/** A shared wet fluid, moved, with all of its water and glycol or a small part of it. */
const wetFluid = fc
  .tuple(
    randomFluid().filter(({ fluid }) => fluid.components.some((c) => c.name === 'water')),
    fc.constantFrom(1, 0.03, 0.001),
  )
  .map(([{ label, fluid }, share]) => ({
    label: `${label}, ${share} of the water`,
    fluid: withComposition(
      fluid,
      fluid.z.map((zi, i) => (['water', 'MEG'].includes(fluid.components[i]!.name) ? share * zi : zi)),
    ),
  }));

const count = (names: readonly string[], start: string) => names.filter((name) => name.startsWith(start)).length;

for (const [label, solve, kind] of [
  ['water', waterDewPoint, 'aqueous'],
  ['hydrocarbon', hydrocarbonDewPoint, 'other'],
] as const)
  t.test(`beyond the ${label} dew point of a random wet gas there is one such phase more`, async (t) => {
    let found = 0;
    let beyondFirst = 0;
    const one = (fluid: Fluid, at: { T: number } | { p: number }, where: string) => {
      let point: SaturationPoint;
      try {
        point = solve(fluid, at);
      } catch (error) {
        if (!(error instanceof EngineError) || error.kind !== 'spec-unreachable') throw error;
        return;
      }
      found++;
      if (point.phases.length > 2) beyondFirst++;
      assertEquilibrium(fluid, point);
      const [inside, outside] = beside(fluid, point, 'T' in at ? 'p' : 'T');
      const of = (names: readonly string[]) =>
        kind === 'aqueous' ? count(names, 'aqueous') : names.length - count(names, 'aqueous');
      // A single phase may carry any name.
      const before = outside.length === 1 ? (kind === 'aqueous' ? 0 : 1) : of(outside);
      if (of(inside) <= before) throw new Error(`${where}: ${outside.join(', ')} and ${inside.join(', ')}`);
    };
    fc.assert(
      fc.property(wetFluid, temperature(250, 420), pressure(5e5, 1e7), ({ label: name, fluid }, T, p) => {
        one(fluid, { T }, `${name} at ${T} K`);
        one(fluid, { p }, `${name} at ${p} Pa`);
      }),
      { numRuns: 150, seed: 17 },
    );
    t.ok(found > 40 && beyondFirst > 5, `${found} points, ${beyondFirst} beside another liquid`);
  });

t.test('the plain dew point of a wet gas is the first of its water and hydrocarbon dew points', async (t) => {
  for (const water of [0.1, 1e-4])
    for (const model of ['SRK', 'CPA'] as const) {
      const fluid = createFluid({ components: { ...FLUIDS['wetGas']!, water }, model });
      const at = { p: 50e5 };
      const [plain, wet, oil] = [dewPoint(fluid, at), waterDewPoint(fluid, at), hydrocarbonDewPoint(fluid, at)];
      t.ok(Math.abs(plain.T - Math.max(wet.T, oil.T)) < 1e-6, `${model}: ${plain.T}, ${wet.T}, ${oil.T} K`);
      t.equal(wet.T > oil.T, water > 0.01);
      t.equal((wet.T > oil.T ? oil : wet).phases.length, 3);
      const named = properties(fluid, oil).phases.map(({ name, fraction }) => [name, fraction === 0]);
      t.ok(named.some(([name, incipient]) => name === 'oil' && incipient));
    }
});

t.test('towards zero pressure the water dew point is where pure water boils at its partial pressure', async (t) => {
  const y = 0.02;
  for (const model of ['SRK', 'CPA'] as const) {
    const fluid = createFluid({ components: { nitrogen: 1 - y, water: y }, model });
    const pure = createFluid({ components: { water: 1 }, model });
    const off = (p: number) => Math.abs(waterDewPoint(fluid, { p }).T - bubblePoint(pure, { p: y * p }).T);
    // Raoult's law: what is left falls in proportion to the pressure.
    t.ok(off(1e5) < 0.2 && off(1e4) < 0.025 && off(1e3) < 0.004, `${model}: ${off(1e5)}, ${off(1e4)}, ${off(1e3)} K`);
  }
});

t.test('CPA agrees with the water content of natural gas by Bukacek within 2 K of dew point', async (t) => {
  // R. F. Bukacek, Equilibrium Moisture Content of Natural Gases, IGT Research Bulletin 8 (1955): W = 47430 ps/p + B lb/MMscf with
  // log10 B = 6.69449 - 3083.87/t, t in degrees Rankine; within 5 % of measurements. 47430 lb/MMscf is a mole fraction of 1.
  const steam = createFluid({ components: { water: 1 }, model: 'IF97' });
  for (const celsius of [10, 30, 50, 80])
    for (const bar of [10, 35, 70, 100]) {
      const T = celsius + 273.15;
      const p = bar * 1e5;
      const y = bubblePoint(steam, { T }).p / p + 10 ** (6.69449 - 3083.87 / (1.8 * T)) / 47430;
      const dry = 1 - y;
      const gas = { methane: 0.92 * dry, ethane: 0.05 * dry, propane: 0.02 * dry, nitrogen: 0.01 * dry, water: y };
      const point = waterDewPoint(createFluid({ components: gas, model: 'CPA' }), { p });
      t.ok(Math.abs(point.T - T) < 2, `${celsius} C, ${bar} bar: ${point.T - T} K off`);
    }
});

t.test('dew points at T and at p are the same points', async (t) => {
  const fluid = createFluid({ components: FLUIDS['wetGas']!, model: 'SRK' });
  for (const solve of [waterDewPoint, hydrocarbonDewPoint]) {
    const point = solve(fluid, { p: 10e5 });
    t.ok(Math.abs(solve(fluid, { T: point.T }).p / 10e5 - 1) < 1e-6);
  }
});

t.test(
  'the bubble point of an oil with free water is where the first vapour appears beside both liquids',
  async (t) => {
    for (const model of ['SRK', 'CPA'] as const) {
      const fluid = createFluid({ components: WET_OIL, model });
      for (const at of [{ T: 300 }, { T: 350 }, { p: 50e5 }]) {
        const point = bubblePoint(fluid, at);
        t.equal(point.kind, 'bubble');
        assertEquilibrium(fluid, point);
        t.same(
          properties(fluid, point).phases.map(({ name, fraction }) => `${name}${fraction === 0 ? ', incipient' : ''}`),
          ['gas, incipient', 'oil', 'aqueous'],
        );
        const [inside, outside] = beside(fluid, point, 'T' in at ? 'p' : 'T');
        t.same(
          [inside, outside],
          [
            ['gas', 'oil', 'aqueous'],
            ['oil', 'aqueous'],
          ],
        );
      }
      const { p } = bubblePoint(fluid, { T: 320 });
      t.ok(Math.abs(bubblePoint(fluid, { p }).T - 320) < 1e-5, 'the same point from T and from p');
    }
  },
);

t.test('water raises the bubble pressure of an oil by about its vapour pressure', async (t) => {
  const { water: _, ...dry } = WET_OIL;
  const T = 350;
  const rise =
    bubblePoint(createFluid({ components: WET_OIL, model: 'CPA' }), { T }).p -
    bubblePoint(createFluid({ components: dry, model: 'CPA' }), { T }).p;
  const vapour = bubblePoint(createFluid({ components: { water: 1 }, model: 'CPA' }), { T }).p;
  // Some gas goes into the water, water vapour is enhanced by pressure: the same size, not the same number.
  t.ok(rise > -0.5 * vapour && rise < 3 * vapour, `${rise} Pa, vapour pressure ${vapour} Pa`);
});

t.test(
  'gas that turns into liquid carbon dioxide over water at one pressure has its dew and bubble point there',
  async (t) => {
    const fluid = createFluid({ components: { CO2: 0.95, water: 0.05 }, model: 'CPA' });
    const dew = hydrocarbonDewPoint(fluid, { T: 290 });
    const bubble = bubblePoint(fluid, { T: 290 });
    t.ok(Math.abs(dew.p / bubble.p - 1) < 1e-8, 'two components, three phases: one pressure');
    t.ok(Math.abs(dew.p - 53.2e5) < 0.5e5, 'near the vapour pressure of CO2, 53.2 bar at 290 K');
    t.ok(splitTP(fluid, 290, 1.001 * dew.p).phases[0]!.rho > 2 * splitTP(fluid, 290, 0.999 * dew.p).phases[0]!.rho);
  },
);

t.test('what does not exist is refused by name', async (t) => {
  const dry = createFluid({ components: FLUIDS['naturalGas']!, model: 'SRK' });
  t.equal(engineErrorOf(() => waterDewPoint(dry, { p: 50e5 })).kind, 'spec-unreachable', 'no water');
  const wet = createFluid({ components: FLUIDS['wetGas']!, model: 'SRK' });
  t.equal(engineErrorOf(() => hydrocarbonDewPoint(wet, { T: 420 })).kind, 'spec-unreachable', 'too hot');
  const lean = createFluid({ components: { methane: 0.99, water: 0.01 }, model: 'SRK' });
  t.equal(engineErrorOf(() => hydrocarbonDewPoint(lean, { T: 300 })).kind, 'spec-unreachable', 'above critical');
  for (const at of [{ T: 0 }, { p: Number.NaN }])
    t.equal(engineErrorOf(() => waterDewPoint(wet, at)).kind, 'invalid-input');
});
