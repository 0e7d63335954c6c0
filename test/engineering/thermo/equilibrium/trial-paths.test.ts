import fc from 'fast-check';
import t from 'tap';
import { StabilityTest } from '../../../../src/engineering/thermo/equilibrium/stability-test.ts';
import { TrialPaths } from '../../../../src/engineering/thermo/equilibrium/trial-paths.ts';
import { EngineError, phaseEnvelope } from '../../../../src/engineering/thermo/index.ts';
import { randomFluid } from '../random-states.ts';

const active = Int32Array.of(0, 1);
const w = Float64Array.of(0.5, 0.5);
const at = (a: number, b: number) => Float64Array.of(a, b);

t.test('a trial meets the paths of earlier trials, not its own', async (t) => {
  const paths = new TrialPaths(2);
  paths.begin();
  t.notOk(paths.meet(at(0, 0), w, active));
  t.notOk(paths.meet(at(0, 0), w, active), 'its own point');
  paths.begin();
  t.notOk(paths.meet(at(1, 0), w, active), 'far away');
  t.ok(paths.meet(at(0.005, -0.005), w, active), 'near the first one');
});

t.test('a path that is dropped, or reset, is not met again', async (t) => {
  const paths = new TrialPaths(2);
  paths.begin();
  for (let k = 0; k < 100; k++) paths.meet(at(k, 0), w, active);
  paths.drop();
  paths.begin();
  t.notOk(paths.meet(at(50, 0), w, active));
  paths.begin();
  t.ok(paths.meet(at(50, 0), w, active));
  paths.reset();
  paths.begin();
  t.notOk(paths.meet(at(50, 0), w, active));
});

t.test('on the curves of random fluids the quick stability test says what the full one says', async (t) => {
  let stable = 0;
  let unstable = 0;
  let differing = 0;
  fc.assert(
    fc.property(randomFluid(), ({ fluid }) => {
      try {
        const { points } = phaseEnvelope(fluid, { stability: false });
        const test = new StabilityTest(fluid.eos);
        for (let k = 0; k < points.length; k += 5) {
          const { T, p, incipient } = points[k]!;
          test.setFeed(T, p, fluid.z);
          const full = test.testFeed() >= -1e-8;
          const quick = test.testSaturated(incipient, false) >= -1e-8;
          if (quick) stable++;
          else unstable++;
          if (quick !== full) differing++;
        }
      } catch (error) {
        if (!(error instanceof EngineError) || error.kind !== 'spec-unreachable') throw error;
      }
    }),
    { numRuns: 40, seed: 5 },
  );
  t.ok(stable > 300 && unstable > 50, `${stable} stable, ${unstable} unstable points`);
  t.equal(differing, 0);
});
