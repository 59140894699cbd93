// The bytes that the run indexes and producer tables of a cluster have reserved, and the number of producers. Indexes and tables update this
// account themselves, because summing over a million partitions would take too long.

/** Size of an index and of a table, besides their typed arrays. */
export const RUN_INDEX_BYTES = 330;
export const PRODUCER_TABLE_BYTES = 180;

export interface PartitionMemory {
  runs: number;
  producers: number;
  /** Entries of all producer tables. It limits commits, so it must depend only on the tables' contents. */
  producerCount: number;
}

export function createPartitionMemory(): PartitionMemory {
  return { runs: 0, producers: 0, producerCount: 0 };
}
