import fc from 'fast-check';
import t from 'tap';
import { getComponent } from '../../../../../src/engineering/thermo/index.ts';
import { referenceFluid } from '../../../../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import { CorrespondingStates } from '../../../../../src/engineering/thermo/properties/transport/corresponding-states.ts';
import { METHANE, methaneDensity } from '../../../../../src/engineering/thermo/properties/transport/methane-mbwr.ts';
import {
  methaneConductivity,
  methaneViscosity,
} from '../../../../../src/engineering/thermo/properties/transport/methane-transport.ts';
import {
  referenceConductivity,
  referenceViscosity,
} from '../../../../../src/engineering/thermo/properties/transport/reference.ts';
import { engineErrorOf } from '../../engine-error-of.ts';

const NAMES = ['methane', 'ethane', 'propane', 'n-butane', 'n-heptane', 'nC10', 'nitrogen', 'CO2', 'H2S'];
const components = NAMES.map((name) => getComponent(name));
const CP = 60;

/** Compositions of NAMES; about every third component is absent. */
const composition = fc
  .array(fc.integer({ min: -50, max: 100 }), { minLength: NAMES.length, maxLength: NAMES.length })
  .map((parts) => parts.map((part) => Math.max(part, 0)))
  .filter((parts) => parts.some((part) => part > 0))
  .map((parts) => {
    const total = parts.reduce((a, b) => a + b, 0);
    return Float64Array.from(parts, (part) => part / total);
  });

t.test('density of methane against the Setzmann-Wagner equation', async (t) => {
  const methane = referenceFluid('methane');
  for (const T of [95, 120, 160, 185, 250, 300, 400])
    for (const p of [1e5, 50e5, 300e5]) {
      const rho = methane.density(T, p);
      const own = methaneDensity(T, p, rho > METHANE.rhoc ? 'liquid' : 'vapour');
      t.ok(Math.abs(own / rho - 1) < 4e-3, `${T} K, ${p / 1e5} bar: ${own} for ${rho}`);
    }
});

t.test('a branch without a root at p ends at its limit of stability and stays on its side', async (t) => {
  for (const T of [100, 140, 180]) {
    const { p } = referenceFluid('methane').saturation(T);
    const gas = methaneDensity(T, 50 * p, 'vapour');
    t.ok(gas < METHANE.rhoc, `${T} K gas: ${gas}`);
    t.ok(gas >= methaneDensity(T, p, 'vapour'), 'no thinner than the saturated gas');
    const liquid = methaneDensity(T, 0.02 * p, 'liquid');
    t.ok(liquid > METHANE.rhoc && liquid <= methaneDensity(T, p, 'liquid'), `${T} K liquid: ${liquid}`);
  }
});

t.test('viscosity and conductivity of methane against its reference correlations', async (t) => {
  for (const T of [100, 130, 170, 250, 300, 400])
    for (const p of [1e5, 100e5, 300e5]) {
      const rho = referenceFluid('methane').density(T, p);
      t.ok(
        Math.abs(methaneViscosity(T, rho) / referenceViscosity('methane', T, rho) - 1) < 0.06,
        `viscosity ${T} ${p}`,
      );
      // The dilute conductivity of the 1975 equation is up to 14 % high near 120 K, and it has no critical enhancement.
      t.ok(
        Math.abs(methaneConductivity(T, rho) / referenceConductivity('methane', T, rho) - 1) < 0.15,
        `conductivity ${T} ${p}`,
      );
    }
});

t.test('pure methane gives the value of methane', async (t) => {
  const states = new CorrespondingStates([getComponent('methane')]);
  const x = new Float64Array([1]);
  for (const [T, p, branch] of [
    [300, 100e5, 'vapour'],
    [120, 50e5, 'liquid'],
  ] as const) {
    const rho = methaneDensity(T, p, branch);
    const viscosity = states.viscosity(T, p, x, branch);
    t.ok(Math.abs(viscosity / methaneViscosity(T, rho) - 1) < 1e-9, `${viscosity}`);
    const cp = 37.978352 + T * (-0.07461815 + T * (3.01881e-4 + T * (-2.83e-7 + T * 9.070574e-11)));
    const conductivity = states.conductivity(T, p, x, cp, branch);
    t.ok(Math.abs(conductivity / methaneConductivity(T, rho) - 1) < 1e-9, `${conductivity}`);
  }
});

