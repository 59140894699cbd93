// The current month for budgets and caps, in the forms they need.
import { monthEndMs, monthStartMs } from '@penstock/units';

export interface Month {
  /** The first UTC day. */
  start: Date;
  /** The first UTC day of the next month, when the bill starts from zero again. */
  end: Date;
  /** The name, such as November 2026. */
  name: string;
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

export function monthOf(now: Date): Month {
  const start = new Date(monthStartMs(now.getTime()));
  return { start, end: new Date(monthEndMs(now.getTime())), name: monthName.format(start) };
}

/** E.g. 1 December 2026. */
export function dayText(day: Date): string {
  return dayName.format(day);
}
