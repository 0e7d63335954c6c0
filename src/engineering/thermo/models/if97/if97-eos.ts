import type { Component } from '../../components/component.ts';
import { getComponent } from '../../components/component-lookup.ts';
import { EngineError, isEngineError } from '../../errors.ts';
import type { Branch, EquationOfState, LnPhiDerivatives, Residual, Validity } from '../../model.ts';
import { boundary23Pressure, steamRegion, steamSaturationPressure, steamSaturationTemperature } from './boundaries.ts';
import { gibbsState, idealSteam } from './gibbs-regions.ts';
import { P_MAX, P_MAX_5, PC, R_STEAM, RHOC, T_13, T_23, T_25, T_MAX, T_MIN, TC } from './if97-data.ts';
import { region3State } from './region3.ts';
import { steamSaturation, steamState } from './steam.ts';
import type { SteamState } from './steam-state.ts';

export const IF97_VALIDITY: Validity = {
  minT: T_MIN,
  maxT: T_MAX,
  minP: 0,
  maxP: P_MAX,
  status: 'validated',
  notes: [
    'Pure water and steam only. Above 1073.15 K the pressure limit is 50 MPa.',
    'Checked against the verification tables of the release, regions 1 to 5.',
    'No metastable states: every branch gives the stable phase, and on the saturation line the phase asked for.',
  ],
  reference: 'IAPWS R7-97(2012)',
};

/** Molar mass [kg/mol] with which the molar quantities follow from the specific ones of the release. */
const M = 0.018015257;

/** Relative distance from the saturation line within which a state counts as on it. */
const ON_THE_LINE = 1e-10;

/**
 * IAPWS-IF97 as an EquationOfState of one component, water. Fugacity against the ideal-gas part of region 2 (5 above
 * 1073.15 K): ln phi = (g(T, p) - g_ideal(T, p))/(RT).
 * @throws EngineError 'invalid-input' for anything but pure water
 */
export function createIf97(components: readonly Component[] = [getComponent('water')]): EquationOfState {
  const other = components.find((c) => c.name !== 'water');
  if (other !== undefined || components.length !== 1)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'components',
      reason: `IAPWS-IF97 describes pure water, not '${other?.publicName ?? 'nothing'}'`,
    });
  return new If97Eos(components);
}

class If97Eos implements EquationOfState {
  readonly id = 'IF97' as const;
  readonly n = 1;
  readonly components: readonly Component[];
  readonly validity = IF97_VALIDITY;
  readonly gasConstant = R_STEAM * M;
  readonly missingPairs = [];
  readonly saturationLine = {
    critical: { T: TC, p: PC, rho: RHOC / M },
    pressure: steamSaturationPressure,
    temperature: steamSaturationTemperature,
  };
  readonly idealGas = {
    evaluate(T: number, p: number, _x: Float64Array, out: { h: number; s: number; cp: number }): void {
      const ideal = idealSteam(T, p);
      out.h = M * ideal.h;
      out.s = M * ideal.s;
      out.cp = M * ideal.cp;
    },
  };

  constructor(components: readonly Component[]) {
    this.components = components;
  }

  density(T: number, p: number, _x: Float64Array, branch: Branch): number {
    const state = phaseState(T, p, branch);
    return state === undefined ? Number.NaN : state.rho / M;
  }

  lnPhi(T: number, p: number, _x: Float64Array, branch: Branch, lnPhi: Float64Array): number {
    const state = phaseState(T, p, branch);
    lnPhi[0] = state === undefined ? Number.NaN : (state.g - idealSteam(T, p).g) / (R_STEAM * T);
    return state === undefined ? Number.NaN : state.rho / M;
  }

  lnPhiDerivatives(T: number, p: number, x: Float64Array, branch: Branch, out: LnPhiDerivatives): number {
    const rho = this.lnPhi(T, p, x, branch, out.lnPhi);
    const state = phaseState(T, p, branch);
    if (state === undefined) return Number.NaN;
    const RT = R_STEAM * T;
    out.dT[0] = (idealSteam(T, p).h - state.h) / (RT * T);
    out.dp[0] = state.v / RT - 1 / p;
    out.dn[0] = 0;
    return rho;
  }

