// The usage ledger and the names of clusters, as rating takes them.
import type { BillingMonth, UsageHourReading } from '@penstock/billing';
import type { Scope } from '../access/scope.ts';

type Tenant = Pick<Scope, 'tx' | 'organizationId'>;

export interface UsageHourRow extends UsageHourReading {
  /** The first and last journal entry of the cluster that added to this hour. */
  firstSeq: bigint;
  lastSeq: bigint;
}

/** The hours from a time to another (milliseconds since the Unix epoch, exclusive), of all clusters or of one. */
export async function readUsageHours(
  { tx, organizationId }: Tenant,
  { startMs, endMs }: Pick<BillingMonth, 'startMs' | 'endMs'>,
  clusterId?: string,
): Promise<UsageHourRow[]> {
  const rows = await tx.usageHour.findMany({
    where: {
      organizationId,
      hour: { gte: new Date(startMs), lt: new Date(endMs) },
      ...(clusterId === undefined ? {} : { clusterId }),
    },
    select: {
      clusterId: true,
      hour: true,
      uncompressedBytes: true,
      clusterMinutes: true,
      devMinutes: true,
      lowLatencyMinutes: true,
      firstSeq: true,
      lastSeq: true,
    },
  });
  return rows.map(({ hour, ...row }) => ({ ...row, hourMs: hour.getTime() }));
}

/** What people call the clusters, deleted ones included; a purged one by the name that its audit row keeps. */
export async function readClusterNames(
  { tx, organizationId }: Tenant,
  clusterIds: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(clusterIds)];
  const known = await tx.virtualCluster.findMany({
    where: { organizationId, id: { in: wanted } },
    select: { id: true, name: true },
  });
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const missing = wanted.filter((id) => !names.has(id));
  if (missing.length === 0) return names;
  const purged = await tx.auditLog.findMany({
    where: { organizationId, action: 'cluster.purge', targetId: { in: missing } },
    select: { targetId: true, before: true },
  });
  for (const { targetId, before } of purged) {
    if (typeof before === 'object' && before !== null && 'name' in before && typeof before.name === 'string')
      names.set(targetId, before.name);
  }
  return names;
}
