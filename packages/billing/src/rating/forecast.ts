// What a month will come to if it goes on as it has lately. Pure.
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { billingMonth } from './billing-month.ts';
import type { UsageHourReading } from './usage-hour-reading.ts';

/** A week holds working days and the weekend alike. */
const windowDays = 7;

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

function days(milliseconds: number): string {
  const tenths = Math.round((milliseconds / DAY_MS) * 10) / 10;
  return tenths === 1 ? '1 day' : `${tenths} days`;
}

/**
 * Extends the month with the average of the last seven days of each running cluster (of as long as there has been usage, when that is
 * shorter). Rated together, what is expected falls into the tiers that the month will have reached by then.
 */
export function expectedUsage({ month, hours, nowMs, runningClusterIds }: ForecastInput): ExpectedUsage {
  const { startMs, endMs } = billingMonth(month);
  const soFar = hours.filter(({ hourMs }) => hourMs >= startMs && hourMs < endMs);
  const windowStartMs = nowMs - windowDays * DAY_MS;
  const recent = hours.filter(
    ({ hourMs, clusterId }) => hourMs >= windowStartMs && hourMs <= nowMs && runningClusterIds.has(clusterId),
  );
  const oldestMs = recent.reduce((oldest, { hourMs }) => Math.min(oldest, hourMs), nowMs);
  // At least an hour: the first minutes of a cluster say little about its month.
  const windowMs = Math.max(nowMs - oldestMs, HOUR_MS);
  const fromMs = Math.max(nowMs, startMs);
  if (recent.length === 0 || fromMs >= endMs) {
    const method =
      fromMs >= endMs
        ? 'The month is over: this is what was used.'
        : 'What was used so far; no running cluster had any usage in the last 7 days.';
    return { hours: soFar, method };
  }
  return {
    hours: [...soFar, ...extend(recent, windowMs, fromMs, endMs)],
    method:
      `What was used so far, and for the ${days(endMs - fromMs)} that are left the average of each running cluster over the last ` +
      `${days(windowMs)}, at the prices of the tiers that the month will have reached by then.`,
  };
}

/** Whole bytes and minutes, rounded down, for each rest of a day. */
function extend(
  recent: readonly UsageHourReading[],
  windowMs: number,
  fromMs: number,
  endMs: number,
): UsageHourReading[] {
  const sums = new Map<string, UsageHourReading>();
  for (const hour of recent) {
    const sum = sums.get(hour.clusterId);
    if (sum === undefined) {
      sums.set(hour.clusterId, { ...hour });
      continue;
    }
    sum.uncompressedBytes += hour.uncompressedBytes;
    sum.clusterMinutes += hour.clusterMinutes;
    sum.devMinutes += hour.devMinutes;
    sum.lowLatencyMinutes += hour.lowLatencyMinutes;
  }
  const expected: UsageHourReading[] = [];
  for (let at = fromMs; at < endMs; ) {
    const next = Math.min((Math.floor(at / DAY_MS) + 1) * DAY_MS, endMs);
    const lengthMs = next - at;
    const minutes = (count: number): number => Math.floor((count * lengthMs) / windowMs);
    for (const sum of sums.values()) {
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
