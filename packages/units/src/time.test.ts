import { describe, expect, it } from 'vitest';
import { formatAgo, formatCount, formatDateTime, isCalendarTime } from './time.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 14, 5);

describe('times for display', () => {
  it.each([
    [0, 'just now'],
    [-5_000, 'just now'],
    [42_000, '42 s ago'],
    [60_000, '1 min ago'],
    [3_599_000, '59 min ago'],
    [3_600_000, '1 h ago'],
    [47 * 3_600_000, '47 h ago'],
    [72 * 3_600_000, '3 days ago'],
  ])('rounds an age of %d ms down to "%s"', (ageMs, words) => {
    expect(formatAgo(NOW_MS - ageMs, NOW_MS)).toBe(words);
  });

  it('names the time zone on every time', () => {
    expect(formatDateTime(NOW_MS, 'UTC')).toBe('21 Nov 2026, 09:14:05 UTC');
  });

  it.each([
    [8_640_000_000_000_000, '275760', true],
    [8_640_000_000_000_001, '8,640,000,000,000,001 ms', false],
    [-8_640_000_000_000_001, '-8,640,000,000,000,001 ms', false],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991 ms', false],
  ])('shows %d ms, whether or not the calendar reaches so far', (timeMs, shown, isDate) => {
    expect(formatDateTime(timeMs, 'UTC')).toContain(shown);
    expect(isCalendarTime(timeMs)).toBe(isDate);
  });

  it('groups thousands in numbers and bigints', () => {
    expect(formatCount(4_608)).toBe('4,608');
    expect(formatCount(12_345_678n)).toBe('12,345,678');
  });
});
