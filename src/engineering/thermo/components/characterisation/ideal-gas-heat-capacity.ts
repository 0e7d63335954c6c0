/** Ideal-gas heat capacity of petroleum fractions. */
import { within } from './critical-properties.ts';

/**
 * Coefficients A..E of cp = A + B T + C T^2 + D T^3 + E T^4 [J/(mol K)] from molar mass M [kg/mol], Watson factor Kw and acentric factor omega:
 * cp = M (A0 + A1 T + A2 T^2 - c (B0 + B1 T + B2 T^2)), kJ/(kg K), c = ((12.8 - Kw)(10 - Kw)/(10 omega))^2, c = 0 for Kw outside 10 to 12.8. It is meant for 255 to 920 K, Kw 9.5 to 13.5;
 * D and E are 0. Throws 'outside-range'. M. G. Kesler, B. I. Lee, Hydrocarbon Processing 55 (1976) 153, in SI units as in API Technical Data Book procedure 7D4.
 */
export function keslerLeeIdealGasCp(molarMass: number, Kw: number, omega: number): number[] {
  within('Watson factor', Kw, 9, 14, '-');
  within('acentric factor', omega, 0.1, 3, '-');
  const c = Kw > 10 && Kw < 12.8 ? (((12.8 - Kw) * (10 - Kw)) / (10 * omega)) ** 2 : 0;
  const scale = molarMass * 1e3;
  const A0 = -1.41779 + 0.11828 * Kw;
  const A1 = -(6.99724 - 8.69326 * Kw + 0.27715 * Kw * Kw) * 1e-4;
  const A2 = -2.2582e-6;
  const B0 = 1.09223 - 2.48245 * omega;
  const B1 = -(3.434 - 7.14 * omega) * 1e-3;
  const B2 = -(7.2661 - 9.2561 * omega) * 1e-7;
  return [scale * (A0 - c * B0), scale * (A1 - c * B1), scale * (A2 - c * B2), 0, 0];
}
