// Cost by cluster and UTC day, for charts. Unrounded: only lines of a bill are rounded.
import { type Usd, ZERO } from '@penstock/pricing';
import { formatUtcDate } from '@penstock/units';
import { exactAmountOf, type RatedPart } from './rate-month.ts';

export interface ClusterDay {
  clusterId: string;
  /** `2026-11-21` */
  day: string;
  costUsd: Usd;
  writtenBytes: bigint;
}

/** One row for each cluster and day that has any usage, in no particular order. */
export function costByDay(parts: readonly RatedPart[]): ClusterDay[] {
  const days = new Map<string, ClusterDay>();
  for (const part of parts) {
    const day = formatUtcDate(part.hourMs);
    const key = `${part.clusterId} ${day}`;
    const row = days.get(key) ?? { clusterId: part.clusterId, day, costUsd: ZERO, writtenBytes: 0n };
    row.costUsd = row.costUsd.plus(exactAmountOf(part));
    if (part.product === 'writes') row.writtenBytes += part.quantity;
    days.set(key, row);
  }
  return [...days.values()];
}
