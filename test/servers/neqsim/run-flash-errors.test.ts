import fc from 'fast-check';
import t from 'tap';
import type { JsonObject } from '../../../src/kit/index.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask } from '../../support/neqsim.ts';

const GOOD = { methane: 0.9, propane: 0.1 };

/** A call that must fail, and its code. */
const CASES: readonly (readonly [string, JsonObject, string, RegExp])[] = [
  ['no arguments', {}, 'INPUT_ERROR', /components/],
  ['an unknown argument', { components: GOOD, temprature: 300 }, 'INPUT_ERROR', /temprature/],
  ['a number that is none', { components: GOOD, temperature: 'warm' }, 'INPUT_ERROR', /temperature/],
  ['a number beyond all', { components: GOOD, temperature: '1e999' }, 'INPUT_ERROR', /temperature/],
  ['components as a list', { components: '["methane"]' }, 'INPUT_ERROR', /JSON object/],
  ['an amount that is no number', { components: { methane: 'much' } }, 'INPUT_ERROR', /methane/],
  ['one name twice', { components: '{"methane":0.5,"methane":0.5}' }, 'INPUT_ERROR', /methane twice/],
  ['an endless name', { components: { ['x'.repeat(65)]: 1 } }, 'INPUT_ERROR', /64 characters/],
  [
    'too many components',
    { components: Object.fromEntries(Array.from({ length: 61 }, (_, k) => [`c${k}`, 1])) },
    'INPUT_ERROR',
    /61 entries/,
  ],
  ['two models', { components: GOOD, eos: 'SRK', model: 'PR' }, 'INPUT_ERROR', /SRK, PR/],
  [
    'a unit of enthalpy that is none',
    { components: GOOD, enthalpy: { value: 1, unit: 'BTU' } },
    'INPUT_ERROR',
    /J\/mol/,
  ],
  [
    'a unit of entropy that is none',
    { components: GOOD, entropy: { value: 1, unit: 'J/mol' } },
    'INPUT_ERROR',
    /J\/molK/,
  ],
  ['a unit of volume that is none', { components: GOOD, volume: { value: 1, unit: 'gal' } }, 'INPUT_ERROR', /m3\/mol/],
  ['text that is no JSON', { components: '{"methane":' }, 'JSON_PARSE_ERROR', /components/],
  ['an unknown model', { components: GOOD, eos: 'RK' }, 'UNKNOWN_MODEL', /SRK, PR, CPA/],
  [
    'an unknown temperature unit',
    { components: GOOD, temperature: 300, temperatureUnit: 'k' },
    'TEMPERATURE_ERROR',
    /K, C, F, R/,
  ],
  [
    'below absolute zero',
    { components: GOOD, temperature: -300, temperatureUnit: 'C' },
    'TEMPERATURE_ERROR',
    /absolute zero/,
  ],
  [
    'two temperature units',
    { components: GOOD, temperature: { value: 1, unit: 'C' }, temperatureUnit: 'K' },
    'TEMPERATURE_ERROR',
    /C and/,
  ],
  ['hotter than any fluid', { components: GOOD, temperature: 1e6 }, 'TEMPERATURE_ERROR', /beyond/],
  ['an unknown pressure unit', { components: GOOD, pressure: 1, pressureUnit: 'bar' }, 'PRESSURE_ERROR', /bara, barg/],
  ['a pressure of 0', { components: GOOD, pressure: 0 }, 'PRESSURE_ERROR', /absolute/],
  ['an unknown flash type', { components: GOOD, flashType: 'tp' }, 'UNKNOWN_FLASH_TYPE', /case matters/],
  ['no components', { components: '' }, 'MISSING_COMPONENTS', /composition/],
  ['an empty composition', { components: {} }, 'MISSING_COMPONENTS', /composition/],
  [
    'an unknown component',
    { components: { methane: 0.5, metane: 0.5 } },
    'UNKNOWN_COMPONENT',
    /did you mean "methane"/,
  ],
  [
    'nothing like a component',
    { components: { qqqqqqqqqqqqqqqqqqqqqqqqqqqq: 1 } },
    'UNKNOWN_COMPONENT',
    /Unknown component/,
  ],
  ['a negative amount', { components: { methane: 1, ethane: -0.1 } }, 'FLUID_ERROR', /ethane/],
  ['amounts of 0 only', { components: { methane: 0 } }, 'FLUID_ERROR', /above 0/],
  ['amounts beyond all', { components: { methane: 1e308, ethane: 1e308 } }, 'FLUID_ERROR', /too large/],
  ['one substance under two names', { components: { methane: 0.5, CH4: 0.5 } }, 'FLUID_ERROR', /twice/],
  ['an unknown mixing rule', { components: GOOD, mixingRule: 'linear' }, 'FLUID_ERROR', /linear/],
  ['a rule of another model', { components: GOOD, eos: 'SRK', mixingRule: 'CLASSIC_TX_CPA' }, 'FLUID_ERROR', /SRK/],
  ['a component the model does not have', { components: { nC20: 1 }, eos: 'GERG2008' }, 'FLUID_ERROR', /nC20/],
  ['PH without enthalpy', { components: GOOD, flashType: 'PH' }, 'MISSING_SPEC', /enthalpy/],
  ['PS without entropy', { components: GOOD, flashType: 'PS' }, 'MISSING_SPEC', /entropy/],
  ['TV without volume', { components: GOOD, flashType: 'TV' }, 'MISSING_SPEC', /volume/],
  ['a volume below any', { components: GOOD, flashType: 'TV', volume: 1e-9 }, 'FLASH_ERROR', /./],
  ['an enthalpy out of reach', { components: GOOD, flashType: 'PH', enthalpy: 1e12 }, 'FLASH_ERROR', /./],
  [
    'a dew point above the cricondenbar',
    { components: GOOD, flashType: 'dewPointT', pressure: 500 },
    'FLASH_ERROR',
    /dew point/,
  ],
];

