/**
 * Real roots of z^3 + c2 z^2 + c1 z + c0 = 0, without trigonometry.
 *
 * Halley's iteration starts on the side of the inflection point where it converges monotonically to an outer root; the
 * cubic is then deflated to a quadratic (U. K. Deiters, R. Macias-Salinas, Ind. Eng. Chem. Res. 53 (2014) 2529,
 * doi:10.1021/ie4038664). Every root is polished on the undeflated polynomial.
 */

const MAX_ITERATIONS = 50;

/** Writes the real roots in ascending order into `roots` (length 3) and returns how many there are (1 or 3). */
export function cubicRoots(c2: number, c1: number, c0: number, roots: Float64Array): 1 | 3 {
  const inflection = -c2 / 3;
  const atInflection = ((inflection + c2) * inflection + c1) * inflection + c0;
  const discriminant = c2 * c2 - 3 * c1;
  let z: number;
  if (discriminant <= 0) {
    // Monotone polynomial: one root; begin at the inflection point, bounded away by the cube root of the offset.
    z = inflection - Math.cbrt(atInflection);
  } else {
    // Outer bound of Laguerre, Nair and Samuelson on the side where the outer root lies.
    const reach = (2 / 3) * Math.sqrt(discriminant);
    const side = atInflection > 0 ? -1 : 1;
    z = inflection + side * reach;
    // One real root may lie beyond the bound: step out until the sign fits, so that the iteration stays monotone.
    const f = ((z + c2) * z + c1) * z + c0;
    if (f * side < 0) z += side * Math.cbrt(Math.abs(f));
  }
  z = polish(z, c2, c1, c0);
  // Deflation: z^2 + p z + q.
  const p = c2 + z;
  const q = Math.abs(z) > 1e-9 ? -c0 / z : c1 + z * p;
  const quadratic = p * p - 4 * q;
  if (quadratic < 0) {
    roots[0] = z;
    return 1;
  }
  const half = -0.5 * (p + (p >= 0 ? 1 : -1) * Math.sqrt(quadratic));
  const a = polish(half, c2, c1, c0);
  const b = half === 0 ? 0 : polish(q / half, c2, c1, c0);
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  roots[0] = Math.min(z, low);
  roots[1] = Math.min(Math.max(z, low), high);
  roots[2] = Math.max(z, high);
  return 3;
}

function polish(start: number, c2: number, c1: number, c0: number): number {
  let z = start;
  for (let k = 0; k < MAX_ITERATIONS; k++) {
    const f = ((z + c2) * z + c1) * z + c0;
    const d1 = (3 * z + 2 * c2) * z + c1;
    const d2 = 6 * z + 2 * c2;
    const halley = 2 * d1 * d1 - f * d2;
    const step = halley === 0 ? 0 : (2 * f * d1) / halley;
    z -= step;
    // Cubic convergence: when a step is below 1e-6 relative, the next one is below rounding.
    if (Math.abs(step) <= 1e-6 * Math.abs(z)) {
      const g = ((z + c2) * z + c1) * z + c0;
      const slope = (3 * z + 2 * c2) * z + c1;
      return slope === 0 ? z : z - g / slope;
    }
  }
  return z;
}
