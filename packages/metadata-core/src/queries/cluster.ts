// Queries about a cluster's topics, agents, settings, totals and files.

import { type Id, idKey } from '../model/ids.ts';
import type { ClusterSettings } from '../model/settings.ts';
import type { TopicDescription } from '../model/topics.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { describeTopic, type Topic } from '../state/topic.ts';
import type { ClusterTotals, PartitionView, RegisteredAgent } from './queries.types.ts';

/** The topics of these names and ids that exist, each once; all topics when both lists are empty or absent. */
export function describeTopics(
  state: ClusterState,
  wanted: { names?: readonly string[]; topicIds?: readonly Id[] } = {},
): TopicDescription[] {
  const { names = [], topicIds = [] } = wanted;
  if (names.length === 0 && topicIds.length === 0) {
    return [...state.topics.values()].map(describeTopic);
  }
  const found = new Set<Topic>();
  for (const topic of [
    ...names.map((name) => state.topicsByName.get(name)),
    ...topicIds.map((topicId) => state.topics.get(idKey(topicId))),
  ]) {
    if (topic !== undefined) {
      found.add(topic);
    }
  }
  return [...found].map(describeTopic);
}

/** The names of topics after another name, in order; null: all. What is created or deleted while they are read is found or skipped. */
export function topicNamesAfter({ topicNames }: ClusterState, after: string | null): Iterable<string> {
  return topicNames.inOrder.following(after);
}

/** Undefined: there is no topic of this name. */
export function topicIdOf({ topicsByName }: ClusterState, name: string): Id | undefined {
  return topicsByName.get(name)?.id;
}

/** One view per partition from `start` to before `end`; empty when there is no such topic. */
export function partitionViews(state: ClusterState, topicId: Id, start?: number, end?: number): PartitionView[] {
  const partitions = state.topics.get(idKey(topicId))?.partitions ?? [];
  return partitions.slice(start, end).map(({ logStartOffset, highWatermark, storedBytes }) => ({
    logStartOffset,
    highWatermark,
    storedBytes,
  }));
}

export function settings(state: ClusterState): ClusterSettings {
  return { ...state.settings };
}

/** Registered agents, and those that left within the hour, by node id. */
export function registeredAgents(state: ClusterState): RegisteredAgent[] {
  return [...state.agents.values()].map((agent) => ({ ...agent })).sort((a, b) => a.nodeId - b.nodeId);
}

export function clusterTotals(state: ClusterState): ClusterTotals {
  return { ...state.totals, clusterMinutes: state.clusterMinutes };
}

/** For each id, whether the cluster knows the file, including those queued for deletion. */
export function knownFiles(state: ClusterState, fileIds: readonly Id[]): boolean[] {
  return fileIds.map((fileId) => state.files.knows(fileId));
}

/** How many files the state knows, and how many of them wait for deletion. */
export function fileCounts(state: ClusterState): { known: number; dead: number } {
  return { known: state.files.size, dead: state.files.dead };
}