t.test('every refusal has its code, says what is wrong and what to do', async (t) => {
  for (const [what, args, code, message] of CASES) {
    const answer = await ask(runFlash, args);
    t.match(
      answer,
      {
        apiVersion: '1.0',
        status: 'error',
        errors: [{ code, message, remediation: /\w/, severity: 'error' }],
        validation: { valid: false },
        qualityGate: { verdict: 'failed' },
      },
      what,
    );
  }
});

t.test('of several mistakes the first of the sheet is told', async (t) => {
  const wrong: readonly (readonly [string, JsonObject])[] = [
    ['JSON_PARSE_ERROR', { components: '{' }],
    ['UNKNOWN_MODEL', { eos: 'X' }],
    ['TEMPERATURE_ERROR', { temperature: 1, temperatureUnit: 'X' }],
    ['PRESSURE_ERROR', { pressure: 1, pressureUnit: 'X' }],
    ['UNKNOWN_FLASH_TYPE', { flashType: 'X' }],
    ['UNKNOWN_COMPONENT', { components: { metane: 1 } }],
    ['FLUID_ERROR', { mixingRule: 'X' }],
    ['MISSING_SPEC', { flashType: 'PH' }],
  ];
  for (let first = 0; first < wrong.length; first++) {
    // The later mistakes first, so that an earlier one of the same argument replaces it.
    const args = Object.assign(
      { components: GOOD },
      ...wrong
        .slice(first)
        .reverse()
        .map(([, part]) => part),
    ) as JsonObject;
    t.equal((await ask(runFlash, args))['code'], wrong[first]![0]);
  }
});

t.test('whatever the state and the mixture, the answer is a state or a code', async (t) => {
  const names = [
    'methane',
    'ethane',
    'propane',
    'n-butane',
    'n-heptane',
    'nC20',
    'CO2',
    'H2S',
    'water',
    'hydrogen',
    'MEG',
    'helium',
  ];
  const spec = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        components: fc.dictionary(fc.constantFrom(...names), fc.double({ min: 0, max: 1e3, noNaN: true }), {
          minKeys: 1,
          maxKeys: 5,
        }),
        eos: fc.constantFrom('SRK', 'PR', 'CPA', 'GERG2008', 'PCSAFT', 'UMRPRU'),
        flashType: fc.constantFrom('TP', 'PH', 'PS', 'TV', 'dewPointT', 'bubblePointP'),
        temperature: fc.double({ min: 1, max: 9e3, noNaN: true }),
        pressure: fc.double({ min: 1e-9, max: 1e5, noNaN: true }),
        enthalpy: spec,
        entropy: spec,
        volume: fc.double({ min: 1e-8, max: 10, noNaN: true }),
      }),
      async (args) => {
        const answer = await ask(runFlash, args as JsonObject);
        if (answer['status'] === 'success') {
          const { phaseFractions } = answer['flash'];
          const sum = Object.values(phaseFractions as Record<string, number>).reduce((total, x) => total + x, 0);
          return Math.abs(sum - 1) < 1e-9 && answer['fluid'].properties.density_kgm3 > 0;
        }
        return ['FLUID_ERROR', 'FLASH_ERROR'].includes(answer['code']);
      },
    ),
    { numRuns: 60, seed: 20_08, endOnFailure: true },
  );
  t.pass();
});

t.test('pressures in error texts are in bara', async (t) => {
  const { message } = await ask(runFlash, {
    components: { methane: 0.8, propane: 0.2 },
    flashType: 'bubblePointT',
    pressure: 500,
  });
  t.match(message, /^bubble point at 500 bara cannot be reached/);
  t.notMatch(message, / Pa\b/);
});
