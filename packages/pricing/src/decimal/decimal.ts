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
export type Quantity<U extends string> = Decimal & { readonly [unitOf]?: U };
/** US dollars. */
export type Usd = Decimal & { readonly [unitOf]?: 'USD' };
/** US dollars for one U. */
export type UsdPer<U extends string> = Decimal & { readonly [unitOf]?: `USD/${U}` };

export const ZERO: Decimal = new Exact(0);
export const ONE: Decimal = new Exact(1);

/** A decimal from exact text or from a whole number. Text such as `NaN` or `1e400` is refused with a RangeError. */
export function decimal(value: string | number | bigint | Decimal): Decimal {
  const parsed = new Exact(typeof value === 'bigint' ? value.toString() : value);
  if (!parsed.isFinite()) {
    throw new RangeError(`not a finite decimal: ${value}`);
  }
  return parsed;
}

/** Dollars from exact text. */
export function usd(value: string | Decimal): Usd {
  return decimal(value) as Usd;
}

/** Quantity times price: the one way in which money comes into being. The units must agree. */
export function amountOf<U extends string>(quantity: Quantity<U>, price: UsdPer<U>): Usd {
  return quantity.times(price) as Usd;
}

/** Exact sum; an empty list is $0. */
export function sumUsd(amounts: Iterable<Usd>): Usd {
  let sum: Decimal = ZERO;
  for (const amount of amounts) {
    sum = sum.plus(amount);
  }
  return sum as Usd;
}

export function ceiling(value: Decimal): Decimal {
  return value.ceil();
}

export function larger(left: Decimal, right: Decimal): Decimal {
  return left.gte(right) ? left : right;
}

export function smaller(left: Decimal, right: Decimal): Decimal {
  return left.lte(right) ? left : right;
}

/** The rounding of an estimate's line: half-even to a millionth of a dollar, once. Totals are exact sums of such lines. */
export function roundEstimateLine(amount: Usd): Usd {
  return amount.toDecimalPlaces(6, LibraryDecimal.ROUND_HALF_EVEN) as Usd;
}

/** The rounding of an invoice's line: half up to the cent (away from zero), once. */
export function roundInvoiceLine(amount: Usd): Usd {
  return amount.toDecimalPlaces(2, LibraryDecimal.ROUND_HALF_UP) as Usd;
}
