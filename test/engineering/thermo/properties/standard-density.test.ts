import t from 'tap';
import { createFluid, flashTP, missedStandardDensities } from '../../../../src/engineering/thermo/index.ts';

const missed = (components: Record<string, number>, model: 'SRK' | 'PR' | 'CPA') =>
  missedStandardDensities(createFluid({ components, model }), 0.15);

t.test('liquids that a model gets right are not named, gases and absent components never', async (t) => {
  for (const model of ['SRK', 'PR', 'CPA'] as const)
    t.same(missed({ methane: 1, 'n-hexane': 1, nC10: 1, nC20: 1, benzene: 1, mercury: 0 }, model), [], model);
});

t.test('liquids that a model misses are named with both figures', async (t) => {
  const [methanol] = missed({ methane: 1, methanol: 1 }, 'SRK');
  t.equal(methanol?.component.name, 'methanol');
  // CRC Handbook: 0.7956 g/cm3 at 15 C.
  t.ok(Math.abs(methanol!.tabulated! - 795.6) < 1 && methanol!.computed > 900);
  t.same(missed({ methane: 1, methanol: 1 }, 'CPA'), [], 'CPA is fitted to it');
  // CRC Handbook: 13.56 g/cm3 at 15 C.
  const [mercury] = missed({ methane: 1, mercury: 1e-6 }, 'PR');
  t.ok(mercury!.tabulated! > 13_000, `mercury ${mercury!.tabulated}`);
});

t.test('a shift beyond its correlation is said where there is nothing to compare with', async (t) => {
  const [nC30] = missed({ methane: 1, nC30: 1 }, 'PR');
  t.same([nC30?.component.name, nC30?.tabulated], ['nC30', undefined]);
});

t.test('heavy alkanes without CPA parameters have liquid densities too', async (t) => {
  for (const [name, rho] of [
    ['nC14', 765.5],
    ['nC16', 773.8],
    ['nC20', 788.1],
    ['nC24', 798.4],
  ] as const) {
    const { density } = flashTP(createFluid({ components: { [name]: 1 }, model: 'CPA' }), 288.15, 1e5).phases[0]!;
    t.ok(Math.abs(density / rho - 1) < 0.1, `${name}: ${density} kg/m3, tabulated ${rho}`);
  }
});
