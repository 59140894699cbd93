// EndTransaction: Kafka's EndTxn, as one step over all partitions and groups. Its answers are those of Kafka's TransactionCoordinator.
import { ErrorCode } from '../model/error-code.ts';
import { LAST_PRODUCER_EPOCH } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { EndTransaction } from '../model/transactions.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { TransactionalProducer } from '../state/transactions.ts';
import { finish, nextEpoch } from '../transactions/finish.ts';

export function endTransaction(
  state: ClusterState,
  command: EndTransaction,
  nowMs: number,
): Outcome<'end-transaction'> {
  if (command.transactionalId === '') {
    return refused(ErrorCode.INVALID_REQUEST);
  }
  const producer = state.transactions.byId.get(command.transactionalId);
  if (producer === undefined) {
    return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
  }
  return command.bumpsEpoch ? endAndBump(state, producer, command, nowMs) : end(state, producer, command, nowMs);
}

/** Transactions of KIP-98: the producer keeps its epoch, so a repeated request looks like the first. */
function end(
  state: ClusterState,
  producer: TransactionalProducer,
  { producerId, producerEpoch, isCommit }: EndTransaction,
  nowMs: number,
): Outcome<'end-transaction'> {
  if (producer.producerId !== producerId) {
    return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
  }
  if (producer.producerEpoch !== producerEpoch) {
    return refused(ErrorCode.PRODUCER_FENCED);
  }
  if (producer.open === null) {
    return producer.state === endStateOf(isCommit) ? repeated(producer) : refused(ErrorCode.INVALID_TXN_STATE);
  }
  const markers = finish(state, producer, isCommit, producerEpoch, producer, nowMs);
  return changed({ errorCode: ErrorCode.NONE, producerId, producerEpoch }, markers.length === 0 ? {} : { markers });
}

/**
 * Transactions of KIP-890: the epoch grows with every transaction, so whatever of it is still on its way is refused, and a repeated request
 * has the epoch before. Aborting without an open transaction grows it as well.
 */
function endAndBump(
  state: ClusterState,
  producer: TransactionalProducer,
  { producerId, producerEpoch, isCommit }: EndTransaction,
  nowMs: number,
): Outcome<'end-transaction'> {
  const isOverflow =
    producer.previousProducerId === producerId && producerEpoch === LAST_PRODUCER_EPOCH && producer.producerEpoch === 0;
  if (producer.producerId !== producerId && !isOverflow) {
    return refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
  }
  const isRetry = isOverflow || producer.producerEpoch === producerEpoch + 1;
  const hasEnded = producer.state === 'CompleteCommit' || producer.state === 'CompleteAbort';
  if (isRetry && hasEnded && producer.state !== endStateOf(isCommit)) {
    return refused(ErrorCode.INVALID_TXN_STATE);
  }
  // A producer fenced by a timeout or an operator also has the previous epoch. It must not learn the current one by retrying.
  if (isRetry && hasEnded && (isOverflow || producer.lastEpoch === producerEpoch)) {
    return repeated(producer);
  }
  if (isOverflow || producer.producerEpoch !== producerEpoch) {
    return refused(ErrorCode.PRODUCER_FENCED);
  }
  if (producer.open === null && isCommit) {
    return refused(ErrorCode.INVALID_TXN_STATE);
  }
  const next = nextEpoch(state, producer, true, nowMs);
  const markers = finish(state, producer, isCommit, producerEpoch + 1, next, nowMs);
  return changed(
    { errorCode: ErrorCode.NONE, producerId: next.producerId, producerEpoch: next.producerEpoch },
    markers.length === 0 ? {} : { markers },
  );
}

function endStateOf(isCommit: boolean): TransactionalProducer['state'] {
  return isCommit ? 'CompleteCommit' : 'CompleteAbort';
}

function repeated({ producerId, producerEpoch }: TransactionalProducer): Outcome<'end-transaction'> {
  return unchanged({ errorCode: ErrorCode.NONE, producerId, producerEpoch });
}

function refused(errorCode: ErrorCode): Outcome<'end-transaction'> {
  return unchanged({ errorCode, producerId: -1, producerEpoch: -1 });
}
