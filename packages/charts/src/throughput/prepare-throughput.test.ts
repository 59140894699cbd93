import { describe, expect, it } from 'vitest';
import { prepareThroughput, rowAt, type ThroughputPoint } from './prepare-throughput.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 10, 0, 0);
const MIB = 1_048_576;

function pointAt(ageSeconds: number, inBytes: number, outBytes = 0): ThroughputPoint {
  return { startMs: NOW_MS - ageSeconds * 1_000, seconds: 10, inBytes, outBytes };
}

describe('prepareThroughput', () => {
  it('divides bytes by the length of the interval', () => {
    const { rows } = prepareThroughput([pointAt(10, 50 * MIB, 20 * MIB)], NOW_MS);
    expect(rows).toEqual([{ timeMs: NOW_MS - 10_000, inRate: 5 * MIB, outRate: 2 * MIB }]);
  });

  it('breaks the line where nothing was measured', () => {
    const { rows } = prepareThroughput([pointAt(100, MIB), pointAt(90, MIB), pointAt(50, MIB)], NOW_MS);
    expect(rows.map((row) => row.inRate)).toEqual([MIB / 10, MIB / 10, null, MIB / 10]);
    expect(rows[2]?.timeMs).toBe(NOW_MS - 80_000);
  });

  it('keeps a measured zero', () => {
    const { rows } = prepareThroughput([pointAt(20, 0), pointAt(10, 0)], NOW_MS);
    expect(rows.map((row) => row.inRate)).toEqual([0, 0]);
  });

  it('sorts points, and drops those outside the window', () => {
    const { rows } = prepareThroughput([pointAt(10, 2 * MIB), pointAt(20, MIB), pointAt(4_000, MIB)], NOW_MS);
    expect(rows.map((row) => row.timeMs)).toEqual([NOW_MS - 20_000, NOW_MS - 10_000]);
  });

  it('leaves out the interval that is still being measured', () => {
    const data = prepareThroughput([pointAt(20, 10 * MIB), pointAt(10, MIB)], NOW_MS, NOW_MS - 5_000);
    expect(data.latest).toEqual({ timeMs: NOW_MS - 20_000, inRate: MIB, outRate: 0 });
  });

  it('uses one unit, chosen by the peak, with round ticks', () => {
    const data = prepareThroughput([pointAt(10, 31 * MIB, MIB)], NOW_MS);
    expect(data.unit).toBe('MiB');
    expect(data.yTicks.map((tick) => tick / MIB)).toEqual([0, 1, 2, 3, 4]);
  });

  it('gives an empty window an axis and a notice', () => {
    const data = prepareThroughput([], NOW_MS);
    expect(data.measured).toBe(false);
    expect(data.latest).toBeNull();
    expect(data.yTicks.length).toBeGreaterThan(1);
    expect(data.xTicks).toHaveLength(5);
  });

  it.each([
    [300, 5, 6],
    [310, 15, 4],
    [900, 15, 4],
    [910, 60, 5],
    [3_600, 60, 5],
  ])('shows data from %i s ago in the shortest window: %i min', (ageSeconds, windowMinutes, ticks) => {
    const data = prepareThroughput([pointAt(ageSeconds, MIB), pointAt(10, MIB)], NOW_MS);
    expect(data.windowMinutes).toBe(windowMinutes);
    expect(data.endMs - data.startMs).toBe(windowMinutes * 60_000);
    expect(data.xTicks).toHaveLength(ticks);
    expect(data.rows[0]?.timeMs).toBe(NOW_MS - ageSeconds * 1_000);
  });

  it('lists the mean of each measured minute, newest first', () => {
    const { minutes } = prepareThroughput([pointAt(120, 60 * MIB), pointAt(110, 0), pointAt(10, 10 * MIB)], NOW_MS);
    expect(minutes).toEqual([
      { timeMs: NOW_MS - 60_000, inRate: MIB, outRate: 0 },
      { timeMs: NOW_MS - 120_000, inRate: 3 * MIB, outRate: 0 },
    ]);
  });

  it('returns the nearest row to a time, gaps included', () => {
    const { rows } = prepareThroughput([pointAt(100, MIB), pointAt(50, MIB)], NOW_MS);
    expect(rowAt(rows, NOW_MS)).toEqual({ timeMs: NOW_MS - 50_000, inRate: MIB / 10, outRate: 0 });
    expect(rowAt(rows, NOW_MS - 87_000)).toEqual({ timeMs: NOW_MS - 90_000, inRate: null, outRate: null });
    expect(rowAt([], NOW_MS)).toBeNull();
  });
});
