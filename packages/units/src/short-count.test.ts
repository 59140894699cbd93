import { describe, expect, it } from 'vitest';
import { formatCountRate, formatShortCount } from './short-count.ts';

describe('counts', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [12_345, '12.3k'],
    [999_960, '1M'],
    [4_000_000, '4M'],
    [-2_500, '-2.5k'],
    [7e12, '7T'],
  ] as const)('shortens %s to %s', (count, text) => {
    expect(formatShortCount(count)).toBe(text);
  });

  it('formats rates per second', () => {
    expect(formatCountRate(1500)).toBe('1.5k/s');
  });
});
