// Figures before the invoice: cost by day, and the forecast.
import { PRICE_BOOKS, sumUsd } from '@penstock/pricing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reading } from '../invoice/testing/documents.ts';
import { costByDay } from './cost-by-day.ts';
import { expectedUsage } from './forecast.ts';
import { exactAmountOf, rateHours, rateMonth } from './rate-month.ts';
import { randomMonth } from './testing/arbitrary-months.ts';

const GIB = 2n ** 30n;

test('the days of a month cost exactly as much as its hours', () => {
  fc.assert(
    fc.property(randomMonth, (month) => {
      const parts = rateHours(month);
      const days = costByDay(parts);
      expect(sumUsd(days.map(({ costUsd }) => costUsd)).toFixed(20)).toBe(sumUsd(parts.map(exactAmountOf)).toFixed(20));
      const writes = parts.filter(({ product }) => product === 'writes');
      expect(writes.reduce((sum, { quantity }) => sum + quantity, 0n)).toBe(
        month.hours.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0n),
      );
    }),
    { numRuns: 200 },
  );
});

describe('the forecast', () => {
  const nowMs = Date.parse('2026-11-21T00:00:00Z');
  const week = Array.from({ length: 7 }, (_, index) =>
    reading('a', `2026-11-${14 + index}T00:00:00Z`, { uncompressedBytes: 24n * GIB, clusterMinutes: 60 }),
  );

  test('continues the last seven days’ average to the month’s end', () => {
    const { hours, method } = expectedUsage({
      month: '2026-11',
      hours: week,
      nowMs,
      runningClusterIds: new Set(['a']),
    });
    const bytes = hours.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0n);
    expect(bytes).toBe(17n * 24n * GIB);
    expect(hours.every(({ hourMs }) => hourMs < Date.parse('2026-12-01T00:00:00Z'))).toBe(true);
    expect(method).toContain('plus 10 days at the average of the last 7 days');
  });

  test('uses the actual minutes of a new cluster, not whole hours', () => {
    const hours = [reading('a', '2026-11-22T09:00:00Z', { uncompressedBytes: 6n * GIB, clusterMinutes: 6 })];
    const expected = expectedUsage({
      month: '2026-11',
      hours,
      nowMs: Date.parse('2026-11-22T09:43:00Z'),
      runningClusterIds: new Set(['a']),
    });
    const minutesLeft = 8 * 1_440 + 14 * 60 + 17;
    expect(expected.method).toContain('at the average of the last 6 minutes');
    expect(expected.hours.reduce((sum, { clusterMinutes }) => sum + clusterMinutes, 0)).toBe(6 + minutesLeft);
    const lines = rateMonth({ ...expected, clusterNames: new Map(), books: PRICE_BOOKS, month: '2026-11' });
    expect(lines.map(({ product, amountUsd }) => [product, amountUsd.toFixed(2)])).toContainEqual([
      'cluster_minutes',
      '28.48',
    ]);
  });

  // So that an old one does not dilute a new one.
  test('averages each cluster over its own lifetime', () => {
    const now = Date.parse('2026-11-21T00:30:00Z');
    const young = reading('b', '2026-11-21T00:00:00Z', { clusterMinutes: 15, devMinutes: 15 });
    const { hours, method } = expectedUsage({
      month: '2026-11',
      hours: [...week, young],
      nowMs: now,
      runningClusterIds: new Set(['a', 'b']),
    });
    const minutesOf = (id: string): number =>
      hours.reduce((sum, { clusterId, clusterMinutes }) => sum + (clusterId === id ? clusterMinutes : 0), 0);
    expect(minutesOf('b')).toBe(15 + 10 * 1_440 - 30);
    expect(minutesOf('a')).toBeLessThan(20 * 60);
    expect(method).toContain('each cluster’s average of the last 7 days, or since its first usage');
  });

  test('expects no more minutes than the month has left', () => {
    const hours = [
      reading('a', '2026-11-30T22:00:00Z', { clusterMinutes: 1 }),
      reading('a', '2026-11-30T23:00:00Z', { clusterMinutes: 1 }),
    ];
    const expected = expectedUsage({
      month: '2026-11',
      hours,
      nowMs: Date.parse('2026-11-30T23:00:20Z'),
      runningClusterIds: new Set(['a']),
    });
    expect(expected.hours.reduce((sum, { clusterMinutes }) => sum + clusterMinutes, 0)).toBe(2 + 59);
  });

  test('uses a whole week for a cluster that is older than that', () => {
    const hours = [
      reading('a', '2026-11-02T00:00:00Z', { uncompressedBytes: GIB }),
      reading('a', '2026-11-20T23:00:00Z', { uncompressedBytes: 7n * GIB }),
    ];
    const expected = expectedUsage({ month: '2026-11', hours, nowMs, runningClusterIds: new Set(['a']) });
    expect(expected.hours.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0n)).toBe(18n * GIB);
  });

  test('expects nothing more of a deleted cluster', () => {
    const { hours, method } = expectedUsage({ month: '2026-11', hours: week, nowMs, runningClusterIds: new Set() });
    expect(hours).toEqual(week);
    expect(method).toContain('Usage so far');
  });

  // Averaged over its own age, which may begin last month.
  test('rates a young cluster by the tiers it will reach', () => {
    const young = [reading('a', '2026-11-20T00:00:00Z', { uncompressedBytes: 2_000n * GIB })];
    const { hours, method } = expectedUsage({
      month: '2026-11',
      hours: young,
      nowMs,
      runningClusterIds: new Set(['a']),
    });
    expect(method).toContain('the average of the last day.');
    const lines = rateMonth({ hours, clusterNames: new Map(), books: PRICE_BOOKS, month: '2026-11' });
    expect(lines.map(({ tier, quantity }) => [tier, quantity / GIB])).toEqual([
      [1, 10_240n],
      [2, 11_760n],
    ]);
    const lastMonth = [reading('a', '2026-10-31T00:00:00Z', { uncompressedBytes: 24n * GIB })];
    const first = expectedUsage({
      month: '2026-11',
      hours: lastMonth,
      nowMs: Date.parse('2026-11-01T00:00:00Z'),
      runningClusterIds: new Set(['a']),
    });
    expect(first.hours.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0n)).toBe(30n * 24n * GIB);
  });
});
