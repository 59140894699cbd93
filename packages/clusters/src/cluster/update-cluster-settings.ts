// Changes a cluster's settings. Agents receive them within seconds, through the metadata service.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type Cluster, type ClusterMode, clusterColumns, lockCluster, toCluster } from './cluster.ts';
import { refusalOfFit } from './cluster-modes.ts';
import { type LiveClusterView, toLiveClusterView } from './cluster-view.ts';
import { loadOf, warningOf } from './preview-cluster-modes.ts';

export interface ClusterSettingsChange {
  clusterId: string;
  mode?: ClusterMode | undefined;
  autoCreateTopics?: boolean | undefined;
  defaultPartitions?: number | undefined;
  /** How long committed offsets are kept without use. */
  offsetsRetentionMinutes?: number | undefined;
  /** What a batch may decompress to in topics without max.uncompressed.batch.bytes. */
  maxUncompressedBatchBytes?: number | undefined;
  deletionProtection?: boolean | undefined;
  /** True: agents with an address that is new to the cluster wait for a confirmation from now on. */
  confirmAgentAddresses?: boolean | undefined;
  /** Whether agents may change users, ACLs and quotas for clients that did not sign in with SCRAM. */
  allowAgentAdministration?: boolean | undefined;
}

export interface UpdatedCluster extends Cluster {
  /** What clients notice of the mode in the change. Null: nothing, or the change has no mode, or nobody could say. */
  warning: string | null;
}

/**
 * Changes the given settings and leaves the others.
 * @param metadata is asked for the cluster's partitions, writes and agents when the change has a mode
 * @throws AppError `cluster_not_found`; for a mode `cluster_mode_does_not_fit` and
 * `metadata_unavailable`
 */
export async function updateClusterSettings(
  scope: Scope,
  metadata: MetadataAdmin,
  change: ClusterSettingsChange,
): Promise<UpdatedCluster> {
  const before = await lockCluster(scope, change.clusterId);
  const warning = change.mode === undefined ? null : await checkMode(change.mode, before, scope, metadata);
  const settings = {
    mode: change.mode ?? before.mode,
    autoCreateTopics: change.autoCreateTopics ?? before.autoCreateTopics,
    defaultPartitions: change.defaultPartitions ?? before.defaultPartitions,
    offsetsRetentionMinutes: change.offsetsRetentionMinutes ?? before.offsetsRetentionMinutes,
    maxUncompressedBatchBytes: change.maxUncompressedBatchBytes ?? before.maxUncompressedBatchBytes,
    deletionProtection: change.deletionProtection ?? before.deletionProtection,
    confirmAgentAddresses: change.confirmAgentAddresses ?? before.confirmAgentAddresses,
    allowAgentAdministration: change.allowAgentAdministration ?? before.allowAgentAdministration,
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
      maxUncompressedBatchBytes: before.maxUncompressedBatchBytes,
      deletionProtection: before.deletionProtection,
      confirmAgentAddresses: before.confirmAgentAddresses,
      allowAgentAdministration: before.allowAgentAdministration,
    },
    after: settings,
  });
  return { ...toCluster(row), warning };
}

/**
 * Refuses a mode that the cluster doesn't fit.
 * @returns what clients notice of it
 */
async function checkMode(
  mode: ClusterMode,
  before: Pick<Cluster, 'id' | 'mode'>,
  scope: Scope,
  metadata: MetadataAdmin,
): Promise<string | null> {
  // It limits nothing and needs nothing of agents.
  if (mode === 'standard') {
    return null;
  }
  // Only a Dev cluster has limits that a cluster can exceed already.
  const mustFit = mode === 'dev' && mode !== before.mode;
  let view: LiveClusterView;
  try {
    view = toLiveClusterView(await metadata.getClusterView(before.id));
  } catch (error) {
    // A warning is not worth refusing the change.
    if (mustFit || !(error instanceof AppError) || error.kind !== 'unavailable') {
      throw error;
    }
    return null;
  }
  const refusal = mustFit ? refusalOfFit(mode, loadOf(view), scope.now) : null;
  if (refusal !== null) {
    throw refusal;
  }
  return warningOf(mode, view, scope.now);
}
