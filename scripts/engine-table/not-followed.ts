/** Where the engine does not follow the other program on purpose, and why. */

export type Quantity =
  | 'temperature'
  | 'pressure'
  | 'fraction'
  | 'Z'
  | 'density'
  | 'Cp'
  | 'Cv'
  | 'speed of sound'
  | 'enthalpy'
  | 'entropy'
  | 'Joule-Thomson'
  | 'methane'
  | 'CO2'
  | 'composition'
  | 'viscosity'
  | 'conductivity';

export interface NotFollowed {
  /** A case, or all whose name begins so. */
  readonly case: string;
  readonly phase?: string;
  /** What is not followed; everything when left out. */
  readonly quantities?: readonly Quantity[];
  /** What of it is listed, as '<phase> <quantity>' or a quantity; everything when left out. */
  readonly shown?: readonly string[];
  /** The peer's mixing rule gives the peer's numbers, and is compared; this is about the rule that the tool takes by default. */
  readonly defaultRule?: boolean;
  readonly reason: string;
}

const TRANSPORT = ['viscosity', 'conductivity'] as const;
const liquidCo2 = (viscosity: string, conductivity: string) =>
  `A liquid rich in CO2. Pure liquid CO2 at this T and p has ${viscosity} Pa s and ${conductivity} W/(m K) by its reference correlations; the peer gives the value of a gas.`;
/** test/engineering/thermo/properties/transport/dense-mixtures.test.ts */
const ESTIMATES = 'Extended corresponding states on the GERG-2008 density, one reference fluid at a time';
const NITROGEN =
  'Reference correlation of nitrogen (Lemmon and Jacobsen 2004) here; the conductivity of the peer falls with temperature above 50 C.';

export const NOT_FOLLOWED: readonly NotFollowed[] = [
  {
    case: 'flash-tp-co2-pr-2',
    phase: 'oil',
    quantities: TRANSPORT,
    reason: liquidCo2('1.41e-4', '0.133'),
  },
  {
    case: 'flash-ph-co2-pr-4',
    phase: 'oil',
    quantities: TRANSPORT,
    reason: liquidCo2('1.78e-4', '0.151'),
  },
  {
    case: 'flash-ph-pure-propane-srk-7',
    quantities: TRANSPORT,
    reason:
      'The peer gives both phases of boiling propane the same values; here the reference correlations of propane at the density of each.',
  },
  {
    case: 'flash-tp-pure-hydrogen-pr-1',
    quantities: ['viscosity'],
    reason:
      'Reference correlation of hydrogen (Muzny, Huber and Kazakov 2013). The peer lies below the 8.9e-6 Pa s of the dilute gas.',
  },
  {
    case: 'flash-tp-lean-pr-2',
    phase: 'oil',
    quantities: TRANSPORT,
    reason: `Near-critical liquid. ${ESTIMATES}: 3.62e-5 to 4.05e-5 Pa s, 0.086 to 0.105 W/(m K); friction theory 3.86e-5 Pa s.`,
  },
  {
    case: 'flash-tp-lean-pr-2',
    phase: 'gas',
    quantities: ['conductivity'],
    reason:
      'Near-critical gas: the critical enhancement is 0.006 W/(m K) of it. Methane at the corresponding state of GERG-2008, with its own enhancement, gives 0.040.',
  },
  {
    case: 'flash-tp-co2-srk-2',
    phase: 'oil',
    quantities: TRANSPORT,
    reason: `Liquid with 95 % CO2. ${ESTIMATES}: 1.11e-4 to 1.27e-4 Pa s (CO2: 1.25e-4), 0.115 to 0.127 W/(m K). Pure CO2 has 1.43e-4 and 0.135.`,
  },
  {
    case: 'flash-tp-gas10-pcsaft-1',
    shown: ['gas fraction', 'gas CO2', 'oil CO2', 'oil Cp'],
    reason:
      'Published PC-SAFT parameters of CO2 (Gross and Sadowski 2001, m = 2.0729); the table of the peer holds others (m = 1.3097).',
  },
  {
    case: 'flash-tp-wet-cpa-3',
    defaultRule: true,
    shown: ['aqueous fraction', 'aqueous methane', 'aqueous density'],
    reason:
      'CLASSIC_TX_CPA, with which the parameters were fitted, in place of classic, which dissolves 10 mol-% methane in water.',
  },
  {
    case: 'flash-tp-rich-umrpru-1',
    defaultRule: true,
    shown: ['gas fraction', 'oil density', 'oil methane'],
    reason: 'HV with the group parameters, which makes the model UMR-PRU, in place of classic.',
  },
  {
    case: 'flash-tp-meoh-cpa-1',
    phase: 'aqueous',
    quantities: ['viscosity'],
    reason:
      'Water with 26 mass-% methanol at 5 C: the correlation of Melinder (2010) gives 2.9e-3 Pa s at 1 bar. The peer mixes logarithms by mass and misses the maximum of such solutions.',
  },
  {
    case: 'flash-tp-meg-cpa-1',
    phase: 'aqueous',
    quantities: ['viscosity'],
    reason:
      'Water with 70 mass-% MEG at 10 C: Melinder (2010, to 60 %) and ASHRAE (2001, to 62 %) prolonged give 8.9e-3 and 10.3e-3 Pa s. The peer mixes logarithms by mass.',
  },
  {
    case: 'flash-ps-co2-srk-18',
    shown: ['temperature'],
    reason:
      'The case contradicts itself: its phase entropies add up to -66.26 J/(mol K), not to the -45.74 asked for. The state here has the entropy asked for.',
  },
  { case: 'flash-ps-pure-nitrogen-srk-19', quantities: ['conductivity'], reason: NITROGEN },
  {
    case: 'flash-ps-h2blend-pr-20',
    quantities: ['conductivity'],
    reason:
      'Methane with 20 % hydrogen: the low-pressure mixture of the pure gases alone conducts 0.068 W/(m K) (Wassiljewa), more than the peer at 100 bar.',
  },
  {
    case: 'getpropertytable-h5 20 C',
    quantities: ['conductivity'],
    reason: `Dense CO2. ${ESTIMATES}: 0.076 to 0.085 W/(m K), and a critical enhancement of 0.002.`,
  },
  { case: 'getpropertytable-h8', quantities: ['conductivity'], reason: NITROGEN },
];
