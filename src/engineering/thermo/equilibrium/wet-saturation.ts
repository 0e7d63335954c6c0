/**
 * Saturation points of fluids from which water drops out: water dew point, hydrocarbon dew point, bubble point of oil with free water.
 * Each asks for one kind of phase, whatever is there beside it. Phases are called aqueous as phase-identification.ts does: half their moles
 * are water, glycols, alcohols or amines.
 *
 * It guarantees what phase-appearance.ts does. A dew point from a feed that is one phase is that of bubble-dew.ts, which is sharper.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { isAqueousSubstance, namePhases } from '../properties/phase-identification.ts';
import { type PhaseAppearance, PhaseAppearances, type Way } from './phase-appearance.ts';
import { massDensity } from './phase-split.ts';
import type { SaturationKind, SaturationPoint } from './saturation-point.ts';
import type { TpFlash } from './tp-flash.ts';

type Given = 'T' | 'p';

/** Lowest pressure [Pa] searched. */
const LOWEST_PRESSURE = 10;

export class WetSaturation {
  private readonly eos: EquationOfState;
  private readonly appearances: PhaseAppearances;

  constructor(eos: EquationOfState, flash: TpFlash) {
    this.eos = eos;
    this.appearances = new PhaseAppearances(eos, flash);
  }

  /**
   * First aqueous phase on cooling at p or compression at T. `plain` is the dew point of the feed where it has one: the answer when that
   * is the aqueous one, else where the search begins. Throws 'spec-unreachable'.
   */
  water(given: Given, value: number, z: Float64Array, plain: SaturationPoint | undefined): SaturationPoint {
    const specification = `water dew point at ${value} ${given === 'T' ? 'K' : 'Pa'}`;
    if (!this.holdsAqueous(z)) unreachable(specification, 'the fluid holds no water, glycol, alcohol or amine');
    if (plain !== undefined && this.isAqueous(plain)) return plain;
    const found = this.appearances.first('aqueous', given, value, z, this.towardsLiquid(given, plain));
    if (found === undefined)
      unreachable(
        specification,
        `no aqueous phase appears on ${this.pathText(given, plain)} in the range of the model`,
      );
    return this.point('dew', given, found);
  }

  /** First liquid that is not aqueous, likewise; free water may be there already. */
  hydrocarbon(given: Given, value: number, z: Float64Array, plain: SaturationPoint | undefined): SaturationPoint {
    const specification = `hydrocarbon dew point at ${value} ${given === 'T' ? 'K' : 'Pa'}`;
    if (plain !== undefined && !this.isAqueous(plain)) return plain;
    const found = this.appearances.first('second', given, value, z, this.towardsLiquid(given, plain));
    if (found === undefined)
      unreachable(
        specification,
        `no hydrocarbon liquid appears on ${this.pathText(given, plain)} in the range of the model`,
      );
    if (!this.isHeavier(found))
      unreachable(specification, `the phase that appears first on ${this.pathText(given, plain)} is a vapour`);
    return this.point('dew', given, found);
  }

  /** First vapour beside oil and free water on decompression at T or heating at p; undefined when there is none. */
  bubble(
    given: Given,
    value: number,
    z: Float64Array,
    [lo, hi]: readonly [number, number],
  ): SaturationPoint | undefined {
    if (!this.holdsAqueous(z)) return undefined;
    const { validity } = this.eos;
    const way =
      given === 'T'
        ? { from: hi, to: LOWEST_PRESSURE }
        : { from: Math.max(validity.minT, lo), to: Math.min(validity.maxT, hi) };
    const found = this.appearances.first('second', given, value, z, way);
    return found === undefined || this.isHeavier(found) ? undefined : this.point('bubble', given, found);
  }

  private towardsLiquid(given: Given, plain: SaturationPoint | undefined): Way {
    const { minT, maxT, maxP } = this.eos.validity;
    return given === 'T'
      ? { from: plain?.p ?? LOWEST_PRESSURE, to: Math.max(maxP, plain?.p ?? 0) }
      : { from: plain?.T ?? maxT, to: Math.min(minT, plain?.T ?? maxT) };
  }

  private holdsAqueous(z: Float64Array): boolean {
    return this.eos.components.some((component, i) => z[i]! > 0 && isAqueousSubstance(component));
  }

  private isAqueous(point: PhaseAppearance): boolean {
    const named = namePhases(this.eos.components, point.T, point.phases);
    return named.find(({ phase }) => phase === point.incipient)?.name.startsWith('aqueous') === true;
  }

  /** Whether the incipient phase is heavier than the phase it came from: the other one that is not aqueous. */
  private isHeavier(point: PhaseAppearance): boolean {
    const { components } = this.eos;
    const other = namePhases(components, point.T, point.phases).find(
      ({ name, phase }) => phase !== point.incipient && !name.startsWith('aqueous'),
    );
    return other !== undefined && massDensity(components, point.incipient) > massDensity(components, other.phase);
  }

  private point(kind: SaturationKind, given: Given, found: PhaseAppearance): SaturationPoint {
    return { ...found, kind, twoPhaseSide: (kind === 'dew') === (given === 'T') ? 'above' : 'below' };
  }

  private pathText(given: Given, plain: SaturationPoint | undefined): string {
    const beyond = plain === undefined ? '' : ' beyond the first dew point';
    return `${given === 'T' ? 'compression' : 'cooling'}${beyond}`;
  }
}

function unreachable(specification: string, reason: string): never {
  throw new EngineError({ kind: 'spec-unreachable', specification, reason });
}
