// Deletes a cluster after its restore window: its keys, journal, snapshots and telemetry. Billing data stays: the usage
// ledger and meter blocks. The data files are in the customer's bucket, which we cannot access; the customer deletes
// them.
import { type Database, queriesIn } from '@penstock/database/client';
import { type Cells, forgetCluster, forgetClusterAtHome, readUnfolded, UnknownCell } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { inTransaction, recordAudit } from '@penstock/tenancy';
import { RESTORE_WINDOW_MS } from '../cluster/cluster.ts';
import { forgetClusterHealth } from '../health/expire-health.ts';
import { forgetClusterTelemetry } from '../telemetry/forget-cluster-telemetry.ts';

/** Ids of clusters that were deleted before the start of the restore window. */
export async function listPurgeableClusters(database: Database, now: Date): Promise<string[]> {
  const rows = await database.virtualCluster.findMany({
    where: { deletedAt: { lte: new Date(now.getTime() - RESTORE_WINDOW_MS) } },
    orderBy: { deletedAt: 'asc' },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}

export type PurgeOutcome = 'purged' | 'waits for metering' | 'not deleted';

/**
 * Purges one cluster, unless it was restored meanwhile or its last bytes are not metered yet.
 * @param cells the other databases that may hold data of it; all of them must answer
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
    if (cluster?.deletedAt == null || cluster.deletedAt.getTime() + RESTORE_WINDOW_MS > now.getTime()) {
      return 'not deleted';
    }
    const checkpoint = await tx.meteringCheckpoint.findUnique({ where: { clusterId }, select: { seq: true } });
    const folded = [{ clusterId, foldedSeq: checkpoint?.seq ?? 0n }];
    const control = queriesIn(tx);
    if ((await readUnfolded(control, folded)).size > 0) {
      return 'waits for metering';
    }
    const others = cells?.names.filter((cell) => cell !== MAIN_CELL) ?? [];
    if (cluster.cell !== MAIN_CELL && cells === undefined) {
      throw new UnknownCell(cluster.cell);
    }
    if (cluster.cell !== MAIN_CELL && cells !== undefined) {
      const left = await readUnfolded(cells.pool(cluster.cell), folded);
      if (left.size > 0) {
        return 'waits for metering';
      }
    }
    // Before this transaction commits: if it fails, the next purge finds a cluster without a journal and continues.
    for (const cell of others) {
      if (cells !== undefined) {
        await forgetCluster(cells.pool(cell), clusterId);
      }
    }
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
