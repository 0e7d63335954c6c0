/**
 * A substance as the engine knows it. SI units; numbers that the tables do not hold are NaN, groups are undefined. A model
 * that needs a missing value throws EngineError 'missing-data'; nothing is ever read as zero.
 */
export interface Component {
  /** Key in compositions. */
  readonly name: string;
  /** Spelling in the public name list: the comma form where the key is written with dots. */
  readonly publicName: string;
  readonly cas: string | undefined;
  readonly formula: string | undefined;
  readonly type: ComponentType;
  readonly aliases: readonly string[];
  /** [kg/mol] */
  readonly molarMass: number;
  /** Critical temperature [K], pressure [Pa] and volume [m3/mol]. For ions these are placeholders. */
  readonly Tc: number;
  readonly pc: number;
  readonly vc: number;
  /** Acentric factor [-]. */
  readonly omega: number;
  /** Normal boiling temperature [K]; sublimation point for CO2. */
  readonly Tb: number;
  /** Rackett compressibility factor [-]; NaN where the generalised form applies. */
  readonly zra: number;
  /** Liquid density [kg/m3] at 15 C and saturation pressure. */
  readonly liquidDensity15C: number;
  /** Ideal-gas cp = A + B T + C T^2 + D T^3 + E T^4 [J/(mol K)], T in K. */
  readonly idealGasCp: readonly number[] | undefined;
  /** Ideal gas at 298.15 K, 1 bar: enthalpy and Gibbs energy of formation [J/mol], absolute entropy [J/(mol K)]. */
  readonly Hf: number;
  readonly Gf: number;
  readonly S0: number;
  /** Triple point [K], [Pa], [kg/m3]; melting temperature [K]; enthalpies of fusion and sublimation [J/mol]. */
  readonly Ttriple: number;
  readonly ptriple: number;
  readonly rhoTriple: number;
  readonly Tmelt: number;
  readonly Hfus: number;
  readonly Hsub: number;
  readonly vapourPressure: VapourPressureCorrelation | undefined;
  /** [A, B, C]; C = 0: ln(p/bar) = A + B/T; else log10(p/bar) = A + B/(T + C), T in K. Many rows are placeholders: check against the triple point. */
  readonly sublimationPressure: readonly number[] | undefined;
  /** Dipole moment [debye]. */
  readonly dipole: number;
  /** Lennard-Jones or Kihara: diameter [angstrom], energy eps/k [K], core radius [angstrom]. */
  readonly lennardJones: { readonly sigma: number; readonly eps: number; readonly coreRadius: number };
  /** [(mN/m)^0.25 cm3/mol] */
  readonly parachor: number;
  readonly parachorCpa: number;
  /** [Pa s]; NaN: use the generalised form. */
  readonly criticalViscosity: number;
  readonly viscosityFactor: number;
  /** mu [mPa s]. 1: a T^b; 2: exp(a + b/T); 3: exp(a + b/T + c T + d T^2); 4: 10^(a(1/T - 1/b)). */
  readonly liquidViscosity: { readonly form: 1 | 2 | 3 | 4; readonly c: readonly number[] } | undefined;
  /** W/(m K) = a + b T + c T^2. */
  readonly liquidConductivity: readonly number[] | undefined;
  /** H = 1.802 exp(a + b/T + c ln T + d T), bar. */
  readonly henry: readonly number[] | undefined;
  readonly charge: number;
  /** [angstrom] */
  readonly ionicDiameter: number;
  readonly dielectric: readonly number[] | undefined;
  /** DIPPR-type coefficients as tabulated (kmol/m3 forms). */
  readonly solidDensity: readonly number[] | undefined;
  readonly liquidDensity: readonly number[] | undefined;
  /** 1e-3 a (1-Tr)^(b + c Tr + d Tr^2) [J/mol]; with b = c = d = 0 a single value in J/mol. */
  readonly heatOfVaporisation: readonly number[] | undefined;
  /** 1e-3 sum c_i T^(i-1) [J/(mol K)]. */
  readonly solidCp: readonly number[] | undefined;
  readonly liquidCp: readonly number[] | undefined;
  /** Mathias-Copeman c1..c3 for SRK, PR and the solid-fitted set. */
  readonly mathiasCopeman: {
    readonly srk: readonly number[] | undefined;
    readonly pr: readonly number[] | undefined;
    readonly solid: readonly number[] | undefined;
  };
  readonly schwartzentruber: readonly number[] | undefined;
  readonly twuCoon: readonly number[] | undefined;
  readonly association: AssociationData | undefined;
  readonly cpa: CpaData;
  readonly pcsaft: PcSaftData | undefined;
  readonly hydrateFormer: boolean;
  readonly waxFormer: boolean;
  /** Notes on corrected or filled values, as kept with the table. */
  readonly flags: readonly string[];
}

export type ComponentType =
  | 'HC'
  | 'other'
  | 'ion'
  | 'inert'
  | 'glycol'
  | 'acid'
  | 'alcohol'
  | 'amine'
  | 'ice'
  | 'water'
  | 'seawater'
  | 'chlorine'
  | 'salt'
  | 'asphaltene'
  | 'pseudo';

/**
 * pow10: log10(p/bar) = A - B/(t + C), t in Celsius. exp: ln(p/bar) = A - B/(T + C). dippr101: ln(p/Pa) = A + B/T + C ln T + D T^E.
 * T in K.
 */
export interface VapourPressureCorrelation {
  readonly form: 'pow10' | 'exp' | 'dippr101';
  readonly c: readonly number[];
}

export interface AssociationData {
  readonly sites: number;
  readonly scheme: '1A' | '2A' | '2B' | '3B' | '4C';
  /** Association energy [J/mol] and dimensionless volume for SRK-CPA and PR-CPA. */
  readonly energy: number;
  readonly volumeSrk: number;
  readonly volumePr: number;
}

/** Cubic part of CPA: a0 [Pa m6/mol2], b [m3/mol], m (c1) [-]; temperature slope of the volume shift and Rackett factor. */
export interface CpaData {
  readonly srk: { readonly a0: number; readonly b: number; readonly m: number } | undefined;
  readonly pr: { readonly a0: number; readonly b: number; readonly m: number } | undefined;
  readonly shiftSlope: number;
  readonly zra: number;
}

/** Segments m, diameter sigma [angstrom], energy eps/k [K], association volume [-] and energy [J/mol]. */
export interface PcSaftData {
  readonly m: number;
  readonly sigma: number;
  readonly eps: number;
  readonly associationVolume: number;
  readonly associationEnergy: number;
}
