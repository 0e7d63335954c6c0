import { readJsonData } from '../../../data/json.ts';
import { fluidName } from '../../models/helmholtz/fluid-data.ts';

type Numbers = readonly number[];
interface Hardcoded<K extends string> {
  readonly hardcoded: K;
}

export type DiluteViscosity =
  | { readonly type: 'powers_of_Tr'; readonly T_reducing: number; readonly a: Numbers; readonly t: Numbers }
  | {
      readonly type: 'collision_integral';
      readonly C: number;
      readonly molar_mass: number;
      readonly a: Numbers;
      readonly t: Numbers;
    }
  | {
      readonly type: 'collision_integral_powers_of_Tstar';
      readonly C: number;
      readonly T_reducing: number;
      readonly a: Numbers;
      readonly t: Numbers;
    }
  | Hardcoded<'Ethane' | 'CarbonDioxideLaeseckeJPCRD2017'>;

export interface FrictionTheory {
  readonly type: 'friction_theory';
  readonly T_reduce: number;
  readonly c1: number;
  readonly c2: number;
  readonly Ai: Numbers;
  readonly Aa: Numbers;
  readonly Ar: Numbers;
  readonly Aaa: Numbers;
  readonly Arr?: Numbers;
  readonly Adrdr?: Numbers;
  readonly Aii?: Numbers;
  readonly Na: number;
  readonly Nr: number;
  readonly Naa: number;
  readonly Nrr: number;
  readonly Nii?: number;
}

export interface BatschinskiHildebrand {
  readonly type: 'modified_Batschinski_Hildebrand';
  readonly T_reduce: number;
  readonly rhomolar_reduce: number;
  readonly a: Numbers;
  readonly d1: Numbers;
  readonly t1: Numbers;
  readonly gamma: Numbers;
  readonly l: Numbers;
  readonly f: Numbers;
  readonly d2: Numbers;
  readonly t2: Numbers;
  readonly g: Numbers;
  readonly h: Numbers;
  readonly p: Numbers;
  readonly q: Numbers;
}

export interface ViscosityData {
  readonly dilute: DiluteViscosity;
  readonly initial_density?: { readonly type: 'Rainwater-Friend'; readonly b: Numbers; readonly t: Numbers };
  readonly higher_order:
    | FrictionTheory
    | BatschinskiHildebrand
    | Hardcoded<'Ethane' | 'Hydrogen' | 'CarbonDioxideLaeseckeJPCRD2017'>;
  readonly epsilon_over_k: number;
  readonly sigma_eta: number;
}

export type DiluteConductivity =
  | {
      readonly type: 'ratio_of_polynomials';
      readonly T_reducing: number;
      readonly A: Numbers;
      readonly n: Numbers;
      readonly B: Numbers;
      readonly m: Numbers;
    }
  | { readonly type: 'eta0_and_poly'; readonly A: Numbers; readonly t: Numbers }
  | Hardcoded<'Ethane' | 'CarbonDioxideHuberJPCRD2016'>;

export type ResidualConductivity =
  | {
      readonly type: 'polynomial';
      readonly T_reducing: number;
      readonly rhomass_reducing: number;
      readonly B: Numbers;
      readonly t: Numbers;
      readonly d: Numbers;
    }
  | {
      readonly type: 'polynomial_and_exponential';
      readonly A: Numbers;
      readonly t: Numbers;
      readonly d: Numbers;
      readonly gamma: Numbers;
      readonly l: Numbers;
    };

export interface OlchowySengers {
  readonly type: 'simplified_Olchowy_Sengers';
  readonly GAMMA: number;
  readonly R0: number;
  readonly gamma: number;
  readonly nu?: number;
  readonly qD: number;
  readonly zeta0: number;
  readonly T_ref?: number;
}

export interface ConductivityData {
  readonly dilute: DiluteConductivity;
  readonly residual: ResidualConductivity;
  readonly critical: OlchowySengers | Hardcoded<'Ammonia'>;
}

export interface TransportData {
  readonly viscosity?: ViscosityData | Hardcoded<'Water'>;
  readonly conductivity?: ConductivityData | Hardcoded<'Water' | 'Methane'>;
}

const file = readJsonData<{ readonly fluids: Readonly<Record<string, TransportData>> }>('transport-reference.json');

/** Correlations by component name. */
export const TRANSPORT: ReadonlyMap<string, TransportData> = new Map(
  Object.entries(file.fluids).map(([key, data]) => [fluidName(key) ?? key, data]),
);
