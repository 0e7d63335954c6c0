import fc from 'fast-check';
import t from 'tap';
import { getComponent } from '../../../../../src/engineering/thermo/components/component-lookup.ts';
import { cubicRoots } from '../../../../../src/engineering/thermo/models/cubic/cubic-root.ts';
import { pengRobinson } from '../../../../../src/engineering/thermo/models/cubic/peng-robinson.ts';
import { srk } from '../../../../../src/engineering/thermo/models/cubic/srk.ts';
import { engineErrorOf } from '../../engine-error-of.ts';
import { failures, modelChecks } from '../../model-checks.ts';

const names = ['methane', 'ethane', 'n-heptane', 'CO2', 'nitrogen', 'H2S', 'water', 'nC20'];
const components = names.map(getComponent);

const composition = fc
  .array(fc.double({ min: 1e-3, max: 1, noNaN: true }), { minLength: names.length, maxLength: names.length })
  .map((raw) => {
    const total = raw.reduce((a, b) => a + b, 0);
    return Float64Array.from(raw, (v) => v / total);
  });

for (const [label, eos] of [
  ['SRK', srk(components)],
  ['PR', pengRobinson(components)],
  ['SRK with Mathias-Copeman', srk(components, { alpha: 'mathias-copeman' })],
  ['PR with Mathias-Copeman', pengRobinson(components, { alpha: 'mathias-copeman' })],
] as const)
  t.test(`${label} gives consistent fugacities, residuals and derivatives`, async (t) => {
    fc.assert(
      fc.property(
        composition,
        fc.double({ min: 200, max: 600, noNaN: true }),
        fc.double({ min: 4, max: 7.7, noNaN: true }),
        fc.constantFrom('vapour' as const, 'liquid' as const),
        (x, T, lgp, branch) => {
          // A spinodal next to the state makes central differences meaningless: step only where both roots keep clear.
          const p = 10 ** lgp;
          const densities = [-1, 0, 1].map((k) => eos.density(T * (1 + 3e-4 * k), p, x, branch));
          fc.pre(Math.abs(densities[0]! / densities[2]! - 1) < 2e-3);
          t.same(failures(modelChecks(eos, T, p, x, branch)), []);
        },
      ),
      { numRuns: 300, seed: 17 },
    );
  });

t.test('the cubic solver finds planted roots', async (t) => {
  const out = new Float64Array(3);
  fc.assert(
    fc.property(fc.tuple(root(), root(), root()), ([a, b, c]) => {
      const [r0, r1, r2] = [a, b, c].sort((u, v) => u - v) as [number, number, number];
      const scale = Math.max(Math.abs(r0), Math.abs(r2));
      fc.pre(scale > 1e-3 && r1 - r0 > 1e-4 * scale && r2 - r1 > 1e-4 * scale);
      const count = cubicRoots(-(a + b + c), a * b + b * c + a * c, -a * b * c, out);
      t.equal(count, 3);
      for (const [k, expected] of [r0, r1, r2].entries()) t.ok(Math.abs(out[k]! - expected) < 1e-9 * scale);
    }),
    { numRuns: 500, seed: 3 },
  );
  function root() {
    return fc.integer({ min: -10000, max: 30000 }).map((v) => v / 1e4);
  }
});

t.test('the liquid root keeps its relative precision at vanishing pressure', async (t) => {
  const eos = srk([getComponent('nC20')]);
  const x = Float64Array.of(1);
  const dense = eos.density(300, 1e5, x, 'liquid');
  t.ok(Math.abs(eos.density(300, 1e-2, x, 'liquid') / dense - 1) < 1e-3);
  t.ok(Math.abs(eos.density(300, 1e-8, x, 'liquid') / dense - 1) < 1e-3);
});

t.test('ions and incomplete components are refused with a typed error', async (t) => {
  t.equal(engineErrorOf(() => srk([getComponent('water'), getComponent('Na+')])).kind, 'invalid-input');
  t.equal(engineErrorOf(() => srk([{ ...getComponent('methane'), omega: Number.NaN }])).kind, 'missing-data');
});

t.test('pairs that the table does not hold are named', async (t) => {
  const eos = srk(['methane', 'ethane', 'R22'].map(getComponent));
  t.same(
    eos.missingPairs.map(({ i, j }) => [i, j]),
    [
      [0, 2],
      [1, 2],
    ],
  );
});
