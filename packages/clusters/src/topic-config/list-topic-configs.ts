// All configs of a topic: what is set, what is a default, and what each does here.
import { notFound } from '@penstock/platform';
import type { ReadScope } from '@penstock/tenancy';
import { getCluster } from '../cluster/get-cluster.ts';
import type { LiveState } from '../live/live-state.ts';
import { topicConfigTable } from '../topic/topic-config-table.ts';

export interface TopicConfigRow {
  name: string;
  /** The value in effect. */
  value: string;
  /** Whether the value is set on the topic. */
  isSet: boolean;
  /** The cluster's, if it has one. */
  default: string;
  hasEffect: boolean;
  meaning: string;
}

/** By name. @throws AppError `cluster_not_found`, `topic_not_found`, `metadata_unavailable` */
export async function listTopicConfigs(
  scope: ReadScope,
  { live }: { live: Pick<LiveState, 'snapshot'> },
  { clusterId, name }: { clusterId: string; name: string },
): Promise<TopicConfigRow[]> {
  const [topic, cluster] = await Promise.all([
    live.snapshot(scope, { clusterId, kind: 'topic', name }),
    getCluster(scope, { clusterId }),
  ]);
  if (topic === null) {
    throw notFound('topic', 'It may have been deleted. List the topics of the cluster.');
  }
  const set = new Map(topic.configs.map((config) => [config.name, config.value]));
  const ofCluster = new Map([['max.uncompressed.batch.bytes', String(cluster.maxUncompressedBatchBytes)]]);
  return topicConfigTable.map((config) => {
    const byDefault = ofCluster.get(config.name) ?? config.default;
    return {
      name: config.name,
      value: set.get(config.name) ?? byDefault,
      isSet: set.has(config.name),
      default: byDefault,
      hasEffect: config.hasEffect,
      meaning: config.meaning,
    };
  });
}
