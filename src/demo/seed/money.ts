/** Currencies of the demo, in integer minor units (ISO 4217 exponents). */
export type Currency = 'AED' | 'BHD' | 'JPY';

interface CurrencyFacts {
  readonly exponent: number;
  /** ISO 4217 numeric code, the form of DE49. */
  readonly numeric: string;
  /** Invented tax on the discount, in millionths. */
  readonly taxPpm: number;
  readonly country: string;
}

export const CURRENCIES: Readonly<Record<Currency, CurrencyFacts>> = {
  AED: { exponent: 2, numeric: '784', taxPpm: 50_000, country: 'AE' },
  BHD: { exponent: 3, numeric: '048', taxPpm: 100_000, country: 'BH' },
  JPY: { exponent: 0, numeric: '392', taxPpm: 100_000, country: 'JP' },
};

/** Minor units as a plain decimal in major units. */
export function decimal(minor: bigint, currency: Currency): string {
  const { exponent } = CURRENCIES[currency];
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const text = exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`;
  return minor < 0n ? `-${text}` : text;
}

/** A share in millionths, rounded half up to the minor unit. `minor` is not negative. */
export function share(minor: bigint, ppm: number): bigint {
  return (minor * BigInt(ppm) + 500_000n) / 1_000_000n;
}

/** Millionths as the fraction that the rate columns hold (17500 is 0.017500). */
export function fraction(ppm: number): string {
  return `0.${String(ppm).padStart(6, '0')}`;
}
