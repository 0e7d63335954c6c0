/**
 * Where one more phase appears beside those that are there already: the water dew point of a gas with oil, the hydrocarbon dew point of
 * a gas with free water, the first vapour of an oil with free water.
 *
 * The flash is followed along T (or p) in steps; between two steps the amount of the new phase is brought to zero, each time with every
 * phase looked for. So the answer has the guarantees of tp-flash.ts, with T or p known
 * to 1e-9 (relative), fugacities to 1e-9, beside a critical point to 1e-7; closer to it the
 * search ends with 'not-converged'. A phase that appears and is gone again within one step (1 % of T, 12 % of p) is passed over. It leaves to others: points of a feed that is one
 * phase (bubble-dew.ts finds those faster).
 */
import { EngineError, hasNoAnswer } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { namePhases } from '../properties/phase-identification.ts';
import { fugacityError } from './multiphase.ts';
import { massDensity, type PhaseSplit, type SplitPhase } from './phase-split.ts';
import type { TpFlash } from './tp-flash.ts';

export interface PhaseAppearance extends PhaseSplit {
  /** The phase that appears, at fraction 0; one of `phases`. */
  readonly incipient: SplitPhase;
}

/** aqueous: the first phase named so. second: a second phase that is not aqueous, a liquid beside gas or a vapour beside oil. */
export type AppearingPhase = 'aqueous' | 'second';

/** Values of T [K] or p [Pa], from where the phase is absent towards where it is there. */
export interface Way {
  readonly from: number;
  readonly to: number;
}

type Given = 'T' | 'p';

const STEP_T = 0.01;
const STEP_P = 0.12;
const CLOSED = 1e-10;
/** Amount at which a phase counts as vanishing. */
const TRACE = 1e-9;
/** Amounts below this lie on a line with T or p; fugacities at its end are then right to SHARP. */
const SMALL = 2e-5;
const SHARP = 1e-9;
const MAX_REFINEMENTS = 120;
/** A lone phase whose density changes by more than this factor in one step may have been replaced by another. */
const REPLACED = 1.5;
const JUMP = 1.02;

interface Probe {
  readonly theta: number;
  readonly split: PhaseSplit;
  /** Phases of the kind followed. */
  readonly phases: readonly SplitPhase[];
  /** Whether the phase sought is there. */
  readonly there: boolean;
  /** Its amount, the smaller of two. */
  readonly amount: number;
}

export class PhaseAppearances {
  private readonly eos: EquationOfState;
  private readonly flash: TpFlash;
  /** Of the last state looked at. */
  private residual = Number.NaN;

  constructor(eos: EquationOfState, flash: TpFlash) {
    this.eos = eos;
    this.flash = flash;
  }

  /**
   * The first appearance on the way, at T or p given; undefined when there is none or the phase is there all along. Where it is there at the
   * beginning, it has to vanish before it can appear.
   */
  first(what: AppearingPhase, given: Given, value: number, z: Float64Array, way: Way): PhaseAppearance | undefined {
    const from = Math.log(way.from);
    const to = Math.log(way.to);
    const steps = Math.max(1, Math.ceil(Math.abs(to - from) / (given === 'p' ? STEP_T : STEP_P)));
    let before: Probe | undefined;
    for (let k = 0; k <= steps; k++) {
      const here = this.probe(what, given, value, z, from + ((to - from) * k) / steps);
      if (here === undefined) {
        before = undefined;
        continue;
      }
      if (before !== undefined && !before.there) {
        const found = here.there
          ? this.vanishing(what, given, value, z, before, here)
          : this.replacement(what, given, value, z, before, here);
        if (found !== undefined) return found;
      }
      before = here;
    }
    return undefined;
  }

