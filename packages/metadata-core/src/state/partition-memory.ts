// The bytes that the run indexes and producer tables of a cluster have reserved, and the number of producers. Each of them keeps this account up to date, so that nobody has
// to visit a million partitions to know it.

/** Of an index and of a table, besides their typed arrays. */
export const RUN_INDEX_BYTES = 330;
export const PRODUCER_TABLE_BYTES = 180;

export interface PartitionMemory {
  runs: number;
  producers: number;
  /** Entries of all producer tables. Commits are refused by it, so it follows from contents alone. */
  producerCount: number;
}

export function createPartitionMemory(): PartitionMemory {
  return { runs: 0, producers: 0, producerCount: 0 };
}
