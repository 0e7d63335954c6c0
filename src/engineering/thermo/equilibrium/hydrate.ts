/**
 * Gas hydrates in equilibrium with the fluid phases of any EquationOfState that describes liquid water: whether a hydrate forms at T and p, at which
 * temperature or pressure it appears, its structure and what fills its cavities.
 *
 * It guarantees: at the point returned water has the same fugacity in the hydrate and in the fluid, or in ice where ice is the stabler, and the fluid is a
 * checked phase split. It does not guess: without water or without a guest there is no hydrate, and a point outside the limits of the search is an
 * error. How much hydrate there is, hydrate-flash.ts says; kinetics (subcooling before crystals show) are not its matter.
 *
 * Where the fluid offers water more than ice would take, the fugacity of water is that of ice; fugacities of the guests are then those beside the undercooled
 * water, which differ by the gas dissolved in it only; where all gas is dissolved, freezing would drive it out, and hydrate-flash.ts alone is right. Inhibitors act through the fugacity of water, so they are as good as the model of the aqueous
 * phase: CPA for methanol and glycols. Salts are refused when the fluid is made, as no model here carries ions.
 *
 * Measured with CPA: methane, CO2, ethane and propane above the ice point within 0.5 K of Deaton and Frost (1946), upper quadruple points of ethane, propane
 * and CO2 within 1.2 K, H2S within 0.6 K. CO2 hydrate comes out 0.1 K too stable at 1.3 MPa, 0.5 K at 3.9 MPa, 1.1 K at the upper quadruple point and
 * about 1 K beside liquid CO2 to 10 MPa. SRK takes up too little CO2 and H2S in water: their hydrates come out up to 3 and 1.5 K too stable.
 */
import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';
import {
  guestConstants,
  HYDRATE_STRUCTURES,
  type HydrateStructure,
  isUnknownFormer,
} from '../models/hydrate/hydrate-data.ts';
import { HydratePhase, lnIceRatio, type Occupancy } from '../models/hydrate/hydrate-phase.ts';
import { componentFugacities } from './component-fugacities.ts';
import { firstCrossing } from './first-crossing.ts';
import type { PhaseSplit } from './phase-split.ts';
import { lnPureWaterFugacity, requireAqueousModel } from './pure-water.ts';
import type { TpFlash } from './tp-flash.ts';

/** Search limits: temperature [K] and pressure [Pa]. The parameters rest on data between 250 and 305 K. */
const MIN_T = 200;
const MAX_T = 330;
const MIN_P = 1e3;
const MAX_P = 1e8;
const STEP_T = 10;
const STEP_LN_P = 0.35;

export interface HydrateState {
  readonly T: number;
  readonly p: number;
  /** The stabler structure. */
  readonly structure: HydrateStructure;
  readonly occupancy: Occupancy;
  /** Water molecules per guest molecule. */
  readonly hydrationNumber: number;
  /** ln of the fugacity of water in the hydrate over that in the fluid (or ice): negative where the hydrate is stable, 0 at its boundary. */
  readonly value: number;
  /** True when ice, not the fluid, sets the fugacity of water. */
  readonly besideIce: boolean;
  /** Fluid phases, without hydrate and ice. */
  readonly fluid: PhaseSplit;
}

export type NoHydrateReason =
  /** No water, or none of the components enters a lattice. */
  | 'no-water'
  | 'no-former'
  /** There are both, but the hydrate is less stable than the fluid at T, p. */
  | 'not-stable';

export type HydrateCheck = {
  /** Components that are known to enter hydrates but not to this model; with them the true hydrate is stabler than stated. */
  readonly ignoredFormers: readonly string[];
} & (
  | {
      readonly formed: true;
      readonly state: HydrateState;
      readonly structure: HydrateStructure;
      readonly occupancy: Occupancy;
      /** Highest temperature of hydrate at p [K]; undefined above 330 K. */
      readonly equilibriumTemperature: number | undefined;
    }
  | {
      readonly formed: false;
      readonly reason: NoHydrateReason;
      /** undefined without water or former, and where no hydrate appears down to 200 K. */
      readonly equilibriumTemperature: number | undefined;
      /** Structure that appears first on cooling. */
      readonly structure: HydrateStructure | undefined;
      /** With 'not-stable': the hydrate against the fluid there. */
      readonly state: HydrateState | undefined;
    }
);

export class HydrateEquilibrium {
  private readonly eos: EquationOfState;
  private readonly flash: TpFlash;
  private readonly phases: readonly HydratePhase[];
  private readonly water: number;
  private readonly f: Float64Array;

  /** Throws 'invalid-input' for a model without liquid water. */
  constructor(eos: EquationOfState, flash: TpFlash) {
    const { n } = eos;
    requireAqueousModel(eos);
    this.eos = eos;
    this.flash = flash;
    this.phases = HYDRATE_STRUCTURES.map((structure) => new HydratePhase(structure, eos.components));
    this.water = eos.components.findIndex((c) => c.name === 'water');
    this.f = new Float64Array(n);
  }

