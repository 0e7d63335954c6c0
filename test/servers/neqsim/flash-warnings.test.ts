import t from 'tap';
import { createFluid, type FlashResult, phaseEnvelope } from '../../../src/engineering/thermo/index.ts';
import type { JsonObject } from '../../../src/kit/index.ts';
import { envelopeAnswer } from '../../../src/servers/neqsim/envelope/answer.ts';
import { flashWarnings } from '../../../src/servers/neqsim/flash/warnings.ts';
import { buildFluid } from '../../../src/servers/neqsim/fluid.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask, codes } from '../../support/neqsim.ts';

const warningsOf = async (args: JsonObject) => {
  const answer = await ask(runFlash, args);
  t.equal(answer['status'], 'success', JSON.stringify(answer['errors']));
  return answer;
};
const RICH = { methane: 0.7, ethane: 0.12, propane: 0.1, 'n-butane': 0.05, 'n-hexane': 0.03 };

t.test('an unsuspicious state has none', async (t) => {
  const answer = await warningsOf({ components: { methane: 0.9, ethane: 0.1 }, temperature: 300, pressure: 20 });
  t.same(answer['warnings'], []);
  t.notOk('warningDetails' in answer);
});

t.test('each item is "CODE: sentence", with details beside it, and only INFO passes the gate', async (t) => {
  const answer = await warningsOf({ components: { methane: 9, ethane: 1 }, temperature: 300, pressure: 20 });
  t.match(answer, {
    warnings: [/^COMPOSITION_NORMALIZED: The amounts sum to 10 /],
    warningDetails: [{ code: 'COMPOSITION_NORMALIZED', severity: 'INFO' }],
    qualityGate: { verdict: 'passed' },
  });
  t.same(answer['provenance'].applicabilityWarnings, [answer['warningDetails'][0].message]);
});

t.test('EXTRAPOLATION outside the range of the model', async (t) => {
  const hot = await warningsOf({ components: { methane: 1 }, eos: 'GERG2008', temperature: 800, pressure: 20 });
  t.match(hot['warningDetails'], [{ code: 'EXTRAPOLATION', severity: 'WARNING', message: /60 to 700 K/ }]);
  t.equal(hot['qualityGate'].verdict, 'warning');
  t.ok(
    codes(await warningsOf({ components: { methane: 1 }, temperature: 300, pressure: 1200 })).includes('EXTRAPOLATION'),
  );
});

t.test('MODEL_LIMITATION for water in SRK and PR, for classic CPA and for models that are not validated', async (t) => {
  const wet = { methane: 0.7, water: 0.3 };
  for (const eos of ['SRK', 'PR'])
    t.match((await warningsOf({ components: wet, eos, temperature: 300, pressure: 20 }))['warningDetails'], [
      { code: 'MODEL_LIMITATION', severity: 'INFO', message: /water/ },
    ]);
  t.notOk(codes(await warningsOf({ components: wet, eos: 'CPA', temperature: 300, pressure: 20 })).length);
  const classic = await warningsOf({
    components: wet,
    eos: 'CPA',
    mixingRule: 'classic',
    temperature: 300,
    pressure: 20,
  });
  t.match(classic['warningDetails'], [{ code: 'MODEL_LIMITATION', severity: 'WARNING', message: /solubility of gas/ }]);
  t.notOk(codes(await warningsOf({ components: wet, eos: 'UMRPRU', temperature: 300, pressure: 20 })).length);
  const sour = { ...wet, H2S: 0.1 };
  const umr = await warningsOf({ components: sour, eos: 'UMRPRU', temperature: 300, pressure: 20 });
  t.ok(
    umr['warnings'].some((text: string) => /^MODEL_LIMITATION: .*use CPA/.test(text)),
    'the note of the model itself',
  );
  t.equal(umr['provenance'].benchmarkTrustLevel, 'EXPERIMENTAL');
});

t.test('MISSING_REFERENCE_DATA names the pairs, and only those that are present', async (t) => {
  const answer = await warningsOf({
    components: { methane: 0.9, nC20: 0.1, helium: 0 },
    temperature: 400,
    pressure: 20,
  });
  t.match(answer['warningDetails'], [
    { code: 'MISSING_REFERENCE_DATA', severity: 'WARNING', message: /^No interaction parameter for methane\/nC20; / },
  ]);
});

t.test(
  'TWO_PHASE_UNCERTAINTY at a phase boundary, not at a saturation point, which lies on one by its nature',
  async (t) => {
    const dew = await warningsOf({ components: RICH, flashType: 'dewPointT', pressure: 20 });
    t.notOk(codes(dew).includes('TWO_PHASE_UNCERTAINTY'));
    const T = dew['fluid'].conditions.temperature_K;
    for (const off of [1e-4, -1e-4]) {
      const at = await warningsOf({ components: RICH, temperature: T + off, pressure: 20 });
      t.ok(codes(at).includes('TWO_PHASE_UNCERTAINTY'), `${off} K`);
    }
    t.notOk(
      codes(await warningsOf({ components: RICH, temperature: T + 20, pressure: 20 })).includes(
        'TWO_PHASE_UNCERTAINTY',
      ),
    );
  },
);

