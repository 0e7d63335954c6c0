/** Binary phase equilibria and hydrate points against published values. */

import { readFileSync } from 'node:fs';
import {
  bubblePoint,
  createFluid,
  EngineError,
  flashHydrate,
  flashTP,
  hydratePoint,
  type ModelId,
  splitTP,
} from '../../src/engineering/thermo/index.ts';
import { Deviations, readCases } from './deviations.ts';

interface BinaryCase {
  readonly id: string;
  readonly what: string;
  readonly input: {
    readonly components?: readonly [string, string];
    readonly T_K?: number;
    readonly p_bara?: number;
    readonly x?: readonly [number, number];
  };
  readonly expect: { readonly value: number };
}

export function binaryRows() {
  const found = new Deviations();
  for (const model of ['SRK', 'PR', 'CPA', 'PCSAFT', 'UMRPRU', 'GERG2008'] as const)
    for (const c of readCases<BinaryCase>('reference/vle.jsonl')) {
      const pair = c.input.components;
      if (pair === undefined) continue;
      const kind = pair.includes('methanol')
        ? 'methanol + water'
        : pair.includes('nC12')
          ? 'propane + nC12'
          : pair.includes('hydrogen')
            ? 'hydrogen + methane or ethane'
            : 'light pairs';
      const what = c.what.replace(' at the bubble point, first component', '');
      const unit = what.includes('temperature') ? 'K' : what.includes('pressure') ? '%' : 'mol/mol';
      found.add(model, `${kind}: ${what}`, unit, c.id, c.expect.value, () => binary(model, c));
    }
  return found.rows();
}

function binary(model: ModelId, { what, input }: BinaryCase): number {
  const [first, second] = input.components!;
  const fluid = (x: readonly [number, number]) => createFluid({ components: { [first]: x[0], [second]: x[1] }, model });
  if (input.x === undefined) {
    const { phases } = splitTP(fluid([0.5, 0.5]), input.T_K!, input.p_bara! * 1e5);
    if (phases.length !== 2)
      throw new EngineError({ kind: 'spec-unreachable', specification: what, reason: 'the model gives one phase' });
    const [vapour, liquid] = [...phases].sort((a, b) => a.rho - b.rho);
    return (what.startsWith('vapour') ? vapour : liquid)!.x[0]!;
  }
  const at = input.T_K === undefined ? { p: input.p_bara! * 1e5 } : { T: input.T_K };
  const point = bubblePoint(fluid(input.x), at);
  if (what.startsWith('vapour')) return [...point.phases].sort((a, b) => a.rho - b.rho)[0]!.x[0]!;
  return 'T' in at ? point.p / 1e5 : point.T;
}

interface HydrateCase {
  readonly id: string;
  readonly input: {
    readonly guest?: Readonly<Record<string, number>>;
    readonly p_bara?: number;
    readonly T_K?: number;
  };
  readonly expect: { readonly value: number };
}

/**
 * Water molecules per gas molecule, kJ per mole of gas to liquid water and gas near the ice point, and a pressure above it [Pa]. Y. P. Handa, J. Chem. Thermodyn. 18 (1986) 915
 * (composition) and as quoted for liquid water by E. D. Sloan, Clathrate Hydrates of Natural Gases; methane also S. Circone et al., J. Phys. Chem. B 109 (2005) 9468: 5.99.
 */
const MEASURED_HYDRATES = [
  ['methane', 6.0, 54.2, 30e5],
  ['ethane', 7.67, 71.8, 6e5],
  ['propane', 17.0, 129.2, 2e5],
] as const;

export function hydrateRows() {
  const found = new Deviations();
  const wet = (gas: Readonly<Record<string, number>>, model: ModelId) =>
    createFluid({ components: { ...gas, water: 2 }, model });
  for (const { id, input, expect } of readCases<HydrateCase>('published/hydrate.jsonl')) {
    const { guest, T_K, p_bara } = input;
    // The cases without a guest belong to the Hammerschmidt formula.
    if (guest === undefined) continue;
    if (T_K === undefined)
      found.add(
        'CPA',
        'hydrate temperature',
        'K',
        id,
        expect.value,
        () => hydratePoint(wet(guest, 'CPA'), { p: p_bara! * 1e5 }).T,
      );
    else
      found.add(
        'CPA',
        'hydrate pressure',
        '%',
        id,
        expect.value,
        () => hydratePoint(wet(guest, 'CPA'), { T: T_K }).p / 1e5,
      );
  }
  const [, ...points] = readFileSync(
    new URL('../../test/engineering/thermo/published/hydrate-experimental.csv', import.meta.url),
    'utf8',
  )
    .trim()
    .split('\n');
  for (const model of ['CPA', 'SRK'] as const)
    for (const point of points) {
      const [guest = '', , T, pMPa] = point.split(',');
      if (model === 'SRK' && guest === 'CO2') continue;
      found.add(
        model,
        `measured ${guest} hydrate temperature`,
        'K',
        `${guest} ${pMPa} MPa`,
        Number(T),
        () => hydratePoint(wet({ [guest]: 1 }, model), { p: Number(pMPa) * 1e6 }).T,
      );
    }
  for (const [guest, hydrationNumber, heat, p] of MEASURED_HYDRATES) {
    // Just below its hydrate temperature at p, gas in excess.
    const fluid = createFluid({ components: { [guest]: 0.6, water: 0.4 }, model: 'CPA' });
    const T = hydratePoint(fluid, { p }).T - 0.05;
    const [hydrate] = flashHydrate(fluid, T, p).solids;
    const n = hydrate!.lattice!.hydrationNumber;
    found.add('CPA', 'measured hydration number', 'mol/mol', guest, hydrationNumber, () => n);
    const enthalpy = (components: Record<string, number>) =>
      flashTP(createFluid({ components, model: 'CPA' }), T, 101325).overall.enthalpy;
    found.add(
      'CPA',
      'measured heat of dissociation to water and gas',
      '%',
      guest,
      heat,
      () => (enthalpy({ [guest]: 1 }) + n * enthalpy({ water: 1 }) - (1 + n) * hydrate!.enthalpy) / 1e3,
    );
  }
  return found.rows();
}
