import t from 'tap';
import { bubblePoint, createFluid, dewPoint, flashTP, properties } from '../../../../src/engineering/thermo/index.ts';

const names = (result: { phases: readonly { name: string }[] }) => result.phases.map(({ name }) => name);

t.test('both sides of a saturation point beside the critical point are gas and oil', async (t) => {
  for (const components of [
    { CO2: 0.99, nitrogen: 0.01 },
    { propane: 0.9, ethane: 0.1 },
    { methane: 0.8, ethane: 0.1, propane: 0.1 },
  ] as readonly Record<string, number>[])
    for (const T of [0.9, 0.95, 0.98, 0.995]) {
      const fluid = createFluid({ components, model: 'SRK' });
      const at = { T: T * pseudoTc(fluid) };
      for (const point of [bubblePoint(fluid, at), dewPoint(fluid, at)])
        t.same(
          names(properties(fluid, point)),
          ['gas', 'oil'],
          `${JSON.stringify(components)} ${at.T} K ${point.kind}`,
        );
    }
});

t.test('two liquids, free water and lone phases', async (t) => {
  const at = (components: Record<string, number>, T: number, p: number) =>
    names(flashTP(createFluid({ components, model: 'SRK' }), T, p));
  t.same(at({ H2S: 0.5, methane: 0.5 }, 190, 60e5), ['oil', 'oil_2']);
  t.same(at({ methane: 0.4, 'n-heptane': 0.3, water: 0.3 }, 320, 40e5), ['gas', 'oil', 'aqueous']);
  t.same(at({ methane: 0.9, MEG: 0.1 }, 300, 40e5), ['gas', 'aqueous']);
  t.same(at({ methane: 1 }, 300, 40e5), ['gas']);
  t.same(at({ nC10: 1 }, 300, 1e5), ['oil']);
  t.same(at({ water: 1 }, 300, 1e5), ['aqueous']);
});

function pseudoTc({ components, z }: ReturnType<typeof createFluid>): number {
  return components.reduce((sum, component, i) => sum + z[i]! * component.Tc, 0);
}
