/**
 * SRK and PR with the mixing rules of Wong and Sandler and the NRTL parameters of the ChemSep collection.
 *
 * k_ij of the second virial cross coefficient: the table's column is filled for few pairs and mixed up, so it is determined by the authors' own condition, that the
 * equation of state gives the excess Gibbs energy of the activity model at low pressure and x = 0.5; here at the lower of the two normal boiling points, near which the
 * NRTL parameters were fitted, where the authors took 25 C. The alpha functions are those of Twu where the table holds them unless another is named, for the
 * rules carry over the activity model only as far as the vapour pressures are right.
 *
 * It guarantees that every pair has a complete parameter set and that the liquid then has the activity coefficients of NRTL to 0.3 in the logarithm at that temperature, from
 * x = 0.05 to 0.95. Molecules of very different size, ethanol + nC16 or 1-hexanol + water, miss that; they and pairs without parameters are refused with 'missing-data'.
 */
import type { Component } from '../../components/component.ts';
import { R_CUBIC } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { EquationOfState, Validity } from '../../model.ts';
import { fromHelmholtz } from '../helmholtz-adaptor.ts';
import { type AlphaName, type CubicFamily, cubicPure, pureRule, withAlphaNotes } from './classic-cubic.ts';
import { type HuronVidalPair, huronVidalNrtl } from './huron-vidal-nrtl.ts';
import { nrtlPair } from './nrtl-parameters.ts';
import { WongSandlerModel } from './wong-sandler.ts';

const MATCH_P = 1e5;
/** Bounds of k_ij and number of bisections; what is left is below 1e-12. */
const LARGEST_K = 0.99;
const STEPS = 42;
/** Largest difference in ln gamma to NRTL, and the mole fractions it is looked at. */
const LARGEST_ERROR = 0.3;
const CHECKED = [0.05, 0.2, 0.5, 0.8, 0.95];
/** Pairs that the tests compare with measured vapour-liquid equilibria. */
const VALIDATED = new Set(['methanol|water', 'ethanol|water', 'tert-butanol|water']);
const NOTE =
  'Wong-Sandler with NRTL: for vapour-liquid equilibria below 5 bar, for which the parameters were fitted; liquid-liquid equilibria are not validated.';

/** `alpha` as CubicOptions.alpha, here 'twu' when not named. Throws as classicCubic, and 'missing-data' for a pair without NRTL parameters. */
export function wongSandler(
  family: CubicFamily,
  components: readonly Component[],
  alpha: AlphaName = 'twu',
): EquationOfState {
  const n = components.length;
  const own = validityOf(family, components, alpha);
  const kij = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const k = matchedK(family, [components[i]!, components[j]!], alpha, own);
      kij[i * n + j] = k;
      kij[j * n + i] = k;
    }
  return build(family, components, alpha, own, kij);
}

function validityOf(family: CubicFamily, components: readonly Component[], alpha: AlphaName): Validity {
  const { validity } = withAlphaNotes(family, components, alpha);
  const unchecked: string[] = [];
  for (const [i, { name }] of components.entries())
    for (const other of components.slice(i + 1))
      if (!VALIDATED.has(`${name}|${other.name}`) && !VALIDATED.has(`${other.name}|${name}`))
        unchecked.push(`${name} + ${other.name}`);
  return {
    ...validity,
    minT: 250,
    maxT: 450,
    maxP: 1e6,
    status: unchecked.length > 0 || alpha !== 'twu' ? 'unvalidated' : validity.status,
    notes: [
      ...validity.notes.filter((note) => !note.includes('mutual solubilities')),
      NOTE,
      ...(unchecked.length > 0 ? [`Not compared with measurements: ${unchecked.join(', ')}.`] : []),
    ],
    reference: 'Wong and Sandler, AIChE J. 38 (1992) 671',
  };
}

