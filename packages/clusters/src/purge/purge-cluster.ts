// Removes a cluster whose time for a restore is over: its keys, journal, snapshots and telemetry. What bills are made of stays: usage
// ledger and meter blocks. The data files lie in the customer's bucket, where we have no access; they are the customer's to remove.
import { type Database, queriesIn } from '@penstock/database/client';
import { type Cells, forgetCluster, forgetClusterAtHome, readUnfolded, UnknownCell } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { inTransaction, recordAudit } from '@penstock/tenancy';
import { restoreWindow_ms } from '../cluster/cluster.ts';
import { forgetClusterHealth } from '../health/expire-health.ts';
import { forgetClusterTelemetry } from '../telemetry/forget-cluster-telemetry.ts';

/** Ids of clusters that were deleted longer ago than the restore window. */
export async function listPurgeableClusters(database: Database, now: Date): Promise<string[]> {
  const rows = await database.virtualCluster.findMany({
    where: { deletedAt: { lte: new Date(now.getTime() - restoreWindow_ms) } },
    orderBy: { deletedAt: 'asc' },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}

export type PurgeOutcome = 'purged' | 'waits for metering' | 'not deleted';

/**
 * Purges one cluster, unless it was restored meanwhile or its last bytes are not metered yet.
 * @param cells the databases that may hold something of it beside this one; all of them have to answer
 */
export function purgeCluster(
  database: Database,
  clusterId: string,
  now: Date,
  cells?: Pick<Cells, 'names' | 'pool'>,
): Promise<PurgeOutcome> {
  return inTransaction(database, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM virtual_cluster WHERE id = ${clusterId}::uuid FOR UPDATE`;
    const cluster = await tx.virtualCluster.findUnique({ where: { id: clusterId } });
    if (cluster?.deletedAt == null || cluster.deletedAt.getTime() + restoreWindow_ms > now.getTime())
      return 'not deleted';
    const checkpoint = await tx.meteringCheckpoint.findUnique({ where: { clusterId }, select: { seq: true } });
    const folded = [{ clusterId, foldedSeq: checkpoint?.seq ?? 0n }];
    const control = queriesIn(tx);
    if ((await readUnfolded(control, folded)).size > 0) return 'waits for metering';
    const others = cells?.names.filter((cell) => cell !== MAIN_CELL) ?? [];
    if (cluster.cell !== MAIN_CELL && cells === undefined) throw new UnknownCell(cluster.cell);
    if (cluster.cell !== MAIN_CELL && cells !== undefined) {
      const left = await readUnfolded(cells.pool(cluster.cell), folded);
      if (left.size > 0) return 'waits for metering';
    }
    // Before this transaction ends: should it fail, the next purge finds a cluster without a journal, and goes on.
    for (const cell of others) if (cells !== undefined) await forgetCluster(cells.pool(cell), clusterId);
    await forgetClusterAtHome(control, clusterId);
    await forgetClusterTelemetry(tx, clusterId);
    await forgetClusterHealth(tx, clusterId);
    await tx.virtualCluster.delete({ where: { id: clusterId } });
    await recordAudit(
      {
        tx,
        organizationId: cluster.organizationId,
        actor: { type: 'system', id: null, label: 'Purge of deleted clusters', source: 'worker' },
        now,
      },
      {
        action: 'cluster.purge',
        targetType: 'cluster',
        targetId: clusterId,
        before: { name: cluster.name, deletedAt: cluster.deletedAt.toISOString() },
      },
    );
    return 'purged';
  });
}
