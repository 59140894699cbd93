// What the running month has cost so far: what budgets and caps are held against. Usage at list price, before credits, so that a
// grant does not hide a runaway producer.
import { rateMonth } from '@penstock/billing';
import { PRICE_BOOKS, sumUsd, type Usd } from '@penstock/pricing';
import { formatMonth } from '@penstock/units';
import type { Scope } from '../access/scope.ts';
import { monthOf } from './month.ts';

/** The subtotal of the running draft: the sum of its rounded lines. */
export async function monthCostUsd({ tx, organizationId, now }: Scope): Promise<Usd> {
  const { start, end } = monthOf(now);
  const hours = await tx.usageHour.findMany({
    where: { organizationId, hour: { gte: start, lt: end } },
    select: {
      clusterId: true,
      hour: true,
      uncompressedBytes: true,
      clusterMinutes: true,
      devMinutes: true,
      lowLatencyMinutes: true,
    },
  });
  const lines = rateMonth({
    hours: hours.map(({ hour, ...reading }) => ({ ...reading, hourMs: hour.getTime() })),
    clusterNames: new Map(),
    books: PRICE_BOOKS,
    month: formatMonth(now.getTime()),
  });
  return sumUsd(lines.map((line) => line.amountUsd));
}
