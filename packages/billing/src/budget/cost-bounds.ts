// The cost of a month between two bounds, from the running totals of its clusters instead of their hours. Pure.
import { type PriceBook, priceBookOn, sumUsd, type Usd, usd } from '@penstock/pricing';
import { DAY_MS, formatUtcDate } from '@penstock/units';
import type { BillingMonth } from '../rating/billing-month.ts';
import { rateMonth } from '../rating/rate-month.ts';
import type { UsageHourReading } from '../rating/usage-hour-reading.ts';

/** A cluster's usage of a whole month. */
export type MonthTotal = Omit<UsageHourReading, 'hourMs'>;

export interface CostBounds {
  leastUsd: Usd;
  mostUsd: Usd;
}

/** Each line of a bill is rounded to a cent once: by half a cent here, and by half a cent in the bill. */
const ROUNDING_USD = usd('0.01');
/** Lines of cluster-minutes: one per mode. */
const MODES = 3;

/**
 * The total decides how many bytes belong to each tier; only which cluster they belong to depends on the order of the hours, and with it how
 * lines are rounded.
 * @returns undefined for a month in which prices change: its cost depends on the days
 */
export function costBounds(
  totals: readonly MonthTotal[],
  { month, startMs, endMs }: BillingMonth,
  books: readonly PriceBook[],
): CostBounds | undefined {
  const book = priceBookOn(formatUtcDate(startMs), books);
  if (priceBookOn(formatUtcDate(endMs - DAY_MS), books) !== book) {
    return undefined;
  }
  const hours = totals.map((total) => ({ ...total, hourMs: startMs }));
  const lines = rateMonth({ hours, clusterNames: new Map(), books, month });
  const costUsd = sumUsd(lines.map(({ amountUsd }) => amountUsd));
  const slackUsd = ROUNDING_USD.times(totals.length * (book.writes.length + MODES));
  return { leastUsd: costUsd.minus(slackUsd), mostUsd: costUsd.plus(slackUsd) };
}
