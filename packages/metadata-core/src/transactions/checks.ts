// Checks of a producer that speaks for a transactional id, in the order of Kafka's coordinator.
import { ErrorCode } from '../model/error-code.ts';
import { MAX_ABORTED_TRANSACTIONS } from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { TransactionalProducer } from '../state/transactions.ts';

export interface ProducerClaim {
  transactionalId: string;
  producerId: number;
  producerEpoch: number;
}

export type CheckedProducer =
  | { errorCode: typeof ErrorCode.NONE; producer: TransactionalProducer }
  | { errorCode: ErrorCode; producer: null };

/**
 * The producer of a claim. INVALID_PRODUCER_ID_MAPPING when the id is unknown or has another producer id.
 * @param fenced the code for an epoch that is not the present one
 */
export function checkProducer(
  state: ClusterState,
  { transactionalId, producerId, producerEpoch }: ProducerClaim,
  fenced: ErrorCode,
): CheckedProducer {
  if (transactionalId === '') {
    return { errorCode: ErrorCode.INVALID_REQUEST, producer: null };
  }
  const producer = state.transactions.byId.get(transactionalId);
  if (producer === undefined || producer.producerId !== producerId) {
    return { errorCode: ErrorCode.INVALID_PRODUCER_ID_MAPPING, producer: null };
  }
  if (producer.producerEpoch !== producerEpoch) {
    return { errorCode: fenced, producer: null };
  }
  return { errorCode: ErrorCode.NONE, producer };
}

/** Whether the cluster may have another open transaction: each of them may have to be remembered as aborted. */
export function mayOpen({ transactions }: ClusterState): boolean {
  return transactions.counts.aborted < MAX_ABORTED_TRANSACTIONS;
}
