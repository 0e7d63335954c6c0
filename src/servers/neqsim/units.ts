import { ToolError } from '../../kit/index.ts';

/** Units at the edge: everything inside is SI and molar. Units are case-sensitive, as the contract has them. */
type Table<Convert> = Readonly<Record<string, Convert>>;
type Plain = (value: number) => number;

const TEMPERATURE: Table<Plain> = {
  K: (value) => value,
  C: (value) => value + 273.15,
  F: (value) => ((value - 32) * 5) / 9 + 273.15,
  R: (value) => (value * 5) / 9,
};
const BAR = 1e5;
const PRESSURE: Table<Plain> = {
  bara: (value) => value * BAR,
  barg: (value) => (value + 1.01325) * BAR,
  Pa: (value) => value,
  kPa: (value) => value * 1e3,
  MPa: (value) => value * 1e6,
  psi: (value) => value * 0.0689476 * BAR,
  psia: (value) => value * 0.0689476 * BAR,
  atm: (value) => value * 1.01325 * BAR,
};
/** Beyond these no state of matter that the engine describes exists [K, Pa]. */
const HOTTEST = 1e4;
const HIGHEST = 1e11;

export const TEMPERATURE_UNITS = Object.keys(TEMPERATURE);
export const PRESSURE_UNITS = Object.keys(PRESSURE);

export const toKelvin = (value: number, unit: string): number =>
  absolute(TEMPERATURE, value, unit, { code: 'TEMPERATURE_ERROR', name: 'temperature', most: HOTTEST });
export const toPascal = (value: number, unit: string): number =>
  absolute(PRESSURE, value, unit, { code: 'PRESSURE_ERROR', name: 'pressure', most: HIGHEST });
export const toCelsius = (kelvin: number): number => kelvin - 273.15;
export const toBara = (pascal: number): number => pascal / BAR;

function absolute(
  units: Table<Plain>,
  value: number,
  unit: string,
  as: { code: 'TEMPERATURE_ERROR' | 'PRESSURE_ERROR'; name: string; most: number },
): number {
  const to = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (!to) {
    throw new ToolError(as.code, {
      message: `Unknown ${as.name} unit "${unit}"; use one of ${Object.keys(units).join(', ')} (case matters).`,
    });
  }
  const si = to(value);
  if (!Number.isFinite(si) || si <= 0) {
    throw new ToolError(as.code, { message: `The ${as.name} ${value} ${unit} is not above absolute zero.` });
  }
  if (si > as.most) throw new ToolError(as.code, { message: `The ${as.name} ${value} ${unit} is beyond any fluid.` });
  return si;
}

/** What a total or mass-based figure needs to become molar: kg/mol, and the mol that the amounts given add up to. */
export interface MolarBasis {
  readonly molarMass: number;
  readonly amount: number;
}
type Molar = (value: number, basis: MolarBasis) => number;

const ENTHALPY: Table<Molar> = {
  'J/mol': (value) => value,
  'kJ/mol': (value) => value * 1e3,
  'J/kg': (value, { molarMass }) => value * molarMass,
  'kJ/kg': (value, { molarMass }) => value * 1e3 * molarMass,
  J: (value, { amount }) => value / amount,
  kJ: (value, { amount }) => (value * 1e3) / amount,
};
const ENTROPY: Table<Molar> = {
  'J/molK': (value) => value,
  'kJ/molK': (value) => value * 1e3,
  'J/kgK': (value, { molarMass }) => value * molarMass,
  'kJ/kgK': (value, { molarMass }) => value * 1e3 * molarMass,
  'J/K': (value, { amount }) => value / amount,
  'kJ/K': (value, { amount }) => (value * 1e3) / amount,
};
const VOLUME: Table<Molar> = {
  'm3/mol': (value) => value,
  'L/mol': (value) => value * 1e-3,
  m3: (value, { amount }) => value / amount,
  L: (value, { amount }) => (value * 1e-3) / amount,
};

export const SPECIFICATIONS = { enthalpy: ENTHALPY, entropy: ENTROPY, volume: VOLUME } as const;
export type SpecificationName = keyof typeof SPECIFICATIONS;

/** A specification as given, with a unit that is known. */
export interface Specification {
  readonly value: number;
  readonly unit: string;
}

/** Checks the unit; the first of the table is the default. */
export function readSpecification(name: SpecificationName, value: number, unit: string | undefined): Specification {
  const units = Object.keys(SPECIFICATIONS[name]);
  const known = unit === undefined || unit === '' ? units[0]! : unit;
  if (!units.includes(known)) {
    throw new ToolError('INPUT_ERROR', {
      message: `Unknown ${name} unit "${known}"; use one of ${units.join(', ')} (case matters).`,
      details: { field: name },
    });
  }
  return { value, unit: known };
}

/** The molar value [J/mol, J/(mol K), m3/mol]. */
export const toMolar = (name: SpecificationName, given: Specification, basis: MolarBasis): number =>
  SPECIFICATIONS[name][given.unit]!(given.value, basis);
