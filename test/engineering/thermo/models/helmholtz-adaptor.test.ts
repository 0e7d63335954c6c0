import fc from 'fast-check';
import t from 'tap';
import { getComponent } from '../../../../src/engineering/thermo/components/component-lookup.ts';
import type { HelmholtzModel, HelmholtzState } from '../../../../src/engineering/thermo/model.ts';
import { srk } from '../../../../src/engineering/thermo/models/cubic/srk.ts';
import { fromHelmholtz } from '../../../../src/engineering/thermo/models/helmholtz-adaptor.ts';
import { failures, modelChecks } from '../model-checks.ts';

/**
 * A van der Waals fluid written as a Helmholtz energy: a = -ln(1 - b rho) - rho (sum x sqrt(a_i))^2 / (R T). Its pressure and
 * roots are known in closed form, so it tests the adaptor alone.
 */
const R = 8.314462618;
const rootA = [0.48, 1.4];
const b = [4.3e-5, 1.16e-4];

const vanDerWaals: HelmholtzModel = {
  id: 'HELMHOLTZ',
  n: 2,
  components: ['methane', 'n-butane'].map(getComponent),
  validity: {
    minT: 0,
    maxT: 1e4,
    minP: 0,
    maxP: 1e9,
    status: 'unvalidated',
    notes: [],
    reference: 'van der Waals 1873',
  },
  gasConstant: R,
  maxDensity: (_T, x) => 0.999999 / (x[0]! * b[0]! + x[1]! * b[1]!),
  evaluate(T, rho, x, _order, out: HelmholtzState) {
    const B = x[0]! * b[0]! + x[1]! * b[1]!;
    const S = x[0]! * rootA[0]! + x[1]! * rootA[1]!;
    const free = 1 - B * rho;
    const rt = R * T;
    const A = (S * S) / rt;
    out.a = -Math.log(free) - rho * A;
    out.a_rho = B / free - A;
    out.a_rhorho = (B * B) / (free * free);
    out.a_T = (rho * A) / T;
    out.a_TT = (-2 * rho * A) / (T * T);
    out.a_Trho = A / T;
    for (let i = 0; i < 2; i++) {
      const bi = b[i]!;
      const si = rootA[i]!;
      out.mu[i] = -Math.log(free) + (bi * rho) / free - (2 * rho * S * si) / rt;
      out.mu_T[i] = (2 * rho * S * si) / (rt * T);
      out.mu_rho[i] = B / free + bi / (free * free) - (2 * S * si) / rt;
      for (let j = 0; j < 2; j++)
        out.mu_n[i * 2 + j] =
          (rho * (bi + b[j]!)) / free + (bi * b[j]! * rho * rho) / (free * free) - (2 * rho * si * rootA[j]!) / rt;
    }
  },
};

t.test('an adapted Helmholtz model gives consistent fugacities, residuals and derivatives', async (t) => {
  const eos = fromHelmholtz(vanDerWaals);
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      fc.double({ min: 150, max: 600, noNaN: true }),
      fc.double({ min: 4, max: 8, noNaN: true }),
      fc.constantFrom('vapour' as const, 'liquid' as const, 'stable' as const),
      (x0, T, lgp, branch) => {
        const x = Float64Array.of(x0, 1 - x0);
        const p = 10 ** lgp;
        const densities = [-1, 0, 1].map((k) => eos.density(T * (1 + 3e-4 * k), p, x, branch));
        fc.pre(Math.abs(densities[0]! / densities[2]! - 1) < 2e-3);
        t.same(failures(modelChecks(eos, T, p, x, branch)), []);
      },
    ),
    { numRuns: 300, seed: 5 },
  );
});

t.test('the density solver returns the outermost stable roots of the van der Waals cubic', async (t) => {
  const eos = fromHelmholtz(vanDerWaals);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 60, max: 700, noNaN: true }),
      fc.double({ min: 2, max: 8.5, noNaN: true }),
      (x0, T, lgp) => {
        const x = Float64Array.of(x0, 1 - x0);
        const p = 10 ** lgp;
        const B = x[0]! * b[0]! + x[1]! * b[1]!;
        const S = x[0]! * rootA[0]! + x[1]! * rootA[1]!;
        const roots = scanRoots((rho) => (rho * R * T) / (1 - B * rho) - S * S * rho * rho - p, 1 / B);
        fc.pre(roots.length > 0);
        const vapour = eos.density(T, p, x, 'vapour');
        const liquid = eos.density(T, p, x, 'liquid');
        t.ok(Math.abs(vapour / roots[0]! - 1) < 1e-6, `vapour ${vapour} is the lowest root of ${roots}`);
        t.ok(Math.abs(liquid / roots.at(-1)! - 1) < 1e-6, `liquid ${liquid} is the highest root of ${roots}`);
        const stable = eos.density(T, p, x, 'stable');
        t.ok(stable === vapour || stable === liquid || Math.abs(stable / liquid - 1) < 1e-6);
      },
    ),
    { numRuns: 400, seed: 11 },
  );
});

t.test('the cubic core and the adaptor share one convention for branches', async (t) => {
  const cubic = srk([getComponent('propane')]);
  const adapted = fromHelmholtz(vanDerWaals);
  const pure = Float64Array.of(1);
  const mixed = Float64Array.of(0, 1);
  // Subcritical and compressed: one root, given for every branch.
  for (const [eos, x] of [
    [cubic, pure],
    [adapted, mixed],
  ] as const) {
    t.equal(eos.density(250, 5e7, x, 'vapour'), eos.density(250, 5e7, x, 'vapour'));
    t.ok(Math.abs(eos.density(250, 5e7, x, 'vapour') / eos.density(250, 5e7, x, 'liquid') - 1) < 1e-12);
    t.ok(Number.isNaN(eos.density(250, -1, x, 'vapour')));
  }
});

/** Stable roots (rising through zero) found by a fine scan in rho and bisection. */
function scanRoots(f: (rho: number) => number, max: number): number[] {
  const roots: number[] = [];
  const steps = 4000;
  // Fine near zero and near packing, where gas and liquid roots crowd.
  const at = (k: number) => max * 0.5 * (1 - Math.cos((Math.PI * k) / steps)) * (1 - 1e-9);
  let last = 0;
  for (let k = 1; k <= steps; k++) {
    const rho = at(k);
    if (f(last) < 0 && f(rho) >= 0) {
      let [lo, hi] = [last, rho];
      for (let i = 0; i < 80; i++) {
        const mid = 0.5 * (lo + hi);
        if (f(mid) < 0) lo = mid;
        else hi = mid;
      }
      roots.push(0.5 * (lo + hi));
    }
    last = rho;
  }
  return roots;
}
