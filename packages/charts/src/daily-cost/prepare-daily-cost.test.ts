import { describe, expect, it } from 'vitest';
import { formatNanoUsd, nanosOf } from './nano-usd.ts';
import { prepareDailyCost } from './prepare-daily-cost.ts';

describe('nano dollars', () => {
  it.each([
    ['0', '$0.00'],
    ['0.004999999', '< $0.01'],
    ['0.005', '$0.01'],
    ['1234567.895', '$1,234,567.90'],
    ['-2.5', '-$2.50'],
  ])('%s reads %s', (text, expected) => {
    expect(formatNanoUsd(nanosOf(text))).toBe(expected);
  });

  it.each(['', '1e3', '1,000', '1.0000000001', 'NaN'])('refuses %s instead of guessing', (text) => {
    expect(() => nanosOf(text)).toThrow(RangeError);
  });
});

describe('prepareDailyCost', () => {
  const days = ['2026-11-01', '2026-11-02'];
  const cluster = (clusterName: string, ...costUsd: string[]) => ({ clusterId: clusterName, clusterName, costUsd });

  it('adds amounts exactly where floats would not', () => {
    const data = prepareDailyCost(days, [cluster('a', '0.1', '0.2'), cluster('b', '0.200000001', '0.1')], 30);
    expect(data.total).toBe('$0.60');
    expect(data.rows[0]?.total).toBe('$0.30');
  });

  it('puts the most expensive cluster first, without free ones', () => {
    const data = prepareDailyCost(
      days,
      [cluster('small', '1', '0'), cluster('none', '0', '0'), cluster('big', '2', '3')],
      30,
    );
    expect(data.series.map(({ name, total }) => [name, total])).toEqual([
      ['big', '$5.00'],
      ['small', '$1.00'],
    ]);
  });

  it('combines clusters beyond five series and keeps the total', () => {
    const clusters = [7, 6, 5, 4, 3, 2, 1].map((cost) => cluster(`c${cost}`, String(cost), '0'));
    const data = prepareDailyCost(days, clusters, 30);
    expect(data.series.map(({ name }) => name)).toEqual(['c7', 'c6', 'c5', 'c4', '3 other clusters']);
    expect(data.series.at(-1)?.total).toBe('$6.00');
    expect(data.total).toBe('$28.00');
  });

  it('shows the whole month with future days empty', () => {
    const data = prepareDailyCost(days, [cluster('a', '1', '0')], 30);
    expect(data.rows).toHaveLength(30);
    expect(data.rows[1]).toMatchObject({ texts: { 'series-0': '$0.00' }, isToCome: false });
    expect(data.rows[29]).toMatchObject({ day: '2026-11-30', drawnUsd: {}, isToCome: true });
  });

  it('has an axis when there is no cost', () => {
    const data = prepareDailyCost(days, [], 30);
    expect(data.isEmpty).toBe(true);
    expect(data.yTicks.length).toBeGreaterThan(1);
  });
});
