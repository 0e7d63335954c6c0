/** Critical enhancement of mixtures, gas mixtures at high density and dense CO2, tried on pure fluids with reference correlations. */
import t from 'tap';
import { createFluid, flashTP, getComponent, transport } from '../../../../../src/engineering/thermo/index.ts';
import { referenceFluid } from '../../../../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import {
  conductivityNearCarbonDioxide,
  viscosityNearCarbonDioxide,
} from '../../../../../src/engineering/thermo/properties/transport/carbon-dioxide.ts';
import { CorrespondingStates } from '../../../../../src/engineering/thermo/properties/transport/corresponding-states.ts';
import { criticalEnhancement } from '../../../../../src/engineering/thermo/properties/transport/critical-enhancement.ts';
import {
  gasMixtureConductivity,
  gasMixtureViscosity,
} from '../../../../../src/engineering/thermo/properties/transport/gas-mixture.ts';
import {
  conformalConductivity,
  referenceConductivity,
  referenceViscosity,
} from '../../../../../src/engineering/thermo/properties/transport/reference.ts';

const ONE = Float64Array.of(1);

const idealCp = (name: string, T: number): number => {
  const [A = 0, B = 0, C = 0, D = 0, E = 0] = getComponent(name).idealGasCp ?? [];
  return A + T * (B + T * (C + T * (D + T * E)));
};

t.test(
  'near the critical point the enhancement brings corresponding states to the reference conductivity',
  async (t) => {
    // Mean error before, and after to be reached; 1.01 to 1.05 Tc, 0.3 to 5 pc.
    for (const [name, before, after] of [
      ['methane', 0.065, 0.046],
      ['ethane', 0.07, 0.041],
      ['propane', 0.07, 0.039],
      ['n-butane', 0.11, 0.079],
      ['CO2', 0.1, 0.071],
    ] as const)
      for (const model of ['SRK', 'PR'] as const) {
        const { Tc, pc } = getComponent(name);
        const fluid = createFluid({ components: { [name]: 1 }, model });
        const reference = referenceFluid(name);
        const states = new CorrespondingStates(fluid.components);
        let without = 0;
        let withIt = 0;
        let count = 0;
        for (const Tr of [1.01, 1.02, 1.03, 1.04, 1.05])
          for (const pr of [0.3, 0.6, 0.8, 1, 1.2, 1.5, 2, 3, 5]) {
            const T = Tr * Tc;
            const p = pr * pc;
            if (p > reference.pmax) continue;
            const wanted = referenceConductivity(name, T, reference.density(T, p));
            const [phase] = flashTP(fluid, T, p).phases;
            const rho = 1 / phase!.molarVolume;
            const side = states.reducedMolarDensity(rho, ONE) > 1 ? 'liquid' : 'vapour';
            const background = states.conductivity(T, p, ONE, idealCp(name, T), side, rho);
            const mu = states.viscosity(T, p, ONE, side, rho);
            const enhancement = criticalEnhancement(fluid.eos, phase!, states.pseudoCritical(ONE), mu);
            without += Math.abs(background / wanted - 1);
            withIt += Math.abs((background + enhancement) / wanted - 1);
            count++;
          }
        t.ok(without / count > before, `${name} by ${model}: ${without / count} without`);
        t.ok(withIt / count < after, `${name} by ${model}: ${withIt / count} with it`);
      }
  },
);

t.test(
  'the enhancement is nothing in thin gas and cold liquid, and finite at the critical point of a mixture',
  async (t) => {
    const share = (components: Record<string, number>, T: number, p: number) => {
      const fluid = createFluid({ components, model: 'PR' });
      const states = new CorrespondingStates(fluid.components);
      const result = flashTP(fluid, T, p);
      return result.phases.map((phase, k) => {
        const { viscosity = 0, thermalConductivity = 0 } = transport(fluid, result)[k]!;
        return criticalEnhancement(fluid.eos, phase, states.pseudoCritical(phase.x), viscosity) / thermalConductivity;
      });
    };
    const gas = { methane: 0.85, ethane: 0.1, propane: 0.05 };
    t.ok(share(gas, 300, 1e5)[0]! < 2e-3);
    t.ok(share(gas, 300, 80e5)[0]! < 0.06);
    t.ok(share({ propane: 0.5, 'n-butane': 0.5 }, 250, 50e5)[0]! < 0.02);
    // Critical point of the mixture by PR: 230 K, 79 bar.
    for (const T of [225, 230, 235])
      for (const value of share(gas, T, 80e5)) t.ok(value >= 0 && value < 0.35, `${T} K: ${value}`);
  },
);

t.test('hydrogen of 100 to 600 K, to 700 bar: low-pressure gas and what density adds', async (t) => {
  const components = [getComponent('hydrogen')];
  const states = new CorrespondingStates(components);
  const fluid = referenceFluid('hydrogen');
  const offs: number[] = [];
  for (const T of [100, 150, 200, 300, 400, 600])
    for (const p of [50e5, 100e5, 200e5, 400e5, 700e5]) {
      const rho = fluid.density(T, p);
      const state = { components, states, T, rho, x: ONE };
      offs.push(
        Math.abs(gasMixtureConductivity(state)! / referenceConductivity('hydrogen', T, rho) - 1),
        Math.abs(gasMixtureViscosity(state)! / referenceViscosity('hydrogen', T, rho) - 1),
      );
    }
  const mean = offs.reduce((a, b) => a + b, 0) / offs.length;
  t.ok(mean < 0.026 && Math.max(...offs) < 0.12, `mean ${mean}, max ${Math.max(...offs)}`);
  const rich = createFluid({ components: { hydrogen: 0.7, methane: 0.3 }, model: 'SRK' });
  const [low] = transport(rich, flashTP(rich, 300, 5e5));
  const [high] = transport(rich, flashTP(rich, 300, 600e5));
  t.ok(high!.thermalConductivity! > 1.15 * low!.thermalConductivity!, 'density adds conductivity');
  t.ok(high!.viscosity! > 1.2 * low!.viscosity!, 'and viscosity');
});

t.test('CO2 as reference: the pure limit is exact but for the critical enhancement', async (t) => {
  const components = [getComponent('CO2')];
  const states = new CorrespondingStates(components);
  const fluid = referenceFluid('CO2');
  for (const [T, p] of [
    [250, 50e5],
    [290, 100e5],
    [330, 40e5],
    [330, 200e5],
    [400, 300e5],
  ] as const) {
    const rho = fluid.density(T, p);
    const branch = states.reducedMolarDensity(rho, ONE) > 1 ? ('liquid' as const) : ('vapour' as const);
    const state = { states, T, p, x: ONE, branch, rho };
    const viscosity = viscosityNearCarbonDioxide(state, 1, Number.NaN);
    t.ok(Math.abs(viscosity / referenceViscosity('CO2', T, rho) - 1) < 2e-3, `${T} K, ${p / 1e5} bar: ${viscosity}`);
    const conductivity = conductivityNearCarbonDioxide(state, components, idealCp('CO2', T), 1, 1);
    const { dilute, residual } = conformalConductivity('CO2', T, rho);
    t.ok(Math.abs(conductivity / (dilute + residual) - 1) < 2e-3, `${conductivity} for ${dilute + residual}`);
  }
});
