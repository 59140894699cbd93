// The transactions of one partition: where the open ones begin, and which have been aborted.
import { present } from '../model/assert.ts';
import type { AbortedTransaction, Partition, PartitionTransactions } from './partition.types.ts';
import type { TransactionCounts } from './transactions.ts';

/** Up to where every transaction has ended: what readers at read_committed may see. */
export function lastStableOffset({ transactions, highWatermark, logStartOffset }: Partition): number {
  const first = transactions?.open.values().next().value;
  return first === undefined ? highWatermark : Math.max(first, logStartOffset);
}

/** The partition's transactions, for a change. */
export function transactionsIn(partition: Partition, counts: TransactionCounts): PartitionTransactions {
  partition.transactions ??= { open: new Map(), aborted: [], counts };
  return partition.transactions;
}

/** Ends a producer's open transaction. @param lastOffset of its marker */
export function endIn(partition: Partition, producerId: number, isCommit: boolean, lastOffset: number): void {
  const { transactions } = partition;
  const firstOffset = transactions?.open.get(producerId);
  if (transactions === null || firstOffset === undefined) {
    return;
  }
  transactions.open.delete(producerId);
  if (!isCommit) {
    transactions.aborted.push({ producerId, firstOffset, lastOffset });
    transactions.counts.aborted += 1;
  }
  dropIfEmpty(partition);
}

/**
 * Forgets aborted transactions that end before an offset, because no reader gets their records: the log starts there, or everything before
 * it was compacted.
 */
export function forgetAborted(partition: Partition, offset: number): void {
  const { transactions } = partition;
  if (transactions === null) {
    return;
  }
  const kept = transactions.aborted.findIndex(({ lastOffset }) => lastOffset >= offset);
  const dropped = transactions.aborted.splice(0, kept < 0 ? transactions.aborted.length : kept);
  transactions.counts.aborted -= dropped.length;
  dropIfEmpty(partition);
}

/** Aborted transactions that end at `fromOffset` or later and begin before `endOffset`. */
export function abortedBetween(
  { transactions }: Partition,
  fromOffset: number,
  endOffset: number,
): AbortedTransaction[] {
  if (transactions === null) {
    return [];
  }
  const { aborted } = transactions;
  let [low, high] = [0, aborted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (present(aborted[middle], 'aborted transaction').lastOffset < fromOffset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return aborted.slice(low).filter(({ firstOffset }) => firstOffset < endOffset);
}

function dropIfEmpty(partition: Partition): void {
  const { transactions } = partition;
  if (transactions !== null && transactions.open.size + transactions.aborted.length === 0) {
    partition.transactions = null;
  }
}
