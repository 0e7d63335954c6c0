/**
 * Viscosity of gas and oil by J. Lohrenz, B. G. Bray and C. R. Clark, J. Pet. Technol. 16, 1171 (1964): the usual alternative to
 * corresponding states where viscosities are to be tuned, through the critical volumes.
 *   [(mu - mu0) xi + 1e-4]^(1/4) = 0.1023 + 0.023364 rhor + 0.058533 rhor^2 - 0.040758 rhor^3 + 0.0093324 rhor^4, mu in mPa s,
 *   xi = Tcm^(1/6) Mm^(-1/2) pcm^(-2/3) with K, g/mol, atm and mole averages, rhor = rho sum x_i vc_i;
 *   mu0 = sum x_i mu_i M_i^(1/2)/sum x_i M_i^(1/2) (Herning and Zipperer), mu_i by Stiel and Thodos:
 *   mu_i xi_i = 34e-5 Tr^0.94 for Tr <= 1.5, 17.78e-5 (4.58 Tr - 1.67)^0.625 above.
 *
 * Validity: reduced densities up to 3; gas 5 %, light oil 20 %, and no better than a factor of 2 for heavy oil without tuning, as the
 * fourth power passes every density error on. It guarantees the dilute-gas value at zero density and a rise with density.
 * @throws EngineError 'missing-data' for a component without critical volume
 */
import type { Component } from '../../components/component.ts';
import { ATM } from '../../constants.ts';
import { EngineError } from '../../errors.ts';

const A = [0.1023, 0.023364, 0.058533, -0.040758, 0.0093324] as const;

/** Viscosity [Pa s] at T [K], molar density rho [mol/m3]. */
export function lbcViscosity(components: readonly Component[], T: number, rho: number, x: Float64Array): number {
  let Tc = 0;
  let pc = 0;
  let M = 0;
  let vc = 0;
  let weighted = 0;
  let weights = 0;
  for (let i = 0; i < x.length; i++) {
    const xi = x[i]!;
    if (xi <= 0) continue;
    const c = components[i]!;
    if (!(c.vc > 0)) throw new EngineError({ kind: 'missing-data', component: c.name, property: 'critical volume' });
    Tc += xi * c.Tc;
    pc += xi * c.pc;
    M += xi * c.molarMass;
    vc += xi * c.vc;
    const root = xi * Math.sqrt(c.molarMass);
    weighted += root * stielThodos(c, T);
    weights += root;
  }
  const rhor = rho * vc;
  const sum = A[0] + rhor * (A[1] + rhor * (A[2] + rhor * (A[3] + rhor * A[4])));
  return weighted / weights + (1e-3 * (sum ** 4 - A[0] ** 4)) / inverseViscosity(Tc, pc, M);
}

/** Viscosity of the dilute gas [Pa s]. */
function stielThodos({ Tc, pc, molarMass }: Component, T: number): number {
  const Tr = T / Tc;
  const reduced = Tr <= 1.5 ? 34e-5 * Tr ** 0.94 : 17.78e-5 * (4.58 * Tr - 1.67) ** 0.625;
  return (1e-3 * reduced) / inverseViscosity(Tc, pc, molarMass);
}

/** xi [1/(mPa s)]. */
function inverseViscosity(Tc: number, pc: number, M: number): number {
  return Tc ** (1 / 6) / (Math.sqrt(M * 1e3) * Math.cbrt((pc / ATM) ** 2));
}
