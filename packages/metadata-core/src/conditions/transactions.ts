// Conditions of commands about transactional producers and their transactions.
import { idKey } from '../model/ids.ts';
import { MAX_TIMEOUTS_PER_COMMAND, MAX_TRANSACTION_TIMEOUT_MS } from '../model/limits.ts';
import type { AppendedMarker } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { hasPartition, isEpochExhausted, type TransactionalProducer } from '../state/transactions.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

/** One more than the last epoch: only a marker that fences its producer has it. */
const FENCING_EPOCH = 0x7fff;

/** Checks a producer after a command that changed it. */
function requireProducer(state: ClusterState, transactionalId: string): TransactionalProducer {
  const { byId, open } = state.transactions;
  const producer = byId.get(transactionalId);
  holds(producer !== undefined, 'a changed producer is known', transactionalId);
  equal(producer.transactionalId, transactionalId, 'a producer is under its transactional id');
  atLeast(producer.producerId, 1, 'a transactional producer has an id');
  atMost(producer.producerId, state.nextProducerId - 1, 'the id of a transactional producer was granted');
  atLeast(producer.producerEpoch, 0, 'a transactional producer has an epoch');
  atMost(producer.producerEpoch, FENCING_EPOCH, 'the epoch of a transactional producer has 15 bits');
  atMost(producer.previousProducerId, producer.producerId - 1, 'a producer id follows the previous one');
  atLeast(producer.timeoutMs, 1, 'a transaction has a timeout');
  atMost(producer.timeoutMs, MAX_TRANSACTION_TIMEOUT_MS, 'the timeout of a transaction is within its limit');
  equal(producer.open !== null, producer.state === 'Ongoing', 'a producer is Ongoing exactly in a transaction');
  equal(open.has(transactionalId), producer.open !== null, 'an open transaction is listed, and no other');
  return producer;
}

/** A marker is one offset at the end of its log, after the first record of its transaction. */
function requireMarkers(markers: readonly AppendedMarker[], isCommit: boolean, nowMs: number): void {
  for (const marker of markers) {
    const { baseOffset, firstOffset, highWatermark, logStartOffset, lastStableOffset } = marker;
    equal(baseOffset + 1, highWatermark, 'a marker is the last offset of its log');
    atMost(firstOffset, baseOffset - 1, 'a transaction begins before its marker');
    atLeast(firstOffset, 0, 'a transaction begins in the log');
    atMost(logStartOffset, baseOffset, 'a marker is in the log');
    atMost(lastStableOffset, highWatermark, 'what is stable at a marker is in the log');
    atLeast(lastStableOffset, logStartOffset, 'the log is stable up to its start');
    equal(marker.isCommit, isCommit, 'a marker ends its transaction as the command says');
    equal(marker.timestampMs, nowMs, 'a marker is as old as its command');
    atLeast(marker.producerId, 1, 'a marker has a producer');
    atLeast(marker.producerEpoch, 0, 'a marker has an epoch');
    atMost(marker.producerEpoch, FENCING_EPOCH, 'the epoch of a marker has 15 bits');
  }
}

function sizeOf(open: TransactionalProducer['open']): number {
  let partitions = 0;
  for (const numbers of open?.partitions.values() ?? []) {
    partitions += numbers.size;
  }
  return partitions;
}

export const initTransactionalProducer: Conditions<'init-transactional-producer'> = (before, state, command, nowMs) => {
  const known = state.transactions.byId.get(command.transactionalId);
  const held = sizeOf(known?.open ?? null);
  return ({ changed, answer, effects }) => {
    const { errorCode, producerId, producerEpoch } = answer;
    const markers = effects.markers ?? [];
    if (errorCode !== 0) {
      equal(changed, false, 'a refused transactional producer changes nothing');
      equal(producerId, -1, 'a refused transactional producer learns no id');
      equal(producerEpoch, -1, 'a refused transactional producer learns no epoch');
      return;
    }
    const producer = requireProducer(state, command.transactionalId);
    equal(producerId, producer.producerId, 'a producer learns its id');
    equal(producerEpoch, producer.producerEpoch, 'a producer learns its epoch');
    if (!changed) {
      equal(producer, known, 'a repeated answer leaves the producer');
      return;
    }
    equal(producer.open, null, 'an initialized producer has no open transaction');
    equal(producer.state, 'Empty', 'an initialized producer is Empty');
    equal(producer.timeoutMs, command.timeoutMs, 'an initialized producer has the timeout that it asks for');
    equal(producer.updatedAtMs, nowMs, 'a producer is initialized now');
    const { transactions } = state;
    const { counts } = transactions;
    const wasOpen = known !== undefined && known.open !== null;
    equal(
      transactions.byId.size,
      before.transactionalIds + (known === undefined ? 1 : 0),
      'an initialization adds one id',
    );
    equal(
      transactions.open.size,
      before.openTransactions - (wasOpen ? 1 : 0),
      'an initialization ends its transaction',
    );
    equal(counts.partitions, before.transactionPartitions - held, 'an aborted transaction holds no partition');
    equal(
      counts.aborted,
      before.abortedTransactions + markers.length,
      'an initialization aborts where it writes a marker',
    );
    atMost(markers.length, held, 'a marker is in a partition of the transaction');
    requireMarkers(markers, false, nowMs);
    if (known === undefined || isEpochExhausted(known.producerEpoch)) {
      equal(producerId, before.nextProducerId, 'a new producer takes the next id');
      equal(producerEpoch, 0, 'a new producer begins with epoch 0');
    } else {
      equal(producerId, known.producerId, 'a producer keeps its id');
      equal(producerEpoch, known.producerEpoch + 1, 'an initialization fences the epoch before');
    }
  };
};

