// Projects a month's cost from recent usage. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@penstock/units';
import { billingMonth } from './billing-month.ts';
import type { UsageHourReading } from './usage-hour-reading.ts';

/** A week contains both working days and a weekend. */
const WINDOW_MS = 7 * DAY_MS;

export interface ForecastInput {
  month: string;
  /** The hours of the month and of the week before `nowMs`. */
  hours: readonly UsageHourReading[];
  nowMs: number;
  /** The clusters that are expected to continue: all except deleted ones. */
  runningClusterIds: ReadonlySet<string>;
}

export interface ExpectedUsage {
  /** The month's hours so far, followed by one reading per running cluster and remaining day. */
  hours: UsageHourReading[];
  /** A description of the method for people. */
  method: string;
}

/** A running cluster's recent usage, and the time it covers. */
interface RecentUsage {
  sum: UsageHourReading;
  windowMs: number;
}

/**
 * Extends the month with the average of the last seven days of each running cluster, or of the time since its first
 * usage if that is shorter. The expected usage is rated together with the real usage, so it falls into the tiers that
 * the month will have reached by then.
 */
export function expectedUsage({ month, hours, nowMs, runningClusterIds }: ForecastInput): ExpectedUsage {
  const { startMs, endMs } = billingMonth(month);
  const soFar = hours.filter(({ hourMs }) => hourMs >= startMs && hourMs < endMs);
  const recent = [...Map.groupBy(hours, ({ clusterId }) => clusterId)].flatMap(([clusterId, own]) =>
    runningClusterIds.has(clusterId) ? (recentUsage(own, nowMs) ?? []) : [],
  );
  const fromMs = Math.max(nowMs, startMs);
  if (recent.length === 0 || fromMs >= endMs) {
    const method =
      fromMs >= endMs
        ? 'The month is over. This is the actual usage.'
        : 'Usage so far. No running cluster had any usage in the last 7 days.';
    return { hours: soFar, method };
  }
  return {
    hours: [...soFar, ...extend(recent, fromMs, endMs)],
    method: `Usage so far, plus ${timeText(endMs - fromMs)} at ${averageText(recent)}.`,
  };
}

/** @param hours the hours of one cluster */
function recentUsage(hours: readonly UsageHourReading[], nowMs: number): RecentUsage | undefined {
  const known = hours.filter(({ hourMs }) => hourMs <= nowMs);
  const recent = known.filter(({ hourMs }) => hourMs >= nowMs - WINDOW_MS);
  const [first, ...others] = recent;
  if (first === undefined) {
    return undefined;
  }
  const sum = { ...first };
  for (const hour of others) {
    sum.uncompressedBytes += hour.uncompressedBytes;
    sum.clusterMinutes += hour.clusterMinutes;
    sum.devMinutes += hour.devMinutes;
    sum.lowLatencyMinutes += hour.lowLatencyMinutes;
  }
  const startMs = Math.max(firstUsageMs(known, nowMs), nowMs - WINDOW_MS);
  // A minute counts as soon as it begins, so the window must be at least as long as the minutes.
  return { sum, windowMs: Math.max(nowMs - startMs, sum.clusterMinutes * MINUTE_MS, MINUTE_MS) };
}

/**
 * When a cluster's usage began. In its first hour, only the counted minutes are used: averaged over the whole hour, a
 * new cluster with six minutes would be expected to run six minutes of each hour.
 */
function firstUsageMs(hours: readonly UsageHourReading[], nowMs: number): number {
  const hourMs = Math.min(...hours.map((hour) => hour.hourMs));
  const minutes = hours.reduce((sum, hour) => sum + (hour.hourMs === hourMs ? hour.clusterMinutes : 0), 0);
  return minutes === 0 ? hourMs : Math.max(hourMs, Math.min(hourMs + HOUR_MS, nowMs) - minutes * MINUTE_MS);
}

/** Whole bytes and minutes, rounded down, for each remaining day or part of one. */
function extend(recent: readonly RecentUsage[], fromMs: number, endMs: number): UsageHourReading[] {
  const expected: UsageHourReading[] = [];
  for (let at = fromMs; at < endMs; ) {
    const next = Math.min((Math.floor(at / DAY_MS) + 1) * DAY_MS, endMs);
    const lengthMs = next - at;
    for (const { sum, windowMs } of recent) {
      const minutes = (count: number): number => Math.floor((count * lengthMs) / windowMs);
      const devMinutes = minutes(sum.devMinutes);
      const lowLatencyMinutes = minutes(sum.lowLatencyMinutes);
      expected.push({
        clusterId: sum.clusterId,
        hourMs: at,
        uncompressedBytes: (sum.uncompressedBytes * BigInt(Math.round(lengthMs))) / BigInt(Math.round(windowMs)),
        clusterMinutes:
          devMinutes + lowLatencyMinutes + minutes(sum.clusterMinutes - sum.devMinutes - sum.lowLatencyMinutes),
        devMinutes,
        lowLatencyMinutes,
      });
    }
    at = next;
  }
  return expected;
}

function averageText(recent: readonly RecentUsage[]): string {
  const longest = timeText(Math.max(...recent.map((usage) => usage.windowMs)));
  const window = `the last ${longest.replace(/^1 /, '')}`;
  return recent.every((usage) => timeText(usage.windowMs) === longest)
    ? `the average of ${window}`
    : `each cluster’s average of ${window}, or since its first usage`;
}

/** Days with one decimal; hours below a day; minutes below an hour. */
function timeText(milliseconds: number): string {
  for (const [unitMs, unit] of [
    [DAY_MS, 'day'],
    [HOUR_MS, 'hour'],
  ] as const) {
    const tenths = Math.round((milliseconds / unitMs) * 10) / 10;
    if (tenths >= 1) {
      return tenths === 1 ? `1 ${unit}` : `${tenths} ${unit}s`;
    }
  }
  const minutes = Math.max(1, Math.round(milliseconds / MINUTE_MS));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