  /** Why a mixture z cannot have a hydrate at any T and p; undefined when it can. */
  excluded(z: Float64Array): 'no-water' | 'no-former' | undefined {
    if (!(this.water >= 0 && z[this.water]! > 0)) return 'no-water';
    const guest = this.eos.components.some((c, i) => z[i]! > 0 && guestConstants(c.name) !== undefined);
    return guest ? undefined : 'no-former';
  }

  ignoredFormers(z: Float64Array): string[] {
    return this.eos.components.filter((c, i) => z[i]! > 0 && isUnknownFormer(c)).map((c) => c.name);
  }

  /** Hydrate against fluid at T [K], p [Pa]. Throws 'spec-unreachable' without water or guest, and what the flash throws. */
  state(T: number, p: number, z: Float64Array, near?: PhaseSplit): HydrateState {
    const { f, eos, water } = this;
    const why = this.excluded(z);
    if (why !== undefined)
      unreachable(
        'a hydrate',
        why === 'no-water' ? 'the fluid holds no water' : 'no component enters a hydrate lattice',
      );
    const fluid = this.flash.solve(T, p, z, near);
    componentFugacities(fluid, f);
    const lnFluid = Math.log(f[water]!) - lnPureWaterFugacity(eos, water, T, p);
    const lnIce = lnIceRatio(T, p);
    const besideIce = lnIce < lnFluid;
    let best = this.phases[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const phase of this.phases) {
      const ratio = phase.lnWaterFugacityRatio(T, p, f);
      if (ratio >= least) continue;
      least = ratio;
      best = phase;
    }
    return {
      T,
      p,
      structure: best.structure,
      occupancy: best.occupancy(T, f),
      hydrationNumber: 1 / best.guestsPerWater(T, f),
      value: least - Math.min(lnIce, lnFluid),
      besideIce,
      fluid,
    };
  }

  /** Highest temperature at which hydrate is stable at p [Pa]. Throws 'spec-unreachable' when it lies outside 200 to 330 K, and as `state`. */
  temperature(p: number, z: Float64Array): HydrateState {
    const found = this.findTemperature(p, z);
    if (found === undefined) unreachable(`a hydrate at ${p} Pa`, `none is stable between ${MIN_T} and ${MAX_T} K`);
    if (found.T === MAX_T) unreachable(`a hydrate temperature at ${p} Pa`, `it lies above ${MAX_T} K`);
    return found;
  }

  private findTemperature(p: number, z: Float64Array): HydrateState | undefined {
    return firstCrossing<HydrateState>((T, near) => this.state(T, p, z, near?.fluid), MAX_T, MIN_T, STEP_T)?.state;
  }

  /** Lowest pressure at which hydrate is stable at T [K]. Throws 'spec-unreachable' when it lies outside 1 kPa to 100 MPa, and as `state`. */
  pressure(T: number, z: Float64Array): HydrateState {
    const crossing = firstCrossing<HydrateState>(
      (lnP, near) => this.state(T, Math.exp(lnP), z, near?.fluid),
      Math.log(MIN_P),
      Math.log(MAX_P),
      STEP_LN_P,
    );
    if (crossing === undefined) unreachable(`a hydrate at ${T} K`, 'none is stable up to 100 MPa');
    if (crossing.theta === Math.log(MIN_P)) unreachable(`a hydrate pressure at ${T} K`, 'it lies below 1 kPa');
    return crossing.state;
  }

  /** Whether hydrate forms at T [K], p [Pa]. Throws what the flash throws; a mixture that cannot have a hydrate is an answer, not an error. */
  check(T: number, p: number, z: Float64Array): HydrateCheck {
    const ignoredFormers = this.ignoredFormers(z);
    const excluded = this.excluded(z);
    if (excluded !== undefined)
      return {
        ignoredFormers,
        formed: false,
        reason: excluded,
        equilibriumTemperature: undefined,
        structure: undefined,
        state: undefined,
      };
    const boundary = this.findTemperature(p, z);
    const state = this.state(T, p, z);
    const equilibriumTemperature = boundary === undefined || boundary.T === MAX_T ? undefined : boundary.T;
    if (state.value <= 0) {
      const { structure, occupancy } = state;
      return { ignoredFormers, formed: true, state, structure, occupancy, equilibriumTemperature };
    }
    return {
      ignoredFormers,
      formed: false,
      reason: 'not-stable',
      equilibriumTemperature,
      structure: boundary?.structure,
      state,
    };
  }
}

function unreachable(specification: string, reason: string): never {
  throw new EngineError({ kind: 'spec-unreachable', specification, reason });
}
