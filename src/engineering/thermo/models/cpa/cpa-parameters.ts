/**
 * Parameters of SRK-CPA for a list of components, from data/components.csv and data/binary-interaction.csv (the set distributed with
 * NeqSim). Components with CPA values use them in the cubic part; the others use SRK from Tc, pc and omega.
 */
import type { Component } from '../../components/component.ts';
import { R_CUBIC } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { MissingPair } from '../../model.ts';
import type { AssociationScheme } from '../association/association-sites.ts';
import { findBinaryInteraction } from '../cubic/binary-interaction.ts';
import { requireCriticals } from '../cubic/classic-cubic.ts';
import type { PairInteraction } from '../cubic/interaction-mixing.ts';
import { SRK } from '../cubic/srk.ts';

export interface CpaPure {
  /** [Pa m6/mol2], [m3/mol], Soave slope [-]. */
  readonly a0: number;
  readonly b: number;
  readonly slope: number;
  /** Whether the three are those of SRK, from Tc, pc and omega. */
  readonly fromCriticals: boolean;
  readonly scheme: AssociationScheme | undefined;
  /** Association energy [J/mol] and volume [-]; 0 for components that only solvate. */
  readonly energy: number;
  readonly volume: number;
}

/** Cross association: CR-1 with energy and volume, or ECR (the geometric mean of the two strengths). */
export type CpaCross =
  | { readonly rule: 'CR-1'; readonly energy: number; readonly volume: number }
  | { readonly rule: 'ECR' };

export type CpaMixingRule = 'CLASSIC' | 'CLASSIC_T_CPA' | 'CLASSIC_TX_CPA' | 'CPA_MIX' | 'NO';

/**
 * Components whose CPA columns are those of another substance (propylbenzene, hydrogen sulfide, acetic acid) or miss the vapour pressure
 * by more than a fifth. They do not associate with themselves, so SRK from Tc, pc and omega takes their place.
 */
const COPIED: ReadonlySet<string> = new Set(
  (
    '1.2-DM-cyC5|1.3-dDM-cyC5|1.cis-2.trans-4-TMcyC5|2.3-DM-C6|2.2-DM-C7|2.6-DM-C7|1.1.3-TM-cy-C6|1.2.3-TMcyC6|1.2.4-TMcyC6|3-M-C8|4-M-C8|' +
    'o-E-toluene|1.2.3-TM-Benzene|cy-C9|2-E-p-xylene|nC5-Benzene|nC6-Benzene|nC7-Benzene|nC8-Benzene|nC9-Benzene|nC10-Benzene|nC10-cy-C5|' +
    'nC12-cy-C5|nC14-cy-C5|nC17-cy-C5|3-M-4.4-DE-heptane|nC13|nC25|nC26|nC27|nC28|nC29|nC30|nC34|nC39|SF6|R12|R134a|NO|N2O|N2O3|N2O5|S|' +
    'SO3|NH4NO3|NH4HSO4|CS2|CH2O|C2H4O|C2H4|hydrochloric acid'
  ).split('|'),
);

/**
 * Self-associating components without association data of their own: the columns are empty or those of another substance. As SRK from Tc, pc and
 * omega they would answer without hydrogen bonds, 1-butanol with 924 kg/m3 at 15 C instead of 813.
 */
const WITHOUT_DATA: ReadonlySet<string> = new Set([
  ...['acetic acid', 'formic acid', 'propionic acid'],
  ...['sulfuric acid', 'H2SO4', 'nitric acid', 'HNO3', 'HNO2', 'HCN', 'hydrogen fluoride'],
  ...['1-butanol', '2-butanol', 'isobutanol', 'tert-butanol', '1-pentanol', '1-hexanol', 'phenol'],
  ...['tetraethylene glycol', 'MEA', 'DEA', 'TEA', 'DIPA', 'DGA', 'AMP', 'Piperazine'],
  ...['methylamine', 'dimethylamine', 'ammonia', 'N2H4', 'NH2OH'],
  ...['acetone', 'NaCl', 'CaCl2', 'ice'],
]);

/** Throws 'missing-data' for a component without the constants that it needs and 'invalid-input' for ions. */
export function cpaPure(component: Component): CpaPure {
  const { cpa, association } = component;
  requireCriticals('CPA', component);
  if (WITHOUT_DATA.has(component.name))
    throw new EngineError({ kind: 'missing-data', component: component.name, property: 'CPA association parameters' });
  const sites = association !== undefined && association.sites > 0 ? association : undefined;
  const energy = Number.isNaN(sites?.energy ?? Number.NaN) ? 0 : sites!.energy;
  const volume = Number.isNaN(sites?.volumeSrk ?? Number.NaN) ? 0 : sites!.volumeSrk;
  const srk = COPIED.has(component.name) ? undefined : cpa.srk;
  if (sites !== undefined && selfAssociates(sites.scheme) && !(energy > 0 && volume > 0 && srk !== undefined))
    throw new EngineError({ kind: 'missing-data', component: component.name, property: 'CPA association parameters' });
  const shared = { scheme: sites?.scheme, energy, volume };
  if (srk !== undefined) return { a0: srk.a0, b: srk.b, slope: srk.m, fromCriticals: false, ...shared };
  const { Tc, pc, omega } = component;
  return {
    a0: (SRK.omegaA * (R_CUBIC * Tc) ** 2) / pc,
    b: (SRK.omegaB * R_CUBIC * Tc) / pc,
    slope: SRK.slope(omega),
    fromCriticals: true,
    ...shared,
  };
}

