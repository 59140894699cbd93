// A month's cost by cluster and day, for charts.
import { PRICE_BOOKS, sumUsd, ZERO_USD } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { DAY_MS, formatUtcDate } from '@penstock/units';
import { costByDay } from '../rating/cost-by-day.ts';
import { rateHours } from '../rating/rate-month.ts';
import { countedUntil } from '../usage/counted-until.ts';
import type { MonthByDay } from './invoice.ts';
import { readMonth } from './month-input.ts';
import { readClusterNames, readUsageHours } from './read-usage.ts';

/** Amounts are not rounded, so that they sum to the cost of the hours. The bill rounds each line to cents. */
export async function getMonthByDay(scope: Scope, input: { month?: string | undefined }): Promise<MonthByDay> {
  const month = readMonth(input.month, scope.now);
  const rows = costByDay(
    rateHours({ hours: await readUsageHours(scope, month), books: PRICE_BOOKS, month: month.month }),
  );
  const clusterIds = [...new Set(rows.map(({ clusterId }) => clusterId))];
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
          writtenBytes: days.map((day) => ofCluster.get(day)?.writtenBytes ?? 0n),
        };
      })
      .sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1)),
    totalUsd: sumUsd(rows.map(({ costUsd }) => costUsd))
      .toDecimalPlaces(9)
      .toFixed(),
    countedUntil: await countedUntil(scope),
  };
}
