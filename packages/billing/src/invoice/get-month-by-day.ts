// A month's cost by cluster and day, for charts.
import { PRICE_BOOKS, sumUsd, ZERO_USD } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { DAY_MS, formatUtcDate } from '@penstock/units';
import { readUnbilledHours, withoutUnbilled } from '../hold/billable-hours.ts';
import { costByDay } from '../rating/cost-by-day.ts';
import { rateHours } from '../rating/rate-month.ts';
import { countedUntil } from '../usage/counted-until.ts';
import type { MonthByDay } from './invoice.ts';
import { readMonth } from './month-input.ts';
import { readClusterNames, readUsageHours } from './read-usage.ts';

/**
 * Amounts are not rounded, so that they sum to the cost of the hours. The bill rounds each line to cents. Like the draft, the
 * cost leaves out held and waived writes; the written bytes include them.
 */
export async function getMonthByDay(scope: Scope, input: { month?: string | undefined }): Promise<MonthByDay> {
  const month = readMonth(input.month, scope.now);
  const hours = await readUsageHours(scope, month);
  const { billable } = withoutUnbilled(hours, await readUnbilledHours(scope, month));
  const rows = costByDay(rateHours({ hours: billable, books: PRICE_BOOKS, month: month.month }));
  const written = new Map<string, bigint>();
  for (const { clusterId, hourMs, uncompressedBytes } of hours) {
    const key = `${clusterId} ${formatUtcDate(hourMs)}`;
    written.set(key, (written.get(key) ?? 0n) + uncompressedBytes);
  }
  const used = [...rows, ...hours.filter(({ uncompressedBytes }) => uncompressedBytes > 0n)];
  const clusterIds = [...new Set(used.map(({ clusterId }) => clusterId))];
  const names = await readClusterNames(scope, clusterIds);
  const days: string[] = [];
  for (let at = month.startMs; at < month.endMs && at <= scope.now.getTime(); at += DAY_MS) {
    days.push(formatUtcDate(at));
  }
  return {
    month: month.month,
    days,
    clusters: clusterIds
      .map((clusterId) => {
        const ofCluster = new Map(rows.filter((row) => row.clusterId === clusterId).map((row) => [row.day, row]));
        return {
          clusterId,
          clusterName: names.get(clusterId) ?? clusterId,
          costUsd: days.map((day) => (ofCluster.get(day)?.costUsd ?? ZERO_USD).toDecimalPlaces(9).toFixed()),
          writtenBytes: days.map((day) => written.get(`${clusterId} ${day}`) ?? 0n),
        };
      })
      .sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1)),
    totalUsd: sumUsd(rows.map(({ costUsd }) => costUsd))
      .toDecimalPlaces(9)
      .toFixed(),
    countedUntil: await countedUntil(scope),
  };
}
