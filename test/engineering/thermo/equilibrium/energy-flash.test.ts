import fc from 'fast-check';
import t from 'tap';
import { EquilibriumStates } from '../../../../src/engineering/thermo/equilibrium/energy-flash.ts';
import {
  bubblePoint,
  createFluid,
  EngineError,
  type FlashResult,
  flashPH,
  flashPS,
  flashTP,
  flashTV,
  flashUV,
  type ModelId,
} from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { FLUIDS } from '../fluids.ts';
import { pressure, randomFluid, temperature } from '../random-states.ts';

/** Volume of the equation of state, without shift. */
const volume = (state: FlashResult) => state.phases.reduce((sum, phase) => sum + phase.fraction / phase.rho, 0);
const energy = (state: FlashResult) => state.overall.enthalpy - state.p * volume(state);

const RUNS = { numRuns: 150, seed: 5 };

t.test('PH and PS give back the temperature and the phases of a TP flash', async (t) => {
  fc.assert(
    fc.property(randomFluid(), temperature(170, 600), pressure(2e4, 4e7), ({ label, fluid }, T, p) => {
      const state = flashTP(fluid, T, p);
      for (const again of [
        flashPH(fluid, p, state.overall.enthalpy),
        flashPS(fluid, p, state.overall.entropy),
        flashPH(fluid, p, state.overall.enthalpy, { near: flashTP(fluid, 1.02 * T, p) }),
      ]) {
        if (!(Math.abs(again.T / T - 1) < 1e-8)) throw new Error(`${label}, ${T} K, ${p} Pa: ${again.T} K`);
        if (again.phases.length !== state.phases.length) throw new Error(`${label}, ${T} K, ${p} Pa: phases`);
      }
    }),
    RUNS,
  );
  t.pass('150 states, three ways each');
});

t.test('TV and UV give back the pressure and temperature of a TP flash', async (t) => {
  fc.assert(
    fc.property(randomFluid(), temperature(200, 600), pressure(2e4, 3e7), ({ label, fluid }, T, p) => {
      const state = flashTP(fluid, T, p);
      const v = volume(state);
      const tv = flashTV(fluid, T, v);
      // The pressure of a stiff liquid is as uncertain as its volume times its stiffness.
      const stiffness = Math.max(...state.phases.map((phase) => 1 / (phase.isothermalCompressibility * p)));
      if (!(Math.abs(tv.p / p - 1) < 1e-8 * Math.max(1, stiffness)))
        throw new Error(`${label}, ${T} K, ${p} Pa: ${tv.p} Pa`);
      const uv = flashUV(fluid, energy(state), v);
      if (!(Math.abs(uv.T / T - 1) < 1e-7)) throw new Error(`${label}, ${T} K, ${p} Pa: UV ${uv.T} K`);
    }),
    { ...RUNS, numRuns: 80 },
  );
  t.pass('80 states');
});

t.test('enthalpy and entropy rise with temperature at constant pressure: the search has one solution', async (t) => {
  fc.assert(
    fc.property(randomFluid(), temperature(170, 590), pressure(2e4, 4e7), ({ label, fluid }, T, p) => {
      let last = flashTP(fluid, T, p).overall;
      for (const step of [0.01, 1, 5]) {
        const next = flashTP(fluid, T + step, p).overall;
        if (!(next.enthalpy > last.enthalpy && next.entropy > last.entropy))
          throw new Error(`${label}, ${T} K, ${p} Pa`);
        last = next;
      }
    }),
    RUNS,
  );
  t.pass('150 states');
});

t.test('a pure fluid boils on a plateau: quality follows the enthalpy, entropy or volume given', async (t) => {
  for (const [model, component, T] of [
    ['SRK', 'propane', 300],
    ['GERG2008', 'methane', 150],
    ['HELMHOLTZ', 'CO2', 270],
    ['IF97', 'water', 450],
    ['IF97', 'water', 640],
  ] as readonly (readonly [ModelId, string, number])[]) {
    const fluid = createFluid({ components: { [component]: 1 }, model });
    const sat = bubblePoint(fluid, { T });
    const [vapour, liquid] = sat.phases.map((phase) =>
      fluid.calculator.phaseState('gas', T, sat.p, { ...phase, fraction: 1 }),
    );
    const mix = (a: number, b: number) => 0.3 * a + 0.7 * b;
    const h = mix(vapour!.enthalpy, liquid!.enthalpy);
    const s = mix(vapour!.entropy, liquid!.entropy);
    const v = mix(1 / vapour!.rho, 1 / liquid!.rho);
    for (const state of [
      flashPH(fluid, sat.p, h),
      flashPS(fluid, sat.p, s),
      flashTV(fluid, T, v),
      flashUV(fluid, h - sat.p * v, v),
    ]) {
      t.equal(state.phases.length, 2, `${model} ${component}`);
      t.ok(Math.abs(state.phases[0]!.fraction - 0.3) < 1e-6, `quality ${state.phases[0]!.fraction}`);
      t.ok(Math.abs(state.T - T) < 1e-5 && Math.abs(state.p / sat.p - 1) < 1e-6, `${state.T} K ${state.p} Pa`);
      t.ok(Math.abs(state.overall.enthalpy - h) < 0.02);
    }
    const above = flashPH(fluid, sat.p, vapour!.enthalpy + 500);
    const below = flashPH(fluid, sat.p, liquid!.enthalpy - 500);
    t.ok(above.T > T && above.phases.length === 1 && below.T < T && below.phases.length === 1);
  }
});

