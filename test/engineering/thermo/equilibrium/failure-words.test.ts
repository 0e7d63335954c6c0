import t from 'tap';
import { createFluid, flashTP, flashTV } from '../../../../src/engineering/thermo/index.ts';

const gas = createFluid({ components: { methane: 0.93, ethane: 0.04, propane: 0.02, water: 0.01 }, model: 'SRK' });

t.test('a volume out of reach is said to be on the right side', async (t) => {
  t.throws(() => flashTV(gas, 300, 1e-6), { kind: 'spec-unreachable', message: /lies below what the model reaches/ });
  t.throws(() => flashTV(gas, 300, 1e20), { kind: 'spec-unreachable', message: /lies above what the model reaches/ });
});

t.test('a state without density is said to have none', async (t) => {
  const water = createFluid({ components: { water: 1 }, model: 'GERG2008' });
  t.throws(() => flashTP(water, 123.15, 1e5), { message: 'The model has no density at this temperature and pressure' });
});
