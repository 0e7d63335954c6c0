/**
 * TV and UV flash: the pressure (and temperature) at which the fluid has the molar volume (and internal energy) given.
 *
 * TV: volume falls with p at constant T for every stable state, so Newton in ln p with (dv/dp)_T at equilibrium inside a bracket finds the one
 * solution; the pressure that the equation of state gives the feed as one phase comes first, because it is the answer when that phase is
 * stable. UV: internal energy rises with T at constant v (the heat capacity at constant volume of a stable state is positive), so Newton
 * in ln T runs over TV flashes. Where v jumps (boiling pure fluid, azeotrope, three phases of a binary) both sides are mixed.
 * Volumes [m3/mol] are those of the equation of state, without volume shift; u in J/mol from the zero of the ideal gas in use.
 * Errors: 'invalid-input'; 'spec-unreachable' for a volume below what the model reaches at its highest pressure or an energy beyond the
 * temperatures searched; what tp-flash.ts throws.
 */
import { EngineError, isEngineError } from '../errors.ts';
import { createResidual } from '../model.ts';
import { answer, blend, type EquilibriumStates, type FlashStart, purePhase, splitOf } from './energy-flash.ts';
import { monotoneSearch } from './monotone-search.ts';
import type { PhaseSplit } from './phase-split.ts';

const DEFAULT_START = 300;
const LOWEST_PRESSURE = 1e-12;
/** A liquid stiffer than this (d ln v/d ln p) is followed in p, not in ln p. */
const STIFF = 0.3;

/** Step in ln T back from a temperature at which the volume is out of reach. */
const COOLER = 0.2;

export class IsochoricFlash {
  private readonly states: EquilibriumStates;
  private readonly residual = createResidual();

  constructor(states: EquilibriumStates) {
    this.states = states;
  }

  /** State of molar volume v [m3/mol] at T [K]. */
  tv(T: number, v: number, z: Float64Array, start: FlashStart = {}): PhaseSplit {
    if (!(T > 0 && Number.isFinite(T))) invalid('T', `${T} K is no temperature`);
    if (!(v > 0 && Number.isFinite(v))) invalid('v', `${v} m3/mol is no volume`);
    const { states } = this;
    const line = states.pureLine(z);
    if (line !== undefined) return this.pureTv(T, v, z, line);
    const { eos, caloric } = states;
    eos.residual(T, 1 / v, z, this.residual);
    const onePhase = this.residual.p > 0 && this.residual.dpdrho > 0 ? this.residual.p : undefined;
    // A dense feed that is unstable as one phase may show any pressure: then an ideal gas is the better start.
    const thin = Math.min((eos.gasConstant * T) / v, 1e6);
    const from = start.near?.p ?? start.p ?? onePhase ?? thin;
    const highest = 10 * eos.validity.maxP;
    const result = states.search(
      (theta, near, complete) => {
        const p = Math.exp(theta);
        const split = states.at(T, p, z, near, complete);
        const stiffness = (-p * caloric.dvdp) / caloric.v;
        // A step in p that is linear in ln v, seen from ln p: what makes the next state the same.
        const distance = Math.log(caloric.v / v);
        const linear = 1 + distance / stiffness;
        const slope = stiffness < STIFF && linear > 0.1 ? distance / Math.log(linear) : stiffness;
        return { state: split, value: -Math.log(caloric.v), slope: Number.isFinite(slope) ? slope : stiffness };
      },
      -Math.log(v),
      Math.log(Math.min(from, highest)),
      { lo: Math.log(LOWEST_PRESSURE), hi: Math.log(highest), stride: 2.5 },
      (split) => Math.log(split.p),
      Math.log(thin),
      start.near,
    );
    if (result.kind === 'jump') {
      // Volumes mix, not their logarithms.
      const below = Math.exp(-result.below.value);
      const above = Math.exp(-result.above.value);
      return blend(eos, result.below.state, result.above.state, clamp((v - below) / (above - below)));
    }
    // The search runs in -ln v: above its values lie the smaller volumes.
    if (result.kind !== 'found')
      throw new EngineError({
        kind: 'spec-unreachable',
        specification: `volume ${v} m3/mol at ${T} K`,
        reason: `it lies ${result.side === 'above' ? 'below' : 'above'} what the model reaches between ${LOWEST_PRESSURE} and ${highest} Pa`,
      });
    return result.state;
  }

  private pureTv(
    T: number,
    v: number,
    z: Float64Array,
    line: NonNullable<ReturnType<EquilibriumStates['pureLine']>>,
  ): PhaseSplit {
    const { eos } = this.states;
    if (T < line.critical.T) {
      const sat = line.atTemperature(T);
      if (v * sat.rhoLiquid >= 1 && v * sat.rhoVapour <= 1) {
        const share = (v - 1 / sat.rhoLiquid) / (1 / sat.rhoVapour - 1 / sat.rhoLiquid);
        return blend(
          eos,
          splitOf(T, sat.p, z, [purePhase(z, sat.rhoLiquid, sat.lnPhi)], sat.iterations),
          splitOf(T, sat.p, z, [purePhase(z, sat.rhoVapour, sat.lnPhi)]),
          clamp(share),
        );
      }
    }
    eos.residual(T, 1 / v, z, this.residual);
    const { p, dpdrho } = this.residual;
    // Below the covolume a cubic equation gives nonsense: pressure must be positive and rise with density.
    const found =
      p > 0 && dpdrho > 0 ? eos.density(T, p, z, v < 1 / line.critical.rho ? 'liquid' : 'vapour') : Number.NaN;
    if (!(Math.abs(found * v - 1) < 1e-6))
      throw new EngineError({
        kind: 'spec-unreachable',
        specification: `volume ${v} m3/mol at ${T} K`,
        reason: 'the model reaches it at no positive pressure',
      });
    return this.states.at(T, p, z, undefined, true);
  }

  /** State of molar internal energy u [J/mol] and molar volume v [m3/mol]. */
  uv(u: number, v: number, z: Float64Array, start: FlashStart = {}): PhaseSplit {
    if (!Number.isFinite(u)) invalid('u', `${u} J/mol is no energy`);
    const { states } = this;
    const { caloric } = states;
    const [lowT, highT] = states.temperatureLimits();
    const lo = Math.log(lowT);
    let hi = Math.log(highT);
    let from = Math.log(start.near?.T ?? start.T ?? DEFAULT_START);
    let trial = from;
    const search = () =>
      monotoneSearch<PhaseSplit>(
        (theta, last) => {
          trial = theta;
          const T = Math.exp(theta);
          const near = last ?? start.near;
          // An isochore is nearly straight in p(T).
          const split = this.tv(T, v, z, near === undefined ? { p: start.p } : { p: (near.p * T) / near.T });
          caloric.evaluate(split);
          const cv = caloric.dhdT + (T * caloric.dvdT * caloric.dvdT) / caloric.dvdp;
          return { state: split, value: caloric.u(split.p), slope: T * cv };
        },
        u,
        from,
        { lo, hi, stride: 0.3 },
      );
    let result: ReturnType<typeof search> | undefined;
    while (result === undefined) {
      try {
        result = search();
      } catch (error) {
        // The volume of a cold liquid is below what the pressures of the model reach at a higher temperature.
        if (!isEngineError(error, 'spec-unreachable') || trial - COOLER < lo) throw error;
        hi = trial;
        from = trial - COOLER;
      }
    }
    return answer(
      states.eos,
      result,
      u,
      `internal energy ${u} J/mol at ${v} m3/mol`,
      `between ${lowT.toFixed(1)} and ${highT.toFixed(1)} K`,
    );
  }
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
