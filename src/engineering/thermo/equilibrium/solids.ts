/**
 * Pure solids (ice, dry ice, benzene, waxes ...) in equilibrium with the fluid phases: where the first one appears and how much of each is there. Wax is treated as
 * several pure solids beside each other: J. A. Lira-Galeana, A. Firoozabadi, J. M. Prausnitz, AIChE J. 42 (1996) 239.
 *
 * It guarantees: every solid present has the fugacity of its component in the fluid, no other candidate would gain by precipitating, the material balance is
 * closed and the fluid is a checked phase split. It leaves the fugacity of the solid, and what is not described, to models/solid/pure-solid.ts.
 *
 * The Gibbs energy of a fluid in equilibrium is a convex function of its mole numbers, so the fugacity of a component rises with its own amount and
 * one-component searches, repeated in turn, fall towards the minimum and end in it.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { PureSolid, solidRoute } from '../models/solid/pure-solid.ts';
import { componentFugacities } from './component-fugacities.ts';
import { firstCrossing } from './first-crossing.ts';
import { monotoneSearch } from './monotone-search.ts';
import type { PhaseSplit } from './phase-split.ts';
import type { TpFlash } from './tp-flash.ts';

export interface SolidAppearance {
  readonly T: number;
  readonly p: number;
  /** Component that forms the solid. */
  readonly component: string;
  /** ln of the fugacity of the solid over that in the fluid, least of all candidates: 0 where the first solid appears. */
  readonly value: number;
  readonly fluid: PhaseSplit;
}

export interface SolidPhase {
  readonly component: string;
  /** Moles per mole of mixture. */
  readonly amount: number;
}

export interface SolidSplit {
  readonly T: number;
  readonly p: number;
  readonly solids: readonly SolidPhase[];
  /** Moles of fluid per mole of mixture, and its phases; undefined when everything is solid. */
  readonly fluidAmount: number;
  readonly fluid: PhaseSplit | undefined;
  /** Largest |ln f_S - ln f| of the solids present. */
  readonly fugacityError: number;
  /** Times that all candidates were gone through. */
  readonly sweeps: number;
}

const STEP_T = 5;
const MAX_SWEEPS = 200;
const TOLERANCE = 1e-8;
/** Share of a component, and of the mixture, below which nothing is left in the fluid. */
const GONE = 1e-10;
const ALL_SOLID = 1e-8;

export class SolidEquilibrium {
  private readonly flash: TpFlash;
  private readonly solids: readonly PureSolid[];
  private readonly f: Float64Array;
  private readonly x: Float64Array;

  /**
   * `candidates`: names of components that may precipitate; all that can be described when left out. Throws 'unknown-component' for a name that is not in the
   * fluid and 'missing-data' for one without solid data.
   */
  constructor(eos: EquationOfState, flash: TpFlash, candidates?: readonly string[]) {
    this.flash = flash;
    const names = candidates ?? eos.components.filter((c) => solidRoute(c) !== undefined).map((c) => c.name);
    this.solids = names.map((name) => {
      const index = eos.components.findIndex((c) => c.name === name);
      if (index < 0) throw new EngineError({ kind: 'unknown-component', name });
      return new PureSolid(eos, index);
    });
    this.f = new Float64Array(eos.n);
    this.x = new Float64Array(eos.n);
  }

  /**
   * Highest temperature at which a solid is stable at p [Pa], searched downwards in steps of 5 K from 40 K above the highest melting point to half the lowest. Throws
   * 'spec-unreachable' when no candidate is present or precipitates there, and what the flash throws.
   */
  appearance(p: number, z: Float64Array): SolidAppearance {
    const present = this.solids.filter((s) => z[s.index]! > 0);
    if (present.length === 0) unreachable('a solid', 'none of the components present can be described as a solid');
    const from = Math.max(...present.map((s) => s.maxT));
    const to = Math.min(...present.map((s) => s.minT));
    const crossing = firstCrossing<SolidAppearance>(
      (T, near) => this.least(T, p, z, present, near?.fluid),
      from - 1e-6,
      to + 1e-6,
      STEP_T,
    );
    if (crossing === undefined) unreachable(`a solid at ${p} Pa`, `none precipitates down to ${to.toFixed(1)} K`);
    return crossing.state;
  }

  private least(
    T: number,
    p: number,
    z: Float64Array,
    present: readonly PureSolid[],
    near?: PhaseSplit,
  ): SolidAppearance {
    const fluid = this.flash.solve(T, p, z, near);
    componentFugacities(fluid, this.f);
    let value = Number.POSITIVE_INFINITY;
    let component = present[0]!.component.name;
    for (const solid of present) {
      if (T < solid.minT || T > solid.maxT) continue;
      const own = solid.lnFugacity(T, p) - Math.log(this.f[solid.index]!);
      if (own >= value) continue;
      value = own;
      component = solid.component.name;
    }
    return { T, p, component, value, fluid };
  }

