/**
 * What water and a solute add to the mass-weighted mean of ln viscosity, fitted to measured solutions.
 *
 * Grunberg and Nissan (1949), with mass fractions and an interaction that depends on temperature and water content:
 *   ln mu = sum w_i ln mu_i + w_water sum w_i G_i(T, v),   v = 1 - w_water,
 *   G = a0 + a1 t + a2 t^2 + a3 s + v (b0 + b1 t + b2 t^2) + v^2 (c0 + c1 t) + d0 v^3,   t = 298.15 K/T - 1,
 *   s = -ln((T - 225.66 K)/72.49 K), the way water thickens on cooling (its singular temperature: aqueous.ts).
 * Both pure ends stay as they are. G depends on the water content alone, not on w_i: several solutes add up to what one of them would give at
 * that water content, weighted by their shares, and a solute listed twice counts as one. Such mixtures are not compared with measurements.
 *
 * Fitted by least squares on ln mu, with the pure liquids of aqueous.ts, at 1 bar. Mean and largest deviation of the fit, range, source:
 *  methanol  0.4 and 1.2 %, 242 to 293 K, to 47 mass-%: A. Melinder, Properties of Secondary Working Fluids for Indirect Systems (IIR, 2010);
 *            0.6 and 1.7 %, 293 K, all compositions: CRC Handbook of Chemistry and Physics, 102nd ed., Concentrative properties of aqueous solutions;
 *            0.9 and 4 %, 283 to 348 K, 24 to 84 mass-%: a table in the open repository jsklimavicz/model_chromatogram that does not name its
 *            origin; it is within 1 % of the other two where they meet, but what is above 298 K rests on it alone.
 *  ethanol   0.9 and 3.2 %, 242 to 293 K, 11 to 60 %: Melinder; 1.3 and 5.0 %, 273 to 353 K, 10 to 90 %: E. C. Bingham, R. F. Jackson, as
 *            tabulated by C. Simmonds, Alcohol (1919); 2.6 and 5.6 %, 293 K, all compositions: CRC Handbook, up to 6 % below Bingham and Jackson.
 *  MEG       0.9 and 5.8 %, 242 to 313 K, 1 to 56 %: Melinder; 1.8 and 5.1 %, 313 to 373 K, 11 to 62 %: ASHRAE Handbook, Fundamentals (2001).
 *            Between 62 % and pure MEG it is interpolated. ASHRAE values below 313 K were not fitted: 2.7 and 9 % from here above 293 K, but
 *            thin solutions at 273 K are up to 15 % below Melinder and their ratio to water falls on cooling.
 * Outside the temperature range G keeps its value at the end. Coefficients of Melinder were read from the open data of CoolProp.
 */

interface Fit {
  /** [K] */
  readonly min: number;
  readonly max: number;
  readonly a: readonly [number, number, number, number];
  readonly b: readonly [number, number, number];
  readonly c: readonly [number, number];
  readonly d: number;
}

const REFERENCE = 298.15;
const SINGULAR = 225.66;

const FITS: ReadonlyMap<string, Fit> = new Map<string, Fit>([
  [
    'methanol',
    {
      min: 242,
      max: 348,
      a: [3.058, 34.89, 28.56, -3.615],
      b: [3.012, -32.73, -13.62],
      c: [-9.172, 29.74],
      d: 7.145,
    },
  ],
  [
    'ethanol',
    {
      min: 242,
      max: 353,
      a: [4.113, 41.18, 84.4, -3.136],
      b: [2.48, -29.53, -83.61],
      c: [-11.67, 9.839],
      d: 8.972,
    },
  ],
  [
    'MEG',
    {
      min: 242,
      max: 373,
      a: [-0.6005, 11.15, 15.18, -2.706],
      b: [-0.5328, -11.33, -16.98],
      c: [2.317, 16.01],
      d: -3.619,
    },
  ],
]);

/** G of a solute at T [K] and the mass fraction of everything but water; undefined where no solutions were fitted. */
export function waterInteraction(solute: string, T: number, v: number): number | undefined {
  const fit = FITS.get(solute);
  if (fit === undefined) return undefined;
  const at = Math.min(Math.max(T, fit.min), fit.max);
  const t = REFERENCE / at - 1;
  const s = -Math.log((at - SINGULAR) / (REFERENCE - SINGULAR));
  const { a, b, c, d } = fit;
  return a[0] + t * (a[1] + t * a[2]) + s * a[3] + v * (b[0] + t * (b[1] + t * b[2]) + v * (c[0] + t * c[1] + v * d));
}

/** Temperatures [K] of the solutions that were fitted. */
export function waterInteractionRange(solute: string): { readonly min: number; readonly max: number } | undefined {
  return FITS.get(solute);
}
