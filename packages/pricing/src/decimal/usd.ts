// Money. A class with a private constructor, so that only this module can create an amount: a bare number does not become dollars by an
// assertion.
import { type Decimal, decimal, type Quantity, roundHalfEven, roundHalfUp, type UsdPer, ZERO } from './decimal.ts';

let mint: (value: Decimal) => Usd;

/** An exact amount of US dollars. */
export class Usd {
  private readonly value: Decimal;

  private constructor(value: Decimal) {
    this.value = value;
  }

  static {
    mint = (value) => new Usd(value);
  }

  plus(other: Usd): Usd {
    return new Usd(this.value.plus(other.value));
  }

  minus(other: Usd): Usd {
    return new Usd(this.value.minus(other.value));
  }

  times(factor: Decimal | number | string): Usd {
    return new Usd(this.value.times(factor));
  }

  /** The price per unit of `quantity`. */
  per(quantity: Decimal): Decimal {
    return this.value.div(quantity);
  }

  negated(): Usd {
    return new Usd(this.value.negated());
  }

  abs(): Usd {
    return new Usd(this.value.abs());
  }

  isZero(): boolean {
    return this.value.isZero();
  }

  eq(other: Usd): boolean {
    return this.value.eq(other.value);
  }

  gt(other: Usd | 0): boolean {
    return this.value.gt(numberOf(other));
  }

  gte(other: Usd | 0): boolean {
    return this.value.gte(numberOf(other));
  }

  lt(other: Usd | 0): boolean {
    return this.value.lt(numberOf(other));
  }

  lte(other: Usd | 0): boolean {
    return this.value.lte(numberOf(other));
  }

  decimalPlaces(): number {
    return this.value.decimalPlaces();
  }

  /** For display with fewer digits; bill lines are rounded by the functions below. */
  toDecimalPlaces(places: number): Usd {
    return new Usd(roundHalfEven(this.value, places));
  }

  /** Without `places`, all digits. */
  toFixed(places?: number): string {
    return places === undefined ? this.value.toFixed() : this.value.toFixed(places);
  }

  /** Converts to a number, only for drawing. */
  toNumber(): number {
    return this.value.toNumber();
  }

  /** The number without its unit. */
  toDecimal(): Decimal {
    return this.value;
  }

  toString(): string {
    return this.value.toString();
  }

  toJSON(): string {
    return this.value.toJSON();
  }
}

function numberOf(amount: Usd | 0): Decimal {
  return amount === 0 ? ZERO : amount.toDecimal();
}

export const ZERO_USD: Usd = mint(ZERO);

/** Dollars from exact text. */
export function usd(value: string | Decimal): Usd {
  return mint(decimal(value));
}

/** Quantity times price. The units must match. */
export function amountOf<U extends string>(quantity: Quantity<U>, price: UsdPer<U>): Usd {
  return mint(quantity.times(price));
}

/** Exact sum; $0 for an empty list. */
export function sumUsd(amounts: Iterable<Usd>): Usd {
  let sum: Decimal = ZERO;
  for (const amount of amounts) {
    sum = sum.plus(amount.toDecimal());
  }
  return mint(sum);
}

/** Rounds a line of an estimate: half-even to a millionth of a dollar, once. Totals are exact sums of such lines. */
export function roundEstimateLine(amount: Usd): Usd {
  return mint(roundHalfEven(amount.toDecimal(), 6));
}

/** Rounds a line of an invoice: half up to the cent (away from zero), once. */
export function roundInvoiceLine(amount: Usd): Usd {
  return mint(roundHalfUp(amount.toDecimal(), 2));
}
