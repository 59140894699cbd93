// Reads the usage ledger and cluster names, in the form that rating takes.
import { Prisma } from '@penstock/database/client';
import type { OrganizationScope } from '@penstock/tenancy';
import type { BillingMonth } from '../rating/billing-month.ts';
import type { UsageHourReading } from '../rating/usage-hour-reading.ts';

export interface UsageHourRow extends UsageHourReading {
  /** The first and last journal entry of the cluster that added to this hour. */
  firstSeq: bigint;
  lastSeq: bigint;
}

/**
 * A cluster's hours, each column joined by commas: a large organization has 150,000 hours a month, too many for one row
 * each.
 */
interface PackedHours {
  cluster_id: string;
  hours: string;
  bytes: string;
  minutes: string;
  dev: string;
  low_latency: string;
  first_seqs: string;
  last_seqs: string;
}

/**
 * The hours of a range (milliseconds since the Unix epoch, end exclusive), of all clusters or one. Each cluster's hours
 * are in order.
 */
export async function readUsageHours(
  { tx, organizationId }: OrganizationScope,
  { startMs, endMs }: Pick<BillingMonth, 'startMs' | 'endMs'>,
  clusterId?: string,
): Promise<UsageHourRow[]> {
  const packed = await tx.$queryRaw<PackedHours[]>`
    SELECT cluster_id::text AS cluster_id,
      string_agg(extract(epoch FROM hour)::bigint::text, ',' ORDER BY hour) AS hours,
      string_agg(uncompressed_bytes::text, ',' ORDER BY hour) AS bytes,
      string_agg(cluster_minutes::text, ',' ORDER BY hour) AS minutes,
      string_agg(dev_minutes::text, ',' ORDER BY hour) AS dev,
      string_agg(low_latency_minutes::text, ',' ORDER BY hour) AS low_latency,
      string_agg(first_seq::text, ',' ORDER BY hour) AS first_seqs,
      string_agg(last_seq::text, ',' ORDER BY hour) AS last_seqs
    FROM usage_hour
    WHERE organization_id = ${organizationId} AND hour >= ${new Date(startMs)} AND hour < ${new Date(endMs)}
      ${clusterId === undefined ? Prisma.empty : Prisma.sql`AND cluster_id = ${clusterId}::uuid`}
    GROUP BY cluster_id`;
  return packed.flatMap(unpack);
}

function unpack(packed: PackedHours): UsageHourRow[] {
  const [bytes, minutes, dev, lowLatency, firstSeqs, lastSeqs] = [
    packed.bytes,
    packed.minutes,
    packed.dev,
    packed.low_latency,
    packed.first_seqs,
    packed.last_seqs,
  ].map((column) => column.split(','));
  // All columns have the same length, because none of them is nullable.
  return packed.hours.split(',').map((hourS, index) => ({
    clusterId: packed.cluster_id,
    hourMs: Number(hourS) * 1_000,
    uncompressedBytes: BigInt(bytes?.[index] ?? 0),
    clusterMinutes: Number(minutes?.[index] ?? 0),
    devMinutes: Number(dev?.[index] ?? 0),
    lowLatencyMinutes: Number(lowLatency?.[index] ?? 0),
    firstSeq: BigInt(firstSeqs?.[index] ?? 0),
    lastSeq: BigInt(lastSeqs?.[index] ?? 0),
  }));
}

/** The clusters' names, including deleted ones. A purged cluster's name comes from its audit row. */
export async function readClusterNames(
  { tx, organizationId }: OrganizationScope,
  clusterIds: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(clusterIds)];
  const known = await tx.virtualCluster.findMany({
    where: { organizationId, id: { in: wanted } },
    select: { id: true, name: true },
  });
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const missing = wanted.filter((id) => !names.has(id));
  if (missing.length === 0) {
    return names;
  }
  const purged = await tx.auditLog.findMany({
    where: { organizationId, action: 'cluster.purge', targetId: { in: missing } },
    select: { targetId: true, before: true },
  });
  for (const { targetId, before } of purged) {
    if (typeof before === 'object' && before !== null && 'name' in before && typeof before.name === 'string') {
      names.set(targetId, before.name);
    }
  }
  return names;
}
