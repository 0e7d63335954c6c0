/**
 * Water and steam by IAPWS-IF97, the industrial formulation.
 *
 * It guarantees: properties of the region that holds T, p; saturation by region 4; PH and PS states that reproduce h and s
 * to rounding (the backward equations only start the search); two-phase states by quality. Region 3 density is found by
 * safe iteration instead of the supplementary v(p, T) equations. It leaves out the metastable-vapour equation.
 *
 * Validity: 273.15 to 1073.15 K up to 100 MPa, 1073.15 to 2273.15 K up to 50 MPa. PH and PS need p >= 611.213 Pa.
 * Source: IAPWS R7-97(2012), Revised Release on the IAPWS Industrial Formulation 1997.
 */
import { EngineError } from '../../errors.ts';
import { backwardTph1, backwardTph2, backwardTps1, backwardTps2, endStates } from './backward.ts';
import { P_MIN, steamRegion, steamSaturationPressure, steamSaturationTemperature } from './boundaries.ts';
import { gibbsState } from './gibbs-regions.ts';
import { P_MAX, P_MAX_5, PC, RHOC, T_13, T_25, T_MAX, T_MIN, TC } from './if97-data.ts';
import { region3Density, region3State } from './region3.ts';
import type { SteamState } from './steam-state.ts';

/** Saturated liquid and vapour in equilibrium. */
export interface SteamSaturation {
  readonly T: number;
  readonly p: number;
  readonly liquid: SteamState;
  readonly vapour: SteamState;
}

/** A state found from p and h or p and s. `quality` is the vapour mass fraction. */
export type SteamFlash =
  | { readonly phase: 'single'; readonly state: SteamState }
  | {
      readonly phase: 'two-phase';
      readonly T: number;
      readonly p: number;
      readonly quality: number;
      readonly saturation: SteamSaturation;
    };

/**
 * State at T [K], p [Pa]; on the saturation line the liquid.
 * @throws EngineError 'outside-range'
 */
export function steamState(T: number, p: number): SteamState {
  const region = steamRegion(T, p);
  if (region !== 3) return gibbsState(region, T, p);
  const liquid = T < TC && p >= steamSaturationPressure(T);
  return region3State(T, region3Density(T, p, liquid ? 'liquid' : 'vapour'));
}

/**
 * Saturated states at T [K], 273.15 to 647.096 K. Above 623.15 K both phases come from region 3 at the pressure of region 4.
 * @throws EngineError 'outside-range'; 'not-converged' within about 0.01 K of the critical point, where that pressure
 * leaves no room for two phases in region 3
 */
export function steamSaturation(T: number): SteamSaturation {
  const p = steamSaturationPressure(T);
  if (T <= T_13) return { T, p, liquid: gibbsState(1, T, p), vapour: gibbsState(2, T, p) };
  if (T >= TC) {
    const state = region3State(T, RHOC);
    return { T, p, liquid: state, vapour: state };
  }
  return {
    T,
    p,
    liquid: region3State(T, region3Density(T, p, 'liquid')),
    vapour: region3State(T, region3Density(T, p, 'vapour')),
  };
}

/** State at p [Pa], h [J/kg]. @throws EngineError 'outside-range' for p or h outside the formulation */
export function steamAtPh(p: number, h: number): SteamFlash {
  return flash(p, h, 'h', backwardTph1, backwardTph2);
}

/** State at p [Pa], s [J/(kg K)]. @throws EngineError 'outside-range' for p or s outside the formulation */
export function steamAtPs(p: number, s: number): SteamFlash {
  return flash(p, s, 's', backwardTps1, backwardTps2);
}

type Quantity = 'h' | 's';

