/**
 * NRTL parameters of data/activity-nrtl-chemsep.csv: tau_ij = b_ij/T, G_ij = exp(-alpha tau_ij), fitted to vapour-liquid equilibria near atmospheric pressure
 * (ChemSep collection). A pair counts only when both b and one alpha above 0 are there.
 */
import { numberOf, readCsv } from '../../../data/csv.ts';

export interface NrtlPair {
  readonly alpha: number;
  /** [K] */
  readonly bij: number;
  readonly bji: number;
}

const table = new Map<string, { readonly alpha: number; readonly b: number }>();
for (const row of readCsv('activity-nrtl-chemsep.csv'))
  table.set(`${row['comp1']}|${row['comp2']}`, { alpha: numberOf(row, 'alphaij'), b: numberOf(row, 'bij') });

/** The pair in the order asked for; undefined when the set is not complete. */
export function nrtlPair(name1: string, name2: string): NrtlPair | undefined {
  const forward = table.get(`${name1}|${name2}`);
  const back = table.get(`${name2}|${name1}`);
  if (forward === undefined || back === undefined || forward.alpha !== back.alpha || !(forward.alpha > 0))
    return undefined;
  if (Number.isNaN(forward.b) || Number.isNaN(back.b)) return undefined;
  return { alpha: forward.alpha, bij: forward.b, bji: back.b };
}
