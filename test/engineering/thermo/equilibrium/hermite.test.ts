import fc from 'fast-check';
import t from 'tap';
import { type CurvePoint, hermite } from '../../../../src/engineering/thermo/equilibrium/hermite.ts';

/** A point of the curve (x, f(x)), with its tangent in a scale of its own. */
function pointOf(f: (x: number) => number, slope: (x: number) => number, x: number, scale: number): CurvePoint {
  return { u: Float64Array.of(x, f(x)), tangent: Float64Array.of(scale, scale * slope(x)) };
}

t.test('a polynomial of degree 2 count - 1 is met exactly, whatever the scale of the tangents', async (t) => {
  const scales = [1, -0.3, 7];
  for (const count of [1, 2, 3]) {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 6, maxLength: 6 }),
        fc.double({ min: -1, max: 3, noNaN: true }),
        (coefficients, at) => {
          const used = coefficients.slice(0, 2 * count);
          const f = (x: number) => used.reduceRight((sum, c) => sum * x + c, 0);
          const slope = (x: number) => used.reduceRight((sum, c, k) => (k === 0 ? sum : sum * x + k * c), 0);
          const points = [0, 0.7, 1.1].map((x, k) => pointOf(f, slope, x, scales[k]!));
          const out = new Float64Array(2);
          hermite(points, count, 0, at, out);
          if (out[0] !== at || !(Math.abs(out[1]! - f(at)) < 1e-9)) throw new Error(`${out[1]} for ${f(at)}`);
        },
      ),
    );
    t.pass(`${count} points`);
  }
});

t.test('three points predict the next one of a smooth curve better than two', async (t) => {
  const points = [0, 0.1, 0.2].map((x) => pointOf(Math.exp, Math.exp, x, 1));
  const error = (count: number) => {
    const out = new Float64Array(2);
    hermite(points, count, 0, 0.3, out);
    return Math.abs(out[1]! - Math.exp(0.3));
  };
  t.ok(error(3) < 1e-2 * error(2) && error(2) < 1e-2 * error(1), `${error(1)}, ${error(2)}, ${error(3)}`);
});
