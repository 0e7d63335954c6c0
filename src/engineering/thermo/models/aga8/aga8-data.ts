import { readJsonData } from '../../../data/json.ts';
import type { IdealGasData } from '../nist-ideal-gas.ts';

interface Aga8File {
  readonly R_J_molK: number;
  readonly terms: readonly {
    readonly a: number;
    readonly b: number;
    readonly k: number;
    readonly u: number;
    readonly g: number;
    readonly q: number;
    readonly f: number;
    readonly s: number;
    readonly w: number;
  }[];
  readonly components: readonly {
    readonly name: string;
    readonly molarMass_g_mol: number;
    readonly E_K: number;
    readonly K_m3_kmol_1_3: number;
    readonly G: number;
    readonly Q: number;
    readonly F: number;
    readonly S: number;
    readonly W: number;
    readonly idealGas: IdealGasData;
  }[];
  readonly binary: readonly {
    readonly i: string;
    readonly j: string;
    readonly E: number;
    readonly U: number;
    readonly K: number;
    readonly G: number;
  }[];
}

/** Coefficients of AGA Report No. 8 Part 1 (2017), Tables 4 to 7. */
export const AGA8: Aga8File = readJsonData<Aga8File>('aga8-detail.json');

export const AGA8_COMPONENT_NAMES: readonly string[] = AGA8.components.map((c) => c.name);
