// Cost by cluster and UTC day, for charts. Unrounded: only bill lines are rounded.
import { type Usd, ZERO_USD } from '@penstock/pricing';
import { DAY_MS, formatUtcDate } from '@penstock/units';
import { exactAmountOf, type RatedPart } from './rate-month.ts';

export interface ClusterDay {
  clusterId: string;
  /** The day, such as `2026-11-21` */
  day: string;
  costUsd: Usd;
}

/** One row for each cluster and day with usage, in no particular order. */
export function costByDay(parts: readonly RatedPart[]): ClusterDay[] {
  // Sums quantities with the same price before pricing them: the same result, with far fewer decimals.
  const priced = new Map<string, { part: RatedPart; quantity: bigint }>();
  for (const part of parts) {
    const dayNumber = Math.floor(part.hourMs / DAY_MS);
    const key = `${part.clusterId} ${dayNumber} ${part.product} ${part.mode} ${part.tier} ${part.priceBookId}`;
    const sum = priced.get(key) ?? { part, quantity: 0n };
    sum.quantity += part.quantity;
    priced.set(key, sum);
  }
  const days = new Map<string, ClusterDay>();
  for (const { part, quantity } of priced.values()) {
    const day = formatUtcDate(part.hourMs);
    const key = `${part.clusterId} ${day}`;
    const row = days.get(key) ?? { clusterId: part.clusterId, day, costUsd: ZERO_USD };
    row.costUsd = row.costUsd.plus(exactAmountOf({ ...part, quantity }));
    days.set(key, row);
  }
  return [...days.values()];
}
