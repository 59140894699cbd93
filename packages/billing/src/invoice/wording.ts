// Descriptions of invoice lines.
import { decimal, formatNumber, formatUsdCents, type PriceBook, type Usd } from '@penstock/pricing';
import type { RatedLine } from '../rating/rate-month.ts';

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `November 2026` for `2026-11`. */
export function monthName(month: string): string {
  const [year = '', number = ''] = month.split('-');
  return `${monthNames[Number(number) - 1] ?? month} ${year}`;
}

const GIB_PER_TIB = 1024;

/** `10 TiB`; in GiB if it is not a whole number of TiB. */
function volume(gib: string): string {
  const tib = decimal(gib).div(decimal(GIB_PER_TIB));
  return tib.isInteger() ? `${formatNumber(tib, 12)} TiB` : `${formatNumber(decimal(gib), 12)} GiB`;
}

/** `first 10 TiB`, `10 TiB to 100 TiB`, `above 1,000 TiB`. */
export function tierName(book: PriceBook, tier: number): string {
  const from = book.writes[tier - 2]?.upToGib ?? null;
  const to = book.writes[tier - 1]?.upToGib ?? null;
  if (from === null) {
    return to === null ? 'all' : `first ${volume(to)}`;
  }
  return to === null ? `above ${volume(from)}` : `${volume(from)} to ${volume(to)}`;
}

/** @param namesBook whether the month has lines of several price books, which their names then distinguish */
export function describeLine(line: RatedLine, books: readonly PriceBook[], namesBook: boolean): string {
  const book = books.find(({ id }) => id === line.priceBookId);
  const what =
    line.product === 'writes'
      ? `writes, tier ${line.tier}${book === undefined || line.tier === null ? '' : ` (${tierName(book, line.tier)})`}`
      : `cluster minutes, ${line.mode}`;
  return `${line.clusterName}: ${what}${namesBook ? `, prices of ${line.priceBookId}` : ''}`;
}

export function describeCorrection(clusterName: string, month: string, invoiceNumber: string): string {
  return `${clusterName}: usage of ${monthName(month)} that was counted after invoice ${invoiceNumber}`;
}

/** @param hours how many */
export function describeHeld(clusterName: string, hours: number): string {
  return `${clusterName}: writes of ${hours === 1 ? 'one hour' : `${hours} hours`}, held for review and not charged`;
}

/** @param beforeUsd the balance before this invoice */
export function describeCredit(beforeUsd: Usd, usedUsd: Usd): string {
  return `Credits (${formatUsdCents(beforeUsd)} before, ${formatUsdCents(beforeUsd.minus(usedUsd))} left)`;
}
