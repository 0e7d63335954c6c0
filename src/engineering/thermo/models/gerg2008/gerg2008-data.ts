import { readJsonData } from '../../../data/json.ts';
import type { Term } from '../helmholtz/term-bank.ts';
import type { IdealGasData } from '../nist-ideal-gas.ts';

interface PureTerm {
  readonly n: number;
  readonly d: number;
  readonly t: number;
  readonly c: number;
}

interface DepartureTerm {
  readonly n: number;
  readonly d: number;
  readonly t: number;
  readonly eta?: number;
  readonly epsilon?: number;
  readonly beta?: number;
  readonly gamma?: number;
}

interface GergFile {
  readonly R_J_molK: number;
  readonly R_star_J_molK: number;
  readonly components: readonly {
    readonly name: string;
    readonly molarMass_g_mol: number;
    readonly Tc_K: number;
    readonly rhoc_mol_L: number;
    readonly residual: readonly PureTerm[];
    readonly idealGas: IdealGasData;
  }[];
  readonly binary: readonly {
    readonly i: string;
    readonly j: string;
    readonly betaV: number;
    readonly gammaV: number;
    readonly betaT: number;
    readonly gammaT: number;
    readonly F: number;
    readonly departure: number;
  }[];
  readonly departureFunctions: Readonly<Record<string, readonly DepartureTerm[]>>;
}

/** Equations and parameters of GERG-2008 as published by Kunz and Wagner (2012), Tables A1 to A8. */
export const GERG: GergFile = readJsonData<GergFile>('gerg2008.json');

/** Names of the 21 components, in the order of the publication. */
export const GERG_COMPONENT_NAMES: readonly string[] = GERG.components.map((c) => c.name);

/** n delta^d tau^t exp(-delta^c), without the exponential when c = 0. */
export function pureTerms(terms: readonly PureTerm[]): Term[] {
  return terms.map(({ n, d, t, c }) => ({
    n,
    tau: { kind: 'power', t },
    delta: { kind: 'exp', d, g: c === 0 ? 0 : 1, l: c },
  }));
}

/** n delta^d tau^t exp(-eta (delta - epsilon)^2 - beta (delta - gamma)), polynomial when eta is absent. */
export function departureTerms(terms: readonly DepartureTerm[]): Term[] {
  return terms.map(({ n, d, t, eta, epsilon = 0, beta = 0, gamma = 0 }) => ({
    n,
    tau: { kind: 'power', t },
    delta: eta === undefined ? { kind: 'exp', d, g: 0, l: 0 } : { kind: 'gauss', d, eta, epsilon, beta, gamma },
  }));
}
