import t from 'tap';
import type { JsonObject } from '../../../src/kit/index.ts';
import { readFlash } from '../../../src/servers/neqsim/flash/request.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask } from '../../support/neqsim.ts';

const GAS = { methane: 0.9, propane: 0.1 };
const state = async (args: JsonObject) => {
  const answer = await ask(runFlash, { components: GAS, ...args });
  t.equal(answer['status'], 'success', JSON.stringify(answer['errors']));
  const { temperature_K, overall } = answer['fluid'].conditions;
  return { T: temperature_K, p: overall.pressure.value, density: answer['fluid'].properties.density_kgm3 };
};
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(b);

t.test('every temperature unit', async (t) => {
  for (const [temperature, temperatureUnit, kelvin] of [
    [300, 'K', 300],
    [26.85, 'C', 300],
    [80.33, 'F', 300],
    [540, 'R', 300],
  ] as const) {
    t.ok(near((await state({ temperature, temperatureUnit })).T, kelvin), temperatureUnit);
    t.ok(near((await state({ temperature: { value: temperature, unit: temperatureUnit } })).T, kelvin), 'as object');
  }
});

t.test('every pressure unit', async (t) => {
  for (const [pressure, pressureUnit, bara] of [
    [50, 'bara', 50],
    [48.98675, 'barg', 50],
    [5e6, 'Pa', 50],
    [5000, 'kPa', 50],
    [5, 'MPa', 50],
    [725, 'psi', 725 * 0.0689476],
    [725, 'psia', 725 * 0.0689476],
    [10, 'atm', 10.1325],
  ] as const) {
    t.ok(near((await state({ pressure, pressureUnit })).p, bara), pressureUnit);
    t.ok(near((await state({ pressure: { value: pressure, unit: pressureUnit } })).p, bara), 'as object');
  }
});

t.test('the forms in which a call may come mean the same', async (t) => {
  const flat = await state({
    components: JSON.stringify(GAS),
    temperature: 20,
    temperatureUnit: 'C',
    pressure: 50,
    pressureUnit: 'bara',
    eos: 'PR',
    flashType: 'TP',
  });
  const forms: readonly JsonObject[] = [
    { temperature: { value: 20, unit: 'C' }, pressure: { value: 50, unit: 'bara' }, model: 'PR' },
    { temperature: 293.15, pressure: 50, eos: 'pr' },
    { temperature: '20', temperatureUnit: 'C', pressure: '5e1', eos: 'PR' },
    { temperature: { value: 20 }, temperatureUnit: 'C', pressure: 50, eos: 'PR', model: 'PR' },
    { temperature: 20, temperatureUnit: 'C', pressure: 50, pressureUnit: '', eos: 'PR', flashType: '', mixingRule: '' },
    { temperature: 20, temperatureUnit: 'C', pressure: 50, eos: 'PR', mixingRule: 'CLASSIC' },
    { temperature: 20, temperatureUnit: 'C', pressure: 50, eos: 'PR', mixingRule: 2 },
    { components: { methane: '0.9', propane: '0.1' }, temperature: 293.15, pressure: 50, eos: 'PR' },
    { components: { Methane: 90, C3H8: 10 }, temperature: 293.15, pressure: 50, eos: 'PR' },
    { components: { propane: 1, methane: 9 }, temperature: 293.15, pressure: 50, eos: 'PR' },
  ];
  for (const form of forms) {
    const { density } = await state(form);
    t.ok(Math.abs(density / flat.density - 1) < 1e-9, JSON.stringify(form));
  }
});

t.test('names of the answer are those of the database', async (t) => {
  const answer = await ask(runFlash, {
    components: { 'carbon dioxide': 0.5, 'n-decane': 0.3, CYCLOHEXANE: 0.2 },
    temperature: 300,
    pressure: 20,
  });
  t.same(Object.keys(answer['fluid'].composition.overall), ['CO2', 'nC10', 'c-hexane']);
});

t.test('a component of amount 0 stays in the answer and changes nothing', async (t) => {
  const without = await state({ temperature: 250, pressure: 30 });
  const answer = await ask(runFlash, { components: { ...GAS, nC10: 0 }, temperature: 250, pressure: 30 });
  t.equal(answer['fluid'].composition.overall.nC10.value, 0);
  t.ok(Math.abs(answer['fluid'].properties.density_kgm3 / without.density - 1) < 1e-9);
});

t.test('traces below one molecule in a mole are none', async (t) => {
  const pure = await state({ components: { methane: 1 }, temperature: 250, pressure: 30 });
  const traced = await state({ components: { methane: 1, nC10: 1e-200 }, temperature: 250, pressure: 30 });
  t.ok(Math.abs(traced.density / pure.density - 1) < 1e-12);
});

t.test('names that reach prototypes are names', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const answer = await ask(runFlash, { components: `{"methane":0.5,${JSON.stringify(name)}:0.5}` });
    t.equal(answer['code'], 'UNKNOWN_COMPONENT', name);
  }
});

t.test('only what the caller gave is a start value', async (t) => {
  t.match(readFlash({ components: GAS }), { gaveT: false, gaveP: false });
  t.match(readFlash({ components: GAS, temperature: 288.15 }), { gaveT: true, gaveP: false, T: 288.15 });
});
