// Exact decimals behind our own names. No other file of the package uses the library, and money is never a float.
import { Decimal as LibraryDecimal } from 'decimal.js';

/**
 * 40 significant digits: sums and products of prices and quantities stay exact. Only a division without a finite expansion (a third of the
 * traffic) is truncated, 30 digits beyond what a bill shows.
 */
const Exact = LibraryDecimal.clone({
  precision: 40,
  rounding: LibraryDecimal.ROUND_HALF_EVEN,
  toExpNeg: -60,
  toExpPos: 60,
});

declare const unitOf: unique symbol;

/** A decimal number without a unit. */
export type Decimal = LibraryDecimal;
/** An exact amount of something; the unit exists only in the types. */
export type Quantity<U extends string> = Decimal & { readonly [unitOf]: U };
/** US dollars per U. */
export type UsdPer<U extends string> = Decimal & { readonly [unitOf]: `USD/${U}` };

export const ZERO: Decimal = new Exact(0);
export const ONE: Decimal = new Exact(1);

/** A decimal from exact text or from a whole number. Throws RangeError for text such as `NaN` or `1e400`. */
export function decimal(value: string | number | bigint | Decimal): Decimal {
  const parsed = value instanceof Exact ? value : new Exact(typeof value === 'bigint' ? value.toString() : value);
  if (!parsed.isFinite()) {
    throw new RangeError(`not a finite decimal: ${value}`);
  }
  return parsed;
}

/** An amount of U from exact text or a whole number. */
export function quantity<U extends string>(value: string | number | bigint | Decimal): Quantity<U> {
  return decimal(value) as Quantity<U>;
}

/** A price per U from exact text. */
export function usdPer<U extends string>(value: string | Decimal): UsdPer<U> {
  return decimal(value) as UsdPer<U>;
}

export function ceiling(value: Decimal): Decimal {
  return value.ceil();
}

export function larger<Amount extends { gte: (other: Amount) => boolean }>(left: Amount, right: Amount): Amount {
  return left.gte(right) ? left : right;
}

export function smaller<Amount extends { lte: (other: Amount) => boolean }>(left: Amount, right: Amount): Amount {
  return left.lte(right) ? left : right;
}

/** Rounds halves to the even neighbour. */
export function roundHalfEven(value: Decimal, places: number): Decimal {
  return value.toDecimalPlaces(places, LibraryDecimal.ROUND_HALF_EVEN);
}

/** Rounds halves away from zero. */
export function roundHalfUp(value: Decimal, places: number): Decimal {
  return value.toDecimalPlaces(places, LibraryDecimal.ROUND_HALF_UP);
}
