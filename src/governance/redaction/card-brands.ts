/**
 * Shapes of card numbers: leading digits and lengths by brand, after ISO/IEC 7812-1 issuer ranges as the payments contract lists them
 * (section 8, layer 3, step 5), and the Luhn check of ISO/IEC 7812-1 annex B.
 */

type Brand = {
  readonly name: string;
  readonly ranges: readonly (readonly [number, number])[];
  readonly lengths: readonly number[];
};

/** Ranges are written over the first four digits. */
export const CARD_BRANDS: readonly Brand[] = [
  { name: 'Visa', ranges: [[4000, 4999]], lengths: [13, 16, 19] },
  {
    name: 'Mastercard',
    ranges: [
      [5100, 5599],
      [2221, 2720],
    ],
    lengths: [16],
  },
  {
    name: 'American Express',
    ranges: [
      [3400, 3499],
      [3700, 3799],
    ],
    lengths: [15],
  },
  {
    name: 'Diners Club',
    ranges: [
      [3000, 3059],
      [3600, 3699],
      [3800, 3999],
    ],
    lengths: [14],
  },
  {
    name: 'Discover',
    ranges: [
      [6011, 6011],
      [6440, 6499],
      [6500, 6599],
    ],
    lengths: [16],
  },
  { name: 'JCB', ranges: [[3528, 3589]], lengths: [16] },
  { name: 'UnionPay', ranges: [[6200, 6299]], lengths: [16, 17, 18, 19] },
  {
    name: 'Maestro',
    ranges: [
      [5000, 5099],
      [5600, 5899],
      [6700, 6799],
    ],
    lengths: [16, 19],
  },
];

export const SHORTEST_PAN = 13;
export const LONGEST_PAN = 19;

/** For every first four digits, one bit for each length from 13 to 19. */
const lengthsByPrefix = new Uint8Array(10_000);
for (const brand of CARD_BRANDS) {
  const bits = brand.lengths.reduce((all, length) => all | (1 << (length - SHORTEST_PAN)), 0);
  for (const [from, to] of brand.ranges) {
    for (let prefix = from; prefix <= to; prefix += 1) lengthsByPrefix[prefix]! |= bits;
  }
}

/** True when some brand issues numbers that begin with these four digits. */
export const isBrandPrefix = (firstFour: number): boolean => (lengthsByPrefix[firstFour] ?? 0) !== 0;

/** True when some brand issues numbers of this length that begin with these four digits. */
export const isBrandShape = (firstFour: number, length: number): boolean =>
  length >= SHORTEST_PAN &&
  length <= LONGEST_PAN &&
  ((lengthsByPrefix[firstFour] ?? 0) & (1 << (length - SHORTEST_PAN))) !== 0;

/**
 * Whether an unseparated number may be taken for a card number. Epoch milliseconds, `YYYYMMDDhhmmss` and counters pass Luhn one time in
 * ten: 13, 14, 17 and 18 digits count only in a brand's shape, 15 digits with first digit 1 to 9, 16 and 19 with first digit 2 to 9.
 */
export const looksLikeCard = (firstFour: number, length: number): boolean => {
  const first = Math.trunc(firstFour / 1000);
  if (length === 15) return first >= 1;
  if (length === 16 || length === 19) return first >= 2;
  return isBrandShape(firstFour, length);
};

export const leadingFour = (digits: string): number => Number(digits.slice(0, 4));

/** True for integers of 13 digits and more that are written without an exponent (below 1e21): only these can be card numbers. */
export const hasPlainDigits = (value: number): boolean => {
  const size = Math.abs(value);
  return size >= 1e12 && size < 1e21 && Number.isInteger(value);
};

/** Luhn check of a string of ASCII digits. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i -= 1, double = !double) {
    const digit = digits.charCodeAt(i) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
};

/** True for a plain string of 13 to 19 digits in a brand's shape that passes Luhn. */
export const isBrandShapedPan = (digits: string): boolean =>
  /^\d{13,19}$/.test(digits) && isBrandShape(leadingFour(digits), digits.length) && passesLuhn(digits);
