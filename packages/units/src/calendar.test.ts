import { describe, expect, it } from 'vitest';
import {
  formatMonth,
  formatUtcDate,
  formatUtcTime,
  monthEndMs,
  monthStartMs,
  monthStartOf,
  utcDate,
} from './calendar.ts';

describe('the UTC calendar', () => {
  it('matches the platform on every day from 1900 to 2200', () => {
    for (let atMs = Date.UTC(1900, 0, 1); atMs < Date.UTC(2200, 0, 1); atMs += 86_400_000) {
      const date = new Date(atMs);
      const expected = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
      const actual = utcDate(atMs + 43_200_000);
      if (actual.year !== expected[0] || actual.month !== expected[1] || actual.day !== expected[2]) {
        expect.fail(`${date.toISOString()}: ${JSON.stringify(actual)}`);
      }
    }
  });

  it('gives the half-open bounds of a month in any year', () => {
    expect(monthStartMs(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe(Date.UTC(2026, 11, 1));
    expect(monthEndMs(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe(Date.UTC(2027, 0, 1));
    expect(monthEndMs(Date.UTC(2028, 1, 29))).toBe(Date.UTC(2028, 2, 1));
    expect(monthStartMs(Date.UTC(2026, 10, 1))).toBe(Date.UTC(2026, 10, 1));
    expect(monthStartOf(2026, 13)).toBe(Date.UTC(2027, 0, 1));
    expect(monthStartOf(2026, 2)).toBe(Date.UTC(2026, 1, 1));
  });

  it('formats months, dates and times in ISO style', () => {
    const atMs = Date.UTC(2026, 10, 21, 9, 5, 7, 999);
    expect(formatMonth(atMs)).toBe('2026-11');
    expect(formatUtcDate(atMs)).toBe('2026-11-21');
    expect(formatUtcTime(atMs)).toBe('2026-11-21 09:05:07 UTC');
    expect(formatUtcTime(-1)).toBe('1969-12-31 23:59:59 UTC');
  });
});