  /** @throws EngineError 'outside-range' when T, rho lies in the two-phase region or outside the formulation */
  residual(T: number, rho: number, _x: Float64Array, out: Residual): void {
    const state = stateAtDensity(T, rho * M);
    const RT = R_STEAM * T;
    // Ideal gas at the same T and rho: its pressure is rho R T.
    const ideal = idealSteam(T, state.rho * RT);
    out.p = state.p;
    out.dpdT = state.dpdT;
    out.dpdrho = M / state.drhodp;
    out.a = M * (state.g - state.p * state.v - (ideal.g - RT));
    out.s = M * (state.s - ideal.s);
    out.u = M * (state.u - (ideal.h - RT));
    out.cv = M * (state.cv - (ideal.cp - R_STEAM));
  }

  volumeShift(): number {
    return 0;
  }
}

function phaseState(T: number, p: number, branch: Branch): SteamState | undefined {
  try {
    if (branch !== 'stable' && T >= T_MIN && T < TC && Math.abs(p / steamSaturationPressure(T) - 1) < ON_THE_LINE)
      return branch === 'vapour' ? steamSaturation(T).vapour : steamSaturation(T).liquid;
    return steamState(T, p);
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
}

/**
 * State at T [K], rho [kg/m3]: region 3 directly, the others by Newton on p, which v(T, p) makes monotonic.
 * @throws EngineError 'outside-range' in the two-phase region or beyond the formulation
 */
export function stateAtDensity(T: number, rho: number): SteamState {
  steamRegion(T, 1);
  const v = 1 / rho;
  if (T <= T_13) {
    const { liquid, vapour } = steamSaturation(T);
    if (rho >= liquid.rho * (1 - 1e-9)) return invert(1, T, v, liquid.p, P_MAX);
    if (rho > vapour.rho * (1 + 1e-9)) throw outsideDensity(rho, vapour.rho, liquid.rho);
    return invert(2, T, v, 0, vapour.p);
  }
  if (T <= T_23) {
    const edge = gibbsState(2, T, boundary23Pressure(T));
    if (rho <= edge.rho) return invert(2, T, v, 0, edge.p);
    const state = region3State(T, rho);
    const top = steamState(T, P_MAX).rho;
    if (!(rho <= top * (1 + 1e-9))) throw outsideDensity(rho, 0, top);
    if (T < TC) {
      const { liquid, vapour } = steamSaturation(T);
      if (rho > vapour.rho * (1 + 1e-9) && rho < liquid.rho * (1 - 1e-9))
        throw outsideDensity(rho, vapour.rho, liquid.rho);
    }
    return state;
  }
  return T <= T_25 ? invert(2, T, v, 0, P_MAX) : invert(5, T, v, 0, P_MAX_5);
}

function invert(region: 1 | 2 | 5, T: number, v: number, low: number, high: number): SteamState {
  const limit = gibbsState(region, T, high);
  if (!(v >= limit.v * (1 - 1e-9))) throw outsideDensity(1 / v, 0, limit.rho);
  let lo = low;
  let hi = high;
  let p = region === 1 ? low : Math.min((R_STEAM * T) / v, high);
  for (let i = 0; i < 100; i++) {
    const state = gibbsState(region, T, p);
    if (state.v > v) lo = p;
    else hi = p;
    // Newton on rho(p), which is nearly straight in the gas and in the liquid.
    const next = p + (1 / v - state.rho) / state.drhodp;
    if (Math.abs(next - p) <= 1e-13 * p || hi - lo <= 1e-14 * hi) return state;
    p = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  throw new EngineError({
    kind: 'not-converged',
    algorithm: 'IAPWS-IF97 pressure from density',
    iterations: 100,
    residual: hi - lo,
  });
}

function outsideDensity(value: number, min: number, max: number): EngineError {
  return new EngineError({ kind: 'outside-range', quantity: 'density', value, min, max, unit: 'kg/m3' });
}
