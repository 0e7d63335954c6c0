import type { Component } from '../components/component.ts';

/**
 * Wilson's estimate ln K_i = ln(pc_i/p) + 5.373 (1 + omega_i)(1 - Tc_i/T), T in K, p in Pa (G. M. Wilson, 65th AIChE National
 * Meeting, 1969). A starting value for hydrocarbons below about 100 bar; never an answer.
 */
export function wilsonLnK(components: readonly Component[], T: number, p: number, lnK: Float64Array): void {
  for (let i = 0; i < components.length; i++) {
    const c = components[i]!;
    lnK[i] = Math.log(c.pc / p) + 5.373 * (1 + c.omega) * (1 - c.Tc / T);
  }
}
