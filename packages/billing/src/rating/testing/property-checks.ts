// What property tests of rating ask with.
import { sumUsd } from '@penstock/pricing';
import type { RatedLine } from '../rate-month.ts';

/** The cents of all lines together. */
export function total(lines: readonly RatedLine[]): bigint {
  return BigInt(
    sumUsd(lines.map(({ amountUsd }) => amountUsd))
      .times(100)
      .toFixed(0),
  );
}

/** As an expectation, but cheap enough to be asked a few million times. */
export function hold(isSo: boolean, what: string): void {
  if (!isSo) {
    throw new Error(`It does not hold: ${what}`);
  }
}

/** Bytes or minutes, summed. */
export function sum(quantities: readonly bigint[]): bigint {
  return quantities.reduce((left, right) => left + right, 0n);
}
