// Changes a cluster's name and settings. Its id, which agents and keys use, stays. Agents receive settings within
// seconds, through the metadata service.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type Cluster, type ClusterMode, clusterColumns, explainNameTaken, lockCluster, toCluster } from './cluster.ts';
import { refusalOfFit } from './cluster-modes.ts';
import { type LiveClusterView, toLiveClusterView } from './cluster-view.ts';
import { loadOf, warningOf } from './preview-cluster-modes.ts';

export interface ClusterChange {
  clusterId: string;
  name?: string | undefined;
  mode?: ClusterMode | undefined;
  autoCreateTopics?: boolean | undefined;
  defaultPartitions?: number | undefined;
  /** How long committed offsets are kept without use. */
  offsetsRetentionMinutes?: number | undefined;
  /** Maximum decompressed size of a batch in topics without max.uncompressed.batch.bytes. */
  maxUncompressedBatchBytes?: number | undefined;
  deletionProtection?: boolean | undefined;
  /** True: agents with an address that is new to the cluster wait for a confirmation from now on. */
  confirmAgentAddresses?: boolean | undefined;
  /** Whether agents may change users, ACLs and quotas for clients that did not sign in with SCRAM. */
  allowAgentAdministration?: boolean | undefined;
}

export interface UpdatedCluster extends Cluster {
  /** The effect on clients of the new mode. Null: none, the mode did not change, or the effect is unknown. */
  warning: string | null;
}

/**
 * Changes the given fields and leaves the others: all of them, or none if one is refused.
 * @param metadata is asked for the cluster's partitions, writes and agents when the change has a mode
 * @throws AppError `cluster_not_found`, `cluster_name_taken`; for a mode `cluster_mode_does_not_fit` and
 * `metadata_unavailable`
 */
export async function updateCluster(
  scope: Scope,
  metadata: MetadataAdmin,
  change: ClusterChange,
): Promise<UpdatedCluster> {
  const { clusterId, name, ...settings } = change;
  const before = await lockCluster(scope, clusterId);
  const isRenamed = name !== undefined && name !== before.name;
  const isConfigured = Object.values(settings).some((value) => value !== undefined);
  if (!isRenamed && !isConfigured) {
    return { ...before, warning: null };
  }
  const warning = change.mode === undefined ? null : await checkMode(change.mode, before, scope, metadata);
  const from = before.confirmAgentAddressesFrom;
  const confirmsFrom = change.confirmAgentAddresses === true && (from === null || from > scope.now) ? scope.now : from;
  const data = { ...settingsAfter(before, change), confirmAgentAddressesFrom: confirmsFrom, updatedAt: scope.now };
  const row = await scope.tx.virtualCluster
    .update({
      where: { id: before.id, organizationId: scope.organizationId },
      data: isRenamed ? { ...data, name } : data,
      select: clusterColumns,
    })
    .catch((error: unknown) => {
      throw explainNameTaken(error, name ?? before.name);
    });
  const target = { targetType: 'cluster', targetId: before.id } as const;
  if (isRenamed) {
    const names = { before: { name: before.name }, after: { name } };
    await recordAudit(scope, { action: 'cluster.rename', ...target, ...names });
  }
  if (isConfigured) {
    const both = { before: settingsAfter(before, {}), after: settingsAfter(before, change) };
    await recordAudit(scope, { action: 'cluster.update-settings', ...target, ...both });
  }
  return { ...toCluster(row), warning };
}

function settingsAfter(before: Cluster, change: Omit<ClusterChange, 'clusterId'>) {
  return {
    mode: change.mode ?? before.mode,
    autoCreateTopics: change.autoCreateTopics ?? before.autoCreateTopics,
    defaultPartitions: change.defaultPartitions ?? before.defaultPartitions,
    offsetsRetentionMinutes: change.offsetsRetentionMinutes ?? before.offsetsRetentionMinutes,
    maxUncompressedBatchBytes: change.maxUncompressedBatchBytes ?? before.maxUncompressedBatchBytes,
    deletionProtection: change.deletionProtection ?? before.deletionProtection,
    confirmAgentAddresses: change.confirmAgentAddresses ?? before.confirmAgentAddresses,
    allowAgentAdministration: change.allowAgentAdministration ?? before.allowAgentAdministration,
  };
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
