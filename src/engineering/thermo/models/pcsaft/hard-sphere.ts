import { addFirst, addSecond, type Expansion, M, SPHERE, V, Z1, Z2, Z3 } from './structural-variables.ts';

/**
 * Hard-sphere mixture, A/(R T) per mole (Boublik 1970, Mansoori et al. 1971):
 *   c A/(R T) = 3 Z1 Z2/h + Z2^3 V/(Z3 h^2) + (Z2^3/Z3^2 - Z0) ln(h/V),   h = V - Z3,   Z0 = c M,   c = (pi/6) N_A.
 * Adds value, gradient and Hessian to `e`. Valid for Z3 < V.
 */
export function addHardSphere(w: Float64Array, e: Expansion): void {
  const v = w[V]!;
  const m = w[M]!;
  const z1 = w[Z1]!;
  const z2 = w[Z2]!;
  const z3 = w[Z3]!;
  const h = v - z3;
  const i = 1 / (SPHERE * h);

  const A = 3 * z1 * z2 * i;
  const a1 = 3 * z2 * i;
  const a2 = 3 * z1 * i;

  const E = (z2 * z2 * z2 * v * i) / (z3 * h);
  const eV = 1 / v - 2 / h;
  const e3 = 2 / h - 1 / z3;
  const curvature = 2 / (h * h);

  const L = Math.log(h / v);
  const LV = z3 / (h * v);
  const L3 = -1 / h;
  const LVV = 1 / (v * v) - 1 / (h * h);
  const q = z2 / z3;
  const K = (z2 * q * q) / SPHERE - m;
  const K2 = (3 * q * q) / SPHERE;
  const K3 = (-2 * q * q * q) / SPHERE;

  e.value += A + E + K * L;
  addFirst(e, V, -A / h + E * eV + K * LV);
  addFirst(e, M, -L);
  addFirst(e, Z1, a1);
  addFirst(e, Z2, a2 + (3 * E) / z2 + K2 * L);
  addFirst(e, Z3, A / h + E * e3 + K3 * L + K * L3);

  addSecond(e, V, V, (2 * A) / (h * h) + E * (eV * eV - 1 / (v * v) + curvature) + K * LVV);
  addSecond(e, V, M, -LV);
  addSecond(e, V, Z1, -a1 / h);
  addSecond(e, V, Z2, -a2 / h + (3 * E * eV) / z2 + K2 * LV);
  addSecond(e, V, Z3, (-2 * A) / (h * h) + E * (eV * e3 - curvature) + K3 * LV + K / (h * h));
  addSecond(e, M, Z3, -L3);
  addSecond(e, Z1, Z2, 3 * i);
  addSecond(e, Z1, Z3, a1 / h);
  addSecond(e, Z2, Z2, (6 * E) / (z2 * z2) + ((6 * q) / (z3 * SPHERE)) * L);
  addSecond(e, Z2, Z3, a2 / h + (3 * E * e3) / z2 + K2 * L3 - ((6 * q * q) / (z3 * SPHERE)) * L);
  addSecond(
    e,
    Z3,
    Z3,
    (2 * A) / (h * h) +
      E * (e3 * e3 + 1 / (z3 * z3) + curvature) +
      ((6 * q * q * q) / (z3 * SPHERE)) * L +
      2 * K3 * L3 -
      K / (h * h),
  );
}
