import t from 'tap';
import { type JsonObject, neqsimEnvelope } from '../../../src/kit/index.ts';
import { runBatch } from '../../../src/servers/neqsim/tools/run-batch.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask, codes } from '../../support/neqsim.ts';

const BASE = { components: { methane: 0.9, propane: 0.1 }, eos: 'PR', flashType: 'TP' };
const batch = (args: JsonObject) => ask(runBatch, { ...BASE, ...args });

t.test('every case is the flash of base and case together, in order', async (t) => {
  const cases: JsonObject[] = [
    { temperature: { value: -40, unit: 'C' }, pressure: { value: 30, unit: 'bara' } },
    { temperature: 293.15, pressure: 30 },
    { temperature_C: 20, pressure_bara: 30, model: 'SRK' },
    { components: { ethane: 1 }, flashType: 'bubblePointP', temperature: 250 },
    { flashType: 'PH', enthalpy: { value: -1, unit: 'kJ/mol' }, pressure: 30 },
    { eos: 'CPA', mixingRule: 'classic', temperature: 280, pressure: 30 },
  ];
  const answer = await batch({ cases: JSON.stringify(cases) });
  t.match(answer, {
    status: 'success',
    operationStatus: 'success',
    summary: { totalCases: 6, succeeded: 6, failed: 0 },
    detail: 'full',
    validation: { valid: true, phase: 'calculation' },
    qualityGate: { verdict: 'passed' },
    provenance: {
      calculationType: 'batch flash calculation (6 cases, 6 succeeded)',
      converged: true,
      model: 'PR, SRK, CPA',
    },
  });
  t.notOk('failedCaseIndices' in answer['summary']);
  t.same(answer['data'].results, answer['results']);
  const alone: JsonObject[] = [
    { ...BASE, ...cases[0] },
    { ...BASE, ...cases[1] },
    { components: BASE.components, eos: 'SRK', temperature: 20, temperatureUnit: 'C', pressure: 30 },
    { eos: 'PR', ...cases[3] },
    { ...BASE, ...cases[4] },
    { ...BASE, ...cases[5] },
  ];
  for (const [k, args] of alone.entries()) {
    const single = await ask(runFlash, args);
    const { caseIndex, status, flash, fluid } = answer['results'][k];
    t.same([caseIndex, status], [k, 'success']);
    t.same({ flash, fluid }, { flash: single['flash'], fluid: single['fluid'] }, `case ${k}`);
  }
});

t.test('a batch is trusted as far as the least of its models', async (t) => {
  const state = { temperature: 280, pressure: 30 };
  const trust = async (...models: { eos: string; mixingRule?: string }[]) =>
    (await batch({ cases: models.map((model) => ({ ...state, ...model })) }))['provenance'].benchmarkTrustLevel;
  t.equal(await trust({ eos: 'SRK' }, { eos: 'CPA' }), 'TESTED');
  t.equal(await trust({ eos: 'SRK' }, { eos: 'UMRPRU', mixingRule: 'NO' }), 'EXPERIMENTAL');
});

t.test('cases as JSON objects, and base values that hold for all', async (t) => {
  const answer = await batch({
    temperature: 20,
    temperatureUnit: 'C',
    pressure: 30,
    cases: [{}, { pressure: 40 }, { temperature: 25 }, { temperature: { value: 300, unit: 'K' } }],
  });
  t.same(
    answer['results'].map(
      (result: { fluid: { conditions: { temperature_K: number } } }) => result.fluid.conditions.temperature_K,
    ),
    [293.15, 293.15, 298.15, 300],
  );
});

