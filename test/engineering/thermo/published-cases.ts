import { readFileSync } from 'node:fs';
import type { CaloricState } from '../../../src/engineering/thermo/models/helmholtz/caloric.ts';

/** One published check value; see test/engineering/thermo/published. */
export interface PublishedCase {
  readonly id: string;
  readonly what: string;
  readonly input: {
    readonly T_K?: number;
    readonly p_kPa?: number;
    readonly p_bara?: number;
    readonly p_MPa?: number;
    readonly rho_kg_m3?: number;
    readonly rho_mol_m3?: number;
    readonly h_kJ_kg?: number;
    readonly quality?: number;
    readonly component?: string;
    readonly composition?: Readonly<Record<string, number>>;
    readonly region?: number;
  };
  readonly expect: { readonly value: number; readonly unit: string; readonly tol: number };
  readonly source: string;
}

export function publishedCases(file: string): PublishedCase[] {
  return readFileSync(new URL(`./published/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PublishedCase);
}

/** Mole fractions of a composition, scaled to sum 1. */
export function fractions(composition: Readonly<Record<string, number>>): Float64Array {
  const x = Float64Array.from(Object.values(composition));
  const total = x.reduce((a, b) => a + b, 0);
  return x.map((v) => v / total);
}

/** The property that a GERG-2008 or AGA8 case names, in the unit of those cases. M in kg/mol. */
export function caloricValue(what: string, s: CaloricState, M: number): number {
  switch (what) {
    case 'molar mass':
      return M * 1e3;
    case 'compressibility factor':
      return s.z;
    case 'dP/drho':
      return s.dpdrho;
    case 'dP/dT':
      return s.dpdT / 1e3;
    case 'internal energy':
      return s.u;
    case 'enthalpy':
      return s.h;
    case 'entropy':
      return s.s;
    case 'isochoric heat capacity':
      return s.cv;
    case 'isobaric heat capacity':
      return s.cp;
    case 'speed of sound':
      return s.w;
    case 'Gibbs energy':
      return s.g;
    case 'Joule-Thomson coefficient':
      return s.jouleThomson * 1e3;
    case 'isentropic exponent':
      return s.kappa;
    default:
      throw new Error(`no property '${what}'`);
  }
}
