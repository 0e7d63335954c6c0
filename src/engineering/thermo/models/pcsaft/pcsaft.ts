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
    'Critical points are overestimated: methane by 1 K, propane by 5 K, n-decane by 13 K, water by far (424 C and 366 bar; true: 374 C, 221 bar). Near them densities, heat capacities and phase boundaries are off.',
    'H2S, ammonia, glycols, ketones and others of Gross and Vrabec 2006 and Esper et al. 2023: vapour pressures within 4 % and liquid densities within 3 % in the mean; mixtures have no interaction parameters.',
    'Water, alcohols, glycols and amines: association is computed, mixtures of them are not validated.',
    'Liquid water at 25 C: density 922 kg/m3 (7.5 % low), heat capacity 3070 J/(kg K) (27 % low), speed of sound 2313 m/s (54 % high).',
  ],
  reference: 'Gross and Sadowski, Ind. Eng. Chem. Res. 40 (2001) 1244 and 41 (2002) 5510',
};

/**
 * The table's hydrogen (m = 0.8285, sigma = 2.973 angstrom, eps/k = 12.53 K) gives the density of the gas within 1.5 % and a critical temperature of
 * 15 K (true: 33 K): in cold or dense mixtures it hardly attracts. The set of Eller et al., Water Resour. Res. 58 (2022) e2021WR030885, for
 * storage temperatures (1, 3.002 angstrom, 51.343 K) misses the same bubble points to the other side (methane at -120 C: 20.8 bar) and the
 * gas density by 3 %, so that it is not used.
 */
const HYDROGEN: Validity = {
  ...VALIDITY,
  status: 'unvalidated',
  notes: [
    ...VALIDITY.notes,
    'Mixtures with hydrogen: its parameters and kij put far too little of it into liquids; bubble points come out 15 to 80 % high (3 % hydrogen in CO2 at 10 C: 99 bar where GERG-2008 has 72; in methane at -120 C: 46 and 31). Use GERG2008, SRK or PR.',
  ],
};

function validityOf(components: readonly Component[]): Validity {
  return components.length > 1 && components.some(({ name }) => name === 'hydrogen') ? HYDROGEN : VALIDITY;
}

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
  return fromHelmholtz(new PcSaftModel(components, pure, kij, missing, validityOf(components)));
}
