// What each mode would mean for a cluster, before anybody chooses it.
import type { Scope } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type ClusterMode, findCluster } from './cluster.ts';
import {
  type ClusterLoad,
  type ClusterModeOffer,
  clusterModeOffers,
  refusalOfFit,
  warningOfAgents,
  warningOfMode,
} from './cluster-modes.ts';
import { type LiveClusterView, toLiveClusterView } from './cluster-view.ts';

export interface ClusterModePreview extends ClusterModeOffer {
  /** Whether the cluster is in this mode. */
  isCurrent: boolean;
  /** Why the cluster can’t be in it now, and what to do. Null: it can. */
  refusal: string | null;
  /** The effect on clients. Null: none. */
  warning: string | null;
}

const BYTES_PER_MIB = 1024 ** 2;

export function loadOf({ topics, throughput }: Pick<LiveClusterView, 'topics' | 'throughput'>): ClusterLoad {
  const rates = throughput.map(({ inUncompressedBytes, seconds }) => inUncompressedBytes / seconds);
  return {
    partitions: topics.reduce((sum, { partitions }) => sum + partitions.length, 0),
    writtenMibPerSecond: rates.reduce((most, rate) => Math.max(most, rate), 0) / BYTES_PER_MIB,
  };
}

/** The effect of the mode on clients, with the cluster’s load and agents. Null: none. */
export function warningOf(
  mode: ClusterMode,
  view: Pick<LiveClusterView, 'topics' | 'throughput' | 'agents'>,
  now: Date,
): string | null {
  return warningOfMode(mode, loadOf(view), now) ?? warningOfAgents(mode, view.agents);
}

/** @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function previewClusterModes(
  scope: Scope,
  metadata: MetadataAdmin,
  { clusterId }: { clusterId: string },
): Promise<ClusterModePreview[]> {
  const cluster = await findCluster(scope, clusterId);
  const view = toLiveClusterView(await metadata.getClusterView(cluster.id));
  const load = loadOf(view);
  return clusterModeOffers(scope.now).map((offer) => {
    const { mode } = offer;
    const isCurrent = mode === cluster.mode;
    const refusal = isCurrent ? null : refusalOfFit(mode, load, scope.now);
    return {
      ...offer,
      isCurrent,
      refusal: refusal === null ? null : `${refusal.message} ${refusal.remedy ?? ''}`.trim(),
      warning: warningOf(mode, view, scope.now),
    };
  });
}
