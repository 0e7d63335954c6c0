/**
 * Hydrates, ice and fluid phases together at T, p: how much of each there is and what it is made of.
 *
 * It guarantees: water has the same fugacity in every phase present and so has each guest, within the tolerance stated in `fugacityError`; every component
 * is accounted for; a structure or ice that is left out would raise the Gibbs energy; the Gibbs energy is not above that of the fluid alone. Both structures can
 * be present together, and the fluid can vanish (gas and excess water below the ice point). What does not converge is 'not-converged'. The
 * fluid is a checked phase split of TpFlash; the solids are those of hydrate-amounts.ts. Other solids and kinetics are not its matter.
 *
 * The Gibbs energy is convex in the amounts of the solids: that of a fluid in equilibrium, that of the solid solution, and that of ice are. It is minimised by
 * Newton steps with an interior point: -mu ln of the amount of each lattice, of ice and of the fluid keeps them positive while mu falls, then what has shrunk to
 * nothing is left out and the rest is solved without the barrier (S. Boyd, L. Vandenberghe, Convex Optimization, 2004, chapter 11). The step: hydrate-step.ts,
 * with the curvature of the fluid of fluid-response.ts.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import {
  guestConstants,
  HYDRATE_STRUCTURES,
  type HydrateStructure,
  isUnknownFormer,
  structureAlone,
} from '../models/hydrate/hydrate-data.ts';
import { HydratePhase, lnIceRatio, type Occupancy, structureDifference } from '../models/hydrate/hydrate-phase.ts';
import { holdsGuests, latticeComposition, lnSolidFugacities, solidVariables } from './hydrate-amounts.ts';
import { hydrateStep } from './hydrate-step.ts';
import { HydrateWork } from './hydrate-work.ts';
import type { PhaseSplit } from './phase-split.ts';
import { lnPureWaterFugacity, requireAqueousModel } from './pure-water.ts';
import { TpFlash } from './tp-flash.ts';

export interface HydrateAmount {
  readonly structure: HydrateStructure;
  /** Moles of water and guests in the phase per mole of mixture: one mole of hydrate is one mole of water and guests together. */
  readonly amount: number;
  /** Mole fractions of water and guests, length n. */
  readonly x: Float64Array;
  readonly occupancy: Occupancy;
  /** Water molecules per guest molecule. */
  readonly hydrationNumber: number;
}

export interface HydrateSplit {
  readonly T: number;
  readonly p: number;
  /** The larger first; empty when no hydrate is stable. */
  readonly hydrates: readonly HydrateAmount[];
  /** Chemical potential of water in structure II less that in structure I beside the phases found [J/mol]; 0 where both are present. */
  readonly structureDifference: number;
  /**
   * Structure that is measured for the guest where it is the only one of the mixture; undefined for several, and where none is known. The constants of Munck et
   * al. make methane, CO2 and H2S alone structure II below 250, 215 and 248 K, and nitrogen alone structure I above 215 K.
   */
  readonly measuredStructure: HydrateStructure | undefined;
  /** Moles of ice per mole of mixture. */
  readonly iceAmount: number;
  /** Moles of fluid per mole of mixture, and its phases; undefined when everything is solid. */
  readonly fluidAmount: number;
  readonly fluid: PhaseSplit | undefined;
  /** ln fugacity [Pa] of each component, the same in all phases; NaN for a component that is absent. */
  readonly lnFugacity: Float64Array;
  /** Largest |ln f - ln f'| between solids and fluid, over water and guests. */
  readonly fugacityError: number;
  /** Largest |z_i - sum of the phases|. */
  readonly balanceError: number;
  /** G/(R T) per mole of mixture against the ideal gas at 1 Pa, with the solids and of the fluid alone. */
  readonly gibbs: number;
  readonly fluidGibbs: number;
  /** The feed without solids. */
  readonly fluidAlone: PhaseSplit;
  /** Fluid phase equilibria solved. */
  readonly iterations: number;
}

/** Newton steps of each of the two stages. */
const MAX_STEPS = 160;
/** Barrier at the start and at its end, per mole of what limits the hydrate. */
const FIRST_BARRIER = 1e-4;
const LAST_BARRIER = 1e-8;
/** At the end of the barrier an amount far below its root belongs to a phase that does not pay; the rest is left to the last steps. */
const DOUBTFUL = 0.03;
/** ln f, met by all solids present; sum of the phases, per mole of mixture. */
const TOLERANCE = 1e-8;
const BALANCE = 1e-10;
/** An absent phase may fall short of its fugacity by this much (ln f): the barrier leaves so much open. */
const ABSENT = 1e-5;
/** Share of the limiting amount below which a solid, or all fluid, is gone. */
const GONE = 1e-11;
const FLUID_TRIALS = 30;

