import { EngineError } from '../../errors.ts';
import { IF97, P_MAX, P_MAX_5, PC, T_13, T_23, T_25, T_MAX, T_MIN, TC } from './if97-data.ts';

const n4 = IF97.region4.n;
const n23 = IF97.boundary23.n;

/**
 * Saturation pressure [Pa], 273.15 K to 647.096 K (IAPWS R7-97(2012) equation 30).
 * @throws EngineError 'outside-range'
 */
export function steamSaturationPressure(T: number): number {
  if (!(T >= T_MIN && T <= TC)) throw outside('temperature', T, T_MIN, TC, 'K');
  const theta = T + n4[8]! / (T - n4[9]!);
  const a = theta * theta + n4[0]! * theta + n4[1]!;
  const b = n4[2]! * theta * theta + n4[3]! * theta + n4[4]!;
  const c = n4[5]! * theta * theta + n4[6]! * theta + n4[7]!;
  return 1e6 * ((2 * c) / (-b + Math.sqrt(b * b - 4 * a * c))) ** 4;
}

/** Saturation pressure [Pa] at 273.15 K, the lowest that the formulation has a saturation temperature for. */
export const P_MIN = steamSaturationPressure(T_MIN);

/**
 * Saturation temperature [K], 611.213 Pa to 22.064 MPa (IAPWS R7-97(2012) equation 31).
 * @throws EngineError 'outside-range'
 */
export function steamSaturationTemperature(p: number): number {
  if (!(p >= P_MIN && p <= PC)) throw outside('pressure', p, P_MIN, PC, 'Pa');
  const beta = (p / 1e6) ** 0.25;
  const e = beta * beta + n4[2]! * beta + n4[5]!;
  const f = n4[0]! * beta * beta + n4[3]! * beta + n4[6]!;
  const g = n4[1]! * beta * beta + n4[4]! * beta + n4[7]!;
  const d = (2 * g) / (-f - Math.sqrt(f * f - 4 * e * g));
  return (n4[9]! + d - Math.sqrt((n4[9]! + d) ** 2 - 4 * (n4[8]! + n4[9]! * d))) / 2;
}

/** Pressure [Pa] of the boundary between regions 2 and 3 at T, 623.15 to 863.15 K (equation 5). */
export function boundary23Pressure(T: number): number {
  return 1e6 * (n23[0]! + n23[1]! * T + n23[2]! * T * T);
}

/** Temperature [K] of the boundary between regions 2 and 3 at p, 16.5292 to 100 MPa (equation 6). */
export function boundary23Temperature(p: number): number {
  return n23[3]! + Math.sqrt((p / 1e6 - n23[4]!) / n23[2]!);
}

/**
 * Region that holds T [K], p [Pa]; on the saturation line the liquid side.
 * @throws EngineError 'outside-range' outside 273.15 to 1073.15 K and 100 MPa, or 1073.15 to 2273.15 K and 50 MPa
 */
export function steamRegion(T: number, p: number): 1 | 2 | 3 | 5 {
  if (!(T >= T_MIN && T <= T_MAX)) throw outside('temperature', T, T_MIN, T_MAX, 'K');
  const top = T > T_25 ? P_MAX_5 : P_MAX;
  if (!(p > 0 && p <= top)) throw outside('pressure', p, 0, top, 'Pa');
  if (T > T_25) return 5;
  if (T > T_23) return 2;
  if (T > T_13) return p > boundary23Pressure(T) ? 3 : 2;
  return p >= steamSaturationPressure(T) ? 1 : 2;
}

function outside(quantity: string, value: number, min: number, max: number, unit: string): EngineError {
  return new EngineError({ kind: 'outside-range', quantity, value, min, max, unit });
}
