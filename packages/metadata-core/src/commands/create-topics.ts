// CreateTopics: each topic is created or refused on its own.
import { ErrorCode } from '../model/error-code.ts';
import { ID_BYTES, idKey } from '../model/ids.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { CreateTopics, NewTopic, TopicDescription, TopicResult } from '../model/topics.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { createPartition } from '../state/partition.ts';
import { describeTopic, type Topic, topicChars } from '../state/topic.ts';
import { partitionLimitRefusal, requestSizeRefusal } from '../topics/partition-limit.ts';
import { configConflict, configProblem, modeProblem } from '../topics/topic-configs.ts';
import { isInternalTopic, topicNameProblem } from '../topics/topic-name.ts';
import { acceptedTopic, type Refusal, refusedTopic } from '../topics/topic-result.ts';

export function createTopics(state: ClusterState, command: CreateTopics, nowMs: number): Outcome<'create-topics'> {
  const timesNamed = new Map<string, number>();
  for (const { name } of command.topics) {
    timesNamed.set(name, (timesNamed.get(name) ?? 0) + 1);
  }
  const results: TopicResult[] = [];
  const created: TopicDescription[] = [];
  let partitionCount = state.partitionCount;
  const partitionsOf = ({ partitions }: NewTopic): number =>
    partitions === -1 ? state.settings.defaultPartitions : partitions;
  const added = command.topics.reduce((sum, topic) => sum + Math.max(0, partitionsOf(topic)), 0);
  const sizeRefusal = requestSizeRefusal(added);
  for (const wanted of command.topics) {
    const partitions = partitionsOf(wanted);
    const refusal =
      sizeRefusal ??
      ((timesNamed.get(wanted.name) ?? 0) > 1
        ? { errorCode: ErrorCode.INVALID_REQUEST, message: 'The request names this topic more than once.' }
        : refusalOf(state, wanted, partitions, partitionCount));
    if (refusal !== null) {
      results.push(refusedTopic(wanted.name, null, refusal));
      continue;
    }
    partitionCount += partitions;
    const topic: Topic = {
      id: wanted.topicId.slice(),
      name: wanted.name,
      partitions: [],
      configs: new Map(wanted.configs.map(({ name, value }) => [name, value])),
      createdAtMs: nowMs,
      firstProducerId: state.nextProducerId,
    };
    const description = { ...describeTopic(topic), partitions };
    results.push(acceptedTopic(description));
    if (!command.validateOnly) {
      topic.partitions = Array.from({ length: partitions }, () => createPartition(state.partitionMemory));
      state.topics.set(idKey(topic.id), topic);
      state.topicsByName.set(topic.name, topic);
      state.topicNames.add(topic.name);
      state.topicChars += topicChars(topic);
      state.partitionCount = partitionCount;
      state.topicsVersion += 1;
      created.push(description);
    }
  }
  return created.length === 0
    ? unchanged({ results })
    : changed({ results }, { catalogue: { topics: created, deletedTopicIds: [], agentsChanged: false } });
}

/** Checks in a fixed order: name, existence, collision, id, partitions, configs, size of the cluster. */
function refusalOf(state: ClusterState, wanted: NewTopic, partitions: number, partitionCount: number): Refusal | null {
  const nameProblem = topicNameProblem(wanted.name);
  if (nameProblem !== null) {
    return { errorCode: ErrorCode.INVALID_TOPIC_EXCEPTION, message: nameProblem };
  }
  if (isInternalTopic(wanted.name)) {
    return {
      errorCode: ErrorCode.INVALID_REQUEST,
      message: `Creation of internal topic ${wanted.name} is prohibited.`,
    };
  }
  if (state.topicsByName.has(wanted.name)) {
    return { errorCode: ErrorCode.TOPIC_ALREADY_EXISTS, message: `Topic '${wanted.name}' already exists.` };
  }
  const collision = state.topicNames.colliding(wanted.name);
  if (collision !== undefined) {
    const message = `Topic '${wanted.name}' collides with existing topic: ${collision}`;
    return { errorCode: ErrorCode.INVALID_TOPIC_EXCEPTION, message };
  }
  if (wanted.topicId.length !== ID_BYTES || state.topics.has(idKey(wanted.topicId))) {
    return { errorCode: ErrorCode.INVALID_REQUEST, message: 'The proposed topic id is not a new UUID. Try again.' };
  }
  if (!Number.isInteger(partitions) || partitions < 1) {
    return { errorCode: ErrorCode.INVALID_PARTITIONS, message: 'The number of partitions must be at least 1, or -1.' };
  }
  const names = new Set<string>();
  for (const { name, value } of wanted.configs) {
    const problem = names.has(name)
      ? `Config ${name} is set twice.`
      : (configProblem(name, value) ?? modeProblem(name, value, state.settings.mode));
    if (problem !== null) {
      return { errorCode: ErrorCode.INVALID_CONFIG, message: problem };
    }
    names.add(name);
  }
  const conflict = configConflict(new Map(wanted.configs.map(({ name, value }) => [name, value])));
  if (conflict !== null) {
    return { errorCode: ErrorCode.INVALID_CONFIG, message: conflict };
  }
  return partitionLimitRefusal(state, partitionCount, partitions);
}
