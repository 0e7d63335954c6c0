import t from 'tap';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask } from '../../support/neqsim.ts';

const flash = (components: Record<string, number>, temperature: number, pressure: number) =>
  ask(runFlash, { components, temperature, pressure, eos: 'SRK' });

t.test('every phase carries viscosity and thermal conductivity with their units', async (t) => {
  const answer = await flash({ methane: 0.5, 'n-heptane': 0.3, water: 0.2 }, 300, 50);
  const { properties } = answer['data'].fluid;
  t.same(answer['data'].flash.phases, ['gas', 'oil', 'aqueous']);
  for (const [phase, low, high] of [
    ['gas', 1e-5, 1.5e-5],
    ['oil', 1e-4, 4e-4],
    ['aqueous', 8e-4, 9e-4],
  ] as const) {
    t.equal(properties[phase].viscosity.unit, 'kg/msec');
    t.ok(properties[phase].viscosity.value > low && properties[phase].viscosity.value < high, phase);
    t.equal(properties[phase].thermalConductivity.unit, 'W/mK');
    t.ok(
      properties[phase].thermalConductivity.value > 0.02 && properties[phase].thermalConductivity.value < 0.7,
      phase,
    );
  }
  t.notOk(properties.overall.viscosity, 'the mixture of phases has no viscosity');
  t.ok(
    answer['provenance'].assumptions.some((text: string) => text.includes('aqueous mixture (aqueous)')),
    'the methods are named',
  );
});

t.test('a phase without a value has no leaf, and a limitation instead', async (t) => {
  const answer = await flash({ nC20: 1 }, 200, 1);
  const [phase] = answer['data'].flash.phases;
  t.notOk('viscosity' in answer['data'].fluid.properties[phase]);
  t.ok(answer['data'].fluid.properties[phase].density.value > 0);
  t.ok(answer['provenance'].limitations.some((text: string) => text.startsWith('No viscosity')));
});
