// What an organization, or one of its clusters, used in the current calendar month (UTC), from the usage ledger.
import { Prisma } from '@penstock/database/client';
import { monthEndMs, monthStartMs } from '@penstock/units';
import type { Scope } from '../access/scope.ts';
import { findCluster } from '../cluster/cluster.ts';

export interface MonthToDate {
  monthStart: Date;
  /** Exclusive. */
  monthEnd: Date;
  uncompressedBytes: bigint;
  storedBytes: bigint;
  records: bigint;
  files: bigint;
  clusterMinutes: number;
  /** All that was acknowledged up to here is in the figures. */
  countedUntil: Date;
}

interface Freshness {
  behind_since: Date | null;
}

/** @throws AppError `cluster_not_found` for a missing or foreign cluster */
export async function getMonthToDate(scope: Scope, input: { clusterId?: string | undefined }): Promise<MonthToDate> {
  const { tx, organizationId, now } = scope;
  const clusterId = input.clusterId === undefined ? undefined : (await findCluster(scope, input.clusterId)).id;
  const monthStart = new Date(monthStartMs(now.getTime()));
  const monthEnd = new Date(monthEndMs(now.getTime()));
  const { _sum: sum } = await tx.usageHour.aggregate({
    where: {
      organizationId,
      hour: { gte: monthStart, lt: monthEnd },
      ...(clusterId === undefined ? {} : { clusterId }),
    },
    _sum: { uncompressedBytes: true, storedBytes: true, records: true, files: true, clusterMinutes: true },
  });
  return {
    monthStart,
    monthEnd,
    uncompressedBytes: sum.uncompressedBytes ?? 0n,
    storedBytes: sum.storedBytes ?? 0n,
    records: sum.records ?? 0n,
    files: sum.files ?? 0n,
    clusterMinutes: sum.clusterMinutes ?? 0,
    countedUntil: await countedUntil(scope, clusterId),
  };
}

/** The moment before the oldest journal entry that is not yet folded, or now. */
async function countedUntil({ tx, organizationId, now }: Scope, clusterId: string | undefined): Promise<Date> {
  const [row] = await tx.$queryRaw<Freshness[]>`
    SELECT min(next.appended_at) AS behind_since
    FROM virtual_cluster c
    LEFT JOIN metering_checkpoint p ON p.cluster_id = c.id
    CROSS JOIN LATERAL (
      SELECT j.appended_at FROM metadata_journal j
      WHERE j.cluster_id = c.id AND j.seq > coalesce(p.seq, 0)
      ORDER BY j.seq LIMIT 1
    ) next
    WHERE c.organization_id = ${organizationId}
      ${clusterId === undefined ? Prisma.empty : Prisma.sql`AND c.id = ${clusterId}::uuid`}`;
  return row?.behind_since ?? now;
}
