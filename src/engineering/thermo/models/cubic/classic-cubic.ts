/** Builds SRK and PR from component constants: what the two share. The constants are in srk.ts and peng-robinson.ts. */
import type { Component } from '../../components/component.ts';
import { ATM, R_CUBIC } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { EquationOfState, MissingPair, ModelId, Validity } from '../../model.ts';
import { type AlphaFunction, mathiasCopemanAlpha, soaveAlpha, twuAlpha } from './alpha.ts';
import { binaryValue } from './binary-interaction.ts';
import { CubicEquationOfState } from './cubic-eos.ts';
import type { MixingRule, PureAttraction } from './mixing-rule.ts';
import { pureAttraction } from './pure-attraction.ts';
import type { TwuCoefficients } from './twu-coefficients.ts';
import { vanDerWaalsMixing } from './van-der-waals.ts';

/**
 * Alpha functions of SRK and PR to choose from. 'soave' (default) for every component; 'mathias-copeman' and 'twu', the latter with its own volume shift,
 * where the tables have coefficients, else Soave's, which a note of the model's validity then says.
 */
export const ALPHAS = ['soave', 'mathias-copeman', 'twu'] as const;
export type AlphaName = (typeof ALPHAS)[number];

export interface CubicOptions {
  readonly alpha?: AlphaName;
  /** 'classic' (default): kij of the table; 'none': all kij zero. */
  readonly kij?: 'classic' | 'none';
  /** Values that replace the table, by component names. */
  readonly kijOverrides?: readonly { readonly i: string; readonly j: string; readonly kij: number }[];
}

export interface CubicFamily {
  readonly id: ModelId;
  readonly omegaA: number;
  readonly omegaB: number;
  readonly delta1: number;
  readonly delta2: number;
  /** Soave slope m(omega). */
  readonly slope: (omega: number) => number;
  readonly kijColumn: string;
  readonly mathiasCopeman: (component: Component) => readonly number[] | undefined;
  readonly twu: (component: Component) => TwuCoefficients | undefined;
  /** Peneloux-type shift c = shiftFactor (shiftZ - ZRA) R Tc / pc. */
  readonly shiftFactor: number;
  readonly shiftZ: number;
  readonly validity: Validity;
}

/** Throws 'missing-data' when Tc, pc or omega is absent and 'invalid-input' for ions. */
export function classicCubic(
  family: CubicFamily,
  components: readonly Component[],
  options: CubicOptions = {},
): EquationOfState {
  const { kij, missingPairs } = classicKij(components, family.kijColumn, options);
  return cubicWithMixing(
    withAlphaNotes(family, components, options.alpha),
    components,
    ({ attraction, b }) => ({ mixing: vanDerWaalsMixing(attraction, b, kij), missingPairs }),
    pureRule(family, options.alpha),
  );
}

/** What an alpha option means for a component; undefined for Soave's with the shift from the Rackett factor. */
export interface CubicPureRule {
  readonly alpha: AlphaFunction;
  /** Volume shift [m3/mol]; undefined for the one from the Rackett factor. */
  readonly shift?: number;
}

/** The rule that `cubicWithMixing` takes for an alpha option. */
export function pureRule(
  family: Pick<CubicFamily, 'mathiasCopeman' | 'twu'>,
  alpha: AlphaName = 'soave',
): (component: Component) => CubicPureRule | undefined {
  if (alpha === 'soave') return () => undefined;
  if (alpha === 'twu')
    return (c) => {
      const fitted = family.twu(c);
      return fitted && { alpha: twuAlpha(fitted.L, fitted.M, fitted.N), shift: fitted.shift };
    };
  return (c) => {
    const fitted = family.mathiasCopeman(c);
    return fitted && { alpha: mathiasCopemanAlpha(fitted[0]!, fitted[1]!, fitted[2]!) };
  };
}

/** The family with what the alpha option adds to its validity. */
export function withAlphaNotes(
  family: CubicFamily,
  components: readonly Component[],
  alpha: AlphaName = 'soave',
): CubicFamily {
  if (alpha === 'soave') return family;
  const rule = pureRule(family, alpha);
  const without = components.filter((c) => rule(c) === undefined).map(({ name }) => name);
  const notes = [
    ...family.validity.notes,
    alpha === 'twu'
      ? 'Alpha functions and volume shifts of Twu: vapour pressures within 2.5 %; interaction parameters were determined with those of Soave.'
      : 'Alpha functions of Mathias and Copeman: not validated.',
    ...(without.length > 0
      ? [`No ${alpha} coefficients for ${without.join(', ')}: Soave's alpha function stands in.`]
      : []),
  ];
  const status = alpha === 'twu' && without.length === 0 ? family.validity.status : 'unvalidated';
  return { ...family, validity: { ...family.validity, status, notes } };
}

