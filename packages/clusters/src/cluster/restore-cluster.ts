// Restores a deleted cluster with its topics, offsets, groups and keys.
import { AppError } from '@penstock/platform';
import { assertNotSuspended, recordAudit, type Scope } from '@penstock/tenancy';
import { type Cluster, clusterColumns, explainNameTaken, lockCluster, toCluster } from './cluster.ts';

/** @throws AppError `organization_suspended`, `cluster_not_found`, `cluster_restore_expired`, `cluster_name_taken` */
export async function restoreCluster(scope: Scope, input: { clusterId: string }): Promise<Cluster> {
  await assertNotSuspended(scope);
  const before = await lockCluster(scope, input.clusterId, 'deleted');
  if (before.purgeAt === null || before.purgeAt <= scope.now) {
    throw new AppError({
      kind: 'refused',
      code: 'cluster_restore_expired',
      message: `“${before.name}” was deleted more than 30 days ago and can no longer be restored.`,
      remedy: 'Create a new cluster.',
    });
  }
  const row = await scope.tx.virtualCluster
    .update({
      where: { id: before.id, organizationId: scope.organizationId },
      data: { deletedAt: null, updatedAt: scope.now },
      select: clusterColumns,
    })
    .catch((error: unknown) => {
      throw explainNameTaken(error, before.name);
    });
  await recordAudit(scope, {
    action: 'cluster.restore',
    targetType: 'cluster',
    targetId: before.id,
    before: { deletedAt: before.deletedAt?.toISOString() ?? null },
    after: { name: row.name },
  });
  return toCluster(row);
}