t.test('a case that fails fails alone', async (t) => {
  const answer = await batch({
    cases: [
      { temperature: 300 },
      7,
      { temprature: 300 },
      { components: { metane: 1 } },
      { flashType: 'PH' },
      { temperature: 300, temperature_C: 20 },
      { pressure: 20 },
    ],
  });
  t.match(answer, {
    status: 'success',
    operationStatus: 'partial',
    summary: { totalCases: 7, succeeded: 2, failed: 5, failedCaseIndices: [1, 2, 3, 4, 5] },
    validation: { valid: false, phase: 'calculation' },
    qualityGate: { verdict: 'warning' },
    provenance: { converged: false, convergence: { converged: false } },
  });
  t.same(
    answer['results'].map(
      (result: { status: string; errors?: { code: string }[] }) => result.errors?.[0]?.code ?? result.status,
    ),
    ['success', 'INPUT_ERROR', 'INPUT_ERROR', 'UNKNOWN_COMPONENT', 'MISSING_SPEC', 'INPUT_ERROR', 'success'],
  );
  t.match(answer['results'][2], { caseIndex: 2, message: /temprature/, errors: [{ remediation: String }] });
  t.ok(codes(answer).includes('CASES_FAILED'));
});

t.test('when no case succeeds the call is an error, with the code that they share', async (t) => {
  const unknown = await batch({ eos: 'X', cases: [{}, { pressure: 2 }] });
  t.match(unknown, {
    status: 'error',
    code: 'UNKNOWN_MODEL',
    qualityGate: { verdict: 'failed' },
    validation: { valid: false },
    data: {
      summary: { totalCases: 2, succeeded: 0, failed: 2, failedCaseIndices: [0, 1] },
      results: [{ caseIndex: 0 }, { caseIndex: 1 }],
    },
  });
  t.equal((await batch({ cases: [{ pressure: -1 }, { temperature: -1 }] }))['code'], 'CALCULATION_ERROR');
});

t.test('warnings are gathered', async (t) => {
  const answer = await batch({ components: { methane: 9, propane: 1 }, cases: [{}, { pressure: 2 }, { pressure: 3 }] });
  t.match(answer['warnings'], [/^COMPOSITION_NORMALIZED: In 3 cases\. The first: The amounts sum to 10/]);
  t.match(answer['results'][0].warnings, [/^COMPOSITION_NORMALIZED/]);
});

t.test('many cases: detail is trimmed so that all of them are shown', async (t) => {
  const cases = Array.from({ length: 500 }, (_, k) => ({ temperature: 200 + k / 5, pressure: 30 }));
  const answer = await batch({ cases });
  t.equal(answer['summary'].succeeded, 500);
  t.equal(answer['results'].length, 500);
  t.equal(answer['detail'], 'key_figures');
  t.ok(codes(answer).includes('DETAIL_TRIMMED'));
  const shrunk = neqsimEnvelope.shrink(answer, neqsimEnvelope.maxBytes)!;
  t.ok(Buffer.byteLength(neqsimEnvelope.text(shrunk)) <= neqsimEnvelope.maxBytes);
  t.same((shrunk['data'] as JsonObject)['results'], answer['results'], 'only the copy beside data is left out');
  t.match(answer['results'][499], {
    caseIndex: 499,
    status: 'success',
    flash: { numberOfPhases: 1, phaseFractions: { gas: 1 } },
    fluid: {
      conditions: { temperature_K: 299.8, overall: { pressure: { value: 30 } } },
      properties: { density_kgm3: Number },
    },
  });
  const some = await batch({ cases: cases.slice(0, 80) });
  t.ok(['mole_fractions', 'properties'].includes(some['detail']), some['detail']);
  t.ok(some['results'][79].fluid.properties.gas.density.value > 0);
});

t.test('every refusal of the whole call has its code', async (t) => {
  const cases: readonly (readonly [JsonObject, string, RegExp])[] = [
    [{}, 'MISSING_CASES', /cases/],
    [{ cases: '' }, 'MISSING_CASES', /cases/],
    [{ cases: '{"temperature":300}' }, 'MISSING_CASES', /array/],
    [{ cases: '[]' }, 'EMPTY_CASES', /empty/],
    [{ cases: Array.from({ length: 501 }, () => ({})) }, 'TOO_MANY_CASES', /500/],
    [{ cases: '[{' }, 'JSON_PARSE_ERROR', /^Batch calculation failed: cases/],
    [{ components: '{', cases: '[{}]' }, 'JSON_PARSE_ERROR', /^Batch calculation failed: components/],
    [{ case: [{}] }, 'INPUT_ERROR', /case/],
  ];
  for (const [args, code, message] of cases)
    t.match(await batch(args), { status: 'error', errors: [{ code, message }] }, JSON.stringify(args).slice(0, 60));
});
