/**
 * Sums of separable terms n f(tau) g(delta), the building block of every multiparameter Helmholtz equation.
 *
 * A bank holds several segments (one per pure equation or departure function) that are evaluated at the same
 * (tau, delta). Terms of different segments share most exponents, so each distinct f and g is worked out once and the
 * terms only multiply and add. f is kept while tau stays the same, g while delta stays the same: a density search at
 * fixed temperature and composition pays for no power of tau at all.
 *
 * Results are the scaled derivatives, in the order of the offsets below; scaling by delta and tau keeps them finite
 * and free of division as delta goes to 0. Separability means the mixed derivative costs one product.
 */
export const WIDTH = 6;
export const A = 0; // alpha
export const D = 1; // delta d/d delta
export const DD = 2; // delta^2 d2/d delta2
export const T = 3; // tau d/d tau
export const TT = 4; // tau^2 d2/d tau2
export const DT = 5; // delta tau d2/d delta d tau

/** f(tau): tau^t, times exp(-b (tau - c)^2), exp(-b tau^c) or exp(1/(b (tau - c)^2 + a)). */
export type TauPart =
  | { readonly kind: 'power'; readonly t: number }
  | { readonly kind: 'gauss'; readonly t: number; readonly beta: number; readonly gamma: number }
  | { readonly kind: 'exp'; readonly t: number; readonly g: number; readonly l: number }
  | { readonly kind: 'gao'; readonly t: number; readonly beta: number; readonly gamma: number; readonly b: number };

/** g(delta): delta^d, times exp(-g delta^l) or exp(-eta (delta - epsilon)^2 - beta (delta - gamma)). */
export type DeltaPart =
  | { readonly kind: 'exp'; readonly d: number; readonly g: number; readonly l: number }
  | {
      readonly kind: 'gauss';
      readonly d: number;
      readonly eta: number;
      readonly epsilon: number;
      readonly beta: number;
      readonly gamma: number;
    };

export interface Term {
  readonly n: number;
  readonly tau: TauPart;
  readonly delta: DeltaPart;
}

export class TermBank {
  readonly segments: number;
  private readonly start: Int32Array;
  private readonly n: Float64Array;
  private readonly tauIndex: Int32Array;
  private readonly deltaIndex: Int32Array;
  private readonly tauParts: readonly TauPart[];
  private readonly deltaParts: readonly DeltaPart[];
  private readonly f: Float64Array;
  private readonly f1: Float64Array;
  private readonly f2: Float64Array;
  private readonly g: Float64Array;
  private readonly g1: Float64Array;
  private readonly g2: Float64Array;
  /** delta^0, delta^1, ...: exponents of delta are whole numbers in every published equation. */
  private readonly powers: Float64Array;
  private tau = Number.NaN;
  private delta = Number.NaN;

  constructor(segments: readonly (readonly Term[])[]) {
    this.segments = segments.length;
    this.start = new Int32Array(segments.length + 1);
    const all = segments.flat();
    this.n = Float64Array.from(all, (term) => term.n);
    this.tauIndex = new Int32Array(all.length);
    this.deltaIndex = new Int32Array(all.length);
    const taus = new Map<string, number>();
    const deltas = new Map<string, number>();
    const tauParts: TauPart[] = [];
    const deltaParts: DeltaPart[] = [];
    // Parts with the same exponential stand together, so that fillDelta works each exponential out once.
    const byDecay = [...all].sort((p, q) => compare(decayRank(p.delta), decayRank(q.delta)));
    for (const term of byDecay) share(deltas, deltaParts, term.delta);
    all.forEach((term, k) => {
      this.tauIndex[k] = share(taus, tauParts, term.tau);
      this.deltaIndex[k] = share(deltas, deltaParts, term.delta);
    });
    segments.forEach((terms, s) => {
      this.start[s + 1] = this.start[s]! + terms.length;
    });
    this.tauParts = tauParts;
    this.deltaParts = deltaParts;
    this.f = new Float64Array(tauParts.length);
    this.f1 = new Float64Array(tauParts.length);
    this.f2 = new Float64Array(tauParts.length);
    this.g = new Float64Array(deltaParts.length);
    this.g1 = new Float64Array(deltaParts.length);
    this.g2 = new Float64Array(deltaParts.length);
    let highest = 0;
    for (const part of deltaParts) {
      const l = part.kind === 'exp' ? part.l : 0;
      if (!Number.isInteger(part.d) || !Number.isInteger(l))
        throw new RangeError('exponents of delta must be whole numbers');
      highest = Math.max(highest, part.d, l);
    }
    this.powers = new Float64Array(highest + 1).fill(1);
  }

