// Invariants of transactional producers, and the sums over all of them.
import { atLeast, atMost, equal, holds } from '../conditions/compare.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { type TransactionalProducer, transactionsAfter } from '../state/transactions.ts';
import { checkOrder } from './topics.ts';

export interface TransactionSums {
  partitions: number;
  offsets: number;
  chars: number;
  offsetChars: number;
  open: number;
}

/** @param sums null: nothing is summed */
export function checkProducer(
  { transactions, nextProducerId }: ClusterState,
  transactionalId: string,
  producer: TransactionalProducer,
  sums: TransactionSums | null,
): void {
  const { open, clientId, agentId } = producer;
  equal(producer.transactionalId, transactionalId, 'a transactional producer is under its id');
  holds(transactionalId !== '', 'a transactional id is not empty', producer.producerId);
  atLeast(producer.producerId, 1, 'the id of a transactional producer is positive');
  atMost(producer.producerId, nextProducerId - 1, 'the id of a transactional producer was granted');
  atLeast(producer.producerEpoch, 0, 'the epoch of a transactional producer is not negative');
  equal(open !== null, producer.state === 'Ongoing', 'a producer is Ongoing exactly while its transaction is open');
  equal(transactions.open.has(transactionalId), open !== null, 'open transactions are listed');
  if (sums === null) {
    return;
  }
  sums.chars += transactionalId.length + clientId.length + agentId.length;
  if (open === null) {
    return;
  }
  sums.open += 1;
  for (const numbers of open.partitions.values()) {
    sums.partitions += numbers.size;
  }
  for (const [groupId, topics] of open.groups) {
    sums.offsets += 1;
    sums.chars += groupId.length;
    for (const offsets of topics.values()) {
      sums.offsets += offsets.size;
      for (const { metadata } of offsets.values()) {
        sums.offsetChars += metadata.length;
      }
    }
  }
}

export function checkTransactions({ transactions }: ClusterState, sums: TransactionSums): void {
  const { byId, open, counts, ids } = transactions;
  equal(open.size, sums.open, 'open transactions are counted');
  equal(counts.partitions, sums.partitions, 'the partitions of transactions are what they add up to');
  equal(counts.offsets, sums.offsets, 'pending offsets are what they add up to');
  equal(counts.chars, sums.chars, 'the characters of transactions are what they add up to');
  equal(counts.offsetChars, sums.offsetChars, 'the characters of pending offsets are what they add up to');
  checkOrder(ids, byId, 'transactional ids are in order');
  const producerIds = new Set<number>();
  for (const { producerId } of byId.values()) {
    producerIds.add(producerId);
  }
  equal(producerIds.size, byId.size, 'a producer id has one transactional id');
  let before = 0;
  let listed = 0;
  for (const transactionalId of transactionsAfter(transactions, null)) {
    const startedAtMs = byId.get(transactionalId)?.open?.startedAtMs;
    holds((startedAtMs !== undefined) === listed < open.size, 'open transactions come first', transactionalId);
    atLeast(startedAtMs ?? before, before, 'open transactions are in the order of their age');
    before = startedAtMs ?? before;
    listed += 1;
  }
  equal(listed, byId.size, 'each transactional id is listed once');
}
