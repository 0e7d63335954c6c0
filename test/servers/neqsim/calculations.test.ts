import t, { type Test } from 'tap';
import { ToolError } from '../../../src/kit/index.ts';
import { type Calculations, createCalculations } from '../../../src/servers/neqsim/calculations.ts';

const never = new AbortController().signal;
const FLASH = { components: { methane: 0.9, propane: 0.1 }, temperature: 250, pressure: 30 };
/** Minutes of work in one engine call each: a batch of the largest mixture in the model that takes longest. */
const HEAVY_NAMES = [
  'methane',
  'ethane',
  'propane',
  'i-butane',
  'n-butane',
  'i-pentane',
  'n-pentane',
  'n-hexane',
  'n-heptane',
  'n-octane',
  'nC10',
  'CO2',
  'nitrogen',
  'benzene',
  'toluene',
];
const ENDLESS = {
  components: Object.fromEntries(HEAVY_NAMES.map((name) => [name, 1])),
  eos: 'PCSAFT',
  cases: Array.from({ length: 500 }, (_, k) => ({ flashType: 'dewPointT', temperature: 50, pressure: 1 + k / 10 })),
};

const pool = (t: Test, settings: Parameters<typeof createCalculations>[0]): Calculations => {
  const calculations = createCalculations(settings);
  t.teardown(() => calculations.close());
  return calculations;
};

t.test('threads start with the first calculation and give the answer of the engine', async (t) => {
  const calculations = pool(t, { threads: 1 });
  t.equal(calculations.threads, 0);
  const answer = await calculations.run('runFlash', FLASH, { signal: never });
  t.equal(calculations.threads, 1);
  t.match(answer, {
    status: 'success',
    data: { flash: { phases: ['gas'] } },
    provenance: { calculation: { model: 'SRK' } },
  });
});

t.test('what a calculation refuses is the error it threw, with all its parts', async (t) => {
  const calculations = pool(t, { threads: 1 });
  const error = await calculations
    .run('runFlash', { ...FLASH, components: { metane: 1 } }, { signal: never })
    .catch((thrown: unknown) => thrown);
  t.ok(error instanceof ToolError);
  t.match(error, {
    code: 'UNKNOWN_COMPONENT',
    message: /did you mean "methane"/,
    remediation: /methane/,
    details: { component: 'metane', suggestion: 'methane' },
  });
});

t.test(
  'an abort is answered at once; the calculation stops at its next checkpoint and its thread goes on',
  async (t) => {
    const calculations = pool(t, { threads: 1, graceMs: 60_000 });
    await calculations.run('runFlash', FLASH, { signal: never });
    const leaving = new AbortController();
    const given = calculations.run('runBatch', ENDLESS, {
      signal: leaving.signal,
      progress: () => leaving.abort(new Error('gone')),
    });
    await t.rejects(given, { message: 'gone' });
    // The only thread would be taken for minutes, were it not stopped.
    t.match(await calculations.run('runFlash', FLASH, { signal: never }), { status: 'success' });
  },
);

t.test(
  'a calculation that reaches no checkpoint in time ends with its thread, and the next one gets a fresh thread',
  async (t) => {
    const calculations = pool(t, { threads: 1, graceMs: 0 });
    await calculations.run('runFlash', FLASH, { signal: never });
    const leaving = new AbortController();
    const given = calculations.run('runBatch', ENDLESS, { signal: leaving.signal, progress: () => leaving.abort() });
    await t.rejects(given, { name: 'AbortError' });
    t.match(await calculations.run('runFlash', FLASH, { signal: never }), { status: 'success' });
    t.equal(calculations.threads, 1);
  },
);

t.test('a call whose caller has left before does not begin, and one that waits leaves the queue', async (t) => {
  const calculations = pool(t, { threads: 1, queue: 1, graceMs: 0 });
  await t.rejects(calculations.run('runFlash', FLASH, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  t.equal(calculations.threads, 0);

  const leaving = new AbortController();
  const running = new Promise<void>((resolve) => {
    calculations.run('runBatch', ENDLESS, { signal: leaving.signal, progress: () => resolve() }).catch(() => {});
  });
  await running;
  const waiting = new AbortController();
  const queued = calculations.run('runFlash', FLASH, { signal: waiting.signal });
  await t.rejects(
    calculations.run('runFlash', FLASH, { signal: never }),
    { code: 'DEPENDENCY_UNAVAILABLE' },
    'the queue is full',
  );
  waiting.abort();
  await t.rejects(queued, { name: 'AbortError' });
  const next = calculations.run('runFlash', FLASH, { signal: never });
  leaving.abort();
  t.match(await next, { status: 'success' }, 'the place in the queue is free again');
});

t.test('progress: not more often than people read, and none after the answer', async (t) => {
  const calculations = pool(t, { threads: 1 });
  const seen: [number, number | undefined][] = [];
  const cases = Array.from({ length: 400 }, (_, k) => ({ temperature: 200 + k / 4, pressure: 30 }));
  await calculations.run(
    'runBatch',
    { components: FLASH.components, cases },
    { signal: never, progress: (done, total) => seen.push([done, total]) },
  );
  const atAnswer = seen.length;
  t.ok(atAnswer >= 1 && atAnswer < 200, `${atAnswer} messages for 400 cases`);
  t.ok(
    seen.every(([done, total], k) => total === 400 && (k === 0 || done > seen[k - 1]![0])),
    'rising',
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(seen.length, atAnswer);
});

t.test('after the end nothing is begun, and what ran is given up', async (t) => {
  const calculations = createCalculations({ threads: 1 });
  let begun = (): void => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const given = calculations.run('runBatch', ENDLESS, { signal: never, progress: () => begun() });
  const outcome = given.then(
    () => 'answered',
    () => 'given up',
  );
  await running;
  await calculations.close();
  t.equal(await outcome, 'given up');
  await t.rejects(calculations.run('runFlash', FLASH, { signal: never }), { code: 'DEPENDENCY_UNAVAILABLE' });
});
