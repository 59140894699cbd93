// Up to when the usage ledger is complete.
import { Prisma } from '@penstock/database/client';
import { MAIN_CELL } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';

interface Freshness {
  counted_until: Date | null;
}

/**
 * The moment before the oldest journal entry (of one cluster, or of all) that is not yet folded, or now. The journals of other cells
 * are not in reach here: what the metering noted at its last look stands for them, some seconds ago at least.
 */
export async function countedUntil({ tx, organizationId, now }: Scope, clusterId?: string): Promise<Date> {
  const [row] = await tx.$queryRaw<Freshness[]>`
    SELECT min(CASE WHEN c.cell = ${MAIN_CELL} THEN next.appended_at
                    ELSE coalesce(p.counted_until, nullif(p.entry_at, to_timestamp(0)), c.created_at) END) AS counted_until
    FROM virtual_cluster c
    LEFT JOIN metering_checkpoint p ON p.cluster_id = c.id
    LEFT JOIN LATERAL (
      SELECT j.appended_at FROM metadata_journal j
      WHERE j.cluster_id = c.id AND j.seq > coalesce(p.seq, 0) AND c.cell = ${MAIN_CELL}
      ORDER BY j.seq LIMIT 1
    ) next ON true
    WHERE c.organization_id = ${organizationId}
      ${clusterId === undefined ? Prisma.empty : Prisma.sql`AND c.id = ${clusterId}::uuid`}`;
  return row?.counted_until ?? now;
}
