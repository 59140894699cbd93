import { describe, expect, it } from 'vitest';
import { DAY_MS, formatDurationMs, HOUR_MS, MINUTE_MS } from './duration.ts';

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [2.64, '2.6 ms'],
    [850, '850 ms'],
    [999.7, '1 s'],
    [12_340, '12.3 s'],
    [59_970, '1 min'],
    [4 * MINUTE_MS + 12_000, '4 min 12 s'],
    [HOUR_MS - 100, '1 h'],
    [3 * HOUR_MS + 5 * MINUTE_MS, '3 h 5 min'],
    [DAY_MS - 1, '1 d'],
    [2 * DAY_MS + 4 * HOUR_MS, '2 d 4 h'],
    [-1500, '-1.5 s'],
  ] as const)('formats %s ms as %s', (durationMs, text) => {
    expect(formatDurationMs(durationMs)).toBe(text);
  });
});
