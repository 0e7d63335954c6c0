/** Deviations of computed values from wanted ones, gathered into rows of a table: one row a model and quantity. */
import { readFileSync } from 'node:fs';
import { isEngineError } from '../../src/engineering/thermo/index.ts';

/** '%' is relative to the wanted value; every other unit is an absolute difference in it. */
export type DeviationUnit = '%' | 'K' | 'J/kg' | 'J/(mol K)' | 'mol/mol';

export interface Row {
  readonly model: string;
  readonly quantity: string;
  readonly unit: DeviationUnit;
  /** Cases of this quantity, and those that the model gave a value for. */
  cases: number;
  computed: number;
  sum: number;
  max: number;
  worst: string;
}

export class Deviations {
  private readonly all = new Map<string, Row>();

  /** Runs one case. A model that refuses it with an EngineError counts as a case without a value. */
  add(model: string, quantity: string, unit: DeviationUnit, id: string, wanted: number, compute: () => number): void {
    const key = `${model}|${quantity}|${unit}`;
    const row = this.all.get(key) ?? { model, quantity, unit, cases: 0, computed: 0, sum: 0, max: 0, worst: '' };
    this.all.set(key, row);
    row.cases++;
    let value: number;
    try {
      value = compute();
    } catch (error) {
      if (isEngineError(error)) return;
      throw error;
    }
    if (!Number.isFinite(value)) throw new Error(`${model} ${id} ${quantity}: ${value}`);
    const deviation = unit === '%' ? 100 * Math.abs(value / wanted - 1) : Math.abs(value - wanted);
    row.computed++;
    row.sum += deviation;
    if (deviation > row.max || row.worst === '') {
      row.max = deviation;
      row.worst = id;
    }
  }

  /** Rows with at least one value, by model in order of appearance. */
  rows(): Row[] {
    const rows = [...this.all.values()].filter((row) => row.computed > 0);
    const models = [...new Set(rows.map((row) => row.model))];
    return models.flatMap((model) => rows.filter((row) => row.model === model));
  }
}

/** Lines of a JSONL file below test/engineering/thermo. */
export function readCases<Case>(file: string): Case[] {
  return readFileSync(new URL(`../../test/engineering/thermo/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case);
}
