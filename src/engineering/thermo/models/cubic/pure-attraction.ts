import type { AlphaFunction, AlphaValue } from './alpha.ts';
import type { PureAttraction } from './mixing-rule.ts';

/** a_i(T) = ac_i alpha_i(T / Tc_i), [Pa m6/mol2], for all components. */
export function pureAttraction(ac: Float64Array, Tc: Float64Array, alphas: readonly AlphaFunction[]): PureAttraction {
  const n = ac.length;
  const a = new Float64Array(n);
  const a_T = new Float64Array(n);
  const a_TT = new Float64Array(n);
  const alpha: AlphaValue = { value: 0, d1: 0, d2: 0 };
  let current = Number.NaN;
  return {
    a,
    a_T,
    a_TT,
    update(T) {
      if (T === current) return false;
      current = T;
      for (let i = 0; i < n; i++) {
        alphas[i]!(T / Tc[i]!, alpha);
        a[i] = ac[i]! * alpha.value;
        a_T[i] = (ac[i]! * alpha.d1) / Tc[i]!;
        a_TT[i] = (ac[i]! * alpha.d2) / (Tc[i]! * Tc[i]!);
      }
      return true;
    },
  };
}
