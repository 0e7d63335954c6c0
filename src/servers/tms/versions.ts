/**
 * Order of versions. Dotted numeric versions compare part by part as numbers (`1.10.0` > `1.9.0`, `1.2` = `1.2.0`); any other text is only
 * equal or not. Returns null when the two cannot be ordered.
 */
export function compareVersions(a: string, b: string): -1 | 0 | 1 | null {
  if (a === b) return 0;
  if (!DOTTED.test(a) || !DOTTED.test(b)) return null;
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    // Parts may be longer than a number holds exactly.
    const difference = BigInt(left[i] ?? '0') - BigInt(right[i] ?? '0');
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  return 0;
}

const DOTTED = /^\d+(?:\.\d+)*$/;