export const addToTransaction: Conditions<'add-to-transaction'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const { errorCode, partitionErrorCodes } = answer;
    const { partitions, groupIds } = command;
    const codes = partitionErrorCodes.length;
    equal(effects.markers, undefined, 'an addition writes no marker');
    holds(codes === 0 || codes === partitions.length, 'each added partition has a code, or none has', codes);
    holds(errorCode === 0 || codes === 0, 'a refused addition has one code', codes);
    if (!changed) {
      return;
    }
    equal(errorCode, 0, 'an addition that changes something is accepted');
    equal(codes, 0, 'an addition is complete');
    const { open } = requireProducer(state, command.transactionalId);
    holds(open !== null, 'an addition opens a transaction', command.transactionalId);
    for (const { topicId, partition } of partitions) {
      holds(hasPartition(open, idKey(topicId), partition), 'an added partition is in the transaction', partition);
    }
    for (const groupId of groupIds) {
      holds(open.groups.has(groupId), 'an added group is in the transaction', groupId);
    }
    const { transactions } = state;
    const { counts } = transactions;
    equal(transactions.byId.size, before.transactionalIds, 'an addition leaves transactional ids');
    atLeast(transactions.open.size, before.openTransactions, 'an addition ends no transaction');
    atMost(transactions.open.size, before.openTransactions + 1, 'an addition opens one transaction');
    atLeast(counts.partitions, before.transactionPartitions, 'an addition takes no partition away');
    atMost(counts.partitions, before.transactionPartitions + partitions.length, 'a partition is added once');
    atLeast(counts.offsets, before.pendingOffsets, 'an addition takes no group away');
    atMost(counts.offsets, before.pendingOffsets + groupIds.length, 'a group is added once');
  };

export const commitTransactionOffsets: Conditions<'commit-transaction-offsets'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const { errorCode, offsetErrorCodes } = answer;
    const codes = offsetErrorCodes.length;
    equal(effects.markers, undefined, 'pending offsets write no marker');
    holds(codes === 0 || codes === command.offsets.length, 'each pending offset has a code, or none has', codes);
    holds(errorCode === 0 || codes === 0, 'refused pending offsets have one code', codes);
    if (!changed) {
      return;
    }
    equal(errorCode, 0, 'pending offsets that change something are accepted');
    const { open } = requireProducer(state, command.transactionalId);
    holds(open !== null, 'pending offsets open a transaction', command.transactionalId);
    const topics = open.groups.get(command.groupId);
    holds(topics !== undefined && topics.size > 0, 'pending offsets wait in their group', command.groupId);
    for (const [at, { topic, partition, offset }] of command.offsets.entries()) {
      const isKept = codes === 0 || offsetErrorCodes[at] === 0;
      holds(!isKept || topics.get(topic)?.has(partition) === true, 'an accepted offset waits', offset);
    }
    const { transactions } = state;
    const { counts } = transactions;
    equal(transactions.byId.size, before.transactionalIds, 'pending offsets leave transactional ids');
    atMost(transactions.open.size, before.openTransactions + 1, 'pending offsets open one transaction');
    equal(counts.partitions, before.transactionPartitions, 'pending offsets add no partition');
    atLeast(counts.offsets, before.pendingOffsets, 'pending offsets take none away');
    atMost(counts.offsets, before.pendingOffsets + command.offsets.length + 1, 'an offset waits once');
  };

