/** Money of the demo: whole minor units as bigint, written out in major units. */
export type Currency = 'AED' | 'BHD' | 'JPY';
export const EXPONENT: Readonly<Record<Currency, number>> = { AED: 2, BHD: 3, JPY: 0 };
export const NUMERIC_CODE: Readonly<Record<Currency, string>> = { AED: '784', BHD: '048', JPY: '392' };

export function major(minor: bigint, currency: Currency): string {
  const exponent = EXPONENT[currency];
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const sign = minor < 0n ? '-' : '';
  if (exponent === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** `amount` times a rate in parts per million, half away from zero, to the minor unit. */
export function share(amount: bigint, ppm: number): bigint {
  const size = amount < 0n ? -amount : amount;
  const rounded = (size * BigInt(ppm) * 2n + 1_000_000n) / 2_000_000n;
  return amount < 0n ? -rounded : rounded;
}
