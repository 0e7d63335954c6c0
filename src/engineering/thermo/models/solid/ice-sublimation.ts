/**
 * Ice by its own vapour pressure, for models that have no liquid water to start from.
 *
 * ln(p_sub/p_t) = (T_t/T) sum_i a_i (T/T_t)^b_i, T_t = 273.16 K, p_t = 611.657 Pa: IAPWS R14-08(2011), Pressure along the Melting and Sublimation Curves of
 * Ordinary Water Substance, eq. 6; 50 K to T_t. Check value there: 8.94735 Pa at 230 K.
 */
import { R } from '../../constants.ts';
import { iceVolume } from '../hydrate/hydrate-phase.ts';

const T_TRIPLE = 273.16;
const P_TRIPLE = 611.657;
const A = [-0.212144006e2, 0.273203819e2, -0.61059813e1] as const;
const B = [0.333333333e-2, 0.120666667e1, 0.170333333e1] as const;

/** [Pa] at T [K], 50 to 273.16. */
export function iceSublimationPressure(T: number): number {
  const theta = T / T_TRIPLE;
  let sum = 0;
  for (let i = 0; i < A.length; i++) sum += A[i]! * theta ** B[i]!;
  return P_TRIPLE * Math.exp(sum / theta);
}

/** ln of the fugacity [Pa] of ice at T [K], p [Pa]; steam of p_sub is taken as ideal (fugacity coefficient above 0.9995). */
export function lnIceFugacity(T: number, p: number): number {
  const psub = iceSublimationPressure(T);
  return Math.log(psub) + (iceVolume(T) * (p - psub)) / (R * T);
}