  /** Prepares the shared parts for (tau, delta), both positive. Call before `segment`. */
  prepare(tau: number, delta: number): void {
    if (tau !== this.tau) {
      this.tau = tau;
      this.fillTau(tau);
    }
    if (delta !== this.delta) {
      this.delta = delta;
      this.fillDelta(delta);
    }
  }

  /** Writes the six scaled derivatives of segment `s` to out[at .. at+5]. */
  segment(s: number, out: Float64Array, at: number): void {
    const { n, tauIndex, deltaIndex, f, f1, f2, g, g1, g2 } = this;
    let a = 0;
    let d = 0;
    let dd = 0;
    let t = 0;
    let tt = 0;
    let dt = 0;
    for (let k = this.start[s]!, end = this.start[s + 1]!; k < end; k++) {
      const u = tauIndex[k]!;
      const v = deltaIndex[k]!;
      const term = n[k]! * f[u]! * g[v]!;
      const term1 = term * g1[v]!;
      const p1 = f1[u]!;
      a += term;
      d += term1;
      dd += term * g2[v]!;
      t += term * p1;
      tt += term * f2[u]!;
      dt += term1 * p1;
    }
    out[at] = a;
    out[at + D] = d;
    out[at + DD] = dd;
    out[at + T] = t;
    out[at + TT] = tt;
    out[at + DT] = dt;
  }

  /** f, tau f'/f and tau^2 f''/f of every distinct tau part. */
  private fillTau(tau: number): void {
    const { f, f1, f2, tauParts } = this;
    const ln = Math.log(tau);
    for (let u = 0; u < tauParts.length; u++) {
      const part = tauParts[u]!;
      const power = Math.exp(part.t * ln);
      switch (part.kind) {
        case 'power':
          f[u] = power;
          f1[u] = part.t;
          f2[u] = part.t * (part.t - 1);
          break;
        case 'gauss': {
          const off = tau - part.gamma;
          const p = part.t - 2 * part.beta * tau * off;
          f[u] = power * Math.exp(-part.beta * off * off);
          f1[u] = p;
          f2[u] = p * p - part.t - 2 * part.beta * tau * tau;
          break;
        }
        case 'exp': {
          const e = part.g * Math.exp(part.l * ln);
          const p = part.t - part.l * e;
          f[u] = power * Math.exp(-e);
          f1[u] = p;
          f2[u] = p * p - p - part.l * part.l * e;
          break;
        }
        case 'gao': {
          const off = tau - part.gamma;
          const q = part.b + part.beta * off * off;
          const q1 = (2 * part.beta * off * tau) / q;
          const q2 = (2 * part.beta * tau * tau) / q;
          const p = part.t - q1 / q;
          f[u] = power * Math.exp(1 / q);
          f1[u] = p;
          f2[u] = p * p - p - q1 / q - (q2 - 2 * q1 * q1) / q;
          break;
        }
      }
    }
  }

  /** g, delta g'/g and delta^2 g''/g of every distinct delta part. */
  private fillDelta(delta: number): void {
    const { g, g1, g2, deltaParts, powers } = this;
    for (let k = 1; k < powers.length; k++) powers[k] = powers[k - 1]! * delta;
    let lastL = 0;
    let lastG = 0;
    let decay = 1;
    for (let v = 0; v < deltaParts.length; v++) {
      const part = deltaParts[v]!;
      const power = powers[part.d]!;
      if (part.kind === 'exp') {
        if (part.g === 0) {
          g[v] = power;
          g1[v] = part.d;
          g2[v] = part.d * (part.d - 1);
        } else {
          const e = part.g * powers[part.l]!;
          if (part.l !== lastL || part.g !== lastG) {
            decay = Math.exp(-e);
            lastL = part.l;
            lastG = part.g;
          }
          const q = part.d - part.l * e;
          g[v] = power * decay;
          g1[v] = q;
          g2[v] = q * q - q - part.l * part.l * e;
        }
      } else {
        const off = delta - part.epsilon;
        const q = part.d - 2 * part.eta * delta * off - part.beta * delta;
        g[v] = power * Math.exp(-part.eta * off * off - part.beta * (delta - part.gamma));
        g1[v] = q;
        g2[v] = q * q - part.d - 2 * part.eta * delta * delta;
      }
    }
  }
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function decayRank(part: DeltaPart): number {
  return part.kind === 'gauss' ? Number.POSITIVE_INFINITY : part.g === 0 ? -1 : 1e3 * part.l + part.g;
}

function share<P>(seen: Map<string, number>, parts: P[], part: P): number {
  const key = JSON.stringify(part);
  const known = seen.get(key);
  if (known !== undefined) return known;
  seen.set(key, parts.length);
  parts.push(part);
  return parts.length - 1;
}
