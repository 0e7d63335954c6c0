/**
 * The variables through which the terms of PC-SAFT see the state, per mole of mixture. All are extensive but MBAR, so the terms are plain
 * functions of eight numbers and the chain rule to T and mole numbers is written once (pcsaft-model.ts). V [m3/mol];
 * M = sum n m; Zk = (pi/6) N_A sum n m d^k; MBAR = M/n; P1, P2 = sum n n m m (eps/kT)^(1,2) sigma^3.
 */
export const V = 0;
export const M = 1;
export const Z1 = 2;
export const Z2 = 3;
export const Z3 = 4;
export const MBAR = 5;
export const P1 = 6;
export const P2 = 7;
export const COUNT = 8;

export const AVOGADRO = 6.02214076e23;
/** (pi/6) N_A [1/mol] */
export const SPHERE = (Math.PI / 6) * AVOGADRO;

/** Value, gradient and Hessian (row-major, lower triangle filled by the terms) over the structural variables. */
export interface Expansion {
  value: number;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
}

export function createExpansion(): Expansion {
  return { value: 0, gradient: new Float64Array(COUNT), hessian: new Float64Array(COUNT * COUNT) };
}

export function clearExpansion(e: Expansion): void {
  e.value = 0;
  e.gradient.fill(0);
  e.hessian.fill(0);
}

export function addFirst(e: Expansion, a: number, value: number): void {
  e.gradient[a] = e.gradient[a]! + value;
}

export function addSecond(e: Expansion, a: number, b: number, value: number): void {
  const at = a * COUNT + b;
  e.hessian[at] = e.hessian[at]! + value;
  if (a !== b) e.hessian[b * COUNT + a] = e.hessian[b * COUNT + a]! + value;
}