function build(
  family: CubicFamily,
  components: readonly Component[],
  alpha: AlphaName,
  validity: Validity,
  kij: Float64Array,
): EquationOfState {
  const { delta1, delta2 } = family;
  const n = components.length;
  const pure = cubicPure(family, components, pureRule(family, alpha));
  // The NRTL of Huron and Vidal with covolumes of 1 is NRTL; every pair is listed, so that neither attraction nor kij enters.
  const excess = huronVidalNrtl(
    pure.attraction,
    new Float64Array(n).fill(1),
    new Float64Array(n * n),
    nrtlPairs(components),
    1,
    R_CUBIC,
  );
  return fromHelmholtz(
    new WongSandlerModel({
      ...pure,
      id: family.id,
      components,
      validity,
      gasConstant: R_CUBIC,
      delta1,
      delta2,
      excess,
      kij,
    }),
  );
}

function nrtlPairs(components: readonly Component[]): HuronVidalPair[] {
  const pairs: HuronVidalPair[] = [];
  for (let i = 0; i < components.length; i++)
    for (let j = i + 1; j < components.length; j++) {
      const pair = [components[i]!, components[j]!] as const;
      const found = nrtlPair(pair[0].name, pair[1].name);
      if (found === undefined) refuse(pair, 'complete NRTL parameter set for the Wong-Sandler rule');
      pairs.push({ i, j, alpha: found.alpha, gij: found.bij, gji: found.bji, gijT: 0, gjiT: 0 });
    }
  return pairs;
}

/** k_ij at which the excess Gibbs energy of the equimolar liquid is that of NRTL; it rises with k_ij. */
function matchedK(
  family: CubicFamily,
  pair: readonly [Component, Component],
  alpha: AlphaName,
  validity: Validity,
): number {
  const pairs = nrtlPairs(pair);
  const T = Math.min(pair[0].Tb, pair[1].Tb);
  const x = Float64Array.of(0.5, 0.5);
  const lnGamma = new Float64Array(2);
  const { attraction } = cubicPure(family, pair, pureRule(family, alpha));
  const nrtl = huronVidalNrtl(attraction, Float64Array.of(1, 1), new Float64Array(4), pairs, 1, R_CUBIC);
  nrtl.evaluate(T, x, 0);
  const wanted = nrtl.state.value;
  let low = -LARGEST_K;
  let high = LARGEST_K;
  const withK = (k: number) => build(family, pair, alpha, validity, Float64Array.of(0, k, k, 0));
  for (let step = 0; step < STEPS; step++) {
    const k = 0.5 * (low + high);
    activity(withK(k), T, x, lnGamma);
    if (0.5 * (lnGamma[0]! + lnGamma[1]!) < wanted) low = k;
    else high = k;
  }
  const k = 0.5 * (low + high);
  const eos = withK(k);
  for (const first of CHECKED) {
    x[0] = first;
    x[1] = 1 - first;
    nrtl.evaluate(T, x, 0);
    activity(eos, T, x, lnGamma);
    const error = Math.max(...lnGamma.map((value, i) => Math.abs(value - nrtl.state.n[i]!)));
    // Not '>': a NaN is refused as well.
    if (!(error <= LARGEST_ERROR)) refuse(pair, 'NRTL parameter set that the Wong-Sandler rule can carry over');
  }
  return k;
}

/** ln gamma of the liquid at T and 1 bar. */
function activity(eos: EquationOfState, T: number, x: Float64Array, out: Float64Array): void {
  const pure = new Float64Array(2);
  eos.lnPhi(T, MATCH_P, x, 'liquid', out);
  for (let i = 0; i < 2; i++) {
    eos.lnPhi(T, MATCH_P, Float64Array.of(1 - i, i), 'liquid', pure);
    out[i] = out[i]! - pure[i]!;
  }
}

function refuse(pair: readonly [Component, Component], property: string): never {
  throw new EngineError({ kind: 'missing-data', component: `${pair[0].name} + ${pair[1].name}`, property });
}
