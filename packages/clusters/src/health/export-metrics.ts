// A cluster's metrics in OpenMetrics text format, for customers' scrapers.
import { clusterMetrics } from '@penstock/health';
import { AppError } from '@penstock/platform';
import { decodeSample, levelFacts, mergeSamples, renderOpenMetrics } from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type LiveClusterView, toLiveClusterView } from '../cluster/cluster-view.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readZoneSlots } from '../telemetry/read-slots.ts';
import { getClusterHealth } from './get-cluster-health.ts';

const SPAN_MS = 60_000;
/** How long until the reports of a slot have arrived and been rolled up. */
const SETTLING_MS = 25_000;
/** More than the zones of any cloud region times the slots of the minute. */
const MOST_SLOTS = 1_000;

/** @throws AppError `cluster_not_found` */
export async function exportMetrics(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'getClusterView'>,
  input: { clusterId: string },
): Promise<string> {
  const cluster = await findCluster(scope, input.clusterId);
  const { level, findings } = await getClusterHealth(scope, input);
  const view = await viewOrNull(metadata, cluster.id);
  return renderOpenMetrics(
    clusterMetrics({
      clusterId: cluster.id,
      clusterName: cluster.name,
      level,
      openFindings: findings,
      state: view === null ? null : stateOf(view),
      measured: await lastMinute(scope, cluster.id),
    }),
  );
}

/**
 * Null if the metadata service does not answer. The rest is still worth scraping, and its verdict reports the outage.
 */
async function viewOrNull(
  metadata: Pick<MetadataAdmin, 'getClusterView'>,
  clusterId: string,
): Promise<LiveClusterView | null> {
  try {
    return toLiveClusterView(await metadata.getClusterView(clusterId));
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') {
      return null;
    }
    throw error;
  }
}

function stateOf({ agents, topics, groups, uncompressedBytesTotal }: LiveClusterView) {
  return {
    agents: agents.map(({ zone, alive }) => ({ zone, isAlive: alive })),
    topics: topics.length,
    partitions: topics.reduce((sum, { partitions }) => sum + partitions.length, 0),
    uncompressedBytesTotal,
    groups: groups.map(({ groupId, members, offsets }) => {
      const lagByTopic = new Map<string, number>();
      const lagSecondsByTopic = new Map<string, number>();
      for (const { topic, lagRecords, lagSeconds } of offsets) {
        lagByTopic.set(topic, (lagByTopic.get(topic) ?? 0) + lagRecords);
        if (lagSeconds !== null) {
          lagSecondsByTopic.set(topic, Math.max(lagSecondsByTopic.get(topic) ?? 0, lagSeconds));
        }
      }
      return { groupId, members: members.length, lagByTopic, lagSecondsByTopic };
    }),
  };
}

async function lastMinute({ tx, now }: Scope, clusterId: string) {
  const { slotMs } = levelFacts['10s'];
  const endMs = Math.floor((now.getTime() - SETTLING_MS) / slotMs) * slotMs;
  const range = { clusterId, level: '10s', startMs: endMs - SPAN_MS, endMs } as const;
  const slots = await readZoneSlots(tx, range, MOST_SLOTS);
  if (slots.length === 0) {
    return null;
  }
  return { sample: mergeSamples(slots.map(({ bytes }) => decodeSample(bytes))), span_ms: SPAN_MS };
}
