// AddToTransaction: Kafka's AddPartitionsToTxn and AddOffsetsToTxn.
import { ErrorCode } from '../model/error-code.ts';
import { idKey } from '../model/ids.ts';
import { MAX_GROUP_ID_CHARS, MAX_PENDING_OFFSETS, MAX_TRANSACTION_PARTITIONS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { AddToTransaction } from '../model/transactions.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { addPartition, hasPartition, openTransactionOf, pendingOffsetsOf } from '../state/transactions.ts';
import { findPartition } from '../topics/find-partition.ts';
import { checkProducer, mayOpen } from '../transactions/checks.ts';

/** Adds all or nothing. */
export function addToTransaction(
  state: ClusterState,
  command: AddToTransaction,
  nowMs: number,
): Outcome<'add-to-transaction'> {
  const { errorCode, producer } = checkProducer(state, command, ErrorCode.PRODUCER_FENCED);
  if (producer === null) {
    return refused(errorCode);
  }
  const { partitions, groupIds } = command;
  const codes: ErrorCode[] = partitions.map(
    ({ topicId, partition }) => findPartition(state, topicId, partition).errorCode,
  );
  if (codes.some((code) => code !== ErrorCode.NONE)) {
    const partitionErrorCodes = codes.map((code) =>
      code === ErrorCode.NONE ? ErrorCode.OPERATION_NOT_ATTEMPTED : code,
    );
    return unchanged({ errorCode: ErrorCode.NONE, partitionErrorCodes });
  }
  if (groupIds.some((groupId) => groupId.length > MAX_GROUP_ID_CHARS)) {
    return refused(ErrorCode.INVALID_GROUP_ID);
  }
  const isNew =
    partitions.some(({ topicId, partition }) => !hasPartition(producer.open, idKey(topicId), partition)) ||
    groupIds.some((groupId) => producer.open?.groups.has(groupId) !== true);
  if (!isNew) {
    return unchanged({ errorCode: ErrorCode.NONE, partitionErrorCodes: [] });
  }
  const { counts } = state.transactions;
  const isTooMuch =
    counts.partitions + partitions.length > MAX_TRANSACTION_PARTITIONS ||
    counts.offsets + groupIds.length > MAX_PENDING_OFFSETS;
  if (isTooMuch || !mayOpen(state)) {
    return refused(ErrorCode.POLICY_VIOLATION);
  }
  const open = openTransactionOf(state.transactions, producer, nowMs);
  for (const { topicId, partition } of partitions) {
    addPartition(counts, open, idKey(topicId), partition);
  }
  for (const groupId of groupIds) {
    pendingOffsetsOf(counts, open, groupId);
  }
  return changed({ errorCode: ErrorCode.NONE, partitionErrorCodes: [] });
}

function refused(errorCode: ErrorCode): Outcome<'add-to-transaction'> {
  return unchanged({ errorCode, partitionErrorCodes: [] });
}
