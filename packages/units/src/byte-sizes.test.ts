import { describe, expect, it } from 'vitest';
import { exactGib } from './byte-sizes.ts';

describe('exactGib', () => {
  it.each([
    [0n, '0'],
    [1_073_741_824n, '1'],
    [536_870_912n, '0.5'],
    [1n, '0.000000000931322574615478515625'],
    [-1_610_612_736n, '-1.5'],
  ] as const)('converts %s bytes to %s GiB without rounding', (bytes, gib) => {
    expect(exactGib(bytes)).toBe(gib);
  });

  it('is exact: the decimal times 2^30 gives the bytes', () => {
    for (const bytes of [3n, 1_073_741_823n, 123_456_789_012_345_678n]) {
      const [whole = '0', fraction = ''] = exactGib(bytes).split('.');
      const scaled = BigInt(whole + fraction.padEnd(30, '0'));
      expect((scaled * 2n ** 30n) / 10n ** 30n).toBe(bytes);
      expect((scaled * 2n ** 30n) % 10n ** 30n).toBe(0n);
    }
  });
});
