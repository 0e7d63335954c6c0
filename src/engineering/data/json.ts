import { readFileSync } from 'node:fs';

/**
 * Reads a JSON data file that lies next to this module. The files are part of the product, so their shape is stated
 * by the caller's type and proved by the tests that compare the models with published values.
 */
export function readJsonData<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')) as T;
}
