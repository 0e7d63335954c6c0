import t from 'tap';
import { componentNames, createFluid } from '../../../src/engineering/thermo/index.ts';
import { BUILT_IN_SERVERS } from '../../../src/servers/index.ts';
import { MAX_COMPONENTS } from '../../../src/servers/neqsim/arguments.ts';
import { startApp } from '../../support/app.ts';

const usable = componentNames().filter((name) => {
  try {
    createFluid({ components: { [name]: 1 }, model: 'SRK' });
    return true;
  } catch {
    return false;
  }
});
const mixture = (count: number) => Object.fromEntries(usable.slice(0, count).map((name, i) => [name, 1 + (i % 5)]));

t.test('the largest mixture allowed is answered while other calls go on', async (t) => {
  const app = await startApp({ servers: BUILT_IN_SERVERS.filter((server) => server.name === 'neqsim') });
  t.teardown(() => app.close());
  // The worker is up before anything is counted.
  await app.envelope('neqsim', 'runFlash', { components: { methane: 1 }, temperature: 300, pressure: 10 });
  let done = false;
  const heavy = app
    .envelope('neqsim', 'runFlash', { components: mixture(MAX_COMPONENTS), temperature: 300, pressure: 50 })
    .finally(() => {
      done = true;
    });
  let answered = 0;
  while (!done) {
    const light = await app.envelope('neqsim', 'searchComponents', { query: 'methane' });
    t.equal(light['status'], 'success');
    answered += 1;
    await new Promise((next) => setImmediate(next));
  }
  const envelope = await heavy;
  t.ok(['success', 'error'].includes(String(envelope['status'])), 'an answer or a typed failure, never silence');
  t.ok(answered >= 3, `${answered} other calls were answered meanwhile`);
});

t.test('one component more than allowed is refused before anything is computed', async (t) => {
  const app = await startApp({ servers: BUILT_IN_SERVERS.filter((server) => server.name === 'neqsim') });
  t.teardown(() => app.close());
  t.match(await app.envelope('neqsim', 'runFlash', { components: mixture(MAX_COMPONENTS + 1) }), {
    status: 'error',
    errors: [{ code: 'INPUT_ERROR', message: /at most 60/ }],
  });
});
