// Which writes of an hour are billed: those of held and waived hours are not. Cluster-minutes always are.
import type { OrganizationScope } from '@penstock/tenancy';
import type { BillingMonth } from '../rating/billing-month.ts';
import type { UsageHourReading } from '../rating/usage-hour-reading.ts';

/** An hour whose writes are left out of bills. */
export interface UnbilledHour {
  clusterId: string;
  hourMs: number;
  /** True while the hour waits for a review; false once it was waived permanently. */
  isHeld: boolean;
}

export async function readUnbilledHours(
  { tx, organizationId }: OrganizationScope,
  { startMs, endMs }: Pick<BillingMonth, 'startMs' | 'endMs'>,
): Promise<UnbilledHour[]> {
  const rows = await tx.usageHold.findMany({
    where: { organizationId, hour: { gte: new Date(startMs), lt: new Date(endMs) }, status: { not: 'released' } },
    orderBy: [{ hour: 'asc' }, { clusterId: 'asc' }],
    select: { clusterId: true, hour: true, status: true },
  });
  return rows.map(({ clusterId, hour, status }) => ({ clusterId, hourMs: hour.getTime(), isHeld: status === 'held' }));
}

export interface HeldWrites {
  clusterId: string;
  hours: number;
  bytes: bigint;
  firstHourMs: number;
  lastHourMs: number;
}

/** The hours as they are billed, and by cluster what is held. Pure. */
export function withoutUnbilled<Hour extends UsageHourReading>(
  hours: readonly Hour[],
  unbilled: readonly UnbilledHour[],
): { billable: Hour[]; held: HeldWrites[] } {
  const keyOf = ({ clusterId, hourMs }: Pick<UnbilledHour, 'clusterId' | 'hourMs'>): string => `${hourMs} ${clusterId}`;
  const byKey = new Map(unbilled.map((hour) => [keyOf(hour), hour]));
  const held = new Map<string, HeldWrites>();
  const billable = hours.map((hour) => {
    const left = byKey.get(keyOf(hour));
    if (left === undefined) {
      return hour;
    }
    if (left.isHeld) {
      const { clusterId, hourMs, uncompressedBytes } = hour;
      const before = held.get(clusterId);
      held.set(clusterId, {
        clusterId,
        hours: (before?.hours ?? 0) + 1,
        bytes: (before?.bytes ?? 0n) + uncompressedBytes,
        firstHourMs: Math.min(before?.firstHourMs ?? hourMs, hourMs),
        lastHourMs: Math.max(before?.lastHourMs ?? hourMs, hourMs),
      });
    }
    return { ...hour, uncompressedBytes: 0n };
  });
  return { billable, held: [...held.values()] };
}