  private probe(what: AppearingPhase, given: Given, value: number, z: Float64Array, theta: number): Probe | undefined {
    const unknown = Math.exp(theta);
    let split: PhaseSplit;
    try {
      split = this.flash.solve(given === 'T' ? value : unknown, given === 'T' ? unknown : value, z);
    } catch (error) {
      // Beyond what the model describes.
      if (hasNoAnswer(error)) return undefined;
      throw error;
    }
    const phases = namePhases(this.eos.components, split.T, split.phases)
      .filter(({ name }) => name.startsWith('aqueous') === (what === 'aqueous'))
      .map(({ phase }) => phase);
    // One phase may change its name without any phase appearing.
    const there = split.phases.length > 1 && phases.length >= (what === 'aqueous' ? 1 : 2);
    const amount = there ? Math.min(...phases.map((phase) => phase.fraction)) : 0;
    return { theta, split, phases, there, amount };
  }

  /** Between a state without the phase and one with it: its amount is brought to zero. */
  private vanishing(
    what: AppearingPhase,
    given: Given,
    value: number,
    z: Float64Array,
    without: Probe,
    withIt: Probe,
  ): PhaseAppearance | undefined {
    let absent = without;
    let present = withIt;
    let last: Probe | undefined;
    let tried = SMALL;
    for (let k = 0; k < MAX_REFINEMENTS; k++) {
      const gap = present.theta - absent.theta;
      if (present.amount < tried) {
        tried = 0.3 * present.amount;
        // As far again into the region where the phase is there.
        const zero = last === undefined ? absent.theta : zeroOf(present, last);
        const inner = this.probe(
          what,
          given,
          value,
          z,
          present.theta + Math.sign(gap) * Math.max(1e-9, Math.abs(present.theta - zero)),
        );
        const point = inner?.there === true ? this.extrapolated(given, value, present, inner) : undefined;
        if (point !== undefined) return point;
      }
      if (present.amount < TRACE || Math.abs(gap) < CLOSED) break;
      let next = absent.theta + 0.5 * gap;
      if (k % 3 !== 2 && last !== undefined && last.amount > present.amount) {
        const zero = zeroOf(present, last);
        // A little on the present side, so that the next state has the phase.
        const aimed = zero + 1e-4 * (present.theta - zero);
        if ((aimed - absent.theta) / gap > 0 && (present.theta - aimed) / gap > 0) next = aimed;
      }
      const here = this.probe(what, given, value, z, next);
      if (here === undefined) return undefined;
      if (here.there) {
        last = present;
        present = here;
      } else absent = here;
    }
    const smallest = smallestOf(present);
    if (smallest.fraction < 1e-3) {
      const everSmaller = present.split.phases.every((phase) => phase.fraction >= smallest.fraction);
      // Another phase has vanished instead: the fluid was aqueous itself, say.
      if (!everSmaller && what === 'aqueous') return undefined;
      if (smallest.fraction < TRACE) return this.point(present.split, smallest);
      // Where the stability test cannot tell a trace from none, the state without it closes the balance better.
      const incipient: SplitPhase = { ...smallest, fraction: 0 };
      return this.point({ ...absent.split, phases: [...absent.split.phases, incipient] }, incipient);
    }
    return undefined;
  }

  /**
   * The state of amount zero on the line through two states with little of the phase: right to the square of that amount, and sharper than any
   * state near the limit itself. Undefined when its fugacities show that the states do not lie on a line (beside a critical point).
   */
  private extrapolated(given: Given, value: number, near: Probe, far: Probe): PhaseAppearance | undefined {
    const { eos } = this;
    const vanishing = smallestOf(near);
    const at = near.split.phases.indexOf(vanishing);
    if (near.split.phases.length !== far.split.phases.length || !(far.amount > 1.2 * near.amount)) return undefined;
    const share = near.amount / (far.amount - near.amount);
    const back = (a: number, b: number) => a - share * (b - a);
    const unknown = Math.exp(back(near.theta, far.theta));
    const [T, p] = given === 'T' ? [value, unknown] : [unknown, value];
    const phases = near.split.phases.map((phase, k) => {
      const other = far.split.phases[k]!;
      // In the logarithm, so that traces stay positive.
      const x = phase.x.map((xi, i) => (xi > 0 ? Math.exp(back(Math.log(xi), Math.log(other.x[i]!))) : 0));
      const total = x.reduce((a, b) => a + b, 0);
      const lnPhi = new Float64Array(eos.n);
      const rho = eos.lnPhi(
        T,
        p,
        x.map((xi) => xi / total),
        'stable',
        lnPhi,
      );
      return {
        x: x.map((xi) => xi / total),
        lnPhi,
        rho,
        fraction: k === at ? 0 : back(phase.fraction, other.fraction),
      };
    });
    return this.pointWithin({ ...near.split, T, p, phases }, phases[at]!, SHARP);
  }

