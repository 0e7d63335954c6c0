/**
 * Published correlations of pure fluids, to compare models with: vapour pressure [Pa] and saturated liquid density [mol/m3] in their stated ranges.
 * published/vapor-pressure-dippr101.csv and liquid-density-dippr105.csv (Perry's Chemical Engineers' Handbook, 8th ed.), -wagner.csv and -antoine.csv
 * (Poling et al., The Properties of Gases and Liquids, 5th ed.), -wagner-mcgarry.csv (J. McGarry, Ind. Eng. Chem. Process Des. Dev. 22 (1983) 313).
 */
import { readFileSync } from 'node:fs';
import { type CsvRow, numberOf, parseCsv } from '../../../src/engineering/data/csv.ts';

export interface Correlation {
  readonly minT: number;
  readonly maxT: number;
  readonly at: (T: number) => number;
}

function table(file: string): Map<string, CsvRow> {
  const rows = parseCsv(readFileSync(new URL(`published/${file}`, import.meta.url), 'utf8'));
  return new Map(rows.map((row) => [row['cas']!, row]));
}

const dippr101 = table('vapor-pressure-dippr101.csv');
const wagner25 = table('vapor-pressure-wagner.csv');
const wagner36 = table('vapor-pressure-wagner-mcgarry.csv');
const antoine = table('vapor-pressure-antoine.csv');
const dippr105 = table('liquid-density-dippr105.csv');

/** The first of DIPPR 101, Wagner 2.5-5, Wagner 3-6 and Antoine that lists the substance. */
export function vapourPressureCorrelation(cas: string): Correlation | undefined {
  const perry = dippr101.get(cas);
  if (perry !== undefined) {
    const [a, b, c, d, e] = ['C1', 'C2', 'C3', 'C4', 'C5'].map((k) => numberOf(perry, k)) as Five;
    return range(perry, (T) => Math.exp(a + b / T + c * Math.log(T) + d * T ** e));
  }
  const row = wagner25.get(cas) ?? wagner36.get(cas);
  if (row !== undefined) {
    const [a, b, c, d, Tc] = ['A', 'B', 'C', 'D', 'Tc'].map((k) => numberOf(row, k)) as Five;
    const pc = numberOf(row, 'Pc');
    const [p, q] = wagner25.has(cas) ? [2.5, 5] : [3, 6];
    return range(row, (T) => {
      const t = 1 - T / Tc;
      return pc * Math.exp(((a * t + b * t ** 1.5 + c * t ** p + d * t ** q) * Tc) / T);
    });
  }
  const poling = antoine.get(cas);
  if (poling === undefined) return undefined;
  const [a, b, c] = ['A', 'B', 'C'].map((k) => numberOf(poling, k)) as [number, number, number];
  return range(poling, (T) => 10 ** (a - b / (T + c)));
}

export function liquidDensityCorrelation(cas: string): Correlation | undefined {
  const row = dippr105.get(cas);
  if (row === undefined) return undefined;
  const [a, b, c, d] = ['C1', 'C2', 'C3', 'C4'].map((k) => numberOf(row, k)) as [number, number, number, number];
  return range(row, (T) => a / b ** (1 + (1 - T / c) ** d));
}

type Five = [number, number, number, number, number];

function range(row: CsvRow, at: (T: number) => number): Correlation {
  const maxT = numberOf(row, 'Tmax_K');
  return { minT: numberOf(row, 'Tmin_K'), maxT: Number.isNaN(maxT) ? numberOf(row, 'Tc') : maxT, at };
}
