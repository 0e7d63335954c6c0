import t from 'tap';
import { createFluid, getComponent, modelIds, withComposition } from '../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from './engine-error-of.ts';

t.test('amounts are normalised and names resolved', async (t) => {
  const fluid = createFluid({ components: { C1: 3, 'carbon dioxide': 1 }, model: 'PR' });
  t.same(
    fluid.components.map((c) => c.name),
    ['methane', 'CO2'],
  );
  t.same([...fluid.z], [0.75, 0.25]);
  t.equal(fluid.amount, 4);
  t.same([...withComposition(fluid, [1, 1]).z], [0.5, 0.5]);
});

t.test('mistakes in a composition are typed errors, not answers', async (t) => {
  const make = (components: Record<string, number>) => () => createFluid({ components, model: 'SRK' });
  t.equal(engineErrorOf(make({ methane: -1 })).kind, 'invalid-input');
  t.equal(engineErrorOf(make({ methane: Number.NaN })).kind, 'invalid-input');
  t.equal(engineErrorOf(make({ methane: 0 })).kind, 'invalid-input');
  t.equal(engineErrorOf(make({})).kind, 'invalid-input');
  t.equal(engineErrorOf(make({ methane: 0.5, C1: 0.5 })).kind, 'invalid-input');
  t.equal(engineErrorOf(make({ methan: 1 })).kind, 'unknown-component');
  t.equal(engineErrorOf(make({ water: 0.9, 'Na+': 0.1 })).kind, 'invalid-input');
  t.equal(
    engineErrorOf(() => createFluid({ components: { methane: 1 }, model: 'SRK', mixingRule: 'CPA_MIX' })).kind,
    'invalid-input',
  );
});

t.test('a user component takes precedence over the table', async (t) => {
  const heavy = { ...getComponent('nC10'), name: 'C10+', type: 'pseudo' as const, Tc: 640 };
  const fluid = createFluid({ components: { methane: 1, 'c10+': 1 }, model: 'SRK', userComponents: [heavy] });
  t.equal(fluid.components[1]!.Tc, 640);
  t.equal(fluid.eos.missingPairs.length, 1, 'its interaction with methane is not in the table');
});

t.test('ions, salts and entries without constants of their own are refused by every model', async (t) => {
  const undescribed = ['Na+', 'NaCl', 'CaCl2', 'CaCO3', 'NaNO2', 'NaHSO4', 'ice', 'seawater', 'asphaltene', 'S8'];
  for (const model of modelIds())
    for (const name of undescribed) {
      const error = engineErrorOf(() => createFluid({ components: { water: 0.9, [name]: 0.1 }, model }));
      t.equal(error.kind, 'invalid-input', `${model} ${name}`);
      t.match(error.message, name);
    }
});