t.test('NEAR_CRITICAL within 10 % of the critical point of this mixture in both coordinates', async (t) => {
  const lean = { methane: 0.93, ethane: 0.04, propane: 0.01, nitrogen: 0.01, CO2: 0.01 };
  // Its critical point by SRK is 203.7 K and 55.8 bara.
  const at = async (temperature: number, pressure: number, more: JsonObject = {}) =>
    codes(await warningsOf({ components: lean, temperature, pressure, ...more })).includes('NEAR_CRITICAL');
  t.ok(await at(203.7, 55.8));
  t.ok(await at(203.7 * 1.09, 55.8 * 1.09));
  t.notOk(await at(203.7 * 1.11, 55.8));
  t.notOk(await at(203.7, 55.8 * 0.89));
  for (const eos of ['PR', 'CPA', 'GERG2008', 'PCSAFT', 'UMRPRU']) t.ok(await at(207, 57, { eos }), eos);
  const pure = (temperature: number) =>
    warningsOf({ components: { CO2: 1 }, temperature, pressure: 75 }).then((answer) =>
      codes(answer).includes('NEAR_CRITICAL'),
    );
  t.same([await pure(310), await pure(340)], [true, false]);
  const oil = { methane: 0.5, 'n-butane': 0.1, 'n-heptane': 0.2, nC20: 0.2 };
  t.notOk(codes(await warningsOf({ components: oil, temperature: 330, pressure: 100 })).includes('NEAR_CRITICAL'));
  const alkanes = ['nC10', 'nC11', 'nC12', 'nC13', 'nC14', 'nC15', 'nC16', 'nC17', 'nC18', 'nC19', 'nC20', 'nC21'];
  const many = {
    ...lean,
    ...Object.fromEntries(
      ['propane', 'i-butane', 'n-butane', 'n-pentane', 'n-hexane', ...alkanes].map((name) => [name, 0.01]),
    ),
  };
  t.ok(Object.keys(many).length > 20);
  const { criticalPoints } = phaseEnvelope(createFluid({ components: many, model: 'SRK' }));
  const [critical] = criticalPoints;
  const state = (factor: number) => ({ temperature: factor * critical!.T, pressure: critical!.p / 1e5 });
  t.ok(codes(await warningsOf({ components: many, ...state(1.09) })).includes('NEAR_CRITICAL'), 'many components');
  t.notOk(codes(await warningsOf({ components: many, ...state(1.11) })).includes('NEAR_CRITICAL'));
});

t.test('CONVERGENCE_WARNING when fugacities agree less than usual', (t) => {
  const built = buildFluid({ model: 'SRK', mixingRule: undefined, composition: new Map([['methane', 1]]) });
  const convergence = {
    iterations: 9,
    fugacityError: 1e-5,
    balanceError: 0,
    gibbs: 0,
    feedGibbs: 0,
    stabilityMargin: 1,
  };
  const result = { T: 300, p: 1e6, phases: [{}], convergence } as unknown as FlashResult;
  t.match(flashWarnings(built, result, { saturated: false }), [{ code: 'CONVERGENCE_WARNING', severity: 'WARNING' }]);
  const unstable = { ...convergence, fugacityError: 0, stabilityMargin: -0.7 };
  const [said] = flashWarnings(built, { T: 300, p: 1e5, phases: [{ fraction: 1 }], convergence: unstable } as never, {
    saturated: false,
  });
  t.match(said, { code: 'CONVERGENCE_WARNING', message: /this is not the equilibrium/ });
  t.end();
});

