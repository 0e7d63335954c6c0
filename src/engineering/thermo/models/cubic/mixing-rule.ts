/**
 * What a mixing rule gives to the cubic core: the mixture attraction D = n^2 a(T, x) and the mixture covolume B = n b(x), with
 * derivatives in mole numbers at n = 1 (notation of Michelsen and Mollerup, Thermodynamic Models, 2nd ed., chapter 3).
 */
export interface MixingState {
  /** [Pa m6/mol2], [.../K], [.../K2] */
  D: number;
  D_T: number;
  D_TT: number;
  /** dD/dn_i, d2D/dn_i dT, d2D/dn_i dn_j (row-major). */
  readonly Di: Float64Array;
  readonly DiT: Float64Array;
  readonly Dij: Float64Array;
  /** [m3/mol] and its derivatives; Bij undefined when B is linear in the mole numbers. */
  B: number;
  readonly Bi: Float64Array;
  readonly Bij: Float64Array | undefined;
}

export interface MixingRule {
  readonly state: MixingState;
  /** Fills `state` at T, x. order 0: D, Di, B, Bi. 1: and D_T, D_TT. 2: all. */
  evaluate(T: number, x: Float64Array, order: 0 | 1 | 2): void;
}

/** Pure-component attraction a_i(T) and its derivatives, cached by temperature. */
export interface PureAttraction {
  /** Brings the cache to T. Returns false when it was there already. */
  update(T: number): boolean;
  readonly a: Float64Array;
  readonly a_T: Float64Array;
  readonly a_TT: Float64Array;
}
