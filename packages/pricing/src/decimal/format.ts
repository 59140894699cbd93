// Formats figures for display only: formatted values are never computed with again.
import { type Decimal, decimal } from './decimal.ts';
import type { Usd } from './usd.ts';

function grouped(fixed: string): string {
  const [whole = '0', fraction] = fixed.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.replace('-', '').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? `${sign}${digits}` : `${sign}${digits}.${fraction}`;
}

/** `$12,868`; with cents below $100, and with as many digits as needed below a cent. */
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

/** A unit price with all digits of the catalogue. */
export function formatUnitPrice(price: Decimal): string {
  return `$${price.toFixed()}`;
}

/** A number with thousands separators and at most `significant` digits. Only decimals are dropped. */
export function formatNumber(value: Decimal, significant = 6): string {
  const whole = value.abs().gte(decimal(10).pow(significant - 1));
  return grouped(whole ? value.toFixed(0) : value.toSignificantDigits(significant).toFixed());
}
