/**
 * PC-SAFT parameters of a component and their source. Two sets:
 * - 'published' (default): the literature sets of pcsaft-sources.ts, else the columns of data/components.csv. Columns that fail
 *   the vapour pressure are refused (UNFIT).
 * - 'table': the columns of data/components.csv alone, for comparison with programs that use them as they are. They agree with Gross and Sadowski
 *   for all substances that both hold except CO2 and CS2, whose columns carry the values of carbon monoxide and of a mixture of
 *   substances, and 2-methylhexane.
 * Interaction parameters: column kij_pcsaft of data/binary-interaction.csv, which goes with Gross and Sadowski. It is not used where a component has
 * another set. Its zeros, of which it is full, stand for 'no value': they are taken for values between hydrocarbons alone, where PC-SAFT needs
 * next to none, and only while neither of them associates.
 */
import type { Component } from '../../components/component.ts';
import { R } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { MissingPair } from '../../model.ts';
import { binaryValue } from '../cubic/binary-interaction.ts';
import type { PcSaftPure } from './pcsaft-pure.ts';
import { type PcSaftSource, publishedPcSaft } from './pcsaft-sources.ts';

export type PcSaftParameterSet = 'published' | 'table';

const ANGSTROM = 1e-10;

/** Columns of components.csv whose vapour pressure at the normal boiling point is wrong by more than a third, or whose units are in doubt. */
const UNFIT: ReadonlySet<string> = new Set([
  'MEA',
  'DEA',
  'c-C7',
  'neon',
  'sulfuric acid',
  'nitric acid',
  'NO2',
  'N2O4',
]);

/** Throws 'missing-data' when the set does not hold the component and 'invalid-input' for ions. */
export function pcsaftPure(component: Component, set: PcSaftParameterSet): PcSaftPure {
  if (component.charge !== 0)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'components',
      reason: `PC-SAFT does not describe the ion ${component.name}`,
    });
  const published = set === 'published' ? publishedPcSaft(component.cas)?.pure : undefined;
  const found = published ?? (set === 'published' && UNFIT.has(component.name) ? undefined : tabulated(component));
  if (found === undefined)
    throw new EngineError({ kind: 'missing-data', component: component.name, property: 'PC-SAFT parameters' });
  return found;
}

function tabulated({ name, pcsaft, association }: Component): PcSaftPure | undefined {
  if (pcsaft === undefined) return undefined;
  const { m, associationVolume, associationEnergy } = pcsaft;
  const base = { m, sigma: pcsaft.sigma * ANGSTROM, eps: pcsaft.eps, dipole: 0 };
  if (!(associationVolume > 0)) return { ...base, scheme: undefined, kappa: 0, energy: 0 };
  const scheme = association?.scheme;
  // The acids of the table carry a scheme without sites and an energy in another unit than the column states.
  if (scheme !== '2B' && scheme !== '3B' && scheme !== '4C')
    throw new EngineError({ kind: 'missing-data', component: name, property: 'PC-SAFT association scheme' });
  return { ...base, scheme, kappa: associationVolume, energy: associationEnergy / R };
}

const HYDROCARBON = /^C\d*H\d+$/;

/** Symmetric kij of the table's PC-SAFT column, row-major, and the pairs for which it holds none (0 stands in). */
export function pcsaftKij(
  components: readonly Component[],
  pure: readonly PcSaftPure[],
  set: PcSaftParameterSet,
  none: boolean,
): { readonly kij: Float64Array; readonly missing: readonly MissingPair[] } {
  const n = components.length;
  const kij = new Float64Array(n * n);
  const missing: MissingPair[] = [];
  if (none) return { kij, missing };
  const needsNone = (i: number) => pure[i]!.kappa === 0 && HYDROCARBON.test(components[i]!.formula ?? '');
  const other = components.map(({ cas }) => set === 'published' && !belongs(publishedPcSaft(cas)?.source));
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const value = binaryValue(components[i]!.name, components[j]!.name, 'kij_pcsaft');
      const unset = value === 0 && set === 'published' && !(needsNone(i) && needsNone(j));
      if (Number.isNaN(value) || unset || other[i] || other[j]) missing.push({ i, j, parameter: 'kij_pcsaft' });
      else {
        kij[i * n + j] = value;
        kij[j * n + i] = value;
      }
    }
  return { kij, missing };
}

/** Whether tabulated kij go with the set: Gross and Sadowski, or the columns of the table (no published source). */
function belongs(source: PcSaftSource | undefined): boolean {
  return source === undefined || source === 'Gross and Sadowski';
}
