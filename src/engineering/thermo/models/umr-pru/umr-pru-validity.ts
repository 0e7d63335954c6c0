/**
 * What UMR-PRU was checked for, by the groups in the fluid. It guarantees that a mixture is called validated only when cases in the tests show
 * agreement with measurements for its groups; which ones is said in the notes.
 */
import type { Component } from '../../components/component.ts';
import type { Validity } from '../../model.ts';
import { unifacGroups } from './unifac-parameters.ts';

const BASE: Validity = {
  minT: 120,
  maxT: 600,
  minP: 1,
  maxP: 1e8,
  status: 'validated',
  notes: [
    'Bubble points of light hydrocarbons, CO2 and nitrogen, of propane + n-dodecane and of methanol + water: within 9 % in pressure and 0.6 K.',
    'Henry constants in water from 5 to 150 C: nitrogen, methane, ethane and CO2 within 30 %; at 25 C n-hexane and benzene within 20 %, propane and toluene dissolve 1.6 times too much.',
    'Alpha functions are Mathias-Copeman below the critical temperature and Soave above it.',
  ],
  reference: 'Voutsas, Magoulas and Tassios, Ind. Eng. Chem. Res. 43 (2004) 6238',
};

/** Main groups of the mixtures that the tests compare with measurements: CH2, ACH, ACCH2, CH3OH, water, CO2, CH4, N2, C2H6. */
const CHECKED = new Set([1, 3, 4, 6, 7, 56, 57, 60, 64]);
const H2S = 61;
const WATER = 7;

/** `rule` as UmrPruOptions.mixingRule. */
export function umrPruValidity(components: readonly Component[], rule: 'HV' | 'CLASSIC' | 'NO'): Validity {
  if (rule !== 'HV') return unvalidated(`Mixing rule ${rule}: not validated.`);
  const groups = components.map((component) => unifacGroups(component).map(({ group }) => group.main));
  const mixture = components.length > 1;
  const has = (main: number) => groups.some((list) => list.includes(main));
  if (mixture && has(WATER) && has(H2S))
    return unvalidated(
      'Water + H2S: the Henry constant is 1.7 times the measured one at 25 C, so that water takes up too little H2S; use CPA.',
    );
  if (mixture && components.some(({ name }) => name === 'oxygen'))
    return unvalidated('Oxygen has the group of nitrogen; water takes up half of the oxygen that it should.');
  const unchecked = components.filter((_, i) => groups[i]!.some((main) => !CHECKED.has(main)));
  if (unchecked.length > 0)
    return unvalidated(`Not compared with measurements: ${unchecked.map(({ name }) => name).join(', ')}.`);
  return BASE;
}

function unvalidated(note: string): Validity {
  return { ...BASE, status: 'unvalidated', notes: [...BASE.notes, note] };
}