export class HydrateFlash {
  private readonly eos: EquationOfState;
  readonly flash: TpFlash;
  /** Without the test for a third phase. */
  readonly quick: TpFlash;
  private readonly water: number;
  private readonly phases: readonly HydratePhase[];

  /** Throws 'invalid-input' for a model without liquid water. */
  constructor(eos: EquationOfState, flash: TpFlash) {
    requireAqueousModel(eos);
    this.eos = eos;
    this.flash = flash;
    this.quick = new TpFlash(eos, { maxPhases: 2 });
    this.water = eos.components.findIndex((c) => c.name === 'water');
    this.phases = HYDRATE_STRUCTURES.map((structure) => new HydratePhase(structure, eos.components));
  }

  /**
   * All phases at T [K], p [Pa] of a mixture with mole fractions z; without a guest, below the ice point, ice and fluid. Throws 'spec-unreachable' without water, without both guest and ice, or where the model has no liquid
   * water, 'not-converged', and what the flash throws.
   */
  solve(T: number, p: number, z: Float64Array, near?: PhaseSplit): HydrateSplit {
    const { water, eos } = this;
    const phases = this.phases.filter((phase) => holdsGuests(phase, T, z));
    const icy = lnIceRatio(T, p) < 0;
    if (!(water >= 0 && z[water]! > 0) || (phases.length === 0 && !icy))
      throw new EngineError({
        kind: 'spec-unreachable',
        specification: 'a hydrate',
        reason: 'the fluid holds no water or no component that enters a hydrate lattice',
      });
    const lnPureWater = lnPureWaterFugacity(eos, water, T, p);
    const solids = solidVariables(phases, icy, T, p, z, water, lnPureWater);
    const work = new HydrateWork(eos, this, solids, water, { T, p, z, near });
    const alone = { fluid: work.fluid, gibbs: gibbsOfFluid(z, work.lnF) };
    work.enter();
    this.follow(work);
    this.polish(work);
    return this.result(work, alone);
  }

  /** Along the barrier's path. */
  private follow(work: HydrateWork): void {
    const { scale } = work;
    let mu = FIRST_BARRIER * scale;
    const last = LAST_BARRIER * scale;
    for (let steps = 0; ; steps++) {
      const decrement = hydrateStep(work, mu, mu);
      if (work.troubled || mu <= last) work.dropTraces();
      if (decrement < 2 * mu) {
        if (mu <= last) return;
        // Fast once the end is near.
        mu = Math.max(last, Math.min(0.1 * mu, scale * (mu / scale) ** 2));
      }
      if (steps === MAX_STEPS) work.fail(steps, decrement / mu);
    }
  }

  /** Leaves out what has vanished and solves the rest without the barrier. */
  private polish(work: HydrateWork): void {
    const doubtful = DOUBTFUL * Math.sqrt(LAST_BARRIER) * work.scale;
    work.leaveOut(doubtful);
    work.dropFluid(doubtful);
    let revived = false;
    for (let steps = 0; work.solids.size > 0; steps++) {
      const error = work.error();
      if (error < 1e-2 * TOLERANCE || (error < TOLERANCE && steps > 8)) {
        // With every phase of the fluid looked for it may not be the end.
        if (work.beThorough()) continue;
        if (revived || work.gone.size === 0 || !(this.fluidExcess(work) > ABSENT)) return;
        // Left out too early: it comes back, for good.
        revived = true;
        work.revive();
      }
      if (steps === MAX_STEPS) work.fail(steps, error);
      hydrateStep(work, 0, 0);
      work.leaveOut(GONE * work.scale);
      if (revived) continue;
      work.dropTraces();
      work.dropFluid(GONE * work.scale);
    }
    work.beThorough();
  }