export const endTransaction: Conditions<'end-transaction'> = (before, state, command, nowMs) => {
  const known = state.transactions.byId.get(command.transactionalId);
  const held = sizeOf(known?.open ?? null);
  const groups = known?.open?.groups.size ?? 0;
  return ({ changed, answer, effects }) => {
    const { errorCode, producerId, producerEpoch } = answer;
    const { isCommit } = command;
    const markers = effects.markers ?? [];
    if (errorCode !== 0) {
      equal(changed, false, 'a refused end changes nothing');
      equal(producerId, -1, 'a refused end names no producer');
      equal(producerEpoch, -1, 'a refused end names no epoch');
      return;
    }
    const producer = requireProducer(state, command.transactionalId);
    equal(producerId, producer.producerId, 'a producer goes on with its id');
    equal(producerEpoch, producer.producerEpoch, 'a producer goes on with its epoch');
    equal(producer.open, null, 'a transaction that ended is not open');
    equal(producer.state, isCommit ? 'CompleteCommit' : 'CompleteAbort', 'a transaction ends as the command says');
    if (!changed) {
      equal(producer, known, 'a repeated end leaves the producer');
      return;
    }
    const { transactions } = state;
    const { counts } = transactions;
    equal(producer.updatedAtMs, nowMs, 'a transaction ends now');
    equal(transactions.byId.size, before.transactionalIds, 'an end leaves transactional ids');
    const ended = known !== undefined && known.open !== null ? 1 : 0;
    equal(transactions.open.size, before.openTransactions - ended, 'one transaction ends');
    equal(counts.partitions, before.transactionPartitions - held, 'a transaction that ended holds no partition');
    atMost(counts.offsets, before.pendingOffsets - groups, 'a transaction that ended holds no group');
    atMost(markers.length, held, 'an end writes a marker for a partition of the transaction');
    const aborted = isCommit ? 0 : markers.length;
    equal(counts.aborted, before.abortedTransactions + aborted, 'an abort is remembered where its marker is');
    requireMarkers(markers, isCommit, nowMs);
    atLeast(state.groups.size, before.groups, 'an end removes no group');
    atMost(state.groups.size, before.groups + (isCommit ? groups : 0), 'only committed offsets make a group');
    if (!command.bumpsEpoch) {
      equal(producerId, command.producerId, 'a producer keeps its id at the end');
      equal(producerEpoch, command.producerEpoch, 'a producer keeps its epoch at the end');
    } else if (isEpochExhausted(command.producerEpoch)) {
      equal(producerId, before.nextProducerId, 'after the last epoch comes the next producer id');
      equal(producerEpoch, 0, 'after the last epoch comes epoch 0');
    } else {
      equal(producerId, command.producerId, 'a bumped epoch keeps the producer id');
      equal(producerEpoch, command.producerEpoch + 1, 'an end bumps the epoch by one');
    }
  };
};

export const abortTransaction: Conditions<'abort-transaction'> =
  (before, state, command, nowMs) =>
  ({ changed, answer, effects }) => {
    const { transactions } = state;
    const markers = effects.markers ?? [];
    equal(changed, answer.errorCode === 0, 'an accepted abort is a change');
    equal(transactions.byId.size, before.transactionalIds, 'an abort leaves transactional ids');
    equal(transactions.open.size, before.openTransactions - (changed ? 1 : 0), 'an abort ends one transaction');
    atMost(transactions.counts.partitions, before.transactionPartitions, 'an abort adds no partition');
    atMost(transactions.counts.offsets, before.pendingOffsets, 'an abort adds no pending offset');
    equal(
      transactions.counts.aborted,
      before.abortedTransactions + markers.length,
      'an operator aborts where a marker is written',
    );
    requireMarkers(markers, false, nowMs);
    if (changed && command.transactionalId !== '') {
      const producer = requireProducer(state, command.transactionalId);
      equal(producer.state, 'CompleteAbort', 'an aborted transaction is over');
      equal(producer.lastEpoch, -1, 'an aborted producer cannot ask again');
    }
  };

export const expireTransactions: Conditions<'expire-transactions'> =
  (before, state, _command, nowMs) =>
  ({ changed, answer, effects }) => {
    const { transactions } = state;
    const { aborted } = answer;
    const markers = effects.markers ?? [];
    equal(changed, aborted.length > 0, 'a transaction that times out is a change');
    atMost(aborted.length, MAX_TIMEOUTS_PER_COMMAND, 'one command ends a limited number of transactions');
    equal(transactions.byId.size, before.transactionalIds, 'a timeout leaves transactional ids');
    equal(transactions.open.size, before.openTransactions - aborted.length, 'each timeout ends one transaction');
    equal(
      transactions.counts.aborted,
      before.abortedTransactions + markers.length,
      'a timeout aborts where a marker is written',
    );
    requireMarkers(markers, false, nowMs);
    for (const transactionalId of aborted) {
      const producer = requireProducer(state, transactionalId);
      equal(producer.open, null, 'a transaction that timed out is not open');
      equal(producer.state, 'CompleteAbort', 'a transaction that timed out is aborted');
      equal(producer.lastEpoch, -1, 'a producer that timed out cannot ask again');
    }
  };
