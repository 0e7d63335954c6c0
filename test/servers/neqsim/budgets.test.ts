import t from 'tap';
import { MAX_COMPONENTS } from '../../../src/servers/neqsim/arguments.ts';
import { neqsim } from '../../../src/servers/neqsim/index.ts';
import { startApp } from '../../support/app.ts';

/** The largest mixture that the arguments allow, spread over the whole table so that every model term is in use. */
const NAMES =
  `methane ethane propane i-butane n-butane i-pentane n-pentane n-hexane n-heptane n-octane n-nonane nC10 nC11 nC12 nC13 nC14 nC15
  nC16 nC17 nC18 nC19 nC20 nC21 nC22 nC23 nC24 nC25 nC26 nC27 nC28 nC29 nC30 CO2 nitrogen H2S oxygen argon hydrogen helium CO COS water methanol
  ethanol MEG TEG benzene toluene ethylbenzene m-Xylene o-Xylene p-Xylene c-hexane c-C5 M-cy-C6 M-cy-C5 22-dim-C4 2-m-C5 3-m-C5 mercury`.split(
    /\s+/,
  );

const app = await startApp({ servers: [neqsim] });
t.teardown(() => app.close());

t.test('the largest mixture allowed is answered while other calls go on', async (t) => {
  t.equal(NAMES.length, MAX_COMPONENTS);
  // A thread is up before anything is counted.
  await app.envelope('neqsim', 'runFlash', { components: { methane: 1 }, temperature: 300, pressure: 10 });
  const components = Object.fromEntries(NAMES.map((name) => [name, 1]));
  let answered = 0;
  let over = false;
  const largest = app.envelope('neqsim', 'runFlash', { components, temperature: 300, pressure: 20 }).finally(() => {
    over = true;
  });
  while (!over) {
    const answer = await app.envelope('neqsim', 'searchComponents', { query: 'methane' });
    if (answer['status'] === 'success') answered++;
    else t.equal(answer['errors'], undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  t.match(await largest, { status: 'success', flash: { numberOfPhases: Number } });
  t.ok(answered >= 3, `${answered} other calls were answered meanwhile`);
});

t.test('one more component is refused before anything is computed', async (t) => {
  const components = Object.fromEntries([...NAMES, 'n-butane2'].map((name) => [name, 1]));
  t.match(await app.envelope('neqsim', 'runFlash', { components }), {
    status: 'error',
    errors: [{ code: 'INPUT_ERROR', message: /at most 60/ }],
  });
});

t.test('long calculations of one caller do not hold up the short ones of others', async (t) => {
  const leaving = new AbortController();
  const components = Object.fromEntries(NAMES.map((name) => [name, 1]));
  const long = app.call(
    'neqsim',
    'getPropertyTable',
    { components, sweepFrom: 200, sweepTo: 400, fixedValue: 30, points: 200 },
    { signal: leaving.signal },
  );
  const flash = await app.envelope('neqsim', 'runFlash', {
    components: { methane: 1 },
    temperature: 300,
    pressure: 10,
  });
  t.match(flash, { status: 'success' });
  leaving.abort();
  const outcome = await long;
  t.equal(outcome.kind, 'answer');
  if (outcome.kind === 'answer') t.match(outcome.envelope, { status: 'error', code: 'CANCELLED' });
});

t.test('an answer over the limit is cut to what fits, and says so', async (t) => {
  const properties = [
    'density',
    'viscosity',
    'Cp',
    'Cv',
    'Z',
    'enthalpy',
    'entropy',
    'thermalConductivity',
    'molarMass',
    'soundSpeed',
    'jouleThomsonCoefficient',
  ];
  const outcome = await app.call('neqsim', 'getPropertyTable', {
    components: { methane: 0.7, 'n-butane': 0.1, nC10: 0.1, water: 0.1 },
    sweepFrom: 280,
    sweepTo: 400,
    fixedValue: 30,
    points: 200,
    properties,
  });
  if (outcome.kind !== 'answer') throw new Error('unknown tool');
  t.ok(Buffer.byteLength(outcome.text) <= 256 * 1024);
  t.match(outcome.envelope, { status: 'success', pointsConverged: 200, truncation: { truncated: true } });
  t.equal((outcome.envelope['data'] as { table: unknown[] }).table.length, 200, 'the table itself is whole');
});

t.test('a batch that the deadline of the gates would cut answers with its first cases', async (t) => {
  const hurried = await startApp({ servers: [neqsim], env: { PENSTOCK_LIMITS_CALCULATION_DEADLINE_MS: '16000' } });
  t.teardown(() => hurried.close());
  const components = Object.fromEntries(NAMES.map((name) => [name, 1]));
  const cases = Array.from({ length: 500 }, (_, k) => ({ temperature: 250 + k / 5, pressure: 20 }));
  const envelope = await hurried.envelope('neqsim', 'runBatch', { components, eos: 'CPA', cases });
  t.match(envelope, {
    status: 'success',
    operationStatus: 'partial',
    summary: { totalCases: 500 },
    qualityGate: { verdict: 'warning' },
  });
  const { results } = envelope['data'] as { results: { status: string; errors?: { code: string }[] }[] };
  t.equal(results.length, 500);
  t.equal(results[0]?.status, 'success');
  t.equal(results[499]?.errors?.[0]?.code, 'TIMEOUT');
  t.match(JSON.stringify(envelope['warnings']), /TIME_RAN_OUT: Time ran out after \d+ of 500 cases/);
});
