// Helpers of the property tests of rating.
import { sumUsd } from '@penstock/pricing';
import type { RatedLine } from '../rate-month.ts';

/** The total cents of all lines. */
export function total(lines: readonly RatedLine[]): bigint {
  return BigInt(
    sumUsd(lines.map(({ amountUsd }) => amountUsd))
      .times(100)
      .toFixed(0),
  );
}

/** Like an expectation, but cheap enough for a few million calls. */
export function hold(isSo: boolean, what: string): void {
  if (!isSo) {
    throw new Error(`It does not hold: ${what}`);
  }
}

/** The sum of bytes or minutes. */
export function sum(quantities: readonly bigint[]): bigint {
  return quantities.reduce((left, right) => left + right, 0n);
}
