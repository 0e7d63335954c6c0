/** Specific properties of one homogeneous state of water or steam. SI: K, Pa, kg/m3, J/kg, J/(kg K), m/s. */
export interface SteamState {
  readonly region: 1 | 2 | 3 | 5;
  readonly T: number;
  readonly p: number;
  readonly rho: number;
  /** Specific volume [m3/kg]. */
  readonly v: number;
  readonly u: number;
  readonly h: number;
  readonly s: number;
  readonly g: number;
  readonly cv: number;
  readonly cp: number;
  /** Speed of sound. */
  readonly w: number;
  /** Joule-Thomson coefficient (dT/dp)_h [K/Pa]. */
  readonly jouleThomson: number;
  /** (drho/dp)_T [kg/(m3 Pa)]. */
  readonly drhodp: number;
  /** (dp/dT)_rho [Pa/K]. */
  readonly dpdT: number;
}