  /** Between two states with one phase of the kind, whose densities differ: gas that turns into liquid at one T, p (binaries with water). */
  private replacement(
    what: AppearingPhase,
    given: Given,
    value: number,
    z: Float64Array,
    before: Probe,
    after: Probe,
  ): PhaseAppearance | undefined {
    const density = (probe: Probe) => (probe.phases.length === 1 ? probe.phases[0]!.rho : Number.NaN);
    const ratio = (a: Probe, b: Probe) => Math.max(density(a) / density(b), density(b) / density(a));
    if (what !== 'second' || !(ratio(before, after) > REPLACED) || before.split.phases.length < 2) return undefined;
    let a = before;
    let b = after;
    for (let k = 0; k < MAX_REFINEMENTS && Math.abs(b.theta - a.theta) > CLOSED; k++) {
      const here = this.probe(what, given, value, z, 0.5 * (a.theta + b.theta));
      if (here === undefined || !(density(here) > 0)) return undefined;
      if (ratio(here, a) < ratio(here, b)) a = here;
      else b = here;
    }
    if (!(ratio(a, b) > JUMP) || b.split.phases.length < 2) return undefined;
    const incipient: SplitPhase = { ...b.phases[0]!, fraction: 0 };
    return this.point({ ...a.split, phases: [...a.split.phases, incipient] }, incipient);
  }

  private point(split: PhaseSplit, vanishing: SplitPhase): PhaseAppearance {
    const point = this.pointWithin(split, vanishing, 1e-7);
    if (point !== undefined) return point;
    throw new EngineError({
      kind: 'not-converged',
      algorithm: 'appearance of a phase',
      iterations: split.convergence.iterations,
      residual: this.residual,
    });
  }

  /** The state with `vanishing` at fraction 0; undefined when fugacities or balance are off by more than the tolerance. */
  private pointWithin(split: PhaseSplit, vanishing: SplitPhase, tolerance: number): PhaseAppearance | undefined {
    const incipient: SplitPhase = { ...vanishing, fraction: 0 };
    const rest = 1 - vanishing.fraction;
    const phases = split.phases
      .map((phase) => (phase === vanishing ? incipient : { ...phase, fraction: phase.fraction / rest }))
      .sort((a, b) => massDensity(this.eos.components, a) - massDensity(this.eos.components, b));
    let balanceError = 0;
    for (let i = 0; i < split.z.length; i++) {
      let total = 0;
      for (const phase of phases) total += phase.fraction * phase.x[i]!;
      balanceError = Math.max(balanceError, Math.abs(total - split.z[i]!));
    }
    const active = Int32Array.from(split.z.keys()).filter((i) => split.z[i]! > 0);
    const error = fugacityError(phases, active);
    this.residual = Math.max(balanceError, error);
    if (!(balanceError < Math.min(tolerance, 1e-8) && error < tolerance)) return undefined;
    return {
      ...split,
      phases,
      incipient,
      convergence: { ...split.convergence, fugacityError: error, balanceError },
    };
  }
}

function smallestOf(probe: Probe): SplitPhase {
  return probe.phases.reduce((a, b) => (b.fraction < a.fraction ? b : a));
}

/** Where the line through both amounts meets zero. */
function zeroOf(present: Probe, last: Probe): number {
  return present.theta - (present.amount * (last.theta - present.theta)) / (last.amount - present.amount);
}
