/**
 * UNIFAC groups and interaction parameters of UMR-PRU: data/unifac-groups.csv (R, Q), unifac-components.csv (counts, set 'umr-pru') and unifac-umr-mc.csv
 * (the interaction table that belongs to the Mathias-Copeman alpha), psi_mn = exp(-(a + b (T - 298.15) + c (T - 298.15)^2)/T).
 *
 * Nine pairs of that table with the water group belong to another model, UMR-CPA, where association carries part of what UNIFAC carries
 * here (N. Tasios, V. Louli, S. Skouras, E. Solbraa, E. Voutsas, Fluid Phase Equilib. (2025), doi:10.1016/j.fluid.2024.114241); in UMR-PRU
 * they dissolve 9 to 80 times too much gas in water. unifac-umr-pru-water.csv holds the values of the table before they came in, and they
 * replace the others: water with CH2, ACH, ACCH2, cyclic CH2, CO2, CH4, C2H6, N2 and the TEG group.
 */
import { numberOf, readCsv } from '../../../data/csv.ts';
import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';

export interface UnifacGroup {
  readonly sub: number;
  readonly main: number;
  readonly R: number;
  readonly Q: number;
}

/** a [K], b [-], c [1/K]. */
export interface GroupInteraction {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export interface GroupCount {
  readonly group: UnifacGroup;
  readonly count: number;
}

const groups = new Map<number, UnifacGroup>();
for (const row of readCsv('unifac-groups.csv')) {
  const sub = numberOf(row, 'sub');
  groups.set(sub, { sub, main: numberOf(row, 'main'), R: numberOf(row, 'R'), Q: numberOf(row, 'Q') });
}

const counts = new Map<string, GroupCount[]>();
for (const row of readCsv('unifac-components.csv')) {
  const group = groups.get(numberOf(row, 'sub_group'));
  if (row['set'] !== 'umr-pru' || group === undefined) continue;
  const list = counts.get(row['component']!) ?? [];
  list.push({ group, count: numberOf(row, 'count') });
  counts.set(row['component']!, list);
}

/** Largest quadratic coefficient [1/K] taken as meant: real ones are below 0.05, and a misprint of 22 for CH2-pyridine would turn psi into 0. */
const LARGEST_C = 1;

const interactions = new Map<string, GroupInteraction>();
for (const row of [...readCsv('unifac-umr-mc.csv'), ...readCsv('unifac-umr-pru-water.csv')]) {
  const c = numberOf(row, 'c_per_K');
  if (Math.abs(c) > LARGEST_C) continue;
  interactions.set(`${row['main_i']}|${row['main_j']}`, { a: numberOf(row, 'a_K'), b: numberOf(row, 'b'), c });
}

const CH3 = 1;
const CH2 = 2;

/**
 * Groups of a component. Pseudo-components are read as normal alkanes of their molar mass: two CH3 and round(M/14 g/mol) - 2 CH2. Throws
 * 'missing-data' when the table holds no groups.
 */
export function unifacGroups(component: Component): readonly GroupCount[] {
  const found = counts.get(component.name);
  if (found !== undefined) return found;
  if (component.type !== 'pseudo')
    throw new EngineError({ kind: 'missing-data', component: component.name, property: 'UMR-PRU groups' });
  const links = Math.max(0, Math.round(component.molarMass / 0.014) - 2);
  return [
    { group: groups.get(CH3)!, count: 2 },
    { group: groups.get(CH2)!, count: links },
  ];
}

/** Interaction of two main groups; undefined when the table does not hold it. Zero within a main group. */
export function groupInteraction(mainI: number, mainJ: number): GroupInteraction | undefined {
  return mainI === mainJ ? { a: 0, b: 0, c: 0 } : interactions.get(`${mainI}|${mainJ}`);
}
