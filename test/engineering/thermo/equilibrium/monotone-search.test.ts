import fc from 'fast-check';
import t from 'tap';
import { monotoneSearch } from '../../../../src/engineering/thermo/equilibrium/monotone-search.ts';
import { engineErrorOf } from '../engine-error-of.ts';

const LIMITS = { lo: -10, hi: 10, stride: 0.5 };

t.test('finds the solution of rising functions with kinks', async (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      (solution, kink, steep) => {
        const f = (x: number) => x ** 3 / 50 + x + (x > kink ? steep * (x - kink) : 0);
        const slope = (x: number) => (3 * x * x) / 50 + 1 + (x > kink ? steep : 0);
        const result = monotoneSearch<number>(
          (x) => ({ state: x, value: f(x), slope: slope(x) }),
          f(solution),
          0,
          LIMITS,
        );
        if (result.kind !== 'found' || Math.abs(result.state - solution) > 1e-8)
          throw new Error(JSON.stringify(result));
      },
    ),
    { numRuns: 500, seed: 1 },
  );
  t.pass('500 functions');
});

t.test('does without slopes', async (t) => {
  const result = monotoneSearch<number>((x) => ({ state: x, value: Math.exp(x), slope: Number.NaN }), 7, 0, LIMITS);
  t.ok(result.kind === 'found' && Math.abs(result.state - Math.log(7)) < 1e-9);
});

t.test('reports a jump with both sides', async (t) => {
  const jump = (x: number) => ({ state: x, value: x + (x > 1.2345 ? 10 : 0), slope: 1 });
  const result = monotoneSearch<number>(jump, 5, 0, LIMITS);
  t.equal(result.kind, 'jump');
  if (result.kind !== 'jump') return;
  t.ok(Math.abs(result.below.state - 1.2345) < 1e-12 && Math.abs(result.above.state - 1.2345) < 1e-12);
  t.ok(result.below.value < 2 && result.above.value > 10);
});

t.test('says on which side a value out of reach lies', async (t) => {
  const line = (x: number) => ({ state: x, value: x, slope: 1 });
  const high = monotoneSearch<number>(line, 11, 0, LIMITS);
  const low = monotoneSearch<number>(line, -11, 0, LIMITS);
  t.match(high, { kind: 'beyond', side: 'above' });
  t.match(low, { kind: 'beyond', side: 'below' });
});

t.test('a search that does not get near one place is an error, not a jump', async (t) => {
  // Slopes a thousand times too steep leave bisection alone, which 140 states do not bring from millions to one place.
  const line = (x: number) => ({ state: x, value: x, slope: 1e3 });
  const error = engineErrorOf(() => monotoneSearch<number>(line, 0.1234, -1e6, { lo: -1e6, hi: 1e7, stride: 2e6 }));
  t.equal(error.kind, 'not-converged');
});
