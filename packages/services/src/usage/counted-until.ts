// Up to when the usage ledger is complete.
import { Prisma } from '@penstock/database/client';
import type { Scope } from '../access/scope.ts';

interface Freshness {
  behind_since: Date | null;
}

/** The moment before the oldest journal entry (of one cluster, or of all) that is not yet folded, or now. */
export async function countedUntil({ tx, organizationId, now }: Scope, clusterId?: string): Promise<Date> {
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
