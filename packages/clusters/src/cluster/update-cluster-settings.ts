// Changes a cluster's settings. Agents receive them within seconds, through the metadata service.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type Cluster, clusterColumns, lockCluster, toCluster } from './cluster.ts';

export interface ClusterSettingsChange {
  clusterId: string;
  autoCreateTopics?: boolean | undefined;
  defaultPartitions?: number | undefined;
  /** How long committed offsets are kept without use. */
  offsetsRetentionMinutes?: number | undefined;
  deletionProtection?: boolean | undefined;
  /** True: agents with an address that is new to the cluster wait for a confirmation from now on. */
  confirmAgentAddresses?: boolean | undefined;
}

/** Changes the given settings and leaves the others. @throws AppError `cluster_not_found` */
export async function updateClusterSettings(scope: Scope, change: ClusterSettingsChange): Promise<Cluster> {
  const before = await lockCluster(scope, change.clusterId);
  const settings = {
    autoCreateTopics: change.autoCreateTopics ?? before.autoCreateTopics,
    defaultPartitions: change.defaultPartitions ?? before.defaultPartitions,
    offsetsRetentionMinutes: change.offsetsRetentionMinutes ?? before.offsetsRetentionMinutes,
    deletionProtection: change.deletionProtection ?? before.deletionProtection,
    confirmAgentAddresses: change.confirmAgentAddresses ?? before.confirmAgentAddresses,
  };
  const from = before.confirmAgentAddressesFrom;
  const confirmsFrom = change.confirmAgentAddresses === true && (from === null || from > scope.now) ? scope.now : from;
  const row = await scope.tx.virtualCluster.update({
    where: { id: before.id, organizationId: scope.organizationId },
    data: { ...settings, confirmAgentAddressesFrom: confirmsFrom, updatedAt: scope.now },
    select: clusterColumns,
  });
  await recordAudit(scope, {
    action: 'cluster.update-settings',
    targetType: 'cluster',
    targetId: before.id,
    before: {
      autoCreateTopics: before.autoCreateTopics,
      defaultPartitions: before.defaultPartitions,
      offsetsRetentionMinutes: before.offsetsRetentionMinutes,
      deletionProtection: before.deletionProtection,
      confirmAgentAddresses: before.confirmAgentAddresses,
    },
    after: settings,
  });
  return toCluster(row);
}
