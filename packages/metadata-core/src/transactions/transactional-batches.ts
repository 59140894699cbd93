// The transactional batches of a data file: whether each may be written, and the partitions that they add to their transactions.

import { wordAt } from '../model/checked.ts';
import type { TransactionColumns } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { idKey } from '../model/ids.ts';
import { MAX_TRANSACTION_PARTITIONS } from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';
import { transactionsIn } from '../state/partition-transactions.ts';
import type { Topic } from '../state/topic.ts';
import { addPartition, hasPartition, openTransactionOf } from '../state/transactions.ts';
import { checkProducer, mayOpen } from './checks.ts';

export class TransactionalBatches {
  readonly #state: ClusterState;
  readonly #columns: TransactionColumns;
  readonly #nowMs: number;

  constructor(state: ClusterState, columns: TransactionColumns, nowMs: number) {
    this.#state = state;
    this.#columns = columns;
    this.#nowMs = nowMs;
  }

  /** Why the batch's producer may not write for its transactional id. Comes first: a stale producer learns nothing about its batches. */
  claimRefusal(batch: number, producerId: number, producerEpoch: number): ErrorCode {
    const wanted = this.#transactionOf(batch);
    if (wanted === undefined) {
      return ErrorCode.NONE;
    }
    const claim = { transactionalId: wanted.transactionalId, producerId, producerEpoch };
    return checkProducer(this.#state, claim, ErrorCode.INVALID_PRODUCER_EPOCH).errorCode;
  }

  /**
   * Takes a batch that is new and in sequence into the open transaction. `claimRefusal` must have found nothing.
   * @param baseOffset where it will be appended
   */
  admit(batch: number, topic: Topic, number: number, partition: Partition, baseOffset: number): ErrorCode {
    const wanted = this.#transactionOf(batch);
    const { transactions } = this.#state;
    const producer = wanted && transactions.byId.get(wanted.transactionalId);
    if (wanted === undefined || producer === undefined) {
      return ErrorCode.NONE;
    }
    const topicKey = idKey(topic.id);
    if (!hasPartition(producer.open, topicKey, number)) {
      if (!wanted.addsPartitions) {
        return ErrorCode.INVALID_TXN_STATE;
      }
      if (transactions.counts.partitions >= MAX_TRANSACTION_PARTITIONS || !mayOpen(this.#state)) {
        return ErrorCode.POLICY_VIOLATION;
      }
      const open = openTransactionOf(transactions, producer, this.#nowMs);
      addPartition(transactions.counts, open, topicKey, number);
    }
    const { open } = transactionsIn(partition, transactions.counts);
    if (!open.has(producer.producerId)) {
      open.set(producer.producerId, baseOffset);
    }
    return ErrorCode.NONE;
  }

  #transactionOf(batch: number) {
    const number = wordAt(this.#columns.batch, batch);
    return number === 0 ? undefined : this.#columns.producers[number - 1];
  }
}
