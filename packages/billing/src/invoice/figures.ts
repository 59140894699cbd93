// Formats an invoice's figures, for the PDF and the CSV.
import { decimal, formatNumber, formatUnitPrice } from '@penstock/pricing';
import { gibOf } from '../rating/rate-month.ts';
import type { DocumentLine } from './invoice-document.ts';

/** Decimals of quantities in GiB for people. The CSV and JSON files also contain the exact bytes. */
const GIB_DECIMALS = 6;

/** `10,240 GiB`, `43,200 min`; empty if the line has no quantity. */
export function formatQuantity({ quantity, unit }: Pick<DocumentLine, 'quantity' | 'unit'>): string {
  if (quantity === null || unit === null) {
    return '';
  }
  if (unit === 'minute') {
    return `${formatNumber(decimal(quantity), 1)} min`;
  }
  const [whole = '0', fraction] = gibOf(quantity).toDecimalPlaces(GIB_DECIMALS).toFixed().split('.');
  const grouped = formatNumber(decimal(whole), 1);
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} GiB`;
}

/** `$0.008 / GiB`; empty if the line has no price. */
export function formatLinePrice({ unitPriceUsd, unit }: Pick<DocumentLine, 'unitPriceUsd' | 'unit'>): string {
  if (unitPriceUsd === null || unit === null) {
    return '';
  }
  return `${formatUnitPrice(unitPriceUsd)} / ${unit === 'minute' ? 'min' : unit}`;
}