t.test('where a binary has three phases at one temperature the volume is made of all three', async (t) => {
  // Propane and water: at given T two liquids and vapour coexist at one pressure only.
  const fluid = createFluid({ components: { propane: 0.5, water: 0.5 }, model: 'SRK' });
  const two = flashTV(fluid, 300, 2e-4);
  t.equal(two.phases.length, 3);
  t.ok(Math.abs(volume(two) / 2e-4 - 1) < 1e-9);
  const larger = flashTV(fluid, 300, 4e-4);
  t.equal(larger.phases.length, 3);
  t.ok(Math.abs(larger.p / two.p - 1) < 1e-9, 'at the same pressure');
});

t.test('reference models count from their own ideal gas', async (t) => {
  // IAPWS-IF97: saturated liquid at the triple point has u = s = 0; 0.1 MPa, 500 K: h = 2928.6 kJ/kg.
  const steam = createFluid({ components: { water: 1 }, model: 'IF97' });
  const state = flashTP(steam, 500, 0.1e6);
  t.ok(Math.abs(state.overall.enthalpy / 0.018015257 - 2928.6e3) < 0.1e3, `${state.overall.enthalpy / 0.018015257}`);
});

t.test('specifications out of reach or out of sense are refused by name', async (t) => {
  const fluid = createFluid({ components: FLUIDS['leanGas']!, model: 'SRK' });
  t.equal(engineErrorOf(() => flashPH(fluid, 10e5, 1e9)).kind, 'spec-unreachable');
  t.equal(engineErrorOf(() => flashPH(fluid, 10e5, -1e7)).kind, 'spec-unreachable');
  t.equal(engineErrorOf(() => flashTV(fluid, 300, 1e-6)).kind, 'spec-unreachable');
  t.equal(engineErrorOf(() => flashPH(fluid, 0, 1)).kind, 'invalid-input');
  t.equal(engineErrorOf(() => flashPS(fluid, 1e5, Number.NaN)).kind, 'invalid-input');
  t.equal(engineErrorOf(() => flashTV(fluid, 300, -1)).kind, 'invalid-input');
  t.equal(engineErrorOf(() => flashUV(fluid, Number.POSITIVE_INFINITY, 1)).kind, 'invalid-input');
  const propane = createFluid({ components: { propane: 1 }, model: 'SRK' });
  t.equal(engineErrorOf(() => flashTV(propane, 300, 1e-6)).kind, 'spec-unreachable');
});

t.test('a search that strays to where the fluid has no answer goes once more from another start', async (t) => {
  const { eos, calculator, flash, z } = createFluid({ components: FLUIDS['leanGas']!, model: 'SRK' });
  const states = new EquilibriumStates(eos, calculator, flash);
  const limits = { lo: 4, hi: 7, stride: 0.5 };
  const search = (barrier: number, otherwise: number) =>
    states.search(
      (theta) => {
        if (theta < barrier)
          throw new EngineError({ kind: 'not-converged', algorithm: 'state', iterations: 1, residual: 1 });
        // Steps of Newton that a wrong slope makes twice too long.
        return { state: flash.solve(Math.exp(theta), 50e5, z), value: theta, slope: 0.5 };
      },
      5.1,
      5.9,
      limits,
      (split) => Math.log(split.T),
      otherwise,
    );
  const found = search(4.95, 5.3);
  t.ok(found.kind === 'found' && Math.abs(found.state.T - Math.exp(5.1)) < 1e-6);
  t.equal(engineErrorOf(() => search(5.2, 5.3)).kind, 'not-converged', 'where there is none, it says so');
});

t.test('UV of a cold liquid whose volume no pressure reaches at the temperature the search begins with', async (t) => {
  const fluid = createFluid({ components: { methane: 0.3, propane: 0.3, 'n-butane': 0.4 }, model: 'PR' });
  for (const T of [90, 120, 150]) {
    const { overall } = flashTP(fluid, T, 5e5);
    const v = flashTP(fluid, T, 5e5).phases.reduce((sum, phase) => sum + phase.fraction / phase.rho, 0);
    const found = flashUV(fluid, overall.enthalpy - 5e5 * v, v, { T: 900 });
    t.ok(Math.abs(found.T / T - 1) < 1e-7, `${found.T} K`);
  }
});
