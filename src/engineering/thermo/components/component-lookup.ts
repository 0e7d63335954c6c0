/**
 * Finding components. Names are matched case-insensitively in the order: key, alias, CAS number, formula. A formula counts
 * only when one neutral substance has it: C4H10 names two butanes, so it is no name.
 */
import { EngineError } from '../errors.ts';
import type { Component } from './component.ts';
import { COMPONENTS } from './component-table.ts';

/** Spellings kept for one calculation method each; usable in compositions, absent from the public list. */
const METHOD_SPELLING = /PVTsim/;

const byName = index((c) => [c.name]);
const byAlias = index((c) => (METHOD_SPELLING.test(c.name) ? [] : c.aliases));
const byCas = index((c) => (c.cas === undefined ? [] : [c.cas]));
const byFormula = index((c) =>
  c.formula === undefined || c.charge !== 0 || METHOD_SPELLING.test(c.name) ? [] : [c.formula],
);

const PUBLIC_NAMES: readonly string[] = COMPONENTS.filter((c) => !METHOD_SPELLING.test(c.name)).map(
  (c) => c.publicName,
);

function index(keysOf: (component: Component) => readonly string[]): Map<string, Component[]> {
  const map = new Map<string, Component[]>();
  for (const component of COMPONENTS)
    for (const key of keysOf(component)) {
      const entry = map.get(key.toLowerCase());
      if (entry === undefined) map.set(key.toLowerCase(), [component]);
      else if (!entry.includes(component)) entry.push(component);
    }
  return map;
}

/** The public name list, in table order. */
export function componentNames(): readonly string[] {
  return PUBLIC_NAMES;
}

/** The component that a name, alias, CAS number or unambiguous formula stands for; undefined when there is none. */
export function findComponent(name: string): Component | undefined {
  const key = name.trim().toLowerCase();
  const formula = byFormula.get(key);
  return (
    byName.get(key)?.[0] ??
    byAlias.get(key)?.[0] ??
    byCas.get(key)?.[0] ??
    (formula?.length === 1 ? formula[0] : undefined)
  );
}

/** As findComponent; throws EngineError 'unknown-component' with the nearest name when there is none. */
export function getComponent(name: string): Component {
  const component = findComponent(name);
  if (component !== undefined) return component;
  throw new EngineError({ kind: 'unknown-component', name, suggestion: suggestComponent(name) });
}

/**
 * The public name nearest to `name` by edit distance on lower case (names and aliases compared, the name returned), or
 * undefined when the distance exceeds max(3, half the length of `name`).
 */
export function suggestComponent(name: string): string | undefined {
  const wanted = name.trim().toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(3, wanted.length / 2) + 1e-9;
  for (const component of COMPONENTS) {
    if (METHOD_SPELLING.test(component.name)) continue;
    for (const spelling of [component.publicName, ...component.aliases]) {
      if (Math.abs(spelling.length - wanted.length) > bestDistance) continue;
      const distance = editDistance(wanted, spelling.toLowerCase());
      if (distance < bestDistance) {
        bestDistance = distance;
        best = component.publicName;
      }
    }
  }
  return best;
}

export interface ComponentSearch {
  readonly query: string;
  /** Public names that contain the query, in table order; all of them for an empty query. */
  readonly components: readonly string[];
  /** Names found only through an alias, CAS number or formula that contains the query. */
  readonly byAlias: readonly string[];
}

/** Case-insensitive containment search over the public names. Never fails; no match gives empty lists. */
export function searchComponents(query: string): ComponentSearch {
  const wanted = query.trim().toLowerCase();
  const components: string[] = [];
  const throughAlias: string[] = [];
  for (const c of COMPONENTS) {
    if (METHOD_SPELLING.test(c.name)) continue;
    if (c.publicName.toLowerCase().includes(wanted) || c.name.toLowerCase().includes(wanted))
      components.push(c.publicName);
    else if ([...c.aliases, c.cas ?? '', c.formula ?? ''].some((s) => s.toLowerCase().includes(wanted)))
      throughAlias.push(c.publicName);
  }
  return { query: query.trim(), components, byAlias: throughAlias };
}

/** Levenshtein distance: insertions, deletions and substitutions, each counting one. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++)
      current[j] = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    previous = current;
  }
  return previous[b.length]!;
}
