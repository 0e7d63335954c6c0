import fc from 'fast-check';
import t from 'tap';
import { multiphaseRachfordRice, rachfordRice } from '../../../../src/engineering/thermo/equilibrium/rachford-rice.ts';

const ratios = (n: number) => fc.array(fc.double({ min: -14, max: 14, noNaN: true }), { minLength: n, maxLength: n });
const fractions = (n: number) =>
  fc.array(fc.double({ min: 1e-8, max: 1, noNaN: true }), { minLength: n, maxLength: n });

function normalised(raw: readonly number[]): Float64Array {
  const total = raw.reduce((a, b) => a + b, 0);
  return Float64Array.from(raw, (v) => v / total);
}

t.test('the two-phase amounts close the balance for any ratios on both sides of one', async (t) => {
  fc.assert(
    fc.property(fractions(6), ratios(6), (raw, lnK) => {
      fc.pre(Math.max(...lnK) > 1e-3 && Math.min(...lnK) < -1e-3);
      const z = normalised(raw);
      const K = Float64Array.from(lnK, Math.exp);
      const beta = rachfordRice(6, z, K);
      let sumX = 0;
      let sumY = 0;
      for (let i = 0; i < 6; i++) {
        const x = z[i]! / (1 + beta * (K[i]! - 1));
        t.ok(x > 0, 'both compositions stay positive, also in a negative flash');
        sumX += x;
        sumY += K[i]! * x;
      }
      t.ok(Math.abs(sumX - 1) < 1e-6 && Math.abs(sumY - 1) < 1e-6, `sums ${sumX} and ${sumY}`);
    }),
    { numRuns: 500, seed: 1 },
  );
});

t.test('ratios that allow one phase only say which', async (t) => {
  const z = Float64Array.of(0.5, 0.5);
  t.equal(rachfordRice(2, z, Float64Array.of(2, 3)), Number.POSITIVE_INFINITY);
  t.equal(rachfordRice(2, z, Float64Array.of(0.2, 0.3)), Number.NEGATIVE_INFINITY);
});

t.test('a component of zero amount does not move the answer', async (t) => {
  const plain = rachfordRice(2, Float64Array.of(0.4, 0.6), Float64Array.of(3, 0.2));
  t.equal(rachfordRice(3, Float64Array.of(0.4, 0, 0.6), Float64Array.of(3, 1e9, 0.2)), plain);
});

t.test('many-phase amounts satisfy the conditions of the convex minimum', async (t) => {
  fc.assert(
    fc.property(fractions(5), fc.tuple(ratios(5), ratios(5), ratios(5)), (raw, lnPhi) => {
      const z = normalised(raw);
      const beta = Float64Array.of(1, 1, 1);
      multiphaseRachfordRice(
        z,
        lnPhi.map((l) => Float64Array.from(l)),
        beta,
      );
      const E = [...z.keys()].map((i) => lnPhi.reduce((sum, l, k) => sum + beta[k]! * Math.exp(-l[i]!), 0));
      for (let k = 0; k < 3; k++) {
        let g = 1;
        for (let i = 0; i < 5; i++) g -= (z[i]! * Math.exp(-lnPhi[k]![i]!)) / E[i]!;
        // beta >= 0, gradient >= 0, and one of them zero.
        t.ok(beta[k]! >= 0);
        t.ok(beta[k]! > 0 ? Math.abs(g) < 1e-7 : g > -1e-7, `gradient ${g} at amount ${beta[k]}`);
      }
    }),
    { numRuns: 300, seed: 2 },
  );
});

t.test('two phases by either route agree', async (t) => {
  const z = Float64Array.of(0.3, 0.3, 0.4);
  const K = Float64Array.of(4, 1.1, 0.1);
  const beta = Float64Array.of(0.5, 0.5);
  multiphaseRachfordRice(z, [new Float64Array(3), Float64Array.from(K, Math.log)], beta);
  t.ok(Math.abs(beta[0]! - rachfordRice(3, z, K)) < 1e-12);
});
