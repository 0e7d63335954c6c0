/**
 * Ideal-gas Helmholtz energy of the reference fluids: alpha0(tau, delta) = ln delta + phi(tau). The zero points of
 * enthalpy and entropy are those of the published equation; where the source gives only cp0 (n-heptane, methanol) they
 * are arbitrary, so only differences carry meaning there.
 */
export type IdealTermData =
  | { readonly type: 'IdealGasHelmholtzLead'; readonly a1: number; readonly a2: number }
  | { readonly type: 'IdealGasHelmholtzEnthalpyEntropyOffset'; readonly a1: number; readonly a2: number }
  | { readonly type: 'IdealGasHelmholtzLogTau'; readonly a: number }
  | { readonly type: 'IdealGasHelmholtzPower'; readonly n: readonly number[]; readonly t: readonly number[] }
  | { readonly type: 'IdealGasHelmholtzPlanckEinstein'; readonly n: readonly number[]; readonly t: readonly number[] }
  | {
      readonly type: 'IdealGasHelmholtzPlanckEinsteinFunctionT';
      readonly n: readonly number[];
      readonly v: readonly number[];
      readonly Tcrit: number;
    }
  | {
      readonly type: 'IdealGasHelmholtzPlanckEinsteinGeneralized';
      readonly n: readonly number[];
      readonly t: readonly number[];
      readonly c: readonly number[];
      readonly d: readonly number[];
    }
  | {
      readonly type: 'IdealGasHelmholtzCP0PolyT';
      readonly c: readonly number[];
      readonly t: readonly number[];
      readonly Tc: number;
    }
  | { readonly type: 'IdealGasHelmholtzCP0AlyLee'; readonly c: readonly number[]; readonly Tc: number };

/** phi, tau phi' and tau^2 phi''. */
export interface IdealParts {
  phi: number;
  t: number;
  tt: number;
}

type Add = (tau: number, out: IdealParts) => void;

export class IdealPart {
  private readonly adders: readonly Add[];

  constructor(terms: readonly IdealTermData[]) {
    this.adders = terms.flatMap(compile);
  }

  /** Fills phi(tau) and its scaled derivatives; add ln delta for alpha0. */
  evaluate(tau: number, out: IdealParts): void {
    out.phi = 0;
    out.t = 0;
    out.tt = 0;
    for (const add of this.adders) add(tau, out);
  }
}

function compile(term: IdealTermData): Add[] {
  switch (term.type) {
    case 'IdealGasHelmholtzLead':
    case 'IdealGasHelmholtzEnthalpyEntropyOffset':
      return [linear(term.a1, term.a2)];
    case 'IdealGasHelmholtzLogTau':
      return [logTau(term.a)];
    case 'IdealGasHelmholtzPower':
      return term.n.map((n, k) => power(n, term.t[k]!));
    case 'IdealGasHelmholtzPlanckEinstein':
      return term.n.map((n, k) => planckEinstein(n, 1, -1, -term.t[k]!));
    case 'IdealGasHelmholtzPlanckEinsteinFunctionT':
      return term.n.map((n, k) => planckEinstein(n, 1, -1, -term.v[k]! / term.Tcrit));
    case 'IdealGasHelmholtzPlanckEinsteinGeneralized':
      return term.n.map((n, k) => planckEinstein(n, term.c[k]!, term.d[k]!, term.t[k]!));
    case 'IdealGasHelmholtzCP0PolyT':
      return term.c.map((c, k) => heatCapacityPower(c, term.t[k]!, term.Tc));
    case 'IdealGasHelmholtzCP0AlyLee': {
      // cp0/R = c0 + c1 (x1/sinh x1)^2 + c3 (x3/cosh x3)^2, x = c/T (Aly and Lee, Fluid Phase Equil. 6, 169 (1981))
      const [c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0] = term.c;
      const parts: Add[] = [];
      if (c0 !== 0) parts.push(logTau(c0));
      if (c1 !== 0) parts.push(logSinh(c1, c2 / term.Tc));
      if (c3 !== 0) parts.push(logCosh(c3, c4 / term.Tc));
      return parts;
    }
  }
}

const linear =
  (a1: number, a2: number): Add =>
  (tau, out) => {
    out.phi += a1 + a2 * tau;
    out.t += a2 * tau;
  };

const logTau =
  (a: number): Add =>
  (tau, out) => {
    out.phi += a * Math.log(tau);
    out.t += a;
    out.tt -= a;
  };

const power =
  (n: number, t: number): Add =>
  (tau, out) => {
    const term = n * tau ** t;
    out.phi += term;
    out.t += t * term;
    out.tt += t * (t - 1) * term;
  };

/** n ln(c + d exp(theta tau)). */
const planckEinstein =
  (n: number, c: number, d: number, theta: number): Add =>
  (tau, out) => {
    const e = d * Math.exp(theta * tau);
    const q = (theta * tau * e) / (c + e);
    out.phi += n * Math.log(c + e);
    out.t += n * q;
    out.tt += n * q * (theta * tau - q);
  };

/** cp0/R = c T^t: -tau^2 phi'' = c (Tc/tau)^t. */
const heatCapacityPower = (c: number, t: number, Tc: number): Add => {
  if (t === 0) return logTau(c);
  if (t === -1) {
    return (tau, out) => {
      const ln = Math.log(tau);
      out.phi -= (c / Tc) * tau * (ln - 1);
      out.t -= (c / Tc) * tau * ln;
      out.tt -= (c / Tc) * tau;
    };
  }
  return power((-c * Tc ** t) / (t * (t + 1)), -t);
};

/** n ln sinh(theta tau), written without overflow. */
const logSinh =
  (n: number, theta: number): Add =>
  (tau, out) => {
    const x = theta * tau;
    const e = Math.exp(-2 * x);
    const coth = (1 + e) / (1 - e);
    const s = (x * x * 4 * e) / ((1 - e) * (1 - e));
    out.phi += n * (x + Math.log1p(-e) - Math.LN2);
    out.t += n * x * coth;
    out.tt -= n * s;
  };

/** -n ln cosh(theta tau), written without overflow. */
const logCosh =
  (n: number, theta: number): Add =>
  (tau, out) => {
    const x = theta * tau;
    const e = Math.exp(-2 * x);
    const tanh = (1 - e) / (1 + e);
    const s = (x * x * 4 * e) / ((1 + e) * (1 + e));
    out.phi -= n * (x + Math.log1p(e) - Math.LN2);
    out.t -= n * x * tanh;
    out.tt -= n * s;
  };
