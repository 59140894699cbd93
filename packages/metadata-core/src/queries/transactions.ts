// Queries about transactions, for clients and operators.
import { ErrorCode } from '../model/error-code.ts';
import { type Id, idFromKey, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import {
  hasPartition,
  type TransactionalProducer,
  type TransactionPlace,
  transactionsAfter,
} from '../state/transactions.ts';
import { findPartition } from '../topics/find-partition.ts';
import { checkProducer, type ProducerClaim } from '../transactions/checks.ts';
import type { ActiveProducer, DescribedTransaction, ProducersOfPartition, TransactionFilter } from './queries.types.ts';

/** In the order of the ids. */
export function describeTransactions(state: ClusterState, transactionalIds: readonly string[]): DescribedTransaction[] {
  return transactionalIds.map((transactionalId) => {
    const producer = state.transactions.byId.get(transactionalId);
    if (producer !== undefined) {
      return describe(state, producer);
    }
    const errorCode = transactionalId === '' ? ErrorCode.INVALID_REQUEST : ErrorCode.TRANSACTIONAL_ID_NOT_FOUND;
    return { ...UNKNOWN, errorCode, transactionalId };
  });
}

/**
 * The transactional ids that pass all filters.
 * @param transactionalIds those to look at; absent: all
 */
export function listTransactions(
  state: ClusterState,
  { states, producerIds, minDurationMs }: TransactionFilter,
  nowMs: number,
  transactionalIds: Iterable<string> = state.transactions.byId.keys(),
): DescribedTransaction[] {
  return Array.from(transactionalIds, (transactionalId) => state.transactions.byId.get(transactionalId))
    .filter((producer) => producer !== undefined)
    .filter(
      (producer) =>
        (states.size === 0 || states.has(producer.state)) &&
        (producerIds.size === 0 || producerIds.has(producer.producerId)) &&
        (minDurationMs < 0 || (producer.open !== null && nowMs - producer.open.startedAtMs > minDurationMs)),
    )
    .map((producer) => describe(state, producer));
}

/**
 * The transactional ids after a place, in the order in which operators look for trouble: see `transactionsAfter`.
 * @param after null: from the start
 */
export function transactionalIdsAfter(
  { transactions }: ClusterState,
  after: TransactionPlace | null,
): Iterable<string> {
  return transactionsAfter(transactions, after);
}

/** The producers that a partition remembers, in the order of the request. */
export function describeProducers(
  state: ClusterState,
  partitions: readonly { topicId: Id; partition: number }[],
): ProducersOfPartition[] {
  return partitions.map(({ topicId, partition: number }) => {
    const { errorCode, partition } = findPartition(state, topicId, number);
    const producers = [...(partition?.producers?.records() ?? [])].map(
      ({ producerId, epoch, lastSeenMs, batches }): ActiveProducer => ({
        producerId,
        producerEpoch: epoch,
        lastSequence: batches.at(-1)?.lastSequence ?? -1,
        lastTimestampMs: lastSeenMs,
        transactionStartOffset: partition?.transactions?.open.get(producerId) ?? -1,
      }),
    );
    return { errorCode, producers };
  });
}

/** AddPartitionsToTxn with `verifyOnly`: whether partitions are in the producer's open transaction. */
export function verifyInTransaction(
  state: ClusterState,
  claim: ProducerClaim,
  partitions: readonly { topicId: Id; partition: number }[],
): { errorCode: number; partitionErrorCodes: number[] } {
  const { errorCode, producer } = checkProducer(state, claim, ErrorCode.PRODUCER_FENCED);
  if (producer === null) {
    return { errorCode, partitionErrorCodes: [] };
  }
  const partitionErrorCodes = partitions.map(({ topicId, partition }) =>
    hasPartition(producer.open, idKey(topicId), partition) ? ErrorCode.NONE : ErrorCode.TRANSACTION_ABORTABLE,
  );
  return { errorCode, partitionErrorCodes };
}

const UNKNOWN = {
  state: '',
  producerId: -1,
  producerEpoch: -1,
  timeoutMs: 0,
  startedAtMs: -1,
  updatedAtMs: 0,
  partitions: [],
  groupIds: [],
  clientId: '',
  agentId: '',
};

function describe(state: ClusterState, producer: TransactionalProducer): DescribedTransaction {
  const { open, previousProducerId: _previous, lastEpoch: _last, ...described } = producer;
  const partitions = [...(open?.partitions ?? [])].flatMap(([topicKey, numbers]) =>
    state.topics.has(topicKey) ? [...numbers].map((partition) => ({ topicId: idFromKey(topicKey), partition })) : [],
  );
  return {
    errorCode: ErrorCode.NONE,
    ...described,
    startedAtMs: open?.startedAtMs ?? -1,
    partitions,
    groupIds: [...(open?.groups.keys() ?? [])],
  };
}
