// Text for people. Display only: nothing that is formatted here is computed with again.
import { type Decimal, decimal } from './decimal.ts';
import type { Usd } from './usd.ts';

function grouped(fixed: string): string {
  const [whole = '0', fraction] = fixed.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.replace('-', '').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? `${sign}${digits}` : `${sign}${digits}.${fraction}`;
}

/** `$12,868`, below $100 with cents, below a cent with as many digits as it takes. */
export function formatUsd(amount: Usd): string {
  const sign = amount.lt(0) ? '-' : '';
  const magnitude = amount.abs().toDecimal();
  if (magnitude.gte('99.995') || magnitude.isZero()) {
    return `${sign}$${grouped(magnitude.toFixed(0))}`;
  }
  if (magnitude.gte('0.01')) {
    return `${sign}$${magnitude.toFixed(2)}`;
  }
  return `${sign}$${magnitude.toSignificantDigits(3).toFixed()}`;
}

/** `$12,868.00`: to the cent. */
export function formatUsdCents(amount: Usd): string {
  return `${amount.lt(0) ? '-' : ''}$${grouped(amount.abs().toFixed(2))}`;
}

/** A unit price with every digit that the catalogue has. */
export function formatUnitPrice(price: Decimal): string {
  return `$${price.toFixed()}`;
}

/** A number with thousands separators and at most `significant` digits behind which nothing is hidden but decimals. */
export function formatNumber(value: Decimal, significant = 6): string {
  const whole = value.abs().gte(decimal(10).pow(significant - 1));
  return grouped(whole ? value.toFixed(0) : value.toSignificantDigits(significant).toFixed());
}
