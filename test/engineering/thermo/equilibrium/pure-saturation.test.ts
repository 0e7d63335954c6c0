import t from 'tap';
import { PureSaturationLine } from '../../../../src/engineering/thermo/equilibrium/pure-saturation.ts';
import { createFluid, type ModelId } from '../../../../src/engineering/thermo/index.ts';
import { createResidual } from '../../../../src/engineering/thermo/model.ts';
import { engineErrorOf } from '../engine-error-of.ts';

const CASES: readonly (readonly [ModelId, string, number])[] = [
  ['SRK', 'propane', 0.3],
  ['PR', 'CO2', 0.3],
  ['SRK', 'water', 0.4],
  ['PR', 'nC20', 0.35],
  ['PR', 'hydrogen', 0.4],
  ['GERG2008', 'propane', 0.4],
  ['GERG2008', 'CO2', 0.5],
  ['HELMHOLTZ', 'water', 0.45],
  ['IF97', 'water', 0.43],
];

t.test(
  'vapour and liquid have equal fugacity and pressure from far below to just below the critical point',
  async (t) => {
    for (const [model, component, lowest] of CASES) {
      const { eos } = createFluid({ components: { [component]: 1 }, model });
      const line = new PureSaturationLine(eos, 0);
      const residual = createResidual();
      const x = Float64Array.of(1);
      let last = 0;
      for (const reduced of [lowest, 0.6, 0.8, 0.95, 0.99, 0.9999]) {
        const T = reduced * line.critical.T;
        const { p, rhoVapour, rhoLiquid, error } = line.atTemperature(T);
        const label = `${model} ${component} at ${T} K`;
        t.ok(error < (model === 'IF97' ? 1e-4 : 1e-9), `${label}: fugacity ${error}`);
        t.ok(p > last, 'pressure rises');
        t.ok(rhoLiquid > rhoVapour);
        last = p;
        eos.residual(T, rhoVapour, x, residual);
        t.ok(Math.abs(residual.p / p - 1) < 1e-5, `${label}: pressure of the vapour ${residual.p} for ${p}`);
        t.ok(Math.abs(line.atPressure(p).T / T - 1) < 1e-10, `${label}: the inverse`);
      }
      t.equal(engineErrorOf(() => line.atTemperature(1.0001 * line.critical.T)).kind, 'spec-unreachable');
      t.equal(engineErrorOf(() => line.atPressure(1.0001 * line.critical.p)).kind, 'spec-unreachable');
    }
  },
);

t.test('cubic equations meet the critical constants they were made from', async (t) => {
  for (const component of ['methane', 'propane', 'CO2', 'nC10']) {
    const { eos, components } = createFluid({ components: { [component]: 1 }, model: 'SRK' });
    const { critical } = new PureSaturationLine(eos, 0);
    t.ok(Math.abs(critical.T / components[0]!.Tc - 1) < 1e-9);
    t.ok(Math.abs(critical.p / components[0]!.pc - 1) < 1e-9);
  }
});

t.test('one component of a mixture model has its own line', async (t) => {
  const { eos } = createFluid({ components: { methane: 0, propane: 1, water: 0 }, model: 'PR' });
  const alone = createFluid({ components: { propane: 1 }, model: 'PR' });
  const a = new PureSaturationLine(eos, 1).atTemperature(300);
  const b = new PureSaturationLine(alone.eos, 0).atTemperature(300);
  t.ok(Math.abs(a.p / b.p - 1) < 1e-12);
});
