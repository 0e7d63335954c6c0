/**
 * PH and PS flash: the temperature at which the fluid, at given pressure, has the enthalpy or entropy given.
 *
 * Both rise with T at constant p for every stable state, so the solution is unique; Newton in ln T with the heat capacity at equilibrium
 * (split-caloric.ts), kept inside a bracket. The temperature of the feed as one phase comes first: when that phase is stable there, it is the
 * answer. At a temperature where they jump (a boiling pure fluid or azeotrope, three phases of a binary)
 * the two sides are mixed in the proportion that meets the specification. h in J/mol, s in J/(mol K) from the zeros of the ideal gas in
 * use (properties/ideal-gas.ts or the model's own).
 * Errors: 'invalid-input'; 'spec-unreachable' when h or s lies beyond the temperatures searched (half the lowest to 2.5 times the
 * highest temperature of the model, exactly its range for models of pure fluids with their own saturation line); what tp-flash.ts throws.
 */
import { EngineError, hasNoAnswer } from '../errors.ts';
import { answer, blend, type EquilibriumStates, type FlashStart, purePhase, splitOf } from './energy-flash.ts';
import { monotoneSearch, type SearchLimits } from './monotone-search.ts';
import type { PhaseSplit } from './phase-split.ts';

const DEFAULT_START = 300;

export class IsobaricFlash {
  private readonly states: EquilibriumStates;

  constructor(states: EquilibriumStates) {
    this.states = states;
  }

  /** State of molar enthalpy h [J/mol] at p [Pa]. */
  ph(p: number, h: number, z: Float64Array, start: FlashStart = {}): PhaseSplit {
    return this.solve('h', p, h, z, start);
  }

  /** State of molar entropy s [J/(mol K)] at p [Pa]. */
  ps(p: number, s: number, z: Float64Array, start: FlashStart = {}): PhaseSplit {
    return this.solve('s', p, s, z, start);
  }

  private solve(quantity: 'h' | 's', p: number, wanted: number, z: Float64Array, start: FlashStart): PhaseSplit {
    const { states } = this;
    const { caloric } = states;
    if (!(p > 0 && Number.isFinite(p))) invalid('p', `${p} Pa is no pressure`);
    if (!Number.isFinite(wanted)) invalid(quantity, `${wanted} is no ${quantity === 'h' ? 'enthalpy' : 'entropy'}`);
    let [lowT, highT] = states.temperatureLimits();
    const line = states.pureLine(z);
    if (line !== undefined && p < line.critical.p && p >= this.lowestPressure(lowT, line)) {
      const sat = line.atPressure(p);
      const liquid = splitOf(sat.T, p, z, [purePhase(z, sat.rhoLiquid, sat.lnPhi)], sat.iterations);
      const vapour = splitOf(sat.T, p, z, [purePhase(z, sat.rhoVapour, sat.lnPhi)]);
      caloric.evaluate(liquid);
      const below = caloric[quantity];
      caloric.evaluate(vapour);
      const above = caloric[quantity];
      if (wanted >= below && wanted <= above)
        return blend(states.eos, liquid, vapour, (wanted - below) / (above - below));
      if (wanted < below) highT = sat.T;
      else lowT = sat.T;
    }
    const limits = { lo: Math.log(lowT), hi: Math.log(highT), stride: 0.4 };
    let from = Math.log(start.near?.T ?? start.T ?? DEFAULT_START);
    if (line === undefined && (start.near === undefined || start.near.phases.length === 1)) {
      from = this.onePhaseStart(quantity, p, wanted, z, from, limits) ?? from;
    }
    const result = states.search(
      (theta, near, complete) => {
        const T = Math.exp(theta);
        const split = states.at(T, p, z, near, complete);
        return { state: split, value: caloric[quantity], slope: quantity === 'h' ? T * caloric.dhdT : caloric.dhdT };
      },
      wanted,
      from,
      limits,
      (split) => Math.log(split.T),
      Math.min(limits.hi, Math.max(limits.lo, Math.log(DEFAULT_START))),
      start.near,
    );
    return answer(
      states.eos,
      result,
      wanted,
      quantity === 'h' ? `enthalpy ${wanted} J/mol at ${p} Pa` : `entropy ${wanted} J/(mol K) at ${p} Pa`,
      `between ${lowT.toFixed(1)} and ${highT.toFixed(1)} K`,
    );
  }

  /** ln T at which the feed as one phase has the value; undefined where the search meets a T at which that phase has no density. */
  private onePhaseStart(
    quantity: 'h' | 's',
    p: number,
    wanted: number,
    z: Float64Array,
    from: number,
    limits: SearchLimits,
  ): number | undefined {
    const { states } = this;
    const { caloric } = states;
    try {
      const alone = monotoneSearch<number>(
        (theta) => {
          const T = Math.exp(theta);
          states.atOnePhase(T, p, z);
          return { state: theta, value: caloric[quantity], slope: quantity === 'h' ? T * caloric.dhdT : caloric.dhdT };
        },
        wanted,
        from,
        limits,
      );
      return alone.kind === 'found' ? alone.state : alone.kind === 'jump' ? alone.above.state : undefined;
    } catch (error) {
      if (hasNoAnswer(error)) return undefined;
      throw error;
    }
  }

  /** Lowest pressure with a saturation temperature in reach: that of the lowest temperature of models with a line of their own. */
  private lowestPressure(lowT: number, line: { atTemperature(T: number): { p: number } }): number {
    return this.states.eos.saturationLine === undefined ? 0 : line.atTemperature(lowT).p;
  }
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
