import { hasNoAnswer } from '../errors.ts';
import type { StabilityTest } from './stability-test.ts';

/** A change between stable and unstable feed along T at given p, or along p at given T. */
export interface StabilityLimit {
  /** Value of the unknown on the stable and on the unstable side, close to each other. */
  readonly stable: number;
  readonly unstable: number;
  /** Trial phase that proves instability on the unstable side. */
  readonly w: Float64Array;
}

const POINTS = 72;
const REFINEMENTS = 24;
const CLOSE = 1e-3;

interface Probe {
  readonly value: number;
  readonly unstable: boolean;
  /** Smallest non-trivial tangent plane distance; +Infinity when all trials fell back on the feed. */
  readonly margin: number;
  readonly w: Float64Array | undefined;
}

/**
 * Limits of stability of the feed z along the unknown (p when `given` is T, T when it is p) between lo and hi, in ascending order. A grid
 * even in the logarithm of the unknown is tested; every change is narrowed by bisection to 0.1 %; between grid points that are all stable, a
 * minimum of the stability margin is followed, so that a two-phase window narrower than the grid is found. Windows narrower than
 * the grid in which no trial gives a margin can be missed.
 */
export function limitsOfStability(
  test: StabilityTest,
  z: Float64Array,
  given: 'T' | 'p',
  value: number,
  lo: number,
  hi: number,
): StabilityLimit[] {
  const from = Math.log(lo);
  const to = Math.log(hi);
  const grid: Probe[] = [];
  for (let k = 0; k < POINTS; k++) {
    const found = probe(Math.exp(from + ((to - from) * k) / (POINTS - 1)));
    if (found !== undefined) grid.push(found);
  }
  const limits: StabilityLimit[] = [];
  for (let k = 0; k < grid.length; k++) {
    const here = grid[k]!;
    const next = grid[k + 1];
    const last = grid[k - 1];
    if (next !== undefined && last !== undefined && isDip(last, here, next)) {
      const inside = descend(last, here, next);
      if (inside !== undefined) limits.push(narrow(last, inside), narrow(next, inside));
    }
    if (next !== undefined && here.unstable !== next.unstable)
      limits.push(here.unstable ? narrow(next, here) : narrow(here, next));
  }
  return limits;

  function probe(unknown: number): Probe | undefined {
    let unstable: boolean;
    try {
      test.setFeed(given === 'T' ? value : unknown, given === 'T' ? unknown : value, z);
      unstable = test.testFeed() < 0;
    } catch (error) {
      // No density there: beyond what the model describes.
      if (hasNoAnswer(error)) return undefined;
      throw error;
    }
    return { value: unknown, unstable, margin: test.margin, w: unstable ? Float64Array.from(test.w) : undefined };
  }

  function narrow(stable: Probe, unstable: Probe): StabilityLimit {
    let outside = stable;
    let inside = unstable;
    for (let k = 0; k < REFINEMENTS && Math.abs(inside.value / outside.value - 1) > CLOSE; k++) {
      const middle = probe(Math.exp(0.5 * (Math.log(outside.value) + Math.log(inside.value))));
      if (middle === undefined) break;
      if (middle.unstable) inside = middle;
      else outside = middle;
    }
    return { stable: outside.value, unstable: inside.value, w: inside.w! };
  }

  /** Thirds of the interval around a minimum of the margin, until a state is unstable or the interval is small. */
  function descend(left: Probe, middle: Probe, right: Probe): Probe | undefined {
    let a = left;
    let b = middle;
    let c = right;
    for (let k = 0; k < REFINEMENTS; k++) {
      const wide = Math.log(b.value) - Math.log(a.value) > Math.log(c.value) - Math.log(b.value);
      const at = 0.5 * (Math.log(b.value) + Math.log(wide ? a.value : c.value));
      const found = probe(Math.exp(at));
      if (found === undefined) return undefined;
      if (found.unstable) return found;
      if (found.margin < b.margin) {
        if (wide) c = b;
        else a = b;
        b = found;
      } else if (wide) a = found;
      else c = found;
      if (Math.abs(c.value / a.value - 1) < CLOSE) return undefined;
    }
    return undefined;
  }
}

function isDip(last: Probe, here: Probe, next: Probe): boolean {
  return (
    !last.unstable &&
    !here.unstable &&
    !next.unstable &&
    here.margin < Number.POSITIVE_INFINITY &&
    here.margin <= last.margin &&
    here.margin <= next.margin
  );
}
