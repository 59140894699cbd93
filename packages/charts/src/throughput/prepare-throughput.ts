// Converts measured points into what the throughput chart draws. Pure: the caller passes the current time.
import { type BinaryUnit, binaryUnitFor, bytesPer, MINUTE_MS } from '@penstock/units';
import { minuteTicks, niceTicks } from '../ticks.ts';

const Y_STEPS = 4;
// A new cluster gets a short window, in which its few minutes are readable.
const WINDOWS = [
  { minutes: 5, tickEveryMinutes: 1 },
  { minutes: 15, tickEveryMinutes: 5 },
  { minutes: 60, tickEveryMinutes: 15 },
] as const;
const LONGEST_WINDOW = WINDOWS[2];

/** Bytes moved in one measured interval. */
export interface ThroughputPoint {
  startMs: number;
  seconds: number;
  /** Acknowledged by producers, as stored. */
  inBytes: number;
  /** Bytes fetched by consumers. */
  outBytes: number;
}

/** Rates in bytes per second; null where nothing was measured, which differs from zero. */
export interface ThroughputRow {
  timeMs: number;
  inRate: number | null;
  outRate: number | null;
}

export interface ThroughputChartData {
  rows: readonly ThroughputRow[];
  /** Mean per whole minute, newest first, for the table behind the chart; minutes without a measurement are left out. */
  minutes: readonly { timeMs: number; inRate: number; outRate: number }[];
  /** 5, 15 or 60: the shortest window that contains all measurements of the last hour. */
  windowMinutes: number;
  startMs: number;
  endMs: number;
  xTicks: readonly number[];
  /** The axis' single unit (per second), in which `yTicks` are round. */
  unit: BinaryUnit;
  /** In bytes per second. */
  yTicks: readonly number[];
  /** The newest measurement, or null when the window has none. */
  latest: ThroughputRow | null;
  measured: boolean;
}

/**
 * The rates of the window (at most an hour) that ends at `nowMs`. Two points further apart than their own length have a gap between them: a
 * row of nulls, which breaks the line. An interval that had not ended at `measuredAtMs` is left out, because it would look like a drop.
 */
export function prepareThroughput(
  points: readonly ThroughputPoint[],
  nowMs: number,
  measuredAtMs: number = nowMs,
): ThroughputChartData {
  const earliestMs = nowMs - LONGEST_WINDOW.minutes * MINUTE_MS;
  const inWindow = points
    .filter((point) => point.seconds > 0 && point.startMs >= earliestMs && endOf(point) <= measuredAtMs)
    .toSorted((left, right) => left.startMs - right.startMs);
  const firstMs = inWindow[0]?.startMs ?? earliestMs;
  const window = WINDOWS.find(({ minutes }) => nowMs - minutes * MINUTE_MS <= firstMs) ?? LONGEST_WINDOW;
  const startMs = nowMs - window.minutes * MINUTE_MS;

  const rows: ThroughputRow[] = [];
  let peakRate = 0;
  let previousEndMs: number | null = null;
  for (const point of inWindow) {
    if (previousEndMs !== null && point.startMs > previousEndMs) {
      rows.push({ timeMs: previousEndMs, inRate: null, outRate: null });
    }
    const row = {
      timeMs: point.startMs,
      inRate: point.inBytes / point.seconds,
      outRate: point.outBytes / point.seconds,
    };
    rows.push(row);
    peakRate = Math.max(peakRate, row.inRate, row.outRate);
    previousEndMs = endOf(point);
  }

  const unit = binaryUnitFor(peakRate);
  const scale = bytesPer(unit);
  return {
    rows,
    minutes: perMinute(inWindow),
    windowMinutes: window.minutes,
    startMs,
    endMs: nowMs,
    xTicks: minuteTicks(startMs, nowMs, window.tickEveryMinutes),
    unit,
    yTicks: niceTicks(peakRate / scale, Y_STEPS).map((tick) => tick * scale),
    latest: rows.at(-1) ?? null,
    measured: rows.length > 0,
  };
}

function endOf(point: ThroughputPoint): number {
  return point.startMs + point.seconds * 1_000;
}

function perMinute(points: readonly ThroughputPoint[]): ThroughputChartData['minutes'] {
  const sums = new Map<number, { seconds: number; inBytes: number; outBytes: number }>();
  for (const point of points) {
    const minuteMs = Math.floor(point.startMs / MINUTE_MS) * MINUTE_MS;
    const sum = sums.get(minuteMs) ?? { seconds: 0, inBytes: 0, outBytes: 0 };
    sum.seconds += point.seconds;
    sum.inBytes += point.inBytes;
    sum.outBytes += point.outBytes;
    sums.set(minuteMs, sum);
  }
  return [...sums]
    .map(([timeMs, sum]) => ({ timeMs, inRate: sum.inBytes / sum.seconds, outRate: sum.outBytes / sum.seconds }))
    .toSorted((left, right) => right.timeMs - left.timeMs);
}

/** The row nearest to a time, or null when there is none. */
export function rowAt(rows: readonly ThroughputRow[], timeMs: number): ThroughputRow | null {
  let nearest: ThroughputRow | null = null;
  for (const row of rows) {
    if (nearest === null || Math.abs(row.timeMs - timeMs) < Math.abs(nearest.timeMs - timeMs)) {
      nearest = row;
    }
  }
  return nearest;
}
