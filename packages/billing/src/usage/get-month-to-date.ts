// The usage of an organization, or one of its clusters, in the current calendar month (UTC), from the usage ledger.
import { findCluster } from '@penstock/clusters';
import type { Scope } from '@penstock/tenancy';
import { monthEndMs, monthStartMs } from '@penstock/units';
import { countedUntil } from './counted-until.ts';

export interface MonthToDate {
  monthStart: Date;
  /** End of the month, exclusive. */
  monthEnd: Date;
  uncompressedBytes: bigint;
  storedBytes: bigint;
  records: bigint;
  files: bigint;
  clusterMinutes: number;
  /** The figures include everything acknowledged before this time. */
  countedUntil: Date;
}

/** @throws AppError `cluster_not_found` for a missing cluster and for another organization's */
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