function flash(
  p: number,
  value: number,
  key: Quantity,
  start1: (p: number, value: number) => number,
  start2: (p: number, value: number) => number,
): SteamFlash {
  if (!(p >= P_MIN && p <= P_MAX)) throw outside('pressure', p, P_MIN, P_MAX, 'Pa');
  const { liquid, vapour, saturated } = endStates(p);
  if (value <= liquid[key]) {
    const lowest = gibbsState(1, T_MIN, p)[key];
    if (!(value >= lowest)) throw outsideValue(key, value, lowest, Number.NaN);
    return single(solve(1, p, value, key, start1(p, value), T_MIN, liquid.T));
  }
  if (value >= vapour[key]) {
    const top2 = gibbsState(2, T_25, p)[key];
    if (value <= top2) return single(solve(2, p, value, key, start2(p, value), vapour.T, T_25));
    const top = p <= P_MAX_5 ? gibbsState(5, T_MAX, p)[key] : top2;
    if (!(value <= top)) throw outsideValue(key, value, Number.NaN, top);
    return single(solve(5, p, value, key, 1500, T_25, T_MAX));
  }
  if (saturated) return mixture(saturationOf(liquid, vapour), value, key);
  if (p < PC) {
    const saturation = steamSaturation(steamSaturationTemperature(p));
    if (value > saturation.liquid[key] && value < saturation.vapour[key]) return mixture(saturation, value, key);
    const T = saturation.T;
    return value <= saturation.liquid[key]
      ? single(solve3(p, value, key, T_13, T, 'liquid'))
      : single(solve3(p, value, key, T, vapour.T, 'vapour'));
  }
  return single(solve3(p, value, key, T_13, vapour.T, 'vapour'));
}

function saturationOf(liquid: SteamState, vapour: SteamState): SteamSaturation {
  return { T: liquid.T, p: liquid.p, liquid, vapour };
}

function single(state: SteamState): SteamFlash {
  return { phase: 'single', state };
}

function mixture(saturation: SteamSaturation, value: number, key: Quantity): SteamFlash {
  const { liquid, vapour } = saturation;
  const quality = (value - liquid[key]) / (vapour[key] - liquid[key]);
  return { phase: 'two-phase', T: saturation.T, p: saturation.p, quality, saturation };
}

/** Newton in T with dh/dT = cp, ds/dT = cp/T, kept between lo and hi. h and s rise with T at constant p. */
function solve(
  region: 1 | 2 | 5,
  p: number,
  value: number,
  key: Quantity,
  start: number,
  lo: number,
  hi: number,
): SteamState {
  return search((T) => gibbsState(region, T, p), value, key, start, lo, hi);
}

function solve3(
  p: number,
  value: number,
  key: Quantity,
  lo: number,
  hi: number,
  phase: 'liquid' | 'vapour',
): SteamState {
  const at = (T: number) => region3State(T, region3Density(T, p, T < TC ? (p < PC ? phase : 'liquid') : phase));
  return search(at, value, key, 0.5 * (lo + hi), lo, hi);
}

function search(
  at: (T: number) => SteamState,
  value: number,
  key: Quantity,
  start: number,
  low: number,
  high: number,
): SteamState {
  let lo = low;
  let hi = high;
  let T = Math.min(Math.max(start, lo), hi);
  let state = at(T);
  for (let i = 0; i < 100; i++) {
    const excess = state[key] - value;
    if (excess > 0) hi = T;
    else lo = T;
    const slope = key === 'h' ? state.cp : state.cp / T;
    let next = T - excess / slope;
    if (Math.abs(next - T) <= 1e-12 * T || hi - lo <= 1e-13 * hi) return state;
    if (!(next >= lo && next <= hi)) next = 0.5 * (lo + hi);
    T = next;
    state = at(T);
  }
  throw new EngineError({
    kind: 'not-converged',
    algorithm: `IAPWS-IF97 temperature from p and ${key}`,
    iterations: 100,
    residual: hi - lo,
  });
}

function outside(quantity: string, value: number, min: number, max: number, unit: string): EngineError {
  return new EngineError({ kind: 'outside-range', quantity, value, min, max, unit });
}

function outsideValue(key: Quantity, value: number, min: number, max: number): EngineError {
  return outside(
    key === 'h' ? 'specific enthalpy' : 'specific entropy',
    value,
    min,
    max,
    key === 'h' ? 'J/kg' : 'J/(kg K)',
  );
}
