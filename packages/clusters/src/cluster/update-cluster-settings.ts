// Changes a cluster's settings. Agents receive them within seconds, through the metadata service.
import { recordAudit, type Scope } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type Cluster, type ClusterMode, clusterColumns, lockCluster, toCluster } from './cluster.ts';
import { refusalOfFit } from './cluster-modes.ts';
import { toLiveClusterView } from './cluster-view.ts';
import { loadOf } from './preview-cluster-modes.ts';

export interface ClusterSettingsChange {
  clusterId: string;
  mode?: ClusterMode | undefined;
  autoCreateTopics?: boolean | undefined;
  defaultPartitions?: number | undefined;
  /** How long committed offsets are kept without use. */
  offsetsRetentionMinutes?: number | undefined;
  deletionProtection?: boolean | undefined;
  /** True: agents with an address that is new to the cluster wait for a confirmation from now on. */
  confirmAgentAddresses?: boolean | undefined;
}

/**
 * Changes the given settings and leaves the others.
 * @param metadata is asked how many partitions the cluster has when its mode changes
 * @throws AppError `cluster_not_found`; for a mode `cluster_mode_does_not_fit` and
 * `metadata_unavailable`
 */
export async function updateClusterSettings(
  scope: Scope,
  metadata: MetadataAdmin,
  change: ClusterSettingsChange,
): Promise<Cluster> {
  const before = await lockCluster(scope, change.clusterId);
  if (change.mode !== undefined && change.mode !== before.mode) {
    await assertMayBe(change.mode, scope, metadata, before.id);
  }
  const settings = {
    mode: change.mode ?? before.mode,
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
      mode: before.mode,
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

async function assertMayBe(mode: ClusterMode, scope: Scope, metadata: MetadataAdmin, clusterId: string): Promise<void> {
  // Only a Dev cluster has limits that a cluster can exceed already.
  if (mode !== 'dev') {
    return;
  }
  const refusal = refusalOfFit(mode, loadOf(toLiveClusterView(await metadata.getClusterView(clusterId))), scope.now);
  if (refusal !== null) {
    throw refusal;
  }
}
