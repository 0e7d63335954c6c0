/**
 * Splitting a plus fraction: the molar masses M of its molecules follow the three-parameter gamma distribution
 *
 *   p(M) = (M - eta)^(alpha - 1) exp(-(M - eta)/beta) / (beta^alpha Gamma(alpha)),   beta = (mean M - eta)/alpha,
 *
 * so that with y = (M - eta)/beta the molecules below M are P(alpha, y) of all, with mean mass in a cut eta + alpha beta dP(alpha + 1, y)/dP(alpha, y), where P
 * is the regularised incomplete gamma function. Specific gravities of the cuts follow SG = c M^0.17947 (constant Watson factor), c chosen so that the cuts together
 * have the volume of the plus fraction.
 *
 * alpha 0.5 to 2.5 (1 is exponential, the default; below 1 for gas condensates, above for heavy oils), eta about 90 g/mol for C7+. C. H. Whitson, SPE Journal 23 (1983) 683,
 * doi:10.2118/12233-PA; Watson factor of M and SG: M. R. Riazi, T. E. Daubert, Hydrocarbon Processing 59 (1980) 115.
 */
import { EngineError } from '../../errors.ts';
import { within } from './critical-properties.ts';

export interface PlusFraction {
  /** Mole fraction (or moles) in the whole fluid. */
  readonly moleFraction: number;
  /** Mean [kg/mol]. */
  readonly molarMass: number;
  /** 60 F/60 F. */
  readonly SG: number;
}

export interface GammaShape {
  readonly alpha?: number;
  /** Smallest molar mass [kg/mol]. */
  readonly eta?: number;
}

export interface Cut extends PlusFraction {
  /** Molar masses [kg/mol] between which the cut lies; the last upper bound is Infinity. */
  readonly lower: number;
  readonly upper: number;
}

const DEFAULT_ALPHA = 1;
const DEFAULT_ETA = 0.09;
const SG_EXPONENT = 0.17947;

/**
 * Cuts at the molar masses `bounds` [kg/mol], ascending and above eta; one cut more than bounds. Moles, mass and volume of the plus fraction are kept.
 * Throws 'outside-range' and 'invalid-input'.
 */
export function splitAtBounds(plus: PlusFraction, bounds: readonly number[], shape: GammaShape = {}): Cut[] {
  const { alpha, eta, beta } = parameters(plus, shape);
  let lower = eta;
  for (const bound of bounds) {
    if (!(bound > lower && Number.isFinite(bound))) invalid('bounds', 'molar masses must ascend from eta');
    lower = bound;
  }
  const edges = [eta, ...bounds, Number.POSITIVE_INFINITY];
  const share = (a: number, M: number) => (M === Number.POSITIVE_INFINITY ? 1 : incompleteGamma(a, (M - eta) / beta));
  const cuts = edges.slice(1).map((upper, i) => {
    const moles = share(alpha, upper) - share(alpha, edges[i]!);
    if (!(moles > 1e-12)) invalid('bounds', `no molecules between ${edges[i]! * 1e3} and ${upper * 1e3} g/mol`);
    const mass = eta * moles + alpha * beta * (share(alpha + 1, upper) - share(alpha + 1, edges[i]!));
    return { lower: edges[i]!, upper, moleFraction: moles * plus.moleFraction, molarMass: mass / moles };
  });
  let mass = 0;
  let weighted = 0;
  for (const cut of cuts) {
    mass += cut.moleFraction * cut.molarMass;
    weighted += cut.moleFraction * cut.molarMass ** (1 - SG_EXPONENT);
  }
  const c = (plus.SG * weighted) / mass;
  return cuts.map((cut) => ({ ...cut, SG: c * cut.molarMass ** SG_EXPONENT }));
}

/** `count` cuts of equal moles or equal mass. Throws as splitAtBounds. */
export function splitEqually(
  plus: PlusFraction,
  count: number,
  basis: 'moles' | 'mass',
  shape: GammaShape = {},
): Cut[] {
  if (!(Number.isInteger(count) && count >= 1 && count <= 40)) invalid('count', 'a whole number of cuts from 1 to 40');
  const { alpha, eta, beta } = parameters(plus, shape);
  const below = (y: number) =>
    basis === 'moles'
      ? incompleteGamma(alpha, y)
      : (eta * incompleteGamma(alpha, y) + alpha * beta * incompleteGamma(alpha + 1, y)) / plus.molarMass;
  const bounds: number[] = [];
  for (let k = 1; k < count; k++) bounds.push(eta + beta * inverse(below, k / count));
  return splitAtBounds(plus, bounds, shape);
}

function parameters(plus: PlusFraction, shape: GammaShape) {
  const alpha = shape.alpha ?? DEFAULT_ALPHA;
  const eta = shape.eta ?? DEFAULT_ETA;
  within('alpha', alpha, 0.3, 5, '-');
  within('specific gravity', plus.SG, 0.6, 1.1, '-');
  if (!(plus.moleFraction > 0)) invalid('moleFraction', 'must be above 0');
  if (!(eta >= 0)) invalid('eta', 'must not be negative');
  if (!(plus.molarMass > eta && Number.isFinite(plus.molarMass)))
    invalid('molarMass', `the mean molar mass must be above the smallest, ${eta * 1e3} g/mol`);
  return { alpha, eta, beta: (plus.molarMass - eta) / alpha };
}

/** y with below(y) = wanted, below rising from 0 to 1. */
function inverse(below: (y: number) => number, wanted: number): number {
  let lo = 0;
  let hi = 1;
  while (below(hi) < wanted) hi *= 2;
  for (let k = 0; k < 200 && hi - lo > 1e-15 * hi; k++) {
    const middle = 0.5 * (lo + hi);
    if (below(middle) < wanted) lo = middle;
    else hi = middle;
  }
  return 0.5 * (lo + hi);
}

/** Regularised lower incomplete gamma function P(a, x), a > 0, x >= 0: by its series below a + 1, above by the continued fraction of the complement. */
export function incompleteGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  const front = Math.exp(a * Math.log(x) - x - lnGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return front * sum;
  }
  // Lentz's method for 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - ...)).
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 10_000; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    const factor = c * d;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return 1 - front * h;
}

/** ln Gamma(a), a > 0: Stirling's series after raising a to 10 or more. */
function lnGamma(a: number): number {
  let shift = 0;
  let x = a;
  while (x < 10) {
    shift += Math.log(x);
    x++;
  }
  const r = 1 / (x * x);
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - (r * 1) / 1188)))) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
