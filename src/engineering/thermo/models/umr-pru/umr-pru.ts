import type { Component } from '../../components/component.ts';
import { R_CUBIC } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { EquationOfState } from '../../model.ts';
import { mathiasCopemanAlpha, soaveAlpha } from '../cubic/alpha.ts';
import { type CubicFamily, type CubicPureRule, classicKij, cubicWithMixing } from '../cubic/classic-cubic.ts';
import { excessGibbsMixing } from '../cubic/excess-gibbs-mixing.ts';
import { PENG_ROBINSON } from '../cubic/peng-robinson.ts';
import { withSquareRootCovolume } from '../cubic/square-root-covolume.ts';
import { vanDerWaalsMixing } from '../cubic/van-der-waals.ts';
import { umrPruValidity } from './umr-pru-validity.ts';
import { UnifacExcess } from './unifac-excess.ts';

/** A in the universal mixing rule a/(b R T) = sum x_i a_i/(b_i R T) - G_E/(A R T). */
const UNIVERSAL_CONSTANT = 0.53;

/** Mathias-Copeman coefficients that belong to the group parameters and differ from the table. */
const COEFFICIENTS: Readonly<Record<string, readonly [number, number, number]>> = {
  water: [0.9125673511881881, -0.28722436397952344, 0.23952676305837425],
  TEG: [1.05, 2.95, -5.98],
};

const FAMILY: Omit<CubicFamily, 'validity'> = { ...PENG_ROBINSON, id: 'UMRPRU' };

export interface UmrPruOptions {
  /** HV (default): the universal mixing rule with UNIFAC. CLASSIC: attraction by van der Waals with the kij of PR, covolume as in HV. NO: kij = 0. */
  readonly mixingRule?: 'HV' | 'CLASSIC' | 'NO';
}

/**
 * UMR-PRU: Peng-Robinson with Mathias-Copeman alphas, the universal mixing rules and UNIFAC (equations in cubic/excess-gibbs-mixing.ts
 * and unifac-excess.ts). SI units; density shifted as for PR. Throws 'missing-data' when a component has no groups or constants and
 * 'invalid-input' for ions.
 */
export function umrPru(components: readonly Component[], options: UmrPruOptions = {}): EquationOfState {
  const rule = options.mixingRule ?? 'HV';
  for (const c of components)
    if (c.charge !== 0)
      throw new EngineError({
        kind: 'invalid-input',
        field: 'components',
        reason: `UMRPRU does not describe the ion ${c.name}`,
      });
  return cubicWithMixing(
    { ...FAMILY, validity: umrPruValidity(components, rule) },
    components,
    ({ attraction, b }) => {
      if (rule !== 'HV') {
        const { kij, missingPairs } = classicKij(components, FAMILY.kijColumn, {
          kij: rule === 'NO' ? 'none' : 'classic',
        });
        return { mixing: withSquareRootCovolume(vanDerWaalsMixing(attraction, b, kij), b), missingPairs };
      }
      const excess = new UnifacExcess(components);
      return {
        mixing: excessGibbsMixing({
          attraction,
          b,
          excess,
          factor: -1 / UNIVERSAL_CONSTANT,
          covolume: 'square-root',
          gasConstant: R_CUBIC,
        }),
        missingPairs: excess.missingPairs,
      };
    },
    pure,
  );
}

function pure(component: Component): CubicPureRule | undefined {
  const fitted = COEFFICIENTS[component.name] ?? component.mathiasCopeman.pr;
  if (fitted === undefined) return undefined;
  const subcritical = mathiasCopemanAlpha(fitted[0]!, fitted[1]!, fitted[2]!);
  const supercritical = soaveAlpha(FAMILY.slope(component.omega));
  return { alpha: (Tr, out) => (Tr > 1 ? supercritical : subcritical)(Tr, out) };
}