function selfAssociates(scheme: AssociationScheme): boolean {
  return scheme !== '1A' && scheme !== '2A';
}

/**
 * CR-1: energy (e_i + e_j)/2 and volume sqrt(v_i v_j), or the tabulated value where it is not 0, with covolume (b_i + b_j)/2. ECR where the table
 * says so and where it does not hold the pair (I. V. Yakoumis et al., Fluid Phase Equilib. 130 (1997) 31; G. M. Kontogeorgis,
 * G. K. Folas, Thermodynamic Models for Industrial Applications, Wiley 2010, chapter 9).
 */
export function cpaCross(a: Component, b: Component, pureA: CpaPure, pureB: CpaPure): CpaCross {
  const row = findBinaryInteraction(a.name, b.name)?.row;
  if (row?.['cpa_assoc_type'] !== '1') return { rule: 'ECR' };
  const energy = Number(row['cpa_eps_cross']);
  const volume = Number(row['cpa_beta_cross']);
  return {
    rule: 'CR-1',
    energy: energy !== 0 ? energy : 0.5 * (pureA.energy + pureB.energy),
    volume: volume !== 0 ? volume : Math.sqrt(pureA.volume * pureB.volume),
  };
}

/** Interaction parameters of the cubic part, and the pairs that the table does not hold (k = 0 stands in). */
export function cpaInteractions(
  components: readonly Component[],
  rule: CpaMixingRule,
): { readonly pairs: readonly PairInteraction[]; readonly missing: readonly MissingPair[] } {
  const pairs: PairInteraction[] = [];
  const missing: MissingPair[] = [];
  if (rule === 'NO') return { pairs, missing };
  for (let i = 0; i < components.length; i++)
    for (let j = i + 1; j < components.length; j++) {
      const pair = tabulated(components[i]!, components[j]!, i, j, rule);
      if (pair !== undefined) pairs.push(pair);
      else {
        const k = correlated(components[i]!, components[j]!);
        if (k === undefined) missing.push({ i, j, parameter: 'kij_cpa_srk' });
        else pairs.push({ i, j, ki: k, kj: k, slope: 0, form: 'linear' });
      }
    }
  return { pairs, missing };
}

function tabulated(a: Component, b: Component, i: number, j: number, rule: CpaMixingRule): PairInteraction | undefined {
  const found = findBinaryInteraction(a.name, b.name);
  if (found === undefined) return undefined;
  const { row, reversed } = found;
  const value = (column: string) => Number(row[column] || Number.NaN);
  const form = row['kijT_type'] === '1' ? 'inverse' : 'linear';
  const k = value('kij_cpa_srk');
  if (Number.isNaN(k)) return undefined;
  if (rule === 'CLASSIC' || rule === 'CPA_MIX') return { i, j, ki: k, kj: k, slope: 0, form };
  const slope = value('kijT_cpa_srk') || 0;
  if (rule === 'CLASSIC_T_CPA') return { i, j, ki: k, kj: k, slope, form };
  // kijx is weighted by the first component of the row, kjix by the second.
  const first = value('kijx_cpa_srk');
  const second = value('kjix_cpa_srk');
  return { i, j, ki: reversed ? second : first, kj: reversed ? first : second, slope, form };
}

/**
 * kij of pseudo-components, by molar mass M [g/mol], as used with this parameter set: water -0.1533 ln M + 0.7055, MEG -0.0701 ln M +
 * 0.3521, methanol -0.1 (-0.2 above 200), ethanol -0.05 (-0.1 above 200), TEG 0.12, CO2 0.1, nitrogen 0.08.
 */
function correlated(a: Component, b: Component): number | undefined {
  const pseudo = a.type === 'pseudo' ? a : b.type === 'pseudo' ? b : undefined;
  if (pseudo === undefined) return undefined;
  const other = pseudo === a ? b : a;
  const M = 1e3 * pseudo.molarMass;
  switch (other.name) {
    case 'water':
      return -0.1533 * Math.log(M) + 0.7055;
    case 'MEG':
      return -0.0701 * Math.log(M) + 0.3521;
    case 'methanol':
      return M > 200 ? -0.2 : -0.1;
    case 'ethanol':
      return M > 200 ? -0.1 : -0.05;
    case 'TEG':
      return 0.12;
    case 'CO2':
      return 0.1;
    case 'nitrogen':
      return 0.08;
    default:
      return undefined;
  }
}
