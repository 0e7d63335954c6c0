/** Answers say what would freeze, and hydrateTP freezes water itself. */
import t from 'tap';
import { createFluid, flashTP } from '../../../src/engineering/thermo/index.ts';
import type { JsonObject } from '../../../src/kit/index.ts';
import { getPropertyTable } from '../../../src/servers/neqsim/tools/get-property-table.ts';
import { runBatch } from '../../../src/servers/neqsim/tools/run-batch.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask, codes } from '../../support/neqsim.ts';

const C = (value: number) => ({ value, unit: 'C' });
const bara = (value: number) => ({ value, unit: 'bara' });
const warned = async (args: JsonObject): Promise<string | undefined> => {
  const answer = await ask(runFlash, args);
  t.equal(answer['status'], 'success', JSON.stringify(answer['errors']));
  const details: { code: string; severity: string; message: string }[] = answer['warningDetails'] ?? [];
  const found = details.filter(({ code }) => code === 'SOLID_POSSIBLE');
  t.ok(found.every(({ severity }) => severity === 'WARNING') && found.length < 2);
  return found[0]?.message;
};

t.test('dry ice and ice are named, by every flash type', async (t) => {
  t.match(
    await warned({ components: { CO2: 1 }, temperature: C(-80), pressure: bara(5) }),
    /CO2 \(dry ice\), with 1\.\d+ times/,
  );
  t.match(await warned({ components: { CO2: 1 }, flashType: 'bubblePointT', pressure: bara(1.01325) }), /dry ice/);
  t.match(
    await warned({ components: { methane: 0.98, CO2: 0.02 }, temperature: C(-162), pressure: bara(1.01325) }),
    /dry ice/,
  );
  for (const eos of ['SRK', 'CPA', 'GERG2008'])
    t.match(
      await warned({ components: { methane: 0.9, water: 0.1 }, eos, temperature: C(-20), pressure: bara(50) }),
      /water \(ice\)/,
    );
  const cold = await ask(runFlash, { components: { water: 1 }, eos: 'CPA', temperature: C(-10), pressure: bara(1) });
  t.equal(cold['qualityGate'].verdict, 'warning');
  const { enthalpy } = flashTP(createFluid({ components: { water: 1 }, model: 'CPA' }), 263.15, 1e5).overall;
  const given = { components: { water: 1 }, eos: 'CPA', flashType: 'PH', pressure: bara(1) };
  t.match(await warned({ ...given, enthalpy: { value: enthalpy, unit: 'J/mol' } }), /ice/);
});

t.test('nothing is said where nothing freezes', async (t) => {
  t.equal(await warned({ components: { CO2: 1 }, temperature: C(-50), pressure: bara(20) }), undefined);
  t.equal(await warned({ components: { water: 1 }, eos: 'CPA', temperature: C(1), pressure: bara(1) }), undefined);
});

t.test('a table says it once, with the number of points', async (t) => {
  const answer = await ask(getPropertyTable, {
    components: { CO2: 1 },
    sweepFrom: 190,
    sweepTo: 240,
    points: 6,
    fixedValue: 10,
  });
  const said = answer['warnings'].filter((text: string) => text.startsWith('SOLID_POSSIBLE'));
  t.equal(said.length, 1);
  t.match(said[0], /^SOLID_POSSIBLE: At 3 of 6 points\. The first, 190\.00 K.*dry ice/);
});

t.test('a batch passes it on', async (t) => {
  const answer = await ask(runBatch, {
    components: { CO2: 1 },
    cases: [
      { temperature: C(-80), pressure: bara(5) },
      { temperature: C(20), pressure: bara(5) },
    ],
  });
  t.ok(JSON.stringify(answer).includes('SOLID_POSSIBLE'));
});

t.test('hydrateTP freezes water without a former', async (t) => {
  const at = (components: JsonObject, celsius: number) =>
    ask(runFlash, { components, eos: 'CPA', flashType: 'hydrateTP', temperature: C(celsius), pressure: bara(10) });
  const frozen: JsonObject[] = [
    { water: 1 },
    { water: 0.5, helium: 0.5 },
    { water: 0.5, 'n-hexane': 0.5 },
    { water: 0.999, methanol: 0.001 },
  ];
  for (const components of frozen) {
    const answer = await at(components, -10);
    t.match(answer['data'].hydrate, { formed: false, besideIce: true });
    t.ok('solid' in answer['fluid'].properties, Object.keys(answer['fluid'].properties).join());
    t.notOk(codes(answer).includes('SOLID_POSSIBLE'));
  }
  t.notOk('besideIce' in (await at({ water: 1 }, 5))['data'].hydrate);
  t.notOk('besideIce' in (await at({ water: 0.9, methanol: 0.1 }, -5))['data'].hydrate);
});

t.test('hydrate structures that are not the measured ones, or hardly stabler, are said', async (t) => {
  const at = (components: JsonObject, celsius: number, p: number) =>
    ask(runFlash, { components, eos: 'CPA', flashType: 'hydrateTP', temperature: C(celsius), pressure: bara(p) });
  t.match((await at({ methane: 0.5, water: 0.5 }, -40, 20))['warnings'], [
    /^HYDRATE_APPROXIMATE: .* sII the stabler .* measured .* sI\./,
  ]);
  t.match((await at({ nitrogen: 0.5, water: 0.5 }, 1, 200))['warnings'], [/measured for this guest alone is sII/]);
  t.match((await at({ methane: 0.47, CO2: 0.03, water: 0.5 }, -25, 60))['warnings'], [/within \d+ J per mol of water/]);
  t.same((await at({ methane: 0.5, water: 0.5 }, 4, 60))['warnings'], []);
});
