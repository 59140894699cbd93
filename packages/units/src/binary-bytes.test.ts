import { describe, expect, it } from 'vitest';
import { binaryUnitFor, formatByteRate, formatBytes } from './binary-bytes.ts';

describe('binary byte units', () => {
  it.each([
    [0, '0', 'B'],
    [1, '1', 'B'],
    [1_023, '1,023', 'B'],
    [1_024, '1.00', 'KiB'],
    [1_536, '1.50', 'KiB'],
    [10 * 1_024, '10.0', 'KiB'],
    [512 * 1_024 * 1_024, '512', 'MiB'],
    [1_073_741_824, '1.00', 'GiB'],
    [5 * 2 ** 60, '5.00', 'EiB'],
  ])('shows %d bytes as %s %s', (bytes, value, unit) => {
    expect(formatBytes(bytes)).toEqual({ value, unit });
  });

  it('accepts counters of type bigint', () => {
    expect(formatBytes(2_147_483_648n)).toEqual({ value: '2.00', unit: 'GiB' });
  });

  it('adds “per second” to every rate', () => {
    expect(formatByteRate(2_048)).toEqual({ value: '2.00', unit: 'KiB/s' });
  });

  it('has a unit for every size', () => {
    expect(binaryUnitFor(2 ** 75)).toBe('EiB');
  });
});
