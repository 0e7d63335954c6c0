import type { Component } from '../../components/component.ts';
import type { EquationOfState } from '../../model.ts';
import { type CubicFamily, type CubicOptions, classicCubic } from './classic-cubic.ts';
import { twuCoefficients } from './twu-coefficients.ts';

/**
 * Peng-Robinson 1976: p = R T/(v - b) - a(T)/(v^2 + 2 b v - b^2),
 * a_c = 0.45724 R^2 Tc^2/pc, b = 0.0778 R Tc/pc, alpha = (1 + m (1 - sqrt(Tr)))^2,
 * m = 0.37464 + 1.54226 omega - 0.26992 omega^2 for every acentric factor. SI units. The two Omega values carry the rounding that is
 * usual in process programs (the exact ones are 0.4572355 and 0.0777961), so that answers can be compared with theirs.
 * D.-Y. Peng, D. B. Robinson, Ind. Eng. Chem. Fundam. 15 (1976) 59, doi:10.1021/i160057a011; density shift after
 * B. S. Jhaveri, G. K. Youngren, SPE Reserv. Eng. 3 (1988) 1033, doi:10.2118/13118-PA.
 */
export function pengRobinson(components: readonly Component[], options?: CubicOptions): EquationOfState {
  return classicCubic(PENG_ROBINSON, components, options);
}

export const PENG_ROBINSON: CubicFamily = {
  id: 'PR',
  omegaA: 0.45724333333,
  omegaB: 0.077803333,
  delta1: 1 + Math.SQRT2,
  delta2: 1 - Math.SQRT2,
  slope: (omega) => 0.37464 + omega * (1.54226 - 0.26992 * omega),
  kijColumn: 'kij_pr',
  mathiasCopeman: (c) => c.mathiasCopeman.pr,
  twu: (c) => twuCoefficients(c, 'pr'),
  shiftFactor: 0.50033,
  shiftZ: 0.25969,
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
    reference: 'Peng and Robinson, Ind. Eng. Chem. Fundam. 15 (1976) 59',
  },
};
