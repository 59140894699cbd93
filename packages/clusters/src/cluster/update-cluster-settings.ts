// Changes a cluster's settings. Agents receive them within seconds, through the metadata service.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type Cluster, clusterColumns, lockCluster, toCluster } from './cluster.ts';

export interface ClusterSettingsChange {
  clusterId: string;
  autoCreateTopics?: boolean | undefined;
  defaultPartitions?: number | undefined;
  deletionProtection?: boolean | undefined;
}

/** Changes the given settings and leaves the others. @throws AppError `cluster_not_found` */
export async function updateClusterSettings(scope: Scope, change: ClusterSettingsChange): Promise<Cluster> {
  const before = await lockCluster(scope, change.clusterId);
  const settings = {
    autoCreateTopics: change.autoCreateTopics ?? before.autoCreateTopics,
    defaultPartitions: change.defaultPartitions ?? before.defaultPartitions,
    deletionProtection: change.deletionProtection ?? before.deletionProtection,
  };
  const row = await scope.tx.virtualCluster.update({
    where: { id: before.id, organizationId: scope.organizationId },
    data: { ...settings, updatedAt: scope.now },
    select: clusterColumns,
  });
  await recordAudit(scope, {
    action: 'cluster.update-settings',
    targetType: 'cluster',
    targetId: before.id,
    before: {
      autoCreateTopics: before.autoCreateTopics,
      defaultPartitions: before.defaultPartitions,
      deletionProtection: before.deletionProtection,
    },
    after: settings,
  });
  return toCluster(row);
}
