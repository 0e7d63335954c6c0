/**
 * Random numbers of the demo: sfc32 (Chris Doty-Humphrey, PractRand), 32-bit integers only, so that every platform draws the same.
 * Each area draws from a stream of its own, named by a word: a change in one area leaves the others as they were. Not for secrets.
 */
export const DEMO_SEED = 20260101;

export interface Random {
  /** An integer in [from, to], both inclusive. At most 2^32 values. */
  int(from: number, to: number): number;
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A pick by integer weights. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
  shuffled<T>(list: readonly T[]): T[];
  hex(digits: number): string;
  /** The form of a version 4 UUID. */
  uuid(): string;
}

export function random(stream: string, seed: number = DEMO_SEED): Random {
  let a = seed | 0;
  let b = fnv1a(stream);
  let c = fnv1a(`${stream}.${seed}`);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 15; i++) next();

  // 2^32 x count stays below 2^53 only for counts up to 2^21; beyond, the product rounds but still lands in range.
  const below = (count: number): number => Math.floor((next() / 4_294_967_296) * count);
  const int = (from: number, to: number): number => from + below(to - from + 1);
  const hex = (digits: number): string => {
    let text = '';
    while (text.length < digits) text += next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  };
  const shuffled = <T>(list: readonly T[]): T[] => {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [copy[i], copy[j]] = [copy[j]!, copy[i]!];
    }
    return copy;
  };
  return {
    int,
    hex,
    shuffled,
    chance: (percent) => below(100) < percent,
    pick: (list) => list[below(list.length)]!,
    weighted: (choices) => {
      let total = 0;
      for (const [, weight] of choices) total += weight;
      let left = below(total);
      for (const [value, weight] of choices) if ((left -= weight) < 0) return value;
      throw new RangeError('no choice has a weight');
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