t.test('MODEL_LIMITATION: what the model misses of a component alone is named with its figures', async (t) => {
  const said = async (components: JsonObject, eos: string) => {
    const answer = await ask(runFlash, { components, eos, temperature: 288.15, pressure: 50 });
    const details: { code: string; message: string }[] = answer['warningDetails'] ?? [];
    return details.filter(({ message }) => message.includes(' misses ')).map(({ message }) => message);
  };
  t.match(await said({ methane: 0.5, nC30: 0.5 }, 'PR'), [
    /density of these liquids.*nC30 13\d\d kg\/m3 \(extrapolated/,
  ]);
  t.match(await said({ methane: 0.5, mercury: 1e-6 }, 'SRK'), [
    /vapour pressure .* mercury by -\d\d %/,
    /mercury 23\d{3} kg\/m3 where 13500 is tabulated/,
  ]);
  t.same(await said({ methane: 0.5, 'n-heptane': 0.5 }, 'PR'), []);
  t.same(await said({ methane: 0.5, TEG: 0.1 }, 'GERG2008'), [], 'a refusal is no warning');
});

t.test('MODEL_LIMITATION: rules of CPA without temperature term, and polar fluids alone', async (t) => {
  const texts = async (args: JsonObject) =>
    ((await ask(runFlash, { temperature: 283, pressure: 80, ...args }))['warnings'] as string[]).join(' ');
  for (const mixingRule of ['classic', 'CPA_MIX', 'NO'])
    t.match(
      await texts({ components: { methane: 0.5, water: 0.5 }, eos: 'CPA', mixingRule }),
      /drops the temperature term/,
    );
  for (const eos of ['SRK', 'PR']) t.match(await texts({ components: { water: 1 }, eos }), /knows no hydrogen bonding/);
  t.notMatch(
    await texts({ components: { methanol: 0.5, water: 0.5 }, eos: 'PR', mixingRule: 'WS' }),
    /mutual solubilities/,
  );
});

t.test('INPUT_IGNORED: a specification of another flash type is said', async (t) => {
  const components = { methane: 1 };
  const used = await ask(runFlash, { components, flashType: 'PH', enthalpy: 100 });
  t.notOk(codes(used).includes('INPUT_IGNORED'));
  const cases: readonly JsonObject[] = [
    { enthalpy: 100 },
    { flashType: 'PH', enthalpy: 100, entropy: -20 },
    { flashType: 'dewPointT', components: { propane: 1 }, volume: 1 },
  ];
  for (const args of cases)
    t.ok(codes(await ask(runFlash, { components, ...args })).includes('INPUT_IGNORED'), JSON.stringify(args));
});

t.test('VOLUME_NOT_TRANSLATED: a volume made from a reported density is not the volume of the model', async (t) => {
  const state = { components: { propane: 1 }, temperature: 293.15 };
  const { density, 'molar mass': mass } = (await ask(runFlash, { ...state, pressure: 30 }))['fluid'].properties.overall;
  const again = await ask(runFlash, { ...state, flashType: 'TV', volume: mass.value / density.value });
  t.ok(codes(again).includes('VOLUME_NOT_TRANSLATED'));
  const gas = await ask(runFlash, { ...state, flashType: 'TV', volume: 0.02 });
  t.notOk(codes(gas).includes('VOLUME_NOT_TRANSLATED'), 'a thin gas has both alike');
});

t.test('a property that no method gives is left out and named once among the limitations', async (t) => {
  const answer = await ask(runFlash, {
    components: { helium: 1 },
    eos: 'GERG2008',
    temperature: 293.15,
    pressure: 200,
  });
  const limitations: string[] = answer['provenance'].limitations;
  for (const [key, name] of [
    ['viscosity', 'viscosity'],
    ['thermalConductivity', 'thermal conductivity'],
  ] as const) {
    t.notOk(key in answer['fluid'].properties.gas, key);
    t.equal(limitations.filter((text) => text.startsWith(`No ${name} for the gas phase`)).length, 1, name);
  }
  t.equal(limitations.filter((text) => text.startsWith('No ')).length, 2);
});

t.test('MODEL_LIMITATION: GERG-2008 with liquid water, and below the range of its water equation', async (t) => {
  const texts = async (components: JsonObject, temperature: number) =>
    ((await ask(runFlash, { components, eos: 'GERG2008', temperature, pressure: 20 }))['warnings'] as string[]).join(
      ' ',
    );
  t.match(await texts({ methane: 0.9, water: 0.1 }, 300), /no model of liquid water/);
  t.match(await texts({ methane: 0.995, water: 0.005 }, 220), /begins at 273\.16 K/);
  t.notMatch(await texts({ methane: 0.99995, water: 0.00005 }, 300), /liquid water/);
});

t.test('MODEL_LIMITATION: a critical point that the model misses, near it and in an envelope', async (t) => {
  const said = async (components: JsonObject, eos: string, temperature: number, pressure: number) =>
    ((await ask(runFlash, { components, eos, temperature, pressure }))['warnings'] as string[]).filter((text) =>
      text.includes('misses the critical point'),
    );
  t.match(await said({ water: 1 }, 'CPA', 663.15, 250), [/water 408\.0 C and 305 bara where 37\d/]);
  t.match(await said({ propane: 1 }, 'CPA', 373.15, 44), [/propane 105\.5 C/]);
  t.same(await said({ propane: 1 }, 'CPA', 300, 20), [], 'far from it');
  t.same(await said({ propane: 1 }, 'CPA', 373.15, 1), [], 'thin gas');
  t.same(await said({ propane: 1 }, 'SRK', 373.15, 44), []);
  t.same(await said({ methane: 0.95, propane: 0.05 }, 'CPA', 373.15, 44), [], 'a small share');
  const envelope = envelopeAnswer({ components: { methane: 0.5, propane: 0.5 }, eos: 'CPA' }, {
    checkpoint: () => undefined,
  } as never);
  t.match(JSON.stringify(envelope), /misses the critical point: propane/);
});
