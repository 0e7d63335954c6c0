/**
 * Petroleum fractions as components that any cubic model (and CPA) can take: hand them to createFluid as `userComponents`.
 *
 * A pseudo-component has critical properties, acentric factor, molar mass, boiling point, ideal-gas heat capacity and its density at 15 C, from which the cubic models take
 * their volume shift; the Rackett factor gives the same density. It has no formation properties, no association, no solid data and no transport coefficients of its own, and its
 * binary interaction parameters are the defaults that the model reports in missingPairs.
 */
import { R } from '../../constants.ts';
import { EngineError } from '../../errors.ts';
import type { Component } from '../component.ts';
import { edmisterAcentricFactor, leeKeslerAcentricFactor } from './acentric-factor.ts';
import { riaziDaubertFromMolarMass, soereideBoilingPoint } from './boiling-point.ts';
import {
  type CriticalMethod,
  type CriticalProperties,
  criticalProperties,
  watsonFactor,
} from './critical-properties.ts';
import { type Cut, type GammaShape, type PlusFraction, splitAtBounds, splitEqually } from './gamma-distribution.ts';
import { keslerLeeIdealGasCp } from './ideal-gas-heat-capacity.ts';

export interface FractionSpecification {
  readonly name: string;
  /** 60 F/60 F. */
  readonly SG: number;
  /**
   * Normal boiling point [K]. When left out it follows from molar mass and SG: by Soereide, and with the method 'riazi-daubert' by the correlations of molar mass and SG
   * of the same authors, as do the critical properties then.
   */
  readonly Tb?: number;
  /** [kg/mol]; by the method, from Tb and SG, when left out. One of Tb and molarMass must be given. */
  readonly molarMass?: number;
}

export interface PlusFractionSpecification extends PlusFraction {
  /** The cuts are named `<name>-1`, `<name>-2`, ... from light to heavy. */
  readonly name: string;
}

export type PlusFractionSplit =
  | { readonly count: number; readonly basis?: 'moles' | 'mass' }
  /** Molar masses [kg/mol] at which the cuts end. */
  | { readonly bounds: readonly number[] };

export interface CharacterisationOptions {
  /** Critical properties; Twu when left out. */
  readonly method?: CriticalMethod;
  /** Lee and Kesler when left out. */
  readonly acentricFactor?: 'lee-kesler' | 'edmister';
}

export interface PlusFractionOptions extends CharacterisationOptions {
  readonly split: PlusFractionSplit;
  readonly shape?: GammaShape;
}

export interface PseudoComponent {
  readonly component: Component;
  /** In the whole fluid. */
  readonly moleFraction: number;
}

/** Density of water at 60 F (15.56 C) [kg/m3], to which specific gravity refers, and that temperature [K]. */
const WATER_60F = 999.016;
const T_60F = 288.7056;

/**
 * A fraction by the correlations named, heat capacity by Kesler and Lee. Throws 'invalid-input' when neither Tb nor molar mass is given or the name is empty, and
 * 'outside-range' as the correlations do.
 */
