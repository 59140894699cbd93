// A partition as data, with the transactions in it.
import type { PartitionMemory } from './partition-memory.ts';
import type { ProducerTable } from './producer-table.ts';
import type { RunIndex } from './run-index.ts';
import type { TransactionCounts } from './transactions.ts';

export interface Partition {
  logStartOffset: number;
  highWatermark: number;
  /** Compaction: among the records before this offset, each key occurs at most once. */
  cleanedOffset: number;
  /** When the first tombstone in the clean part may be removed; 0: none is known. */
  deleteHorizonMs: number;
  /** Bytes of the runs in the index. */
  storedBytes: number;
  /** Null until the first run, because a cluster may have a million partitions. */
  runs: RunIndex | null;
  /** Idempotent producers; null while there are none. */
  producers: ProducerTable | null;
  /** Null while no transaction is open and readers need not know of an aborted one. */
  transactions: PartitionTransactions | null;
  /** The account of the cluster. */
  readonly memory: PartitionMemory;
}

/** Readers at read_committed skip the producer's transactional records from the first offset up to the last, that of the marker. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
}

export interface PartitionTransactions {
  /** By producer id, the offset of the open transaction's first record; in the order of these offsets. */
  readonly open: Map<number, number>;
  /** In the order of their last offsets. Those before the log start are dropped. */
  readonly aborted: AbortedTransaction[];
  /** The cluster's counts, which all its partitions share. */
  readonly counts: TransactionCounts;
}
