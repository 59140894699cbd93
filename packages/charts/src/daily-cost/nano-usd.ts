// Dollars as whole billionths, so that sums over days and clusters are exact. Bill lines have nine decimals.

const NANOS_PER_USD = 1_000_000_000n;
const nanosPerCent = NANOS_PER_USD / 100n;

/** Reads exact text such as `12.5` or `-0.000000001`. @throws RangeError for anything else */
export function nanosOf(text: string): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    throw new RangeError(`not an amount with at most nine decimals: ${text}`);
  }
  const nanos = BigInt(whole) * NANOS_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nanos : nanos;
}

/** To the cent, half away from zero, for display: `$1,234.50`. Positive amounts below a cent read `< $0.01`. */
export function formatNanoUsd(nanos: bigint): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const cents = (magnitude + nanosPerCent / 2n) / nanosPerCent;
  if (cents === 0n && magnitude > 0n) {
    return '< $0.01';
  }
  const whole = (cents / 100n).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${nanos < 0n ? '-' : ''}$${whole}.${(cents % 100n).toString().padStart(2, '0')}`;
}

/** For the height of a bar. Display only. */
export function toDrawnUsd(nanos: bigint): number {
  return Number(nanos) / Number(NANOS_PER_USD);
}
