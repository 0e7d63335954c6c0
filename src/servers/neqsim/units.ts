import { ToolError } from '../../kit/index.ts';

/** Units at the edge: everything inside is K and Pa. Units are case-sensitive, as the contract has them. */
const TEMPERATURE: Readonly<Record<string, (value: number) => number>> = {
  K: (value) => value,
  C: (value) => value + 273.15,
  F: (value) => ((value - 32) * 5) / 9 + 273.15,
  R: (value) => (value * 5) / 9,
};
const BAR = 1e5;
const PRESSURE: Readonly<Record<string, (value: number) => number>> = {
  bara: (value) => value * BAR,
  barg: (value) => (value + 1.01325) * BAR,
  Pa: (value) => value,
  kPa: (value) => value * 1e3,
  MPa: (value) => value * 1e6,
  psi: (value) => value * 0.0689476 * BAR,
  psia: (value) => value * 0.0689476 * BAR,
  atm: (value) => value * 1.01325 * BAR,
};

export const TEMPERATURE_UNITS = Object.keys(TEMPERATURE);
export const PRESSURE_UNITS = Object.keys(PRESSURE);

export const toKelvin = (value: number, unit: string): number =>
  convert(TEMPERATURE, value, unit, 'TEMPERATURE_ERROR', 'temperature');
export const toPascal = (value: number, unit: string): number =>
  convert(PRESSURE, value, unit, 'PRESSURE_ERROR', 'pressure');
export const toCelsius = (kelvin: number): number => kelvin - 273.15;
export const toBara = (pascal: number): number => pascal / BAR;

function convert(
  units: Readonly<Record<string, (value: number) => number>>,
  value: number,
  unit: string,
  code: 'TEMPERATURE_ERROR' | 'PRESSURE_ERROR',
  name: string,
): number {
  const to = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (!to) {
    throw new ToolError(code, {
      message: `Unknown ${name} unit "${unit}"; use one of ${Object.keys(units).join(', ')} (case matters).`,
    });
  }
  const si = to(value);
  if (!Number.isFinite(si) || si <= 0) {
    throw new ToolError(code, { message: `The ${name} ${value} ${unit} is not above absolute zero.` });
  }
  return si;
}
