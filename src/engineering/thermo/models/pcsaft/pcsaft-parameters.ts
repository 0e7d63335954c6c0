/**
 * PC-SAFT parameters of a component and their source. Two sets:
 * - 'published' (default): J. Gross and G. Sadowski, Ind. Eng. Chem. Res. 40 (2001) 1244 and 41 (2002) 5510 from data/pcsaft.csv
 *   where they list the substance, else the columns of data/components.csv. The two agree for all substances that both hold except
 *   CO2 and CS2, whose columns carry the values of carbon monoxide and of a mixture of substances, and 2-methylhexane. Columns that fail
 *   the vapour pressure are refused (UNFIT).
 * - 'table': the columns of data/components.csv alone, for comparison with programs that use them as they are.
 * Esper et al. 2023 and the polar sets of pcsaft.csv are other models or other fits and are not mixed in; hydrogen sulfide has no
 * parameters in either set and is refused.
 */
import { numberOf, readCsv } from '../../../data/csv.ts';
import type { Component } from '../../components/component.ts';
import { R } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { MissingPair } from '../../model.ts';
import type { AssociationScheme } from '../association/association-sites.ts';
import { binaryValue } from '../cubic/binary-interaction.ts';

export type PcSaftParameterSet = 'published' | 'table';

export interface PcSaftPure {
  /** Segments [-], diameter [m], dispersion energy eps/k [K]. */
  readonly m: number;
  readonly sigma: number;
  readonly eps: number;
  readonly scheme: AssociationScheme | undefined;
  /** Association volume [-] and energy eps_AB/k [K]; 0 without sites. */
  readonly kappa: number;
  readonly energy: number;
}

const ANGSTROM = 1e-10;

/** Columns of components.csv whose vapour pressure at the normal boiling point is wrong by more than a third, or whose units are in doubt. */
const UNFIT: ReadonlySet<string> = new Set([
  'MEG',
  'MEGPVTsim18',
  'MEGPVTsim19',
  'DEG',
  'TEG',
  'MEA',
  'DEA',
  'ammonia',
  'acetone',
  'c-C4',
  'c-C7',
  'c-C8',
  '2-M-C7',
  '2-M-C8',
  'naphthalene',
  'neon',
  'sulfuric acid',
  'nitric acid',
  'formic acid',
  'NO2',
  'N2O4',
]);

const grossSadowski = new Map<string, PcSaftPure>();
for (const row of readCsv('pcsaft.csv')) {
  const source = row['source']!;
  if (source !== 'Gross & Sadowski 2001' && source !== 'Gross & Sadowski 2002') continue;
  const kappa = numberOf(row, 'kappa_ab');
  const associating = kappa > 0;
  grossSadowski.set(row['cas']!, {
    m: numberOf(row, 'm'),
    sigma: numberOf(row, 'sigma_A') * ANGSTROM,
    eps: numberOf(row, 'eps_over_k_K'),
    // All associating substances of the 2002 paper have one donor and one acceptor.
    scheme: associating ? '2B' : undefined,
    kappa: associating ? kappa : 0,
    energy: associating ? numberOf(row, 'eps_ab_over_k_K') : 0,
  });
}

/** Throws 'missing-data' when the set does not hold the component and 'invalid-input' for ions. */
export function pcsaftPure(component: Component, set: PcSaftParameterSet): PcSaftPure {
  if (component.charge !== 0)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'components',
      reason: `PC-SAFT does not describe the ion ${component.name}`,
    });
  const published = set === 'published' ? grossSadowski.get(component.cas ?? '') : undefined;
  const found = published ?? (set === 'published' && UNFIT.has(component.name) ? undefined : tabulated(component));
  if (found === undefined)
    throw new EngineError({ kind: 'missing-data', component: component.name, property: 'PC-SAFT parameters' });
  return found;
}

function tabulated({ name, pcsaft, association }: Component): PcSaftPure | undefined {
  if (pcsaft === undefined) return undefined;
  const { m, associationVolume, associationEnergy } = pcsaft;
  const base = { m, sigma: pcsaft.sigma * ANGSTROM, eps: pcsaft.eps };
  if (!(associationVolume > 0)) return { ...base, scheme: undefined, kappa: 0, energy: 0 };
  const scheme = association?.scheme;
  // The acids of the table carry a scheme without sites and an energy in another unit than the column states.
  if (scheme !== '2B' && scheme !== '3B' && scheme !== '4C')
    throw new EngineError({ kind: 'missing-data', component: name, property: 'PC-SAFT association scheme' });
  return { ...base, scheme, kappa: associationVolume, energy: associationEnergy / R };
}

/** Symmetric kij of the table's PC-SAFT column, row-major, and the pairs it does not hold (0 stands in). */
export function pcsaftKij(
  components: readonly Component[],
  none: boolean,
): { readonly kij: Float64Array; readonly missing: readonly MissingPair[] } {
  const n = components.length;
  const kij = new Float64Array(n * n);
  const missing: MissingPair[] = [];
  if (none) return { kij, missing };
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const value = binaryValue(components[i]!.name, components[j]!.name, 'kij_pcsaft');
      if (Number.isNaN(value)) missing.push({ i, j, parameter: 'kij_pcsaft' });
      else {
        kij[i * n + j] = value;
        kij[j * n + i] = value;
      }
    }
  return { kij, missing };
}
