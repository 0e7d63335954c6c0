import type { Component } from '../../components/component.ts';
import type { EquationOfState, Validity } from '../../model.ts';
import { fromHelmholtz } from '../helmholtz-adaptor.ts';
import { PcSaftModel } from './pcsaft-model.ts';
import { type PcSaftParameterSet, pcsaftKij, pcsaftPure } from './pcsaft-parameters.ts';

const VALIDITY: Validity = {
  minT: 80,
  maxT: 700,
  minP: 1,
  maxP: 1e8,
  status: 'validated',
  notes: [
    'Hydrocarbons, nitrogen and CO2: vapour pressures, saturated densities and binary bubble points are tested against published values.',
    'Critical points are overestimated by a few kelvin, as with every classical equation fitted to vapour pressures.',
    'H2S, ammonia, glycols, ketones and others of Gross and Vrabec 2006 and Esper et al. 2023: vapour pressures within 4 % and liquid densities within 3 % in the mean; mixtures have no interaction parameters.',
    'Water, alcohols, glycols and amines: association is computed, mixtures of them are not validated.',
  ],
  reference: 'Gross and Sadowski, Ind. Eng. Chem. Res. 40 (2001) 1244 and 41 (2002) 5510',
};

export interface PcSaftOptions {
  /** CLASSIC (default): kij of the table; NO: kij = 0. */
  readonly mixingRule?: 'CLASSIC' | 'NO';
  /** See pcsaft-parameters.ts; default 'published'. */
  readonly parameters?: PcSaftParameterSet;
}

/**
 * PC-SAFT with association and dipoles; equations in pcsaft-model.ts, parameters and their sources in pcsaft-parameters.ts. SI units. Reported
 * densities are those of the equation itself. Throws 'missing-data' and 'invalid-input' as pcsaftPure.
 */
export function pcsaft(components: readonly Component[], options: PcSaftOptions = {}): EquationOfState {
  const set = options.parameters ?? 'published';
  const pure = components.map((component) => pcsaftPure(component, set));
  const { kij, missing } = pcsaftKij(components, pure, set, options.mixingRule === 'NO');
  return fromHelmholtz(new PcSaftModel(components, pure, kij, missing, VALIDITY));
}