  private result(work: HydrateWork, alone: { readonly fluid: PhaseSplit; readonly gibbs: number }): HydrateSplit {
    const { solids, v, u, U, lnF, z, solid } = work;
    const { water } = this;
    const lnFugacity = work.lnFugacities();
    const lnSolid = new Float64Array(solids.size);
    lnSolidFugacities(solids, v, lnSolid);
    let gibbs = solid ? 0 : gibbsOfFluid(u, lnF);
    const total = Float64Array.from(u);
    for (let i = 0; i < solids.size; i++) {
      const component = solids.component[i]!;
      total[component] = total[component]! + v[i]!;
      gibbs += v[i]! * lnSolid[i]!;
    }
    const fugacityError = work.error();
    const balanceError = total.reduce((most, sum, i) => Math.max(most, Math.abs(sum - z[i]!)), 0);
    const rise = gibbs - alone.gibbs;
    if (!(fugacityError <= TOLERANCE) || !(balanceError <= BALANCE) || !(rise <= TOLERANCE))
      work.fail(work.flashes, Math.max(fugacityError, balanceError, rise));
    this.checkAbsent(work, lnFugacity);
    const f = fugacities(lnFugacity);
    const hydrates = solids.lattices.map((lattice): HydrateAmount => {
      const x = new Float64Array(z.length);
      const amount = latticeComposition(lattice, v, water, x);
      return {
        structure: lattice.structure,
        amount,
        x,
        occupancy: this.phases.find(({ structure }) => structure === lattice.structure)!.occupancy(work.T, f),
        hydrationNumber: x[water]! / (1 - x[water]!),
      };
    });
    hydrates.sort((a, b) => b.amount - a.amount);
    return {
      T: work.T,
      p: work.p,
      hydrates,
      structureDifference: structureDifference(this.eos.components, work.T, work.p, f),
      measuredStructure: measuredStructure(this.eos, z),
      iceAmount: solids.ice === undefined ? 0 : v[solids.ice.at]!,
      fluidAmount: U,
      fluid: solid ? undefined : work.fluid,
      lnFugacity,
      fugacityError,
      balanceError,
      gibbs,
      fluidGibbs: alone.gibbs,
      fluidAlone: alone.fluid,
      iterations: work.flashes,
    };
  }

  /** No structure that was left out, nor ice, nor a fluid phase may want to form beside the phases found. */
  private checkAbsent(work: HydrateWork, lnFugacity: Float64Array): void {
    const { T, p, z, solids, flashes } = work;
    const f = fugacities(lnFugacity);
    const lnWater = lnFugacity[this.water]! - lnPureWaterFugacity(this.eos, this.water, T, p);
    for (const phase of this.phases) {
      if (solids.lattices.some(({ structure }) => structure === phase.structure)) continue;
      if (!holdsGuests(phase, T, z)) continue;
      const excess = phase.lnWaterFugacityRatio(T, p, f) - lnWater;
      if (excess < -ABSENT) work.fail(flashes, -excess);
    }
    if (solids.ice === undefined && lnIceRatio(T, p) - lnWater < -ABSENT)
      work.fail(flashes, lnWater - lnIceRatio(T, p));
    if (work.gone.size === 0) return;
    const excess = this.fluidExcess(work);
    if (excess > ABSENT) work.fail(flashes, excess);
  }

  /**
   * How far a fluid phase is from equilibrium with the solids: ln of the sum of its mole fractions, above 0 when it would form. Substitution for the tangent
   * plane distance from an ideal gas and from liquid water (M. L. Michelsen, Fluid Phase Equilib. 9 (1982) 1).
   */
  private fluidExcess(work: HydrateWork): number {
    const { eos, water } = this;
    const { T, p, active } = work;
    const lnFugacity = work.lnFugacities();
    const lnPhi = new Float64Array(eos.n);
    let excess = Number.NEGATIVE_INFINITY;
    for (const branch of ['vapour', 'liquid'] as const) {
      let x = new Float64Array(eos.n);
      if (branch === 'liquid') x[water] = 1;
      else for (const i of active) x[i] = Math.exp(lnFugacity[i]!);
      let sum = Number.NaN;
      for (let k = 0; k < FLUID_TRIALS; k++) {
        const total = x.reduce((a, b) => a + b, 0);
        const y = x.map((xi) => xi / total);
        if (!(eos.lnPhi(T, p, y, branch, lnPhi) > 0)) break;
        x = new Float64Array(eos.n);
        for (const i of active) x[i] = Math.exp(lnFugacity[i]! - lnPhi[i]!) / p;
        sum = x.reduce((a, b) => a + b, 0);
      }
      if (sum > 0) excess = Math.max(excess, Math.log(sum));
    }
    return excess;
  }
}

function measuredStructure(eos: EquationOfState, z: Float64Array): HydrateStructure | undefined {
  const present = eos.components.filter((_, i) => z[i]! > 0);
  if (present.some(isUnknownFormer)) return undefined;
  const guests = present.filter(({ name }) => guestConstants(name) !== undefined);
  return guests.length === 1 ? structureAlone(guests[0]!.name) : undefined;
}

/** [Pa], 0 for components that are absent. */
function fugacities(lnFugacity: Float64Array): Float64Array {
  return lnFugacity.map((value) => (Number.isNaN(value) ? 0 : Math.exp(value)));
}

function gibbsOfFluid(n: Float64Array, lnF: Float64Array): number {
  let gibbs = 0;
  for (let i = 0; i < n.length; i++) if (n[i]! > 0) gibbs += n[i]! * lnF[i]!;
  return gibbs;
}
