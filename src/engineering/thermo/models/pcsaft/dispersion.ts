import { AVOGADRO, addFirst, addSecond, type Expansion, MBAR, P1, P2, V, Z3 } from './structural-variables.ts';

/** Universal constants a_ki and b_ki of Gross and Sadowski, Ind. Eng. Chem. Res. 40 (2001) 1244, table 1. */
const A = [
  [0.9105631445, 0.6361281449, 2.6861347891, -26.547362491, 97.759208784, -159.59154087, 91.297774084],
  [-0.3084016918, 0.1860531159, -2.5030047259, 21.419793629, -65.25588533, 83.318680481, -33.74692293],
  [-0.0906148351, 0.4527842806, 0.5962700728, -1.7241829131, -4.1302112531, 13.77663187, -8.6728470368],
] as const;
const B = [
  [0.7240946941, 2.2382791861, -4.0025849485, -21.003576815, 26.855641363, 206.55133841, -355.60235612],
  [-0.5755498075, 0.6995095521, 3.892567339, -17.215471648, 192.67226447, -161.82646165, -165.20769346],
  [0.0976883116, -0.2557574982, -9.155856153, 20.642075974, -38.804430052, 93.626774077, -29.666905585],
] as const;

/** A function of packing fraction and mean segment number, with derivatives (e: packing fraction, m: segments). */
interface Surface {
  f: number;
  e: number;
  m: number;
  ee: number;
  em: number;
  mm: number;
}

const surface = (): Surface => ({ f: 0, e: 0, m: 0, ee: 0, em: 0, mm: 0 });
const i1 = surface();
const i2 = surface();
const c1 = surface();
const product = surface();

/**
 * Dispersion of chains, A/(R T) per mole:
 *   -2 pi N_A P1 I1(eta, mbar)/V - pi N_A P2 mbar C1 I2/V,
 * eta = Z3/V, I1 and I2 power series in eta with coefficients in 1/mbar, C1 the inverse of 1 + Z + rho dZ/drho of the hard chain.
 * Gross and Sadowski 2001, equations (A.10) to (A.18). Adds value, gradient and Hessian to `e`.
 */
export function addDispersion(w: Float64Array, e: Expansion): void {
  const eta = w[Z3]! / w[V]!;
  const m = w[MBAR]!;
  series(A, eta, m, i1);
  addTerm(w, e, P1, -2 * Math.PI * AVOGADRO, i1);
  series(B, eta, m, i2);
  compressibility(eta, m, c1);
  multiply(c1, i2, product);
  // times mbar
  product.mm = m * product.mm + 2 * product.m;
  product.em = m * product.em + product.e;
  product.m = m * product.m + product.f;
  product.f *= m;
  product.e *= m;
  product.ee *= m;
  addTerm(w, e, P2, -Math.PI * AVOGADRO, product);
}

/** Adds k w[P] S(eta, mbar)/V. */
function addTerm(w: Float64Array, e: Expansion, P: number, k: number, s: Surface): void {
  const v = w[V]!;
  const eta = w[Z3]! / v;
  const scale = k / v;
  const full = scale * w[P]!;
  const onV = -(s.f + eta * s.e) / v;
  e.value += full * s.f;
  addFirst(e, V, full * onV);
  addFirst(e, Z3, (full * s.e) / v);
  addFirst(e, MBAR, full * s.m);
  addFirst(e, P, scale * s.f);
  addSecond(e, V, V, (full * (2 * s.f + 4 * eta * s.e + eta * eta * s.ee)) / (v * v));
  addSecond(e, V, Z3, (-full * (2 * s.e + eta * s.ee)) / (v * v));
  addSecond(e, V, MBAR, (-full * (s.m + eta * s.em)) / v);
  addSecond(e, V, P, scale * onV);
  addSecond(e, Z3, Z3, (full * s.ee) / (v * v));
  addSecond(e, Z3, MBAR, (full * s.em) / v);
  addSecond(e, Z3, P, (scale * s.e) / v);
  addSecond(e, MBAR, MBAR, full * s.mm);
  addSecond(e, MBAR, P, scale * s.m);
}

