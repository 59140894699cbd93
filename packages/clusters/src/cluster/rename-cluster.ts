// Renames a cluster. Its id, which agents and keys use, does not change.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type Cluster, clusterColumns, explainNameTaken, lockCluster, toCluster } from './cluster.ts';

/** @throws AppError `cluster_not_found`, `cluster_name_taken` */
export async function renameCluster(scope: Scope, input: { clusterId: string; name: string }): Promise<Cluster> {
  const before = await lockCluster(scope, input.clusterId);
  if (before.name === input.name) {
    return before;
  }
  const row = await scope.tx.virtualCluster
    .update({
      where: { id: before.id, organizationId: scope.organizationId },
      data: { name: input.name, updatedAt: scope.now },
      select: clusterColumns,
    })
    .catch((error: unknown) => {
      throw explainNameTaken(error, input.name);
    });
  await recordAudit(scope, {
    action: 'cluster.rename',
    targetType: 'cluster',
    targetId: before.id,
    before: { name: before.name },
    after: { name: row.name },
  });
  return toCluster(row);
}
