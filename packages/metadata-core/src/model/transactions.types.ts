// The types of commands about transactions. EndTransaction is one command over all partitions and groups, since the cluster has one owner.

import type { OffsetToCommit } from './groups.types.ts';
import type { Id } from './ids.ts';

/** Gives a transactional id its next epoch, which fences all holders of earlier ones. Aborts an open transaction. */
export interface InitTransactionalProducer {
  kind: 'init-transactional-producer';
  transactionalId: string;
  /** The producer's current id and epoch; both -1 if it has none. */
  producerId: number;
  producerEpoch: number;
  timeoutMs: number;
  /** The client id, for display. */
  clientId: string;
  agentId: string;
}

/** The first addition opens the transaction. */
export interface AddToTransaction {
  kind: 'add-to-transaction';
  transactionalId: string;
  producerId: number;
  producerEpoch: number;
  partitions: { topicId: Id; partition: number }[];
  groupIds: string[];
}
export interface AddToTransactionAnswer {
  errorCode: number;
  /** In the order of the request; empty: all 0. */
  partitionErrorCodes: number[];
}

/** The offsets become visible when the transaction commits. */
export interface CommitTransactionOffsets {
  kind: 'commit-transaction-offsets';
  transactionalId: string;
  producerId: number;
  producerEpoch: number;
  /** Opens the transaction and adds the group (KIP-890). Otherwise the group must be part of it. */
  addsGroup: boolean;
  groupId: string;
  /** The generation; -1 if not checked. */
  generationId: number;
  memberId: string;
  groupInstanceId: string | null;
  offsets: OffsetToCommit[];
}

export interface EndTransaction {
  kind: 'end-transaction';
  transactionalId: string;
  producerId: number;
  producerEpoch: number;
  isCommit: boolean;
  /** The producer continues with the next epoch (KIP-890). */
  bumpsEpoch: boolean;
}
/** The id and epoch with which the producer continues; both -1 with an error. */
export interface TransactionalProducerAnswer {
  errorCode: number;
  producerId: number;
  producerEpoch: number;
}

/** For an operator: aborts an open transaction and fences its producer. */
export interface AbortTransaction {
  kind: 'abort-transaction';
  /** Empty: by producer id. */
  transactionalId: string;
  producerId: number;
}
export interface AbortTransactionAnswer {
  errorCode: number;
}

/** Aborts transactions that are open for longer than their timeouts, and fences their producers. */
export interface ExpireTransactions {
  kind: 'expire-transactions';
}
export interface ExpireTransactionsAnswer {
  aborted: string[];
}
