import t, { type Test } from 'tap';
import { type JsonObject, type JsonValue, ToolError } from '../../../src/kit/index.ts';
import { NO_CONTROL } from '../../../src/servers/neqsim/calculation.ts';
import { CALCULATIONS } from '../../../src/servers/neqsim/calculation-table.ts';
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

/** A promise and what fulfils it. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** The order in which things ended, by name. */
function finishing(): { readonly order: string[]; note<T>(name: string, work: Promise<T>): Promise<T> } {
  const order: string[] = [];
  return { order, note: (name, work) => work.finally(() => order.push(name)) };
}

t.test('a single calculation is answered while more batches than threads run', async (t) => {
  const calculations = pool(t, { threads: 2 });
  const { order, note } = finishing();
  const leaving = new AbortController();
  const begun = gate();
  const batches = Array.from({ length: 6 }, (_, k) =>
    note(
      `batch ${k}`,
      calculations.run('runBatch', ENDLESS, { signal: leaving.signal, progress: () => begun.resolve() }),
    ).catch(() => {}),
  );
  await begun.promise;
  for (let k = 0; k < 3; k++) {
    t.match(await note('flash', calculations.run('runFlash', FLASH, { signal: never })), { status: 'success' });
  }
  leaving.abort();
  await Promise.all(batches);
  t.same(order.slice(0, 3), ['flash', 'flash', 'flash']);
});

t.test('batches take turns: a short one ends before the long ones that came before it', async (t) => {
  const calculations = pool(t, { threads: 2, sliceMs: 50 });
  const { order, note } = finishing();
  const leaving = new AbortController();
  const ran = Array.from({ length: 3 }, () => gate());
  const batches = ran.map((first, k) =>
    note(
      `long ${k}`,
      calculations.run('runBatch', ENDLESS, { signal: leaving.signal, progress: () => first.resolve() }),
    ).catch(() => {}),
  );
  await Promise.all(ran.map(({ promise }) => promise));
  const short = { components: FLASH.components, cases: [{ temperature: 250 }, { temperature: 260 }] };
  t.match(await note('short', calculations.run('runBatch', short, { signal: never })), {
    data: { summary: { totalCases: 2, succeeded: 2 } },
  });
  leaving.abort();
  await Promise.all(batches);
  t.equal(order[0], 'short');
});

t.test('slices change nothing in the answer, and no step is computed twice', async (t) => {
  const batch = {
    components: { methane: 0.7, 'n-butane': 0.2, water: 0.1 },
    eos: 'CPA',
    cases: [
      ...Array.from({ length: 12 }, (_, k) => ({ temperature: 270 + 5 * k, pressure: 20 })),
      { flashType: 'PH' },
      { components: { metane: 1 } },
      { components: { methane: 2 } },
      7,
    ] as JsonValue[],
  };
  const table = {
    components: { methane: 0.9, 'n-butane': 0.2 },
    sweepFrom: 200,
    sweepTo: 320,
    fixedValue: 30,
    points: 15,
  };
  for (const threads of [1, 3]) {
    const sliced = pool(t, { threads, sliceMs: 0 });
    const done: number[] = [];
    const got = await sliced.run('runBatch', batch, { signal: never, progress: (k) => done.push(k) });
    t.same(got, CALCULATIONS.runBatch(batch, NO_CONTROL));
    t.ok(
      done.length > 1 && done.every((k, at) => at === 0 || k > done[at - 1]!),
      `one step after the other, each once: ${done}`,
    );
    t.same(
      await sliced.run('getPropertyTable', table, { signal: never }),
      CALCULATIONS.getPropertyTable(table, NO_CONTROL),
    );
  }
  const refused = pool(t, { threads: 1, sliceMs: 0 });
  await t.rejects(refused.run('runBatch', { ...batch, cases: [7, 8] }, { signal: never }), {
    code: 'INPUT_ERROR',
    message: /None of the 2 cases/,
  });
  await t.rejects(refused.run('runBatch', { ...batch, cases: [] }, { signal: never }), { code: 'EMPTY_CASES' });
});

t.test('before its deadline a batch answers with the cases it has', async (t) => {
  const calculations = pool(t, { threads: 2, sliceMs: 20 });
  // Both threads are up before the time counts.
  await Promise.all([1, 2].map(() => calculations.run('runFlash', FLASH, { signal: never })));
  const unending = { ...ENDLESS, cases: [{ flashType: 'TP', temperature: 300 }, ...ENDLESS.cases.slice(1)] };
  const deadline = performance.now() + 12_000;
  const answers = await Promise.all(
    Array.from({ length: 3 }, () =>
      calculations.run('runBatch', unending, { signal: AbortSignal.timeout(12_000), deadline }),
    ),
  );
  for (const { data, warnings, provenance } of answers) {
    const { summary, results } = data as { summary: { succeeded: number }; results: JsonObject[] };
    const stand = results.findIndex(({ errors }) => JSON.stringify(errors ?? '').includes('TIMEOUT'));
    t.ok(stand >= 1 && stand < 500, `${stand} cases computed`);
    t.match(data, { operationStatus: 'partial', summary: { totalCases: 500, failed: 500 - summary.succeeded } });
    t.match(results[0], { caseIndex: 0, status: 'success' });
    t.match(results[499], {
      caseIndex: 499,
      status: 'error',
      errors: [{ code: 'TIMEOUT', message: `Not computed: time ran out after ${stand} cases.`, remediation: /Split/ }],
    });
    t.match(
      warnings.find(({ code }) => code === 'TIME_RAN_OUT'),
      { severity: 'WARNING', message: new RegExp(`after ${stand} of 500 cases`) },
    );
    t.equal(provenance.calculation?.converged, false);
  }
});

t.test('a batch that had no turn before its deadline says so itself', async (t) => {
  const calculations = pool(t, { threads: 2, sliceMs: 60_000 });
  const leaving = new AbortController();
  const begun = gate();
  const holding = calculations
    .run('runBatch', ENDLESS, { signal: leaving.signal, progress: () => begun.resolve() })
    .catch(() => {});
  await begun.promise;
  const given = calculations.run('runBatch', ENDLESS, { signal: never, deadline: performance.now() + 400 });
  await t.rejects(given, { code: 'TIMEOUT', message: /None of the 500 cases.*after 0 cases/ });
  leaving.abort();
  await holding;
});

t.test('long calculations under way are bounded; single ones are not refused with them', async (t) => {
  const calculations = pool(t, { threads: 2, long: 1 });
  const leaving = new AbortController();
  const holding = calculations.run('runBatch', ENDLESS, { signal: leaving.signal }).catch(() => {});
  await t.rejects(calculations.run('runBatch', ENDLESS, { signal: never }), { code: 'DEPENDENCY_UNAVAILABLE' });
  t.match(await calculations.run('runFlash', FLASH, { signal: never }), { status: 'success' });
  leaving.abort();
  await holding;
  const short = { components: FLASH.components, cases: [{ temperature: 250 }] };
  t.match(await calculations.run('runBatch', short, { signal: never }), { status: 'success' });
});
