/**
 * What a hydrate flash (hydrate-flash.ts) has in hand on its way: what the solids and the fluid hold, and the fugacities of the fluid. Every move between them keeps the
 * balance of each component.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import { componentFugacities } from './component-fugacities.ts';
import { cavityRoom, lnSolidFugacities, type SolidVariables } from './hydrate-amounts.ts';
import { solveMultiphase } from './multiphase.ts';
import type { PhaseSplit } from './phase-split.ts';
import type { TpFlash } from './tp-flash.ts';

/** Share of a guest below which the fluid holds none of it: rounding of the balance would disturb it, and no real liquid takes up so little. */
const TRACE = 1e-10;
/** Share of the solids that returns into a fluid that was left out too early. */
const REVIVED = 1e-3;

export class HydrateWork {
  readonly eos: EquationOfState;
  readonly T: number;
  readonly p: number;
  readonly z: Float64Array;
  /** Components that are present. */
  readonly active: readonly number[];
  readonly water: number;
  /** What limits the hydrate, or ice where nothing enters a lattice [mol per mole of mixture]. */
  readonly scale: number;
  solids: SolidVariables;
  /** Amounts in the solids, in the order of `solids`. */
  v: Float64Array;
  /** Moles of each component in the fluid, and their sum. */
  readonly u: Float64Array;
  U = 1;
  fluid: PhaseSplit;
  readonly lnF: Float64Array;
  /**
   * Components that the solids alone hold: none of them is left in the fluid to working precision (`u` is 0, `lnF` has no meaning). All of them: there is no
   * fluid.
   */
  readonly gone = new Set<number>();
  flashes = 1;
  /** A flash of this solution did not converge: traces are in its way. */
  troubled = false;
  private readonly flash: TpFlash;
  private readonly quick: TpFlash;
  /** On the way phases that are new beside two or more others are not looked for. */
  private thorough = false;
  /** The last split of several phases: the best start for the next, also after states of one phase. */
  private guide: PhaseSplit;

  /** Everything is fluid: the split of the feed z at T [K], p [Pa]. */
  constructor(
    eos: EquationOfState,
    { flash, quick }: { readonly flash: TpFlash; readonly quick: TpFlash },
    solids: SolidVariables,
    water: number,
    feed: { readonly T: number; readonly p: number; readonly z: Float64Array; readonly near?: PhaseSplit | undefined },
  ) {
    const { T, p, z } = feed;
    this.eos = eos;
    this.flash = flash;
    this.quick = quick;
    this.solids = solids;
    this.water = water;
    this.T = T;
    this.p = p;
    this.z = z;
    this.active = eos.components.flatMap((_, i) => (z[i]! > 0 ? [i] : []));
    this.scale = solids.lattices.length === 0 ? z[water]! : Math.min(z[water]!, sumOfGuests(solids, z));
    this.v = new Float64Array(solids.size);
    this.u = Float64Array.from(z);
    this.lnF = new Float64Array(z.length);
    this.fluid = flash.solve(T, p, z, feed.near);
    this.guide = this.fluid;
    this.logs();
  }

  /** True when there is no fluid. */
  get solid(): boolean {
    return this.gone.size === this.active.length;
  }

  /** Solves the fluid for the amounts in it. Throws what the flash throws. */
  evaluate(): void {
    if (this.solid) return;
    this.U = this.u.reduce((sum, ui) => sum + ui, 0);
    const x = Float64Array.from(this.u, (ui) => ui / this.U);
    this.flashes++;
    this.fluid = this.split(x);
    if (this.fluid.phases.length > 1) this.guide = this.fluid;
    this.logs();
  }

  private split(x: Float64Array): PhaseSplit {
    const { eos, T, p, guide, thorough } = this;
    if (thorough) return this.flash.solve(T, p, x, guide);
    if (guide.phases.length <= 2) return this.quick.solve(T, p, x, guide);
    const active = Int32Array.from(this.active.filter((i) => x[i]! > 0));
    const compositions = guide.phases.map((phase) => phase.x);
    const fractions = guide.phases.map(({ fraction }) => fraction);
    const { phases, error, iterations, converged } = solveMultiphase(eos, T, p, x, active, compositions, fractions);
    if (!converged || phases.length < 2) return this.flash.solve(T, p, x, guide);
    return { T, p, z: x, phases, convergence: { ...guide.convergence, fugacityError: error, iterations } };
  }

  /** From here on every phase of the fluid is looked for; false when that was so before. */
  beThorough(): boolean {
    if (this.thorough || this.solid) return false;
    this.thorough = true;
    this.evaluate();
    return true;
  }

  private logs(): void {
    componentFugacities(this.fluid, this.lnF);
    for (let i = 0; i < this.lnF.length; i++) this.lnF[i] = Math.log(this.lnF[i]!);
  }

