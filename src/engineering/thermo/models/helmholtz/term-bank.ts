/**
 * Sums of separable terms n f(tau) g(delta), the building block of every multiparameter Helmholtz equation.
 *
 * A bank holds several segments (one per pure equation or departure function) that are evaluated at the same
 * (tau, delta). Terms of different segments share most exponents, so each distinct f and g is worked out once, and so is
 * each distinct product f g (a cell). f is kept while tau stays the same: a density search at fixed temperature and
 * composition pays for no power of tau. A weighted sum of all segments is one pass over the cells with the coefficients
 * added up beforehand (`combine`), which is what a mixture needs at every density tried.
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
  private readonly cell: Int32Array;
  private readonly cellTau: Int32Array;
  private readonly cellDelta: Int32Array;
  private readonly mixed: Float64Array;
  private readonly product: Float64Array;
  private readonly tauParts: readonly TauPart[];
  /** Parts below `plainTau` (`plainDelta`) are bare powers: their logarithmic derivatives never change. */
  private readonly plainTau: number;
  private readonly t: Float64Array;
  private readonly f: Float64Array;
  private readonly f1: Float64Array;
  private readonly f2: Float64Array;
  private readonly deltaParts: readonly DeltaPart[];
  private readonly plainDelta: number;
  private readonly expDelta: number;
  private readonly d: Int32Array;
  private readonly l: Int32Array;
  private readonly rate: Float64Array;
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
    segments.forEach((terms, s) => {
      this.start[s + 1] = this.start[s]! + terms.length;
    });
    const all = segments.flat();
    this.n = Float64Array.from(all, (term) => term.n);
    const taus = distinct(
      all.map((term) => term.tau),
      (part) => (part.kind === 'power' ? 0 : 1),
    );
    // Parts with the same exponential stand together, so that fillDelta works each exponential out once.
    const deltas = distinct(
      all.map((term) => term.delta),
      (part) => (part.kind === 'gauss' ? Number.POSITIVE_INFINITY : part.g === 0 ? 0 : 1e3 * part.l + part.g),
    );
    const cells = distinct(
      all.map((_, k) => ({ u: taus.index[k]!, v: deltas.index[k]! })),
      () => 0,
    );
    this.cell = Int32Array.from(cells.index);
    this.cellTau = Int32Array.from(cells.parts, (c) => c.u);
    this.cellDelta = Int32Array.from(cells.parts, (c) => c.v);
    this.mixed = new Float64Array(cells.parts.length);
    this.product = new Float64Array(cells.parts.length);

    this.tauParts = taus.parts;
    this.plainTau = taus.parts.filter((part) => part.kind === 'power').length;
    this.t = Float64Array.from(taus.parts, (part) => part.t);
    this.f = new Float64Array(taus.parts.length);
    this.f1 = Float64Array.from(taus.parts, (part) => part.t);
    this.f2 = Float64Array.from(taus.parts, (part) => part.t * (part.t - 1));

    const { parts } = deltas;
    this.deltaParts = parts;
    this.plainDelta = parts.filter((part) => part.kind === 'exp' && part.g === 0).length;
    this.expDelta = parts.filter((part) => part.kind === 'exp').length;
    this.d = Int32Array.from(parts, (part) => part.d);
    this.l = Int32Array.from(parts, (part) => (part.kind === 'exp' ? part.l : 0));
    this.rate = Float64Array.from(parts, (part) => (part.kind === 'exp' ? part.g : 0));
    this.g = new Float64Array(parts.length);
    this.g1 = Float64Array.from(parts, (part) => part.d);
    this.g2 = Float64Array.from(parts, (part) => part.d * (part.d - 1));
    let highest = 0;
    parts.forEach((part, v) => {
      const l = part.kind === 'exp' ? part.l : 0;
      if (!Number.isInteger(part.d) || !Number.isInteger(l))
        throw new RangeError('exponents of delta must be whole numbers');
      highest = Math.max(highest, this.d[v]!, this.l[v]!);
    });
    this.powers = new Float64Array(highest + 1).fill(1);
  }

  /** Prepares the shared parts for (tau, delta), both positive. Call before any of the sums. */
  prepare(tau: number, delta: number): void {
    if (tau === this.tau && delta === this.delta) return;
    if (tau !== this.tau) {
      this.tau = tau;
      this.fillTau(tau);
    }
    if (delta !== this.delta) {
      this.delta = delta;
      this.fillDelta(delta);
    }
    const { product, cellTau, cellDelta, f, g } = this;
    for (let c = 0; c < product.length; c++) product[c] = f[cellTau[c]!]! * g[cellDelta[c]!]!;
  }

  /** Sets the weights, one a segment, of the sum that `total` gives. */
  combine(weights: Float64Array): void {
    const { mixed, n, cell, start } = this;
    mixed.fill(0);
    for (let s = 0; s < this.segments; s++) {
      const w = weights[s]!;
      if (w === 0) continue;
      for (let k = start[s]!, end = start[s + 1]!; k < end; k++) mixed[cell[k]!]! += w * n[k]!;
    }
  }

  /** The six scaled derivatives of the sum of segments weighted by the last `combine`, to out[0 .. 5]. */
  total(out: Float64Array): void {
    const { mixed, product, cellTau, cellDelta, f1, f2, g1, g2 } = this;
    let a = 0;
    let d = 0;
    let dd = 0;
    let t = 0;
    let tt = 0;
    let dt = 0;
    for (let c = 0; c < product.length; c++) {
      const term = mixed[c]! * product[c]!;
      if (term === 0) continue;
      const u = cellTau[c]!;
      const v = cellDelta[c]!;
      const term1 = term * g1[v]!;
      const p = f1[u]!;
      a += term;
      d += term1;
      dd += term * g2[v]!;
      t += term * p;
      tt += term * f2[u]!;
      dt += term1 * p;
    }
    out[A] = a;
    out[D] = d;
    out[DD] = dd;
    out[T] = t;
    out[TT] = tt;
    out[DT] = dt;
  }

  /** Value of segment `s`. */
  value(s: number): number {
    const { n, cell, product } = this;
    let a = 0;
    for (let k = this.start[s]!, end = this.start[s + 1]!; k < end; k++) a += n[k]! * product[cell[k]!]!;
    return a;
  }

  /** Value, delta and tau derivative of segment `s` to out[at], out[at + 1], out[at + 2]. */
  first(s: number, out: Float64Array, at: number): void {
    const { n, cell, product, cellTau, cellDelta, f1, g1 } = this;
    let a = 0;
    let d = 0;
    let t = 0;
    for (let k = this.start[s]!, end = this.start[s + 1]!; k < end; k++) {
      const c = cell[k]!;
      const term = n[k]! * product[c]!;
      a += term;
      d += term * g1[cellDelta[c]!]!;
      t += term * f1[cellTau[c]!]!;
    }
    out[at] = a;
    out[at + 1] = d;
    out[at + 2] = t;
  }

  /** f, tau f'/f and tau^2 f''/f of every distinct tau part. */
  private fillTau(tau: number): void {
    const { f, f1, f2, t, tauParts, plainTau } = this;
    const ln = Math.log(tau);
    for (let u = 0; u < f.length; u++) f[u] = Math.exp(t[u]! * ln);
    for (let u = plainTau; u < f.length; u++) {
      const part = tauParts[u]!;
      switch (part.kind) {
        case 'power':
          break;
        case 'gauss': {
          const off = tau - part.gamma;
          const p = part.t - 2 * part.beta * tau * off;
          f[u]! *= Math.exp(-part.beta * off * off);
          f1[u] = p;
          f2[u] = p * p - part.t - 2 * part.beta * tau * tau;
          break;
        }
        case 'exp': {
          const e = part.g * Math.exp(part.l * ln);
          const p = part.t - part.l * e;
          f[u]! *= Math.exp(-e);
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
          f[u]! *= Math.exp(1 / q);
          f1[u] = p;
          f2[u] = p * p - p - q1 / q - (q2 - 2 * q1 * q1) / q;
          break;
        }
      }
    }
  }

  /** g, delta g'/g and delta^2 g''/g of every distinct delta part. */
  private fillDelta(delta: number): void {
    const { g, g1, g2, d, l, rate, deltaParts, powers, plainDelta, expDelta } = this;
    for (let k = 1; k < powers.length; k++) powers[k] = powers[k - 1]! * delta;
    for (let v = 0; v < g.length; v++) g[v] = powers[d[v]!]!;
    let last = Number.NaN;
    let decay = 1;
    for (let v = plainDelta; v < expDelta; v++) {
      const e = rate[v]! * powers[l[v]!]!;
      if (e !== last) {
        decay = Math.exp(-e);
        last = e;
      }
      const le = l[v]! * e;
      const q = d[v]! - le;
      g[v]! *= decay;
      g1[v] = q;
      g2[v] = q * q - q - l[v]! * le;
    }
    for (let v = expDelta; v < g.length; v++) {
      const part = deltaParts[v]!;
      if (part.kind !== 'gauss') continue;
      const off = delta - part.epsilon;
      const q = part.d - 2 * part.eta * delta * off - part.beta * delta;
      g[v]! *= Math.exp(-part.eta * off * off - part.beta * (delta - part.gamma));
      g1[v] = q;
      g2[v] = q * q - part.d - 2 * part.eta * delta * delta;
    }
  }
}

/** The distinct items in order of rank, and the position of every item among them. */
function distinct<P>(items: readonly P[], rank: (item: P) => number): { parts: P[]; index: number[] } {
  const seen = new Map<string, P>();
  for (const item of items) seen.set(JSON.stringify(item), item);
  const keys = [...seen]
    .sort(([, p], [, q]) => (rank(p) < rank(q) ? -1 : rank(p) > rank(q) ? 1 : 0))
    .map(([key]) => key);
  const position = new Map(keys.map((key, k) => [key, k]));
  return { parts: keys.map((key) => seen.get(key)!), index: items.map((item) => position.get(JSON.stringify(item))!) };
}
