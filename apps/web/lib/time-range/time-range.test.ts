import { MINUTE_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { parseTimeRange, presets, refreshMsOf, type TimeRange, windowOf, withTimeRange, zoomedTo } from './time-range';

const nowMs = Date.UTC(2026, 10, 21, 10, 0, 7);

// Other parameters stay.
test('every range survives a round trip through the URL', () => {
  const ranges: TimeRange[] = [
    ...presets.map(({ name }): TimeRange => ({ kind: 'last', name })),
    { kind: 'between', startMs: nowMs - 5 * MINUTE_MS, endMs: nowMs },
  ];
  for (const range of ranges) {
    const address = withTimeRange(new URLSearchParams('by=zone&from=x&range=1h'), range);
    expect(parseTimeRange(address)).toEqual(range);
    expect(address.get('by')).toBe('zone');
  }
});

test.each([
  '',
  'range=never',
  'from=yesterday&to=today',
  'from=2026-11-21T10:00:00Z',
  'from=2026-11-21T10:00:00Z&to=2026-11-21T09:00:00Z',
  'from=2020-01-01T00:00:00Z&to=2026-11-21T09:00:00Z',
])('the invalid query “%s” means the last hour', (address) => {
  expect(parseTimeRange(new URLSearchParams(address))).toEqual({ kind: 'last', name: '1h' });
});

test('the last hour ends at a whole slot', () => {
  const range: TimeRange = { kind: 'last', name: '1h' };
  const window = windowOf(range, nowMs);
  expect(window.endMs).toBe(Date.UTC(2026, 10, 21, 10, 0, 0));
  expect(window.endMs - window.startMs).toBe(60 * MINUTE_MS);
  expect(windowOf(range, nowMs + 2_000)).toEqual(window);
  expect(windowOf(range, nowMs + 4_000)).not.toEqual(window);
});

test.each([
  ['15m', 10_000],
  ['1h', 10_000],
  ['24h', 4 * MINUTE_MS],
  ['30d', 120 * MINUTE_MS],
] as const)('the last %s is fetched every %d ms, once per chart point', (name, ms) => {
  expect(refreshMsOf({ kind: 'last', name })).toBe(ms);
});

describe('a picked range', () => {
  test('contains what was picked, extended to whole slots', () => {
    const startMs = nowMs - 30 * MINUTE_MS;
    const range = windowOf(zoomedTo({ startMs, endMs: startMs + 10 * MINUTE_MS }, nowMs), nowMs);
    expect(range.startMs).toBeLessThanOrEqual(startMs);
    expect(range.endMs).toBeGreaterThanOrEqual(startMs + 10 * MINUTE_MS);
    expect([range.startMs % 10_000, range.endMs % 10_000]).toEqual([0, 0]);
  });

  test('is at least two minutes around its middle', () => {
    const middle = nowMs - 30 * MINUTE_MS;
    const { startMs, endMs } = windowOf(zoomedTo({ startMs: middle, endMs: middle + 1 }, nowMs), nowMs);
    expect(endMs - startMs).toBeGreaterThanOrEqual(2 * MINUTE_MS);
    expect((startMs + endMs) / 2).toBeGreaterThan(middle - 10_000);
    expect((startMs + endMs) / 2).toBeLessThan(middle + 10_000);
  });

  test('keeps its length and ends now instead of in the future', () => {
    const { startMs, endMs } = windowOf(
      zoomedTo({ startMs: nowMs - MINUTE_MS, endMs: nowMs + 9 * MINUTE_MS }, nowMs),
      nowMs,
    );
    expect(endMs).toBeLessThan(nowMs + 10_000);
    expect(endMs - startMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  });
});