  /** A little of every solid, filled as the fluid fills it, takes matter out of the fluid. */
  enter(): void {
    const { solids, v, u, lnF, scale } = this;
    const share = 0.1 / (solids.lattices.length + 1);
    for (const lattice of solids.lattices) {
      const N = share * scale;
      v[lattice.at] = N;
      for (const { perWater, guests } of lattice.cavities) {
        let filling = 0;
        for (const { component, lnC } of guests) filling += Math.exp(lnC + lnF[component]!);
        for (const { at, component, lnC } of guests) {
          const wanted = (perWater * N * Math.exp(lnC + lnF[component]!)) / (1 + filling);
          v[at] = Math.min(wanted, share * u[component]!);
        }
      }
    }
    if (solids.ice !== undefined) v[solids.ice.at] = share * scale;
    for (let i = 0; i < solids.size; i++) u[solids.component[i]!] = u[solids.component[i]!]! - v[i]!;
    this.evaluate();
  }

  /** What little fluid is left, less than `least`, goes to the solids where they can take all of it. */
  dropFluid(least: number): void {
    const { gone, active } = this;
    if (this.solid || this.U > least) return;
    const left = active.filter((i) => !gone.has(i));
    if (left.some((i) => this.holder(i) === undefined)) return;
    for (const i of left) this.intoSolids(i);
    this.U = 0;
  }

  /** Of a guest that does not dissolve in the fluid left, the solids hold all. */
  dropTraces(): void {
    const { solids, u, gone, z } = this;
    if (this.solid) return;
    for (const i of new Set(solids.component))
      if (i !== this.water && !gone.has(i) && u[i]! < TRACE * z[i]! && this.holder(i) !== undefined) this.intoSolids(i);
  }

  private intoSolids(i: number): void {
    const most = this.holder(i)!;
    this.v[most] = this.v[most]! + this.u[i]!;
    this.u[i] = 0;
    this.gone.add(i);
  }

  /** The variable with most of component i in the solids that has room for what the fluid holds of it. */
  private holder(i: number): number | undefined {
    const { solids, v, u } = this;
    let most: number | undefined;
    for (let j = 0; j < solids.size; j++)
      if (solids.component[j] === i && (most === undefined || v[j]! > v[most]!) && cavityRoom(solids, v, j) > 2 * u[i]!)
        most = j;
    return most;
  }

  /** What was held by the solids alone is in the fluid again. */
  revive(): void {
    const { solids, v, u, gone } = this;
    for (let i = 0; i < solids.size; i++) {
      const component = solids.component[i]!;
      if (!gone.has(component)) continue;
      u[component] = u[component]! + REVIVED * v[i]!;
      v[i] = (1 - REVIVED) * v[i]!;
    }
    gone.clear();
    this.evaluate();
  }

  /** Leaves out solids with less than `least`; what they hold goes back. */
  leaveOut(least: number): void {
    const { solids, v, u, gone } = this;
    const lattices = solids.lattices.filter(({ at }) => v[at]! >= least);
    const ice = solids.ice !== undefined && v[solids.ice.at]! >= least ? solids.ice : undefined;
    if (lattices.length === solids.lattices.length && ice === solids.ice) return;
    const kept: number[] = [];
    const move = (at: number) => kept.push(at) - 1;
    const moved = lattices.map((lattice) => ({
      ...lattice,
      at: move(lattice.at),
      cavities: lattice.cavities.map((cavity) => ({
        ...cavity,
        guests: cavity.guests.map((guest) => ({ ...guest, at: move(guest.at) })),
      })),
    }));
    const movedIce = ice === undefined ? undefined : { ...ice, at: move(ice.at) };
    this.v = Float64Array.from(kept, (at) => v[at]!);
    this.solids = {
      size: kept.length,
      lattices: moved,
      ice: movedIce,
      component: Int32Array.from(kept, (at) => solids.component[at]!),
    };
    for (let i = 0; i < solids.size; i++) {
      if (kept.includes(i)) continue;
      const component = solids.component[i]!;
      gone.delete(component);
      u[component] = u[component]! + v[i]!;
    }
    this.evaluate();
  }

  /** ln f of all components present; of what is not in the fluid the solids alone say it. NaN for the others. */
  lnFugacities(): Float64Array {
    const { solids, v, lnF, gone } = this;
    const out = new Float64Array(lnF.length).fill(Number.NaN);
    for (const i of this.active) out[i] = lnF[i]!;
    const own = new Float64Array(solids.size);
    lnSolidFugacities(solids, v, own);
    for (let i = 0; i < solids.size; i++) if (gone.has(solids.component[i]!)) out[solids.component[i]!] = own[i]!;
    return out;
  }

  /** Largest |ln f of a solid - ln f of the others|. */
  error(): number {
    const { solids, v } = this;
    const own = new Float64Array(solids.size);
    lnSolidFugacities(solids, v, own);
    const all = this.lnFugacities();
    return own.reduce((most, value, i) => Math.max(most, Math.abs(value - all[solids.component[i]!]!)), 0);
  }

  /** Throws 'not-converged'. */
  fail(iterations: number, residual: number): never {
    throw new EngineError({ kind: 'not-converged', algorithm: 'hydrate flash', iterations, residual });
  }
}

function sumOfGuests({ component, lattices }: SolidVariables, z: Float64Array): number {
  const guests = new Set(
    lattices.flatMap(({ cavities }) => cavities.flatMap((cavity) => cavity.guests)).map(({ at }) => component[at]!),
  );
  let sum = 0;
  for (const i of guests) sum += z[i]!;
  return sum;
}
