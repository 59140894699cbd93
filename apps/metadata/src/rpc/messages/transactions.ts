// Transactions as messages.
import type { ActiveProducer, DescribedTransaction } from '@penstock/metadata-core';

export function transactionMessage(transaction: DescribedTransaction) {
  const { producerId, startedAtMs, updatedAtMs, ...described } = transaction;
  return {
    ...described,
    producerId: BigInt(producerId),
    startedAtMs: BigInt(startedAtMs),
    updatedAtMs: BigInt(updatedAtMs),
  };
}

export function activeProducerMessage(producer: ActiveProducer) {
  return {
    producerId: BigInt(producer.producerId),
    producerEpoch: producer.producerEpoch,
    lastSequence: producer.lastSequence,
    lastTimestampMs: BigInt(producer.lastTimestampMs),
    transactionStartOffset: BigInt(producer.transactionStartOffset),
  };
}
