/** Reads the reference cases (reference/README.md) and converts the units they use. */
import { readFileSync } from 'node:fs';
import type { ModelId } from '../../../src/engineering/thermo/index.ts';

export interface Quantity {
  readonly value: number;
  readonly unit: string;
}

export interface ReferenceInput {
  readonly model: ModelId;
  readonly flashType?: string;
  readonly components: Readonly<Record<string, number>>;
  readonly temperature?: Quantity;
  readonly pressure?: Quantity;
  readonly enthalpy?: Quantity;
  readonly entropy?: Quantity;
  readonly volume?: Quantity;
}

export interface ReferenceCase<I, E> {
  readonly id: string;
  readonly input: I;
  readonly expect: E;
  readonly note: string;
}

export function referenceCases<I, E>(file: string): ReferenceCase<I, E>[] {
  return readFileSync(new URL(`reference/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReferenceCase<I, E>);
}

export function kelvin(quantity: Quantity | undefined): number {
  const { value, unit } = known(quantity);
  if (unit === 'K') return value;
  if (unit === 'C') return value + 273.15;
  throw new Error(`temperature unit ${unit}`);
}

export function pascal(quantity: Quantity | undefined): number {
  const { value, unit } = known(quantity);
  if (unit !== 'bara') throw new Error(`pressure unit ${unit}`);
  return value * 1e5;
}

/** Enthalpy, entropy or volume per mole, SI; M in kg/mol. */
export function molar(quantity: Quantity | undefined, M: number): number {
  const { value, unit } = known(quantity);
  const factor = new Map([
    ['J/mol', 1],
    ['J/molK', 1],
    ['J/kg', M],
    ['J/kgK', M],
    ['kJ/kg', 1e3 * M],
    ['m3', 1],
  ]).get(unit);
  if (factor === undefined) throw new Error(`unit ${unit}`);
  return value * factor;
}

function known(quantity: Quantity | undefined): Quantity {
  if (quantity === undefined) throw new Error('the case has no such quantity');
  return quantity;
}
