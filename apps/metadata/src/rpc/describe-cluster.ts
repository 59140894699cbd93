import { type ClusterState, describeTopics, type Id, partitionViews, registeredAgents } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { agentMessage, settingsMessage, topicMessage } from './messages/catalogue.ts';
import { checkedIds } from './messages/ids.ts';

/** Returns settings, agents, and those of the requested topics that exist. */
export const describeCluster: AgentCall<typeof MetadataService.method.describeCluster> = async ({ owner }, request) => {
  const topicIds = checkedIds(request.topicIds, 'topic_ids');
  return await owner.read((state) => ({
    clusterId: owner.cluster.clusterId,
    settings: settingsMessage(state.settings, state.rules),
    topics: describeTopics(state, { names: request.topicNames, topicIds }).map((topic) => ({
      ...topicMessage(topic),
      storedBytes: request.withStoredBytes ? storedBytes(state, topic.topicId) : [],
    })),
    // As in the catalogue of Watch, without the buckets.
    agents: registeredAgents(state).map((agent) => ({
      ...agentMessage(agent, owner.presences.get(agent.agentId)),
      bucket: '',
    })),
  }));
};

function storedBytes(state: ClusterState, topicId: Id): bigint[] {
  return partitionViews(state, topicId).map((partition) => BigInt(partition.storedBytes));
}
