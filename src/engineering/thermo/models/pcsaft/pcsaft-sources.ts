/**
 * Which published PC-SAFT sets of data/pcsaft.csv are used, and for which substances; one set a substance, the first that lists it:
 * 1. J. Gross and G. Sadowski, Ind. Eng. Chem. Res. 40 (2001) 1244 and 41 (2002) 5510: every substance they list.
 * 2. J. Gross and J. Vrabec, AIChE J. 52 (2006) 1194, with the dipole term: POLAR.
 * 3. T. Esper, G. Bauer, P. Rehner, J. Gross, Ind. Eng. Chem. Res. 62 (2023) 15300, some with the dipole term: INDIVIDUAL.
 *
 * It guarantees that a substance of 2 and 3 is taken only when its vapour pressure between 0.5 and 0.92 Tc is within 4 % in the mean and 8 % at
 * most of a published correlation and its liquid density within 3 % in the mean (tests: admitted-substances.test.ts; DEG, TEG,
 * n-pentylcyclohexane, R1234yf and R1234ze(E), for which there is no correlation, at the normal boiling point and 15 C).
 * Left out because they fail that: MEA, DEA, 1,2-propylene glycol, glycerol, cycloheptane, HCN, HF, NO, NO2, SO3 and others; left out because nothing
 * was at hand to check them with: MDEA, DGA, heavy alkylbenzenes and others. Rehner and Gross 2020 is not used: MEG misses the
 * vapour pressure by 9 % in the mean.
 */
import { numberOf, readCsv } from '../../../data/csv.ts';
import type { PcSaftPure } from './pcsaft-pure.ts';

const ANGSTROM = 1e-10;

/** Substances of Gross and Vrabec 2006, names of data/pcsaft.csv. */
export const POLAR: readonly string[] = ['acetone', 'MEK', 'DMSO', 'hydrochloric acid'];

/** Substances of Esper et al. 2023, names of data/pcsaft.csv. */
export const INDIVIDUAL: readonly string[] = [
  ...['H2S', 'COS', 'ammonia', 'N2O', 'N2H4', 'SF6', 'krypton', 'xenon', 'fluorine', 'bromine', 'hydrogen bromide'],
  ...['MEG', 'DEG', 'TEG', '2-butanol', 'isobutanol', 'tert-butanol', 'phenol', 'formic acid', 'phosgene'],
  ...['22-DM-C5', '24-DM-C5', '223-TM-C4', '33-DM-C5', '23-DM-C5', '3-M-C6', '224-TM-C5', '22-DM-C6', '25-DM-C6'],
  ...['24-DM-C6', '3-M-C7', '3-E-C6', '2-M-C8', '2-M-C7', '234-TM-C5', '2.3-DM-C6', '33-DM-C6'],
  ...['c-propane', 'c-C4', 'c-C8', '11-DM-cy-C5', 'cis-13-DM-cy-C5', 'trans-13-DM-cy-C5', 'trans-12-DM-cy-C5'],
  ...['i-p-cy-C5', 'cis-12-DM-cy-C6', 'trans-12-DM-cy-C6', 'Pent-CC6', 'cyclohexene', 'cis-decalin', 'trans-decalin'],
  ...['cis-butene', 'trans-butene', 'iso-butene', '1,3-butadiene', 'isoprene', 'propadiene', 'acetylene', 'propyne'],
  ...['naphthalene', '1-methylnaphthalene', 'styrene', 'cumene', 'o-E-toluene'],
  ...['1.2.3-TM-Benzene', '1,2,4-trimethylbenzene', '1,3,5-trimethylbenzene'],
  ...['C2H4O', 'propylene oxide', 'MTBE', 'THF', 'acetaldehyde', 'MIBK', 'methyl acetate'],
  ...[
    'methyl mercaptan',
    'ethyl mercaptan',
    'n-propyl mercaptan',
    'dimethyl sulfide',
    'dimethyl disulfide',
    'thiophene',
  ],
  ...['dimethylamine', 'trimethylamine', 'pyridine', 'acetonitrile', 'acrylonitrile'],
  ...['chloroform', 'carbon tetrachloride', 'R12', 'R22', 'R23', 'R32', 'R125', 'R134a', 'R143a', 'R152a'],
  ...['R1234yf', 'R1234ze(E)'],
];

export type PcSaftSource = 'Gross and Sadowski' | 'Gross and Vrabec 2006' | 'Esper et al. 2023';

export interface PublishedPcSaft {
  readonly source: PcSaftSource;
  readonly pure: PcSaftPure;
}

/** By CAS number. */
const published = new Map<string, PublishedPcSaft>();
for (const row of readCsv('pcsaft.csv')) {
  const source = sourceOf(row['source']!, row['name']!);
  const cas = row['cas']!;
  // The file lists the sets in the order of preference.
  if (source === undefined || published.has(cas)) continue;
  const kappa = numberOf(row, 'kappa_ab');
  const associating = kappa > 0;
  published.set(cas, {
    source,
    pure: {
      m: numberOf(row, 'm'),
      sigma: numberOf(row, 'sigma_A') * ANGSTROM,
      eps: numberOf(row, 'eps_over_k_K'),
      scheme: associating ? { donors: numberOf(row, 'na'), acceptors: numberOf(row, 'nb') } : undefined,
      kappa: associating ? kappa : 0,
      energy: associating ? numberOf(row, 'eps_ab_over_k_K') : 0,
      dipole: numberOf(row, 'dipole_D') || 0,
    },
  });
}

function sourceOf(label: string, name: string): PcSaftSource | undefined {
  if (label.startsWith('Gross & Sadowski')) return 'Gross and Sadowski';
  if (label.startsWith('Gross & Vrabec')) return POLAR.includes(name) ? 'Gross and Vrabec 2006' : undefined;
  return label.startsWith('Esper') && INDIVIDUAL.includes(name) ? 'Esper et al. 2023' : undefined;
}

/** The published set of a substance; undefined when none is used. */
export function publishedPcSaft(cas: string | undefined): PublishedPcSaft | undefined {
  return cas === undefined ? undefined : published.get(cas);
}
