// Deletes a cluster: clients lose access at once, and it is permanently deleted after the restore window.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type Cluster, clusterColumns, lockCluster, toCluster } from './cluster.ts';

/**
 * @param input.confirmation the cluster's exact name, typed by the user
 * @throws AppError `cluster_not_found`, `cluster_deletion_protected`, `confirmation_mismatch`
 */
export async function deleteCluster(
  scope: Scope,
  input: { clusterId: string; confirmation: string },
): Promise<Cluster> {
  const before = await lockCluster(scope, input.clusterId);
  if (before.deletionProtection) {
    throw new AppError({
      kind: 'refused',
      code: 'cluster_deletion_protected',
      message: `Deletion protection is on for “${before.name}”.`,
      remedy: 'Turn it off in the cluster’s settings first.',
    });
  }
  if (input.confirmation !== before.name) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'confirmation_mismatch',
      field: 'confirmation',
      message: 'This doesn’t match the cluster’s name.',
      remedy: 'Enter the name exactly as shown.',
    });
  }
  const row = await scope.tx.virtualCluster.update({
    where: { id: before.id, organizationId: scope.organizationId },
    data: { deletedAt: scope.now, updatedAt: scope.now },
    select: clusterColumns,
  });
  await recordAudit(scope, {
    action: 'cluster.delete',
    targetType: 'cluster',
    targetId: before.id,
    before: { name: before.name },
  });
  return toCluster(row);
}
