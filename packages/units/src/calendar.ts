// The proleptic Gregorian calendar in UTC over plain timestamps. Reads no clock and no time zone: the caller passes the time. Day
// arithmetic after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
import { DAY_MS } from './duration.ts';

/** A civil date in UTC. `month` is 1 to 12. */
export interface UtcDate {
  year: number;
  month: number;
  day: number;
}

/** Days from 1970-01-01 to the first day of a month; months beyond 12 or below 1 carry into the years. */
function daysToMonthStart(year: number, month: number): number {
  const carried = year * 12 + (month - 1);
  // A year that starts in March has the leap day at its end.
  const marchBased = carried - 2;
  const y = Math.floor(marchBased / 12);
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const monthFromMarch = marchBased - y * 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The UTC date of a time (milliseconds since the Unix epoch). */
export function utcDate(atMs: number): UtcDate {
  const days = Math.floor(atMs / DAY_MS) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** First millisecond of the UTC month of `atMs`. */
export function monthStartMs(atMs: number): number {
  const { year, month } = utcDate(atMs);
  return daysToMonthStart(year, month) * DAY_MS;
}

/** First millisecond of the following UTC month: the exclusive end of the billing period of `atMs`. */
export function monthEndMs(atMs: number): number {
  const { year, month } = utcDate(atMs);
  return daysToMonthStart(year, month + 1) * DAY_MS;
}

/** First millisecond of a UTC month, `month` from 1 to 12 (other values carry into the years). */
export function monthStartOf(year: number, month: number): number {
  return daysToMonthStart(year, month) * DAY_MS;
}

/** `2026-11`: the key of a billing month. */
export function formatMonth(atMs: number): string {
  const { year, month } = utcDate(atMs);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/** Formats as `2026-11-21` in UTC. */
export function formatUtcDate(atMs: number): string {
  return `${formatMonth(atMs)}-${String(utcDate(atMs).day).padStart(2, '0')}`;
}

/** Formats as `2026-11-21 09:05:00 UTC`. */
export function formatUtcTime(atMs: number): string {
  const second = Math.floor((atMs - Math.floor(atMs / DAY_MS) * DAY_MS) / 1000);
  const parts = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60];
  return `${formatUtcDate(atMs)} ${parts.map((part) => String(part).padStart(2, '0')).join(':')} UTC`;
}
