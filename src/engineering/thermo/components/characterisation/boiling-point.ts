/** Boiling point and critical point of plus fractions, of which only molar mass and specific gravity are known. */
import { type CriticalProperties, within } from './critical-properties.ts';

const RANKINE = 1.8;
const PSI = 6894.757293168;
const CUBIC_FOOT_PER_POUND_MOLE = 0.028316846592 / 453.59237;

/**
 * Normal boiling point [K] from molar mass M [g/mol in the equation] and SG:
 * 1.8 Tb = 1928.3 - 1.695e5 M^-0.03522 SG^3.266 exp(-4.922e-3 M - 4.7685 SG + 3.462e-3 M SG). M 90 to 1000 g/mol, SG 0.6 to 1.1: lighter substances come out 5 % and more too high. Throws 'outside-range'.
 * I. Soereide, Dr. Ing. thesis, Norwegian Institute of Technology (1989).
 */
export function soereideBoilingPoint(molarMass: number, SG: number): number {
  const M = molarMass * 1e3;
  within('molar mass', M, 90, 1000, 'g/mol');
  within('specific gravity', SG, 0.6, 1.1, '-');
  return (
    (1928.3 - 1.695e5 * M ** -0.03522 * SG ** 3.266 * Math.exp(-4.922e-3 * M - 4.7685 * SG + 3.462e-3 * M * SG)) /
    RANKINE
  );
}

/**
 * Boiling point and critical properties from molar mass M and SG, all of the form a M^b SG^c exp(d M + e SG + f M SG). M 70 to 300 g/mol, SG 0.6 to 1.0.
 * Throws 'outside-range'. M. R. Riazi, T. E. Daubert, Ind. Eng. Chem. Res. 26 (1987) 755, doi:10.1021/ie00064a023.
 */
export function riaziDaubertFromMolarMass(molarMass: number, SG: number): CriticalProperties & { readonly Tb: number } {
  const M = molarMass * 1e3;
  within('molar mass', M, 70, 300, 'g/mol');
  within('specific gravity', SG, 0.6, 1, '-');
  const of = (a: number, b: number, c: number, d: number, e: number, f: number) =>
    a * M ** b * SG ** c * Math.exp(d * M + e * SG + f * M * SG);
  return {
    Tb: of(6.77857, 0.401673, -1.58262, 3.77409e-3, 2.984036, -4.25288e-3) / RANKINE,
    Tc: of(544.4, 0.2998, 1.0555, -1.3478e-4, -0.61641, 0) / RANKINE,
    pc: of(4.5203e4, -0.8063, 1.6015, -1.8078e-3, -0.3084, 0) * PSI,
    vc: of(1.206e-2, 0.20378, -1.3036, -2.657e-3, 0.5287, 2.6012e-3) * CUBIC_FOOT_PER_POUND_MOLE * M,
    molarMass,
  };
}
