import { describe, expect, it } from 'vitest';
import { minuteTicks, niceTicks } from './ticks.ts';

describe('niceTicks', () => {
  it.each([
    [1, 4, [0, 0.5, 1]],
    [3.2, 4, [0, 1, 2, 3, 4]],
    [95, 4, [0, 50, 100]],
    [0.31, 4, [0, 0.1, 0.2, 0.3, 0.4]],
    [1_000, 4, [0, 500, 1_000]],
  ])('covers %d in at most %d round steps', (max, count, expected) => {
    expect(niceTicks(max, count)).toEqual(expected);
  });

  it('gives an axis to a series of zeros', () => {
    expect(niceTicks(0, 4)).toEqual([0, 0.5, 1]);
  });

  it('covers the maximum for any magnitude', () => {
    for (let exponent = -6; exponent < 12; exponent += 1) {
      for (const lead of [1, 1.01, 2.49, 4.99, 9.999]) {
        const max = lead * 10 ** exponent;
        const ticks = niceTicks(max, 4);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(5);
      }
    }
  });
});

describe('minuteTicks', () => {
  it('are whole multiples of the step, inside the window', () => {
    const startMs = Date.UTC(2026, 10, 21, 9, 3, 20);
    const endMs = Date.UTC(2026, 10, 21, 10, 3, 20);
    expect(minuteTicks(startMs, endMs, 15).map((ms) => new Date(ms).toISOString().slice(11, 16))).toEqual([
      '09:15',
      '09:30',
      '09:45',
      '10:00',
    ]);
  });
});