export function pseudoComponent(fraction: FractionSpecification, options: CharacterisationOptions = {}): Component {
  const { name, SG } = fraction;
  const { method = 'twu', acentricFactor = 'lee-kesler' } = options;
  if (name.trim() === '') invalid('name', 'a fraction needs a name');
  if (fraction.molarMass !== undefined && !(fraction.molarMass > 0.02 && fraction.molarMass < 3))
    invalid(name, `a molar mass of ${fraction.molarMass} kg/mol is no petroleum fraction`);
  const { Tb, Tc, pc, vc, molarMass } = constants(fraction, method);
  const Kw = watsonFactor(Tb, SG);
  const omega =
    acentricFactor === 'edmister' ? edmisterAcentricFactor(Tb, Tc, pc) : leeKeslerAcentricFactor(Tb, Tc, pc, Kw);
  const density = SG * WATER_60F;
  return {
    name,
    publicName: name,
    cas: undefined,
    formula: undefined,
    type: 'pseudo',
    aliases: [],
    molarMass,
    Tc,
    pc,
    // Kesler and Lee give no volume: zc = 0.2905 - 0.085 omega (Pitzer).
    vc: vc > 0 ? vc : ((0.2905 - 0.085 * omega) * R * Tc) / pc,
    omega,
    Tb,
    // Rackett: v = (R Tc/pc) Z^(1 + (1 - Tr)^(2/7)) at 60 F (C. F. Spencer, R. P. Danner, J. Chem. Eng. Data 17 (1972) 236).
    zra: ((molarMass * pc) / (density * R * Tc)) ** (1 / (1 + (1 - T_60F / Tc) ** (2 / 7))),
    liquidDensity15C: density,
    idealGasCp: keslerLeeIdealGasCp(molarMass, Kw, omega),
    Hf: Number.NaN,
    Gf: Number.NaN,
    S0: Number.NaN,
    Ttriple: Number.NaN,
    ptriple: Number.NaN,
    rhoTriple: Number.NaN,
    Tmelt: Number.NaN,
    Hfus: Number.NaN,
    Hsub: Number.NaN,
    vapourPressure: undefined,
    sublimationPressure: undefined,
    dipole: Number.NaN,
    lennardJones: { sigma: Number.NaN, eps: Number.NaN, coreRadius: Number.NaN },
    parachor: Number.NaN,
    parachorCpa: Number.NaN,
    criticalViscosity: Number.NaN,
    viscosityFactor: Number.NaN,
    liquidViscosity: undefined,
    liquidConductivity: undefined,
    henry: undefined,
    charge: 0,
    ionicDiameter: Number.NaN,
    dielectric: undefined,
    solidDensity: undefined,
    liquidDensity: undefined,
    heatOfVaporisation: undefined,
    solidCp: undefined,
    liquidCp: undefined,
    mathiasCopeman: { srk: undefined, pr: undefined, solid: undefined },
    schwartzentruber: undefined,
    twuCoon: undefined,
    association: undefined,
    cpa: { srk: undefined, pr: undefined, shiftSlope: Number.NaN, zra: Number.NaN },
    pcsaft: undefined,
    hydrateFormer: false,
    waxFormer: false,
    flags: [`characterised by ${method} from Tb ${Tb.toFixed(2)} K and SG ${SG.toFixed(4)}`],
  };
}

function constants(
  { name, SG, Tb, molarMass }: FractionSpecification,
  method: CriticalMethod,
): CriticalProperties & { readonly Tb: number } {
  if (Tb !== undefined) {
    const critical = criticalProperties(method, Tb, SG);
    return { ...critical, Tb, molarMass: molarMass ?? critical.molarMass };
  }
  if (molarMass === undefined) return invalid(name, 'a fraction needs its boiling point or its molar mass');
  if (method === 'riazi-daubert') return riaziDaubertFromMolarMass(molarMass, SG);
  const boiling = soereideBoilingPoint(molarMass, SG);
  return { ...criticalProperties(method, boiling, SG), Tb: boiling, molarMass };
}

/** A plus fraction split by the gamma distribution into pseudo-components. Throws as splitAtBounds and pseudoComponent. */
export function characterisePlusFraction(
  plus: PlusFractionSpecification,
  { split, shape, ...options }: PlusFractionOptions,
): PseudoComponent[] {
  const cuts: Cut[] =
    'bounds' in split
      ? splitAtBounds(plus, split.bounds, shape)
      : splitEqually(plus, split.count, split.basis ?? 'mass', shape);
  return cuts.map(({ moleFraction, molarMass, SG }, i) => ({
    moleFraction,
    component: pseudoComponent({ name: `${plus.name}-${i + 1}`, molarMass, SG }, options),
  }));
}

function invalid(field: string, reason: string): never {
  throw new EngineError({ kind: 'invalid-input', field, reason });
}
