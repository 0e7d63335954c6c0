import type { Component } from '../../components/component.ts';
import type { EquationOfState } from '../../model.ts';
import { type CubicFamily, type CubicOptions, classicCubic } from './classic-cubic.ts';
import { twuCoefficients } from './twu-coefficients.ts';

const CBRT2 = Math.cbrt(2);

/**
 * Soave-Redlich-Kwong: p = R T/(v - b) - a(T)/(v (v + b)),
 * a_c = R^2 Tc^2 / (9 (2^(1/3) - 1) pc), b = (2^(1/3) - 1)/3 R Tc/pc, alpha = (1 + m (1 - sqrt(Tr)))^2,
 * m = 0.48 + 1.574 omega - 0.176 omega^2. SI units. Density is reported with the shift of A. Peneloux, E. Rauzy, R. Freze,
 * Fluid Phase Equilib. 8 (1982) 7, doi:10.1016/0378-3812(82)80002-2.
 * G. Soave, Chem. Eng. Sci. 27 (1972) 1197, doi:10.1016/0009-2509(72)80096-4.
 */
export function srk(components: readonly Component[], options?: CubicOptions): EquationOfState {
  return classicCubic(SRK, components, options);
}

export const SRK: CubicFamily = {
  id: 'SRK',
  omegaA: 1 / (9 * (CBRT2 - 1)),
  omegaB: (CBRT2 - 1) / 3,
  delta1: 1,
  delta2: 0,
  slope: (omega) => 0.48 + omega * (1.574 - 0.176 * omega),
  kijColumn: 'kij_srk',
  mathiasCopeman: (c) => c.mathiasCopeman.srk,
  twu: (c) => twuCoefficients(c, 'srk'),
  shiftFactor: 0.40768,
  shiftZ: 0.29441,
  validity: {
    minT: 60,
    maxT: 1000,
    minP: 1,
    maxP: 1e8,
    status: 'validated',
    notes: [
      'Light hydrocarbons, CO2, N2, H2S: vapour pressures within 5 %, saturated vapour densities within 8 %, shifted liquid densities within 12 % below Tr 0.9.',
      'Liquid densities near the critical point are up to 20 % low, of ammonia 15 to 25 % high.',
      'Water, glycols and alcohols: mutual solubilities are not predicted; use CPA.',
      'Heat capacity and speed of sound of liquids and near-critical states are poor.',
    ],
    reference: 'Soave, Chem. Eng. Sci. 27 (1972) 1197',
  },
};
