// Converts money between our exact decimal text and Stripe's whole cents.

/** Stripe's minimum card charge in US dollars: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const SMALLEST_CHARGE_CENTS = 50;

/**
 * Whole cents of an exact amount such as `12.30` or `-0.05`.
 * @throws RangeError for anything that is not a number of whole cents
 */
export function toCents(usd: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(usd);
  const cents = match === null ? Number.NaN : Number(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`);
  if (!Number.isSafeInteger(cents)) {
    throw new RangeError(`not an amount in whole cents: ${usd}`);
  }
  return match?.[1] === '-' && cents !== 0 ? -cents : cents;
}

/** `12.30` for 1230, as exact text for decimals. */
export function fromCents(cents: number): string {
  if (!Number.isSafeInteger(cents)) {
    throw new RangeError(`not whole cents: ${cents}`);
  }
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