/** Pure-component attraction [Pa m6/mol2] and covolume [m3/mol] that a mixing rule is built on. */
export interface CubicPure {
  readonly attraction: PureAttraction;
  readonly b: Float64Array;
}

/** What a cubic of the family knows of its components, with the volume shift [m3/mol] of each. Throws as classicCubic. */
export function cubicPure(
  family: Omit<CubicFamily, 'validity'>,
  components: readonly Component[],
  pure: (component: Component) => CubicPureRule | undefined,
): CubicPure & { readonly shift: Float64Array } {
  const n = components.length;
  const Tc = new Float64Array(n);
  const ac = new Float64Array(n);
  const b = new Float64Array(n);
  const shift = new Float64Array(n);
  const alphas: AlphaFunction[] = [];
  components.forEach((c, i) => {
    requireCriticals(family.id, c);
    Tc[i] = c.Tc;
    ac[i] = (family.omegaA * (R_CUBIC * c.Tc) ** 2) / c.pc;
    b[i] = (family.omegaB * R_CUBIC * c.Tc) / c.pc;
    const special = pure(c);
    const zra = Number.isNaN(c.zra) ? generalisedZra(c.omega) : c.zra;
    shift[i] = special?.shift ?? (family.shiftFactor * (family.shiftZ - zra) * R_CUBIC * c.Tc) / c.pc;
    alphas.push(special?.alpha ?? soaveAlpha(family.slope(c.omega)));
  });
  return { attraction: pureAttraction(ac, Tc, alphas), b, shift };
}

/** A cubic of the family with any mixing rule; `pure` gives alpha function and shift of a component, undefined for Soave's. Throws as classicCubic. */
export function cubicWithMixing(
  family: CubicFamily,
  components: readonly Component[],
  rule: (pure: CubicPure) => { readonly mixing: MixingRule; readonly missingPairs: readonly MissingPair[] },
  pure: (component: Component) => CubicPureRule | undefined = () => undefined,
): EquationOfState {
  const { attraction, b, shift } = cubicPure(family, components, pure);
  const eos = new CubicEquationOfState({
    id: family.id,
    components,
    validity: family.validity,
    gasConstant: R_CUBIC,
    delta1: family.delta1,
    delta2: family.delta2,
    ...rule({ attraction, b }),
    shift,
  });
  components.forEach((c, i) => {
    if (c.type === 'pseudo' && c.liquidDensity15C > 0) shift[i] = measuredShift(eos, i, shift[i]!);
  });
  return eos;
}

/**
 * Volume shift of a petroleum fraction [m3/mol]: the one that gives its measured density at 15 C and 1 atm, since a Rackett factor serves one cubic only. `otherwise` where the
 * model has no liquid there.
 */
function measuredShift(eos: EquationOfState, i: number, otherwise: number): number {
  const { molarMass, liquidDensity15C } = eos.components[i]!;
  const x = new Float64Array(eos.n);
  x[i] = 1;
  const measured = molarMass / liquidDensity15C;
  const shift = 1 / eos.density(288.15, ATM, x, 'liquid') - measured;
  return Math.abs(shift) < measured ? shift : otherwise;
}

/** Rackett factor from the acentric factor: ZRA = 0.29056 - 0.08775 omega (Yamada and Gunn, AIChE J. 19 (1973) 1176). */
export function generalisedZra(omega: number): number {
  return 0.29056 - 0.08775 * omega;
}

export function requireCriticals(model: ModelId, c: Component): void {
  if (c.charge !== 0)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'components',
      reason: `${model} does not describe the ion ${c.name}`,
    });
  for (const property of ['Tc', 'pc', 'omega'] as const)
    if (!Number.isFinite(c[property])) throw new EngineError({ kind: 'missing-data', component: c.name, property });
}

/** Symmetric kij matrix of one column of the table, and the pairs that the table does not hold (kij 0 stands in). */
export function classicKij(components: readonly Component[], column: string, options: CubicOptions = {}) {
  const n = components.length;
  const kij = new Float64Array(n * n);
  const missingPairs: MissingPair[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const [ci, cj] = [components[i]!.name, components[j]!.name];
      const override = options.kijOverrides?.find((o) => (o.i === ci && o.j === cj) || (o.i === cj && o.j === ci));
      let value = override?.kij ?? (options.kij === 'none' ? 0 : binaryValue(ci, cj, column));
      if (Number.isNaN(value)) {
        missingPairs.push({ i: j, j: i, parameter: column });
        value = 0;
      }
      kij[i * n + j] = value;
      kij[j * n + i] = value;
    }
  return { kij, missingPairs };
}
