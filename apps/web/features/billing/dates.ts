// Dates on bills. Bills are in UTC, so dates never follow the reader's time zone; hours name the zone.

import { DAY_MS } from '@penstock/units';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const HOUR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export function monthText(date: Date): string {
  return MONTH.format(date);
}

export function dayText(date: Date): string {
  return DAY.format(date);
}

/** The start of an hour, e.g. `21 Nov, 10:00`. */
export function hourText(date: Date): string {
  return HOUR.format(date);
}

/** A period with an exclusive end, by its first and last day. */
export function periodText(start: Date, end: Date): string {
  return `${dayText(start)} to ${dayText(new Date(end.getTime() - DAY_MS))}`;
}

/** The first day of a month such as `2026-11`. */
export function monthStart(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}

export function daysInMonth(start: Date): number {
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
}
