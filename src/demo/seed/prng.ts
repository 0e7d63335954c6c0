/**
 * The generator behind the demo data: sfc32 (Chris Doty-Humphrey, PractRand), seeded by name through FNV-1a, so that each part of
 * the data has a stream of its own and a change in one moves nothing in another. Same seed, same rows, on every machine. Not for
 * secrets.
 */
export const DEMO_SEED = 20260101;

export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(stream: string, seed: number = DEMO_SEED) {
    let hash = 0x811c9dc5 ^ seed;
    for (const byte of new TextEncoder().encode(stream)) hash = Math.imul(hash ^ byte, 0x01000193);
    this.#a = hash | 0;
    this.#b = seed | 0;
    this.#c = Math.imul(hash, 0x9e3779b1) | 0;
    for (let i = 0; i < 12; i += 1) this.#next();
  }

  #next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor((this.#next() / 0x100000000) * (high - low + 1));
  }

  /** True `perMille` times in a thousand. */
  chance(perMille: number): boolean {
    return this.int(0, 999) < perMille;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.int(0, list.length - 1)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** Picks by weights that are whole numbers. */
  weighted<T>(list: readonly (readonly [T, number])[]): T {
    let left = this.int(
      1,
      list.reduce((sum, [, weight]) => sum + weight, 0),
    );
    for (const [item, weight] of list) {
      left -= weight;
      if (left <= 0) return item;
    }
    throw new RangeError('nothing to pick from');
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.#next().toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  /** A version 4 UUID in form. */
  uuid(): string {
    const h = this.hex(32);
    const variant = '89ab'[this.int(0, 3)];
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20, 32)}`;
  }
}