/** sum_i (c0i + (m-1)/m c1i + (m-1)(m-2)/m^2 c2i) eta^i */
function series(c: readonly (readonly number[])[], eta: number, m: number, out: Surface): void {
  const p = 1 - 1 / m;
  const p1 = 1 / (m * m);
  const p2 = -2 / (m * m * m);
  const q = 1 - 3 / m + 2 / (m * m);
  const q1 = 3 / (m * m) - 4 / (m * m * m);
  const q2 = -6 / (m * m * m) + 12 / (m * m * m * m);
  const [c0, ca, cb] = c as readonly [readonly number[], readonly number[], readonly number[]];
  let f = 0;
  let fe = 0;
  let fee = 0;
  let fm = 0;
  let fem = 0;
  let fmm = 0;
  for (let i = 6; i >= 0; i--) {
    const a = c0[i]! + p * ca[i]! + q * cb[i]!;
    const am = p1 * ca[i]! + q1 * cb[i]!;
    // Horner with derivatives.
    fee = fee * eta + 2 * fe;
    fe = fe * eta + f;
    f = f * eta + a;
    fem = fem * eta + fm;
    fm = fm * eta + am;
    fmm = fmm * eta + p2 * ca[i]! + q2 * cb[i]!;
  }
  out.f = f;
  out.e = fe;
  out.ee = fee;
  out.m = fm;
  out.em = fem;
  out.mm = fmm;
}

/** C1 = 1/(1 + m x + (1 - m) y), x = (8 eta - 2 eta^2)/(1 - eta)^4, y = (20 eta - 27 eta^2 + 12 eta^3 - 2 eta^4)/((1 - eta)(2 - eta))^2. */
function compressibility(eta: number, m: number, out: Surface): void {
  const h = 1 / (1 - eta);
  const h4 = h * h * h * h;
  const n = eta * (8 - 2 * eta);
  const n1 = 8 - 4 * eta;
  const x = n * h4;
  const x1 = (n1 + 4 * n * h) * h4;
  const x2 = (-4 + 8 * n1 * h + 20 * n * h * h) * h4;
  const r = eta * (20 + eta * (-27 + eta * (12 - 2 * eta)));
  const r1 = 20 + eta * (-54 + eta * (36 - 8 * eta));
  const r2 = -54 + eta * (72 - 24 * eta);
  const s = (1 - eta) * (2 - eta);
  const l = (3 - 2 * eta) / s;
  // (1/s^2)' = 2 l/s^2 with l = -s'/s, l' = (s'^2 - 2 s)/s^2.
  const l1 = l * l - 2 / s;
  const s2 = 1 / (s * s);
  const y = r * s2;
  const y1 = (r1 + 2 * r * l) * s2;
  const y2 = (r2 + 4 * r1 * l + r * (4 * l * l + 2 * l1)) * s2;
  const d = 1 + m * x + (1 - m) * y;
  const de = m * x1 + (1 - m) * y1;
  const dee = m * x2 + (1 - m) * y2;
  const dm = x - y;
  const dem = x1 - y1;
  const c = 1 / d;
  out.f = c;
  out.e = -c * c * de;
  out.m = -c * c * dm;
  out.ee = c * c * (2 * c * de * de - dee);
  out.em = c * c * (2 * c * de * dm - dem);
  out.mm = 2 * c * c * c * dm * dm;
}

function multiply(a: Surface, b: Surface, out: Surface): void {
  out.f = a.f * b.f;
  out.e = a.e * b.f + a.f * b.e;
  out.m = a.m * b.f + a.f * b.m;
  out.ee = a.ee * b.f + 2 * a.e * b.e + a.f * b.ee;
  out.em = a.em * b.f + a.e * b.m + a.m * b.e + a.f * b.em;
  out.mm = a.mm * b.f + 2 * a.m * b.m + a.f * b.mm;
}
