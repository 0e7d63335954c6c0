/**
 * Twu coefficients and volume shifts of SRK and PR that were fitted together to vapour pressures, heats of vaporisation, liquid heat capacities and
 * densities: data/cubic-alpha-twu.csv, v = v_eos - c. It holds the substances whose vapour pressure with the critical constants of the component table is
 * within 2.5 % in the mean and 7 % at most of a published correlation between 0.5 and 0.92 Tc (tests: twu-alpha.test.ts).
 * A. Pina-Martinez, Y. Le Guennec, R. Privat, J.-N. Jaubert, P. M. Mathias, J. Chem. Eng. Data 63 (2018) 3980; A. Pina-Martinez, R. Privat, J.-N. Jaubert,
 * D.-Y. Peng, Fluid Phase Equilib. 485 (2019) 264.
 */
import { numberOf, readCsv } from '../../../data/csv.ts';
import type { Component } from '../../components/component.ts';

export interface TwuCoefficients {
  readonly L: number;
  readonly M: number;
  readonly N: number;
  /** Volume shift c [m3/mol]. */
  readonly shift: number;
}

type Columns = 'pr' | 'srk';

const rows = new Map(readCsv('cubic-alpha-twu.csv').map((row) => [row['name']!, row]));

/** Substances with coefficients, names of the component table. */
export const TWU_SUBSTANCES: readonly string[] = [...rows.keys()];

/** Coefficients for the cubic; undefined when the table does not hold the substance. */
export function twuCoefficients(component: Component, columns: Columns): TwuCoefficients | undefined {
  const row = rows.get(component.name);
  if (row === undefined) return undefined;
  const value = (key: 'L' | 'M' | 'N') => numberOf(row, `twu_${columns}_${key}`);
  return { L: value('L'), M: value('M'), N: value('N'), shift: numberOf(row, `c_${columns}_m3_mol`) };
}
