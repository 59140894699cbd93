import { HOUR_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { type HourBytes, usageAnomaly } from './usage-anomaly.ts';

const GIB = 1024n ** 3n;
const NOW = Date.parse('2026-11-20T10:00:00Z');

function hour(gib: bigint, ratio: bigint, hoursAgo = 0): HourBytes {
  const uncompressedBytes = gib * GIB;
  return { hourMs: NOW - hoursAgo * HOUR_MS, uncompressedBytes, storedBytes: uncompressedBytes / ratio };
}

/** Ten days of the same hour. */
function days(gib: bigint, ratio: bigint): HourBytes[] {
  return Array.from({ length: 240 }, (_, index) => hour(gib, ratio, index + 1));
}

describe('an hour is unusual', () => {
  test.each([
    ['that names 101 times what is stored, on a new cluster', hour(100n, 101n), []],
    ['that names 101 times what is stored, usually 5 times', hour(100n, 101n), days(100n, 5n)],
    ['that names ten times the usual ratio, which is high', hour(100n, 601n), days(100n, 60n)],
  ])('%s', (_what, one, past) => {
    expect(usageAnomaly(one, past)).toMatchObject({ kind: 'ratio' });
  });

  test('that has more than 20 times the largest hour before it', () => {
    expect(usageAnomaly(hour(201n, 5n), days(10n, 5n))).toEqual({
      kind: 'volume',
      finding: '201 GiB were written, more than 20 times the largest hour of the 14 days before (10 GiB).',
    });
  });
});

describe('an hour is usual', () => {
  test.each([
    ['below 100 GiB, whatever its ratio', hour(99n, 10_000n), []],
    ['at the bound of the ratio', hour(100n, 100n), days(100n, 5n)],
    ['of data that always compresses this well', hour(100n, 300n), days(100n, 200n)],
    ['at the bound of the volume', hour(200n, 5n), days(10n, 5n)],
    ['of a cluster without three days of past', hour(10_000n, 5n), days(1n, 5n).slice(0, 71)],
    ['whose stored bytes are not known', { ...hour(100n, 1n), storedBytes: 0n }, days(100n, 5n)],
    ['of a new cluster', hour(10_000n, 5n), []],
  ])('%s', (_what, one, past) => {
    expect(usageAnomaly(one, past)).toBeNull();
  });

  test('compared with the 14 days before it only', () => {
    const longAgo = hour(1_000n, 5n, 15 * 24);
    const later = { ...hour(1_000n, 5n), hourMs: NOW + HOUR_MS };
    expect(usageAnomaly(hour(201n, 5n), [longAgo, later, ...days(10n, 5n)])).toMatchObject({ kind: 'volume' });
  });
});
