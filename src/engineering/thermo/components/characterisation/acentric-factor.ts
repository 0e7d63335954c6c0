/** Acentric factor of petroleum fractions from boiling point and critical point. */
import { ATM } from '../../constants.ts';
import { within } from './critical-properties.ts';

/**
 * From Tbr = Tb/Tc: up to 0.8 by the vapour pressure equation of Lee and Kesler set to 1 atm at Tb, above by the correlation with the Watson factor Kw for heavy
 * fractions. Tbr 0.4 to 0.98. Throws 'outside-range'. B. I. Lee, M. G. Kesler, AIChE J. 21 (1975) 510; M. G. Kesler, B. I. Lee, Hydrocarbon Processing 55 (1976) 153.
 */
export function leeKeslerAcentricFactor(Tb: number, Tc: number, pc: number, Kw: number): number {
  const Tbr = Tb / Tc;
  within('reduced boiling point', Tbr, 0.4, 0.98, '-');
  if (Tbr > 0.8) return -7.904 + Kw * (0.1352 - 0.007465 * Kw) + 8.359 * Tbr + (1.408 - 0.01063 * Kw) / Tbr;
  const ln = Math.log(Tbr);
  const Tbr6 = Tbr ** 6;
  return (
    (Math.log(ATM / pc) - 5.92714 + 6.09648 / Tbr + 1.28862 * ln - 0.169347 * Tbr6) /
    (15.2518 - 15.6875 / Tbr - 13.4721 * ln + 0.43577 * Tbr6)
  );
}

/** omega = 3/7 log10(pc/atm)/(Tc/Tb - 1) - 1. W. C. Edmister, Petroleum Refiner 37 (1958) 173. Tb/Tc 0.4 to 0.98. Throws 'outside-range'. */
export function edmisterAcentricFactor(Tb: number, Tc: number, pc: number): number {
  within('reduced boiling point', Tb / Tc, 0.4, 0.98, '-');
  return ((3 / 7) * Math.log10(pc / ATM)) / (Tc / Tb - 1) - 1;
}