t.test('gases and oils within the stated error of the reference correlations of pure fluids', async (t) => {
  for (const [name, T, p, viscosity, conductivity] of [
    ['ethane', 300, 20e5, 0.05, 0.08],
    ['ethane', 250, 100e5, 0.1, 0.1],
    ['propane', 300, 5e5, 0.08, 0.07],
    ['propane', 280, 50e5, 0.1, 0.1],
    ['n-butane', 300, 50e5, 0.1, 0.1],
    ['nitrogen', 300, 100e5, 0.03, 0.1],
    ['CO2', 300, 20e5, 0.06, 0.12],
    ['CO2', 253.15, 30e5, 0.1, 0.12],
    ['oxygen', 300, 100e5, 0.05, 0.1],
  ] as const) {
    const component = getComponent(name);
    const rho = referenceFluid(name).density(T, p);
    const states = new CorrespondingStates([component]);
    const x = new Float64Array([1]);
    const branch = states.reducedMolarDensity(rho, x) > 1 ? 'liquid' : 'vapour';
    const mu = states.viscosity(T, p, x, branch) / referenceViscosity(name, T, rho) - 1;
    const [A = 0, B = 0, C = 0, D = 0, E = 0] = component.idealGasCp ?? [];
    const lambda =
      states.conductivity(T, p, x, A + T * (B + T * (C + T * (D + T * E))), branch) /
        referenceConductivity(name, T, rho) -
      1;
    t.ok(Math.abs(mu) < viscosity, `viscosity of ${name}, ${T} K, ${p / 1e5} bar: off by ${mu}`);
    t.ok(Math.abs(lambda) < conductivity, `conductivity of ${name}, ${T} K, ${p / 1e5} bar: off by ${lambda}`);
  }
});

t.test('order of components and absent components change nothing', async () => {
  fc.assert(
    fc.property(composition, fc.double({ min: 250, max: 400, noNaN: true }), fc.boolean(), (x, T, dense) => {
      const branch = dense ? 'liquid' : 'vapour';
      const p = dense ? 200e5 : 5e5;
      const all = new CorrespondingStates(components);
      const present = [...x.keys()].filter((i) => x[i]! > 0).reverse();
      const few = new CorrespondingStates(present.map((i) => components[i]!));
      const y = Float64Array.from(present, (i) => x[i]!);
      const same = (a: number, b: number) => Math.abs(a / b - 1) < 1e-9;
      return (
        same(all.viscosity(T, p, x, branch), few.viscosity(T, p, y, branch)) &&
        same(all.conductivity(T, p, x, CP, branch), few.conductivity(T, p, y, CP, branch))
      );
    }),
    { numRuns: 60 },
  );
});

t.test('low pressure: the viscosity tends to its dilute limit, which rises with temperature', async () => {
  const states = new CorrespondingStates(components);
  fc.assert(
    fc.property(composition, fc.double({ min: 250, max: 450, noNaN: true }), (x, T) => {
      const dilute = states.diluteViscosity(T, x);
      return (
        dilute > 0 &&
        Math.abs(states.viscosity(T, 10, x, 'vapour') / dilute - 1) < 1e-3 &&
        states.diluteViscosity(T + 10, x) > dilute
      );
    }),
    { numRuns: 60 },
  );
});

t.test(
  'at fixed temperature a supercritical gas and a liquid grow more viscous and more conductive with pressure',
  async (t) => {
    const lean = Float64Array.of(0.9, 0.05, 0.02, 0, 0, 0, 0.02, 0.01, 0);
    const oil = Float64Array.of(0.2, 0.1, 0.1, 0.1, 0.3, 0.2, 0, 0, 0);
    const states = new CorrespondingStates(components);
    for (const [x, branch, T, from] of [
      [lean, 'vapour', 320, 1e5],
      [oil, 'liquid', 300, 50e5],
    ] as const) {
      let viscosity = 0;
      let conductivity = 0;
      for (let p = from; p <= 400e5; p += 20e5) {
        const mu = states.viscosity(T, p, x, branch);
        const lambda = states.conductivity(T, p, x, CP, branch);
        t.ok(mu > viscosity && lambda > conductivity, `${branch} at ${p / 1e5} bar`);
        viscosity = mu;
        conductivity = lambda;
      }
    }
  },
);

t.test('states outside the reach of methane are refused by name', async (t) => {
  const heavy = new CorrespondingStates([getComponent('nC20')]);
  const x = new Float64Array([1]);
  t.match(
    engineErrorOf(() => heavy.viscosity(200, 1e5, x, 'liquid')),
    { kind: 'outside-range' },
  );
  const light = new CorrespondingStates([getComponent('hydrogen')]);
  t.match(
    engineErrorOf(() => light.conductivity(300, 1e5, x, 28.8, 'vapour')),
    { kind: 'outside-range' },
  );
});
