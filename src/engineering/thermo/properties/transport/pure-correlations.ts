/**
 * Viscosity and thermal conductivity of pure substances as functions of temperature: the low-pressure gas and the saturated liquid.
 *
 * Forms and coefficients: R. H. Perry, D. W. Green, Perry's Chemical Engineers' Handbook, 8th ed., section 2 (DIPPR equations)
 *   liquid viscosity  mu = exp(C1 + C2/T + C3 ln T + C4 T^C5)         liquid conductivity  lambda = C1 + C2 T + C3 T^2 + C4 T^3 + C5 T^4
 *   gas viscosity     mu = C1 T^C2/(1 + C3/T + C4/T^2)                gas conductivity     the same form
 * in Pa s, W/(m K), K. Validity: the temperature range of each row, up to 20 K beyond it; 1 to 5 % for gas, 5 to 10 % for liquid. Triethylene
 * glycol, which they do not hold, takes mu [mPa s] = exp(a + b/T + c T + d T^2) of the component table, 270 to 420 K; the table's other
 * liquid correlations are left alone, as several of them are copies or off by a factor.
 * Every function gives undefined where it holds no data; none extrapolates further.
 */
import { type CsvRow, numberOf, readCsv } from '../../../data/csv.ts';
import type { Component } from '../../components/component.ts';

interface Row {
  readonly c: readonly number[];
  readonly min: number;
  readonly max: number;
}

/** Allowed distance to the range of a row [K]. */
const MARGIN = 20;
const TEG = 'TEG';
const TEG_RANGE = { min: 290, max: 400 } as const;

const gasViscosities = table('viscosity-gas-dippr102.csv', 4);
const liquidViscosities = table('viscosity-liquid-dippr101.csv', 5);
const gasConductivities = table('conductivity-gas-dippr102.csv', 4);
const liquidConductivities = table('conductivity-liquid-dippr100.csv', 5);

/** Viscosity of the low-pressure gas [Pa s] at T [K]. */
export function gasViscosity(component: Component, T: number): number | undefined {
  return positive(gasForm(gasViscosities.get(component.name), T));
}

/** Thermal conductivity of the low-pressure gas [W/(m K)] at T [K]. */
export function gasConductivity(component: Component, T: number): number | undefined {
  return positive(gasForm(gasConductivities.get(component.name), T));
}

/** Viscosity of the saturated liquid [Pa s] at T [K]. */
export function liquidViscosity(component: Component, T: number): number | undefined {
  const row = liquidViscosities.get(component.name);
  if (row !== undefined && covers(row, T)) {
    const [C1, C2, C3, C4, C5] = row.c as [number, number, number, number, number];
    return positive(Math.exp(C1 + C2 / T + C3 * Math.log(T) + C4 * T ** C5));
  }
  const own = component.liquidViscosity;
  if (component.name !== TEG || own?.form !== 3 || !covers(TEG_RANGE, T)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = own.c;
  return 1e-3 * Math.exp(a + b / T + c * T + d * T * T);
}

/** Thermal conductivity of the saturated liquid [W/(m K)] at T [K]. */
export function liquidConductivity(component: Component, T: number): number | undefined {
  const row = liquidConductivities.get(component.name);
  return row !== undefined && covers(row, T) ? positive(polynomial(row.c, T)) : undefined;
}

/** Highest temperature [K] of the saturated-liquid correlations; undefined without one. */
export function liquidRange(component: Component): Readonly<Record<'viscosity' | 'conductivity', number | undefined>> {
  const end = (row: Row | undefined) => (row === undefined ? undefined : row.max + MARGIN);
  return {
    viscosity: end(liquidViscosities.get(component.name)),
    conductivity: end(liquidConductivities.get(component.name)),
  };
}

function gasForm(row: Row | undefined, T: number): number | undefined {
  if (row === undefined || !covers(row, T)) return undefined;
  const [C1, C2, C3, C4] = row.c as [number, number, number, number];
  return (C1 * T ** C2) / (1 + C3 / T + C4 / (T * T));
}

function polynomial(c: readonly number[], T: number): number {
  let sum = 0;
  for (let k = c.length - 1; k >= 0; k--) sum = sum * T + c[k]!;
  return sum;
}

function covers(range: { readonly min: number; readonly max: number }, T: number): boolean {
  return T >= range.min - MARGIN && T <= range.max + MARGIN;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;
}

function table(file: string, count: number): ReadonlyMap<string, Row> {
  return new Map(
    readCsv(file).map((row: CsvRow) => [
      row['name']!,
      {
        c: Array.from({ length: count }, (_, k) => numberOf(row, `C${k + 1}`) || 0),
        min: numberOf(row, 'Tmin_K'),
        max: numberOf(row, 'Tmax_K'),
      },
    ]),
  );
}
