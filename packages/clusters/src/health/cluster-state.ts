// What the health rules need from the metadata service's view of a cluster: its agents, and the lag of its groups.
import type { Snapshot } from '@penstock/health';
import type { ClusterView } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import { toMetadataMemory } from '../cluster/cluster-view.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

/** After this time an owner counts as not answering. Shorter than the interval between checks. */
const ANSWER_MS = 4_000;

export type ClusterState = Snapshot['state'];

export interface ReadState {
  /**
   * Null if no process gives a usable answer for the cluster. Undefined if the metadata service reports that the cluster
   * does not exist (any more).
   */
  state: ClusterState | undefined;
  /** Why the answer was not usable, unless it was missing. Operators should know. */
  error?: unknown;
}

export async function readClusterState(
  metadata: Pick<MetadataAdmin, 'getClusterView'>,
  clusterId: string,
): Promise<ReadState> {
  // Cleared after the answer: each of thousands of signals that expire for nothing would make errors with their stacks.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('no answer in time', 'TimeoutError')), ANSWER_MS);
  try {
    return { state: toState(await metadata.getClusterView(clusterId, limit.signal)) };
  } catch (error) {
    const kind = error instanceof AppError ? error.kind : undefined;
    if (kind === 'not-found') {
      return { state: undefined };
    }
    return kind === 'unavailable' ? { state: null } : { state: null, error };
  } finally {
    clearTimeout(timer);
  }
}

function toState(view: ClusterView): NonNullable<ClusterState> {
  const { agents, groups, meteringRefusal, jobRefusal } = view;
  return {
    memory: toMetadataMemory(view),
    agents: agents.map(({ agentId, nodeId, zone, version, alive, lost, advertisedHost, advertisedPort, landing }) => ({
      agentId,
      nodeId,
      zone,
      version,
      isAlive: alive,
      isLost: lost,
      address: `${advertisedHost}:${advertisedPort}`,
      ...(landing === undefined ? {} : { hasLandingBuckets: landing.zones.length > 0 }),
    })),
    groups: groups.flatMap(({ group, lagRecords }) =>
      group === undefined
        ? []
        : [
            {
              groupId: group.groupId,
              members: group.members.length,
              lagRecords: Number(lagRecords.reduce((sum, lag) => sum + lag, 0n)),
            },
          ],
    ),
    ...(jobRefusal === undefined
      ? {}
      : {
          jobRefusal: {
            atMs: Number(jobRefusal.atMs),
            key: jobRefusal.keyId,
            agentId: jobRefusal.agentId,
            reason: jobRefusal.reason,
            completions: Number(jobRefusal.completions),
          },
        }),
    ...(meteringRefusal === undefined
      ? {}
      : {
          meteringRefusal: {
            atMs: Number(meteringRefusal.atMs),
            agentId: meteringRefusal.agentId,
            commits: Number(meteringRefusal.commits),
          },
        }),
  };
}
