/** Card numbers for the redaction tests: made from the brands' published ranges, with a check digit computed here and not by the product. */
import fc from 'fast-check';

/** The ten-digit-sum form of Luhn: appends the digit that makes the sum a multiple of ten. */
export const withCheckDigit = (body: string): string => {
  let sum = 0;
  [...body].reverse().forEach((character, place) => {
    const value = Number(character) * (place % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  });
  return body + String((10 - (sum % 10)) % 10);
};

const shapes: readonly (readonly [prefix: string, length: number])[] = [
  ['4', 13],
  ['4', 16],
  ['4', 19],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['300', 14],
  ['305', 14],
  ['36', 14],
  ['38', 14],
  ['39', 14],
  ['6011', 16],
  ['644', 16],
  ['65', 16],
  ['3528', 16],
  ['3589', 16],
  ['62', 16],
  ['62', 17],
  ['62', 18],
  ['62', 19],
  ['50', 16],
  ['58', 19],
  ['67', 16],
];

/** One number of every brand and length. */
export const everyShape: readonly string[] = shapes.map(([prefix, length]) =>
  withCheckDigit(prefix.padEnd(length - 1, '7351902')),
);

const digitsOf = (count: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((list) => list.join(''));

/** Any Luhn-valid number in a brand's shape. */
export const anyPan: fc.Arbitrary<string> = fc
  .constantFrom(...shapes)
  .chain(([prefix, length]) =>
    digitsOf(length - 1 - prefix.length).map((middle) => withCheckDigit(`${prefix}${middle}`)),
  );

/** Every separator of the contract. */
export const separators: readonly string[] = [
  ' ',
  '\u00a0',
  '\t',
  '-',
  '\u2010',
  '\u2011',
  '\u2012',
  '\u2013',
  '\u2014',
  '\u2015',
  '\u2212',
  '.',
  '_',
  '/',
  '\r',
  '\n',
];

/** Every invisible character of the contract. */
export const invisible: readonly string[] = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad'];

/** Signs outside the contract's list that have been put between the groups of a card number. */
export const unusual: readonly string[] = [
  ...',:;|*\\~\u00b7#+=()\'"&^!',
  '\u2028',
  '\u2029',
  '\u0301',
  '\u20dd',
  '\u2026',
  '\u3164',
  '\u00b4',
  '\u2022',
  '\u{1f4b3}',
];

/** The same digits in other scripts. */
const zeros = [0x30, 0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce, 0x1d7f6, 0x1e950];

/** A number written with random separators (or none), invisible characters and digits of several scripts. */
export const disguised = (pan: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        zero: fc.constantFrom(...zeros),
        gap: fc.oneof(
          { weight: 5, arbitrary: fc.constant('') },
          { weight: 2, arbitrary: fc.constantFrom(...separators) },
          { weight: 1, arbitrary: fc.constantFrom(...invisible) },
          {
            weight: 1,
            arbitrary: fc
              .tuple(fc.constantFrom(...separators), fc.constantFrom(...separators))
              .map((two) => two.join('')),
          },
        ),
      }),
      { minLength: pan.length, maxLength: pan.length },
    )
    .map((parts) =>
      parts
        .map(({ zero, gap }, at) => String.fromCodePoint(zero + Number(pan[at])) + (at < pan.length - 1 ? gap : ''))
        .join(''),
    );

/** Groups as cards print them, by length: blocks of four, 4-6-5 and 4-6-4; or every digit apart. */
const layouts = (pan: string): readonly (readonly string[])[] => {
  const blocks = pan.match(/\d{1,4}/g) ?? [];
  const inThree = [pan.slice(0, 4), pan.slice(4, 10), pan.slice(10)];
  return pan.length === 14 || pan.length === 15 ? [blocks, [...pan], inThree] : [blocks, [...pan]];
};

/** A number in a printed layout with one or two unusual signs, or one and a blank, in every gap; signs may change from gap to gap. */
export const parted = (pan: string): fc.Arbitrary<string> => {
  const gap = (signs: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constantFrom(...signs),
      fc.tuple(fc.constantFrom(...signs), fc.constantFrom(...signs, ' ', '-')).map((two) => two.join('')),
    );
  // where gaps differ, each must show: two blocks grown together are no printed layout
  const shown = unusual.filter((sign) => !/[\p{M}\u3164]/u.test(sign));
  return fc.constantFrom(...layouts(pan)).chain((groups) =>
    fc.oneof(
      gap(unusual).map((same) => groups.join(same)),
      fc
        .array(gap(shown), { minLength: groups.length, maxLength: groups.length })
        .map((gaps) => groups.map((group, at) => (at === 0 ? group : gaps[at] + group)).join('')),
    ),
  );
};

/** All decimal digits of a text, as ASCII, without anything between. */
export const digitsIn = (text: string): string =>
  [...text]
    .map((character) => {
      const cp = character.codePointAt(0) ?? 0;
      const zero = zeros.find((start) => cp >= start && cp < start + 10);
      return zero === undefined ? '' : String(cp - zero);
    })
    .join('');

/** Whether seven digits in a row of a number, its last four left out, are still to be read in a text. */
export const leaks = (pan: string, text: string): boolean => {
  const seen = digitsIn(text);
  const secret = pan.slice(0, -4);
  for (let i = 0; i + 7 <= secret.length; i += 1) if (seen.includes(secret.slice(i, i + 7))) return true;
  return false;
};
