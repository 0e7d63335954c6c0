/**
 * Critical enhancement of the thermal conductivity of a phase of a mixture, from the equation of state of the mixture:
 *   dlambda = rho cp R0 k T/(6 pi mu xi) (Omega - Omega0),
 *   Omega = 2/pi [(1 - cv/cp) arctan(q xi) + (cv/cp) q xi],   Omega0 = 2/pi {1 - exp[-1/(1/(q xi) + (q xi rhoc/rho)^2/3)]},
 *   xi = xi0 [pc rho/(Gamma rhoc^2) (drho/dp|T - (1.5 Tc/T) drho/dp|1.5 Tc)]^(0.63/1.239), no enhancement where the difference is negative:
 * G. A. Olchowy, J. V. Sengers, Int. J. Thermophys. 10, 417 (1989), simplified form. The derivatives are those at constant composition, so it
 * stays finite at the critical point of a mixture, as measured enhancements do, and adds nothing to thin gas and cold liquid.
 *
 * Constants: R0 = 1.03, xi0 = 0.18 nm, Gamma = 0.053, and 1/q = 0.89 (vc/N_A)^(1/3): the means of eight fluids with a reference correlation
 * (transport-reference.json: ethane, propane, butanes, CO2, nitrogen, oxygen, argon; they spread by 25 %). Tc, pc, rhoc are those of
 * corresponding states.
 *
 * Validity: on pure methane, ethane, propane, n-butane and CO2 with SRK or PR it takes the mean error of the conductivity between 1.01 and 1.05
 * Tc and 0.3 to 5 pc from 7 to 13 % down to 3 to 8 %. Within 1 % of a critical point of a pure fluid the cubic's classical exponents make it
 * a part of the true one. Mixtures are not tried against measurements.
 */
import { createResidual, type EquationOfState } from '../../model.ts';
import type { PhaseState } from '../phase-state.ts';
import type { PseudoCritical } from './corresponding-states.ts';

const BOLTZMANN = 1.380649e-23;
const AVOGADRO = 6.02214076e23;
const AMPLITUDE = 1.03;
const LENGTH = 1.8e-10;
const GAMMA = 0.053;
const CUTOFF = 0.89;
const EXPONENT = 0.63 / 1.239;
const residual = createResidual();

/** [W/(m K)] for a phase of viscosity mu [Pa s]. */
export function criticalEnhancement(
  eos: EquationOfState,
  phase: PhaseState,
  scale: PseudoCritical,
  mu: number,
): number {
  const { T, rho, x, cp, cv } = phase;
  const { Tc, pc, rhoc } = scale;
  eos.residual(T, rho, x, residual);
  const slope = 1 / residual.dpdrho;
  const reference = 1.5 * Tc;
  if (!(slope > 0) || T >= reference) return 0;
  eos.residual(reference, rho, x, residual);
  const chi = ((pc * rho) / (rhoc * rhoc)) * (slope - reference / (T * residual.dpdrho));
  if (!(chi > 0 && cp > cv)) return 0;
  const xi = LENGTH * (chi / GAMMA) ** EXPONENT;
  const y = xi / (CUTOFF * Math.cbrt(1 / (rhoc * AVOGADRO)));
  const delta = rho / rhoc;
  const omega = (1 - cv / cp) * Math.atan(y) + (cv / cp) * y;
  const background = -Math.expm1(-1 / (1 / y + (y * y) / (3 * delta * delta)));
  return Math.max(((rho * cp * AMPLITUDE * BOLTZMANN * T) / (3 * Math.PI ** 2 * mu * xi)) * (omega - background), 0);
}
