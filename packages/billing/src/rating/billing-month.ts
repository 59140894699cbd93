// A billing month: a calendar month in UTC, named like 2026-11.
import { formatMonth, monthStartOf } from '@penstock/units';

export interface BillingMonth {
  /** The month, such as `2026-11` */
  month: string;
  startMs: number;
  /** End of the month, exclusive. */
  endMs: number;
}

const monthPattern = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** @throws RangeError if the text is not a month like `2026-11` */
export function billingMonth(month: string): BillingMonth {
  const [, year, number] = monthPattern.exec(month) ?? [];
  if (year === undefined || number === undefined) {
    throw new RangeError(`not a month like 2026-11: ${month}`);
  }
  return {
    month,
    startMs: monthStartOf(Number(year), Number(number)),
    endMs: monthStartOf(Number(year), Number(number) + 1),
  };
}

/** The month that contains a time (milliseconds since the Unix epoch). */
export function billingMonthAt(atMs: number): BillingMonth {
  return billingMonth(formatMonth(atMs));
}

/** The month this many months later; earlier if negative. */
export function monthsLater({ month }: BillingMonth, count: number): BillingMonth {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return billingMonthAt(monthStartOf(year, number + count));
}
