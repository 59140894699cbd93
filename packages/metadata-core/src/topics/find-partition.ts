// Finds the partition of a (topic id, number), or returns the Kafka error that says what is unknown.
import { ErrorCode } from '../model/error-code.ts';
import { type Id, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';

export type FoundPartition =
  | { errorCode: typeof ErrorCode.NONE; partition: Partition }
  | { errorCode: typeof ErrorCode.UNKNOWN_TOPIC_ID | typeof ErrorCode.UNKNOWN_TOPIC_OR_PARTITION; partition: null };

export function findPartition(state: ClusterState, topicId: Id, number: number): FoundPartition {
  const topic = state.topics.get(idKey(topicId));
  if (topic === undefined) {
    return { errorCode: ErrorCode.UNKNOWN_TOPIC_ID, partition: null };
  }
  const partition = topic.partitions[number];
  return partition === undefined
    ? { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, partition: null }
    : { errorCode: ErrorCode.NONE, partition };
}
