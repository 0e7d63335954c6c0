import { readJsonData } from '../../../data/json.ts';

interface IJ {
  readonly I: number;
  readonly J: number;
  readonly n: number;
}

interface If97File {
  readonly R_kJ_kgK: number;
  readonly Tc_K: number;
  readonly pc_MPa: number;
  readonly rhoc_kg_m3: number;
  readonly region1: { readonly terms: readonly IJ[] };
  readonly region2: { readonly ideal: readonly { J: number; n: number }[]; readonly residual: readonly IJ[] };
  readonly boundary23: { readonly n: readonly number[] };
  readonly region3: { readonly terms: readonly IJ[] };
  readonly region4: { readonly n: readonly number[] };
  readonly region5: { readonly ideal: readonly { J: number; n: number }[]; readonly residual: readonly IJ[] };
  readonly backward: {
    readonly T_ph_region1: readonly IJ[];
    readonly T_ps_region1: readonly IJ[];
    readonly T_ph_2a: readonly IJ[];
    readonly T_ph_2b: readonly IJ[];
    readonly T_ph_2c: readonly IJ[];
    readonly T_ps_2a: readonly IJ[];
    readonly T_ps_2b: readonly IJ[];
    readonly T_ps_2c: readonly IJ[];
    readonly boundary_2b2c: readonly number[];
  };
  readonly viscosity2008: { readonly H_ideal: readonly number[]; readonly H_residual: readonly IJ[] };
  readonly conductivity2011: { readonly L_ideal: readonly number[]; readonly L_residual: readonly IJ[] };
}

/** Coefficients of IAPWS R7-97(2012), R12-08 (viscosity) and R15-11 (thermal conductivity). */
export const IF97: If97File = readJsonData<If97File>('iapws-if97.json');

/** Specific gas constant [J/(kg K)] of IAPWS-IF97. */
export const R_STEAM = IF97.R_kJ_kgK * 1e3;
/** Critical point: K, Pa, kg/m3. */
export const TC = IF97.Tc_K;
export const PC = IF97.pc_MPa * 1e6;
export const RHOC = IF97.rhoc_kg_m3;

/** Limits of the formulation: K and Pa. */
export const T_MIN = 273.15;
export const T_13 = 623.15;
export const T_23 = 863.15;
export const T_25 = 1073.15;
export const T_MAX = 2273.15;
export const P_MAX = 100e6;
export const P_MAX_5 = 50e6;

export type { IJ };
