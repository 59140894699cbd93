// Exact decimals behind our own names. Nothing else in the package touches the library, and no money is ever a float.
import { Decimal as LibraryDecimal } from 'decimal.js';

/**
 * 40 significant digits: sums and products of prices and quantities stay exact; only a division that has no finite
 * expansion (a third of the traffic) is cut, 30 digits behind anything that a bill shows.
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
/** An exact amount of something; the unit exists in the types only. */
export type Quantity<U extends string> = Decimal & { readonly [unitOf]: U };
/** US dollars for one U. */
export type UsdPer<U extends string> = Decimal & { readonly [unitOf]: `USD/${U}` };

export const ZERO: Decimal = new Exact(0);
export const ONE: Decimal = new Exact(1);

/** A decimal from exact text or from a whole number. Text such as `NaN` or `1e400` is refused with a RangeError. */
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

/** A price of one U from exact text. */
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
