import { boundary23Temperature, steamSaturationPressure, steamSaturationTemperature } from './boundaries.ts';
import { gibbsState } from './gibbs-regions.ts';
import { IF97, type IJ, T_13 } from './if97-data.ts';

const { backward } = IF97;

function series(terms: readonly IJ[], a: number, b: number): number {
  let sum = 0;
  for (const { I, J, n } of terms) sum += n * a ** I * b ** J;
  return sum;
}

/** T(p, h) of region 1 [K]: within 25 mK of equation 7 (IAPWS R7-97(2012) equation 11). p in Pa, h in J/kg. */
export function backwardTph1(p: number, h: number): number {
  return series(backward.T_ph_region1, p / 1e6, h / 2.5e6 + 1);
}

/** T(p, s) of region 1 [K] (equation 13). s in J/(kg K). */
export function backwardTps1(p: number, s: number): number {
  return series(backward.T_ps_region1, p / 1e6, s / 1e3 + 2);
}

/** T(p, h) of region 2 [K], subregions 2a, 2b, 2c by 4 MPa and the boundary 2b/2c (equations 20 to 24). */
export function backwardTph2(p: number, h: number): number {
  const pi = p / 1e6;
  const eta = h / 2e6;
  if (pi <= 4) return series(backward.T_ph_2a, pi, eta - 2.1);
  const n = backward.boundary_2b2c;
  // Below the pressure where 2b/2c starts the root is not real: all of the region is 2b there.
  const inner = (pi - n[4]!) / n[2]!;
  const boundary = inner > 0 ? n[3]! + Math.sqrt(inner) : Number.NEGATIVE_INFINITY;
  if (h / 1e3 >= boundary) return series(backward.T_ph_2b, pi - 2, eta - 2.6);
  return series(backward.T_ph_2c, pi + 25, eta - 1.8);
}

/** T(p, s) of region 2 [K], subregions by 4 MPa and s = 5.85 kJ/(kg K) (equations 25 to 27). */
export function backwardTps2(p: number, s: number): number {
  const pi = p / 1e6;
  if (pi <= 4) return series(backward.T_ps_2a, pi, s / 2000 - 2);
  if (s >= 5850) return series(backward.T_ps_2b, pi, 10 - s / 785.3);
  return series(backward.T_ps_2c, pi, 2 - s / 2925.1);
}

/** Temperatures [K] that end region 1 and begin region 2 at p: the saturation line below 16.5292 MPa, else 623.15 K and B23. */
export function regionEnds(p: number): { end1: number; begin2: number; saturated: boolean } {
  if (p <= P_13) {
    const T = steamSaturationTemperature(p);
    return { end1: T, begin2: T, saturated: true };
  }
  return { end1: T_13, begin2: boundary23Temperature(p), saturated: false };
}

/** Saturation pressure [Pa] at 623.15 K, where regions 1, 2 and 3 meet. */
export const P_13 = steamSaturationPressure(T_13);

/** h and s at the ends of regions 1 and 2 at p. */
export function endStates(p: number) {
  const { end1, begin2, saturated } = regionEnds(p);
  return { liquid: gibbsState(1, end1, p), vapour: gibbsState(2, begin2, p), saturated };
}
