// A transactional producer and its open transaction, as plain data.
import type { DescribedTransaction } from '@penstock/metadata-protocol';
import { uuidOf } from '../metadata/uuid-of.ts';

export interface Transaction {
  transactionalId: string;
  /** Kafka's name; see transaction-state.ts. */
  state: string;
  producerId: number;
  producerEpoch: number;
  timeoutMs: number;
  /** Milliseconds since the Unix epoch; null unless a transaction is open. */
  startedAtMs: number | null;
  /** How long the transaction has been open; null unless one is. */
  openMs: number | null;
  /** When the producer was initialized, or its last transaction began or ended. */
  updatedAtMs: number;
  /** Partitions of the open transaction, by topic and number. Those of deleted topics are omitted. */
  partitions: { topic: string; partition: number }[];
  /** Groups whose offsets the open transaction commits. */
  groupIds: string[];
  /** Client id of the Kafka client that initialized the producer; empty if it sent none. */
  clientId: string;
  /** The agent that this client was connected to; empty if unknown. */
  agentId: string;
}

/** Converts the metadata service's message. @param topicNames by topic id, as UUID text */
export function toTransaction(
  message: DescribedTransaction,
  topicNames: ReadonlyMap<string, string>,
  nowMs: number,
): Transaction {
  const startedAtMs = message.startedAtMs < 0n ? null : Number(message.startedAtMs);
  return {
    transactionalId: message.transactionalId,
    state: message.state,
    producerId: Number(message.producerId),
    producerEpoch: message.producerEpoch,
    timeoutMs: message.timeoutMs,
    startedAtMs,
    openMs: startedAtMs === null ? null : Math.max(0, nowMs - startedAtMs),
    updatedAtMs: Number(message.updatedAtMs),
    partitions: message.partitions
      .flatMap(({ topicId, partition }) => {
        const topic = topicNames.get(uuidOf(topicId));
        return topic === undefined ? [] : [{ topic, partition }];
      })
      .sort((left, right) => left.topic.localeCompare(right.topic) || left.partition - right.partition),
    groupIds: message.groupIds.toSorted(),
    clientId: message.clientId,
    agentId: message.agentId,
  };
}
