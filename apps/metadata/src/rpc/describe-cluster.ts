import { type ClusterState, describeTopics, type Id, partitionViews, registeredAgents } from '@penstock/metadata-core';
import { DescribeClusterResponseSchema, type MetadataService, TopicSchema } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { agentMessage, settingsMessage, topicMessage } from './messages/catalogue.ts';
import { checkedIds } from './messages/ids.ts';

const TOPICS = { entry: TopicSchema, fieldNumber: DescribeClusterResponseSchema.field.topics.number };
/** Partitions per part of a topic's entry. */
const PARTITIONS_PER_PART = 5_000;

/** Returns settings, agents, and those of the requested topics that exist. */
export const describeCluster: AgentCall<typeof MetadataService.method.describeCluster> = async (context, request) => {
  const { owner } = context;
  const { topicNames, withStoredBytes } = request;
  const topicIds = checkedIds(request.topicIds, 'topic_ids');
  const isForAll = topicNames.length === 0 && topicIds.length === 0;
  const wanted: Iterable<string | Id> = isForAll ? await allTopicIds(owner) : named(topicNames, topicIds);
  const seen = new Set<string>();
  const topics = await encodeInSteps(context, TOPICS, wanted, function* (state, nameOrId) {
    const query = typeof nameOrId === 'string' ? { names: [nameOrId] } : { topicIds: [nameOrId] };
    const [topic] = describeTopics(state, query);
    if (topic === undefined || seen.has(topic.name)) {
      return;
    }
    seen.add(topic.name);
    yield topicMessage(topic);
    if (withStoredBytes) {
      for (let start = 0; start < topic.partitions; start += PARTITIONS_PER_PART) {
        yield { storedBytes: storedBytes(state, topic.topicId, start) };
      }
    }
  });
  return await owner.read((state) =>
    withList(
      DescribeClusterResponseSchema,
      {
        clusterId: owner.cluster.clusterId,
        settings: settingsMessage(state.settings, state.rules),
        // As in the catalogue of Watch, without the buckets.
        agents: registeredAgents(state).map((agent) => ({
          ...agentMessage(agent, owner.agents.presences.get(agent.agentId)),
          bucket: '',
        })),
      },
      topics,
    ),
  );
};

/** The topics that a cluster has now. */
export async function allTopicIds(owner: Pick<Owner, 'read'>): Promise<Id[]> {
  return await owner.read((state) => Array.from(state.topics.values(), ({ id }) => id));
}

/** Names are texts, ids are bytes. */
function* named(names: readonly string[], topicIds: readonly Id[]): Generator<string | Id> {
  yield* names;
  yield* topicIds;
}

function storedBytes(state: ClusterState, topicId: Id, start: number): bigint[] {
  return partitionViews(state, topicId, start, start + PARTITIONS_PER_PART).map((partition) =>
    BigInt(partition.storedBytes),
  );
}
