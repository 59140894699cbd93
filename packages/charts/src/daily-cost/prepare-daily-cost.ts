// Prepares a month's cost by cluster and day for the chart and its table. Pure.
import { niceTicks } from '../ticks.ts';
import { formatNanoUsd, nanosOf, toDrawnUsd } from './nano-usd.ts';

const Y_STEPS = 4;
/** More colours cannot be distinguished; the remaining clusters share a series. */
const MOST_SERIES = 5;

export interface ClusterDays {
  clusterId: string;
  clusterName: string;
  /** Exact dollars, one for each day. */
  costUsd: readonly string[];
}

export interface DailyCostSeries {
  key: string;
  name: string;
  total: string;
}

export interface DailyCostRow {
  /** The UTC day, such as `2026-11-21`. */
  day: string;
  /** The day of the month, for the axis. */
  label: string;
  /** By series key, for drawing only. Empty for future days. */
  drawnUsd: Readonly<Record<string, number>>;
  /** By series key, for reading. */
  texts: Readonly<Record<string, string>>;
  total: string;
  isToCome: boolean;
}

export interface DailyCostData {
  /** Most expensive first; those beyond five form one series. */
  series: readonly DailyCostSeries[];
  /** Every day of the month including future ones, so that the axis stays the same all month. */
  rows: readonly DailyCostRow[];
  yTicks: readonly number[];
  total: string;
  /** Whether there is any cost. */
  isEmpty: boolean;
}

/**
 * @param days of the month so far, oldest first
 * @param daysInMonth the month's length
 */
export function prepareDailyCost(
  days: readonly string[],
  clusters: readonly ClusterDays[],
  daysInMonth: number,
): DailyCostData {
  const known = clusters
    .map((cluster) => {
      const nanos = days.map((_, index) => nanosOf(cluster.costUsd[index] ?? '0'));
      return { name: cluster.clusterName, nanos, total: sum(nanos) };
    })
    .filter(({ total }) => total > 0n)
    .toSorted((left, right) => (left.total === right.total ? 0 : left.total < right.total ? 1 : -1));
  const shown = known.length > MOST_SERIES ? known.slice(0, MOST_SERIES - 1) : known;
  const others = known.slice(shown.length);
  const all =
    others.length === 0
      ? shown
      : [
          ...shown,
          {
            name: `${others.length} other clusters`,
            nanos: days.map((_, index) => sum(others.map(({ nanos }) => nanos[index] ?? 0n))),
            total: sum(others.map(({ total }) => total)),
          },
        ];
  const series = all.map((one, index) => ({ ...one, key: `series-${index}` }));
  const totals = days.map((_, index) => sum(series.map(({ nanos }) => nanos[index] ?? 0n)));
  const month = days[0]?.slice(0, 8) ?? '';
  return {
    series: series.map(({ key, name, total }) => ({ key, name, total: formatNanoUsd(total) })),
    rows: Array.from({ length: Math.max(daysInMonth, days.length) }, (_, index) => {
      const isToCome = index >= days.length;
      const of = <T>(read: (nanos: bigint) => T): Record<string, T> =>
        isToCome ? {} : Object.fromEntries(series.map(({ key, nanos }) => [key, read(nanos[index] ?? 0n)]));
      return {
        day: days[index] ?? `${month}${String(index + 1).padStart(2, '0')}`,
        label: String(index + 1),
        drawnUsd: of(toDrawnUsd),
        texts: of(formatNanoUsd),
        total: formatNanoUsd(totals[index] ?? 0n),
        isToCome,
      };
    }),
    yTicks: niceTicks(
      totals.reduce((most, total) => Math.max(most, toDrawnUsd(total)), 0),
      Y_STEPS,
    ),
    total: formatNanoUsd(sum(totals)),
    isEmpty: series.length === 0,
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
