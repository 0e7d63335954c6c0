import { readJsonData } from '../../../data/json.ts';
import type { IdealTermData } from './ideal-part.ts';
import type { NonAnalyticTerms } from './non-analytic.ts';
import type { Term } from './term-bank.ts';

type Numbers = readonly number[];

type ResidualTermData =
  | {
      readonly type: 'ResidualHelmholtzPower';
      readonly n: Numbers;
      readonly d: Numbers;
      readonly t: Numbers;
      readonly l: Numbers;
    }
  | {
      readonly type: 'ResidualHelmholtzExponential';
      readonly n: Numbers;
      readonly d: Numbers;
      readonly t: Numbers;
      readonly l: Numbers;
      readonly g: Numbers;
    }
  | {
      readonly type: 'ResidualHelmholtzDoubleExponential';
      readonly n: Numbers;
      readonly d: Numbers;
      readonly t: Numbers;
      readonly ld: Numbers;
      readonly gd: Numbers;
      readonly lt: Numbers;
      readonly gt: Numbers;
    }
  | {
      readonly type: 'ResidualHelmholtzGaussian';
      readonly n: Numbers;
      readonly d: Numbers;
      readonly t: Numbers;
      readonly eta: Numbers;
      readonly epsilon: Numbers;
      readonly beta: Numbers;
      readonly gamma: Numbers;
    }
  | {
      readonly type: 'ResidualHelmholtzGaoB';
      readonly n: Numbers;
      readonly d: Numbers;
      readonly t: Numbers;
      readonly eta: Numbers;
      readonly epsilon: Numbers;
      readonly beta: Numbers;
      readonly gamma: Numbers;
      readonly b: Numbers;
    }
  | ({ readonly type: 'ResidualHelmholtzNonAnalytic' } & NonAnalyticTerms);

/** reducing_value exp(f sum n theta^t) or reducing_value (1 + sum n theta^t); theta = 1 - T/T_r, f = T_r/T or 1. */
export interface AncillaryData {
  readonly type: string;
  readonly T_r: number;
  readonly reducing_value: number;
  readonly n: Numbers;
  readonly t: Numbers;
  readonly using_tau_r: boolean;
}

export interface FluidData {
  readonly name: string;
  readonly cas: string;
  readonly reference: string;
  readonly molarMass_kg_mol: number;
  readonly R_J_molK: number;
  readonly Ttriple_K: number;
  readonly Tmax_K: number;
  readonly pmax_Pa: number;
  readonly acentric: number;
  readonly reducing: { readonly T: number; readonly p: number; readonly rhomolar: number };
  readonly critical: { readonly T: number; readonly p: number; readonly rhomolar: number };
  readonly alpha0: readonly IdealTermData[];
  readonly alphar: readonly ResidualTermData[];
  readonly ancillary: {
    readonly pS?: AncillaryData;
    readonly rhoL: AncillaryData;
    readonly rhoV: AncillaryData;
    readonly surface_tension?: { readonly Tc: number; readonly a: Numbers; readonly n: Numbers };
  };
}

const file = readJsonData<{ readonly fluids: Readonly<Record<string, FluidData>> }>('helmholtz-eos.json');

/** The 43 reference equations by component name. */
export const FLUIDS: ReadonlyMap<string, FluidData> = new Map(Object.values(file.fluids).map((f) => [f.name, f]));

/** Component name of a fluid key of the data files (`n-Propane` is `propane`). */
export function fluidName(key: string): string | undefined {
  return file.fluids[key]?.name;
}

/** Separable terms of the residual part; the non-analytic ones apart. */
export function residualTerms(fluid: FluidData): { terms: Term[]; nonAnalytic: NonAnalyticTerms[] } {
  const nonAnalytic: NonAnalyticTerms[] = [];
  const terms: Term[] = [];
  for (const data of fluid.alphar) {
    if (data.type === 'ResidualHelmholtzNonAnalytic') nonAnalytic.push(data);
    else for (let k = 0; k < data.n.length; k++) terms.push(term(data, k));
  }
  return { terms, nonAnalytic };
}

function term(data: Exclude<ResidualTermData, { type: 'ResidualHelmholtzNonAnalytic' }>, k: number): Term {
  const n = data.n[k]!;
  const d = data.d[k]!;
  const t = data.t[k]!;
  switch (data.type) {
    case 'ResidualHelmholtzPower': {
      const l = data.l[k]!;
      return { n, tau: { kind: 'power', t }, delta: { kind: 'exp', d, g: l === 0 ? 0 : 1, l } };
    }
    case 'ResidualHelmholtzExponential':
      return { n, tau: { kind: 'power', t }, delta: { kind: 'exp', d, g: data.g[k]!, l: data.l[k]! } };
    case 'ResidualHelmholtzDoubleExponential':
      return {
        n,
        tau: { kind: 'exp', t, g: data.gt[k]!, l: data.lt[k]! },
        delta: { kind: 'exp', d, g: data.gd[k]!, l: data.ld[k]! },
      };
    case 'ResidualHelmholtzGaussian':
      return {
        n,
        tau: { kind: 'gauss', t, beta: data.beta[k]!, gamma: data.gamma[k]! },
        delta: { kind: 'gauss', d, eta: data.eta[k]!, epsilon: data.epsilon[k]!, beta: 0, gamma: 0 },
      };
    case 'ResidualHelmholtzGaoB':
      // Published as exp(eta (delta - epsilon)^2 + 1/(beta (tau - gamma)^2 + b)) with negative eta (Gao et al. 2020).
      return {
        n,
        tau: { kind: 'gao', t, beta: data.beta[k]!, gamma: data.gamma[k]!, b: data.b[k]! },
        delta: { kind: 'gauss', d, eta: -data.eta[k]!, epsilon: data.epsilon[k]!, beta: 0, gamma: 0 },
      };
  }
}

/** Ancillary estimate of a saturation property at T <= T_r. A first guess, not a result. */
export function ancillary(data: AncillaryData, T: number): number {
  const theta = Math.max(0, 1 - T / data.T_r);
  let sum = 0;
  for (let k = 0; k < data.n.length; k++) sum += data.n[k]! * theta ** data.t[k]!;
  if (data.type === 'rhoLnoexp') return data.reducing_value * (1 + sum);
  return data.reducing_value * Math.exp(data.using_tau_r ? (sum * data.T_r) / T : sum);
}
