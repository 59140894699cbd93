// AbortTransaction: an operator ends a transaction that its producer left open.
import { ErrorCode } from '../model/error-code.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { AbortTransaction } from '../model/transactions.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { TransactionalProducer } from '../state/transactions.ts';
import { fence } from '../transactions/finish.ts';

export function abortTransaction(
  state: ClusterState,
  command: AbortTransaction,
  nowMs: number,
): Outcome<'abort-transaction'> {
  const producer = producerOf(state, command);
  if (producer === undefined) {
    return unchanged({ errorCode: ErrorCode.TRANSACTIONAL_ID_NOT_FOUND });
  }
  if (producer.open === null) {
    return unchanged({ errorCode: ErrorCode.INVALID_TXN_STATE });
  }
  const markers = fence(state, producer, nowMs);
  return changed({ errorCode: ErrorCode.NONE }, markers.length === 0 ? {} : { markers });
}

function producerOf(
  { transactions }: ClusterState,
  { transactionalId, producerId }: AbortTransaction,
): TransactionalProducer | undefined {
  if (transactionalId !== '') {
    return transactions.byId.get(transactionalId);
  }
  return [...transactions.byId.values()].find((producer) => producer.producerId === producerId);
}
