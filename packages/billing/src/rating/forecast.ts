// What a month will come to if it goes on as it has lately. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@penstock/units';
import { billingMonth } from './billing-month.ts';
import type { UsageHourReading } from './usage-hour-reading.ts';

/** A week holds working days and the weekend alike. */
const WINDOW_MS = 7 * DAY_MS;

export interface ForecastInput {
  month: string;
  /** Of the month and of the week before `nowMs`. */
  hours: readonly UsageHourReading[];
  nowMs: number;
  /** The clusters that are expected to go on; deleted ones are not. */
  runningClusterIds: ReadonlySet<string>;
}

export interface ExpectedUsage {
  /** The month's hours so far, and behind them one reading per running cluster and remaining day. */
  hours: UsageHourReading[];
  /** How it was reached, for people. */
  method: string;
}

/** What a running cluster used lately, and in how long. */
interface RecentUsage {
  sum: UsageHourReading;
  windowMs: number;
}

/**
 * Extends the month with the average of the last seven days of each running cluster, or of the time since its first usage when that is
 * shorter. Rated together, what is expected falls into the tiers that the month will have reached by then.
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
    method: `Usage so far, plus the average of each running cluster over ${windowText(recent)} for the remaining ${timeText(endMs - fromMs)}, at the tier prices that the month will have reached by then.`,
  };
}

/** @param hours of one cluster */
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
  // A minute counts as soon as it has begun: never more of them than the window is long.
  return { sum, windowMs: Math.max(nowMs - startMs, sum.clusterMinutes * MINUTE_MS, MINUTE_MS) };
}

/**
 * When a cluster's usage began. Of its first hour, only the minutes that were counted are its own: averaged as a whole hour, a cluster of
 * six minutes would be expected to run six minutes of each hour.
 */
function firstUsageMs(hours: readonly UsageHourReading[], nowMs: number): number {
  const hourMs = Math.min(...hours.map((hour) => hour.hourMs));
  const minutes = hours.reduce((sum, hour) => sum + (hour.hourMs === hourMs ? hour.clusterMinutes : 0), 0);
  return minutes === 0 ? hourMs : Math.max(hourMs, Math.min(hourMs + HOUR_MS, nowMs) - minutes * MINUTE_MS);
}

/** Whole bytes and minutes, rounded down, for each rest of a day. */
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

function windowText(recent: readonly RecentUsage[]): string {
  const longest = timeText(Math.max(...recent.map((usage) => usage.windowMs)));
  const isSame = recent.every((usage) => timeText(usage.windowMs) === longest);
  return isSame ? `the last ${longest}` : `the last ${longest} (or since its first usage, if that is shorter)`;
}

/** Days to a tenth; below a day, hours; below an hour, minutes. */
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