  /**
   * Solids and fluid at T [K], p [Pa]. A candidate more than 40 K above its melting point stays fluid. Throws 'outside-range' below half the melting point of a candidate,
   * 'not-converged', and what the flash throws.
   */
  split(T: number, p: number, z: Float64Array): SolidSplit {
    const present = this.solids.filter((s) => z[s.index]! > 0 && T <= s.maxT);
    const wanted = present.map((s) => s.lnFugacity(T, p));
    const n = Float64Array.from(z);
    let fluid = this.solve(T, p, n);
    for (let sweeps = 0; ; sweeps++) {
      const { error, unstable } = this.deviation(present, wanted, n, z);
      if (!unstable) return this.result(T, p, z, n, present, fluid, error, sweeps);
      if (sweeps === MAX_SWEEPS)
        throw new EngineError({ kind: 'not-converged', algorithm: 'solid split', iterations: sweeps, residual: error });
      for (const [k, solid] of present.entries()) fluid = this.settle(T, p, z, n, solid.index, wanted[k]!, fluid);
      if (total(n) < ALL_SOLID && present.length === z.reduce((count, zi) => count + (zi > 0 ? 1 : 0), 0))
        return this.result(T, p, z, new Float64Array(n.length), present, undefined, 0, sweeps + 1);
    }
  }

  /** Sets n[i] so that component i has the fugacity wanted, within 0 and z[i], with all other amounts as they are. */
  private settle(
    T: number,
    p: number,
    z: Float64Array,
    n: Float64Array,
    i: number,
    wanted: number,
    start: PhaseSplit,
  ): PhaseSplit {
    const hi = Math.log(z[i]!);
    const lo = hi + Math.log(GONE);
    const at = (theta: number, near: PhaseSplit) => {
      n[i] = Math.exp(theta);
      return this.solve(T, p, n, near);
    };
    const now = Math.max(lo, Math.log(n[i]!));
    const excess = Math.log(this.f[i]!) - wanted;
    if (n[i] === z[i] ? excess <= TOLERANCE : Math.abs(excess) <= 0.1 * TOLERANCE) return start;
    const search = monotoneSearch<{ theta: number; split: PhaseSplit }>(
      (theta, near) => {
        const split = at(theta, near?.split ?? start);
        return { state: { theta, split }, value: Math.log(this.f[i]!), slope: 0 };
      },
      wanted,
      // Where f_i is proportional to n_i this is the answer.
      Math.max(lo, Math.min(hi, now - excess)),
      { lo, hi, stride: Math.max(0.5, Math.min(4, Math.abs(excess))) },
    );
    // Beyond the limits: all of it dissolves, or all of it is solid. A jump is a phase that vanishes: the side with less in the fluid is the stable one.
    const theta =
      search.kind === 'found'
        ? search.state.theta
        : search.kind === 'jump'
          ? search.below.state.theta
          : search.side === 'above'
            ? hi
            : lo;
    const split = at(theta, start);
    if (theta === hi) n[i] = z[i]!;
    return split;
  }

  private solve(T: number, p: number, n: Float64Array, near?: PhaseSplit): PhaseSplit {
    const sum = total(n);
    for (let i = 0; i < n.length; i++) this.x[i] = n[i]! / sum;
    const split = this.flash.solve(T, p, this.x, near);
    componentFugacities(split, this.f);
    return split;
  }

  private deviation(present: readonly PureSolid[], wanted: readonly number[], n: Float64Array, z: Float64Array) {
    let error = 0;
    let unstable = false;
    for (const [k, { index }] of present.entries()) {
      const excess = Math.log(this.f[index]!) - wanted[k]!;
      const free = n[index]! < z[index]!;
      const gone = n[index]! <= 1.01 * GONE * z[index]!;
      const off = free && !gone ? Math.abs(excess) : free ? Math.max(0, -excess) : Math.max(0, excess);
      if (free) error = Math.max(error, gone ? 0 : off);
      if (off > TOLERANCE) unstable = true;
    }
    return { error, unstable };
  }

  private result(
    T: number,
    p: number,
    z: Float64Array,
    n: Float64Array,
    present: readonly PureSolid[],
    fluid: PhaseSplit | undefined,
    fugacityError: number,
    sweeps: number,
  ): SolidSplit {
    const solids: SolidPhase[] = [];
    for (const { index, component } of present)
      if (n[index]! < z[index]!) solids.push({ component: component.name, amount: z[index]! - n[index]! });
    return { T, p, solids, fluidAmount: total(n), fluid, fugacityError, sweeps };
  }
}

function total(n: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < n.length; i++) sum += n[i]!;
  return sum;
}

function unreachable(specification: string, reason: string): never {
  throw new EngineError({ kind: 'spec-unreachable', specification, reason });
}
