// Parts of the run index that commands and outcomes name.

/** How often the bytes of a file have been merged: 0 when flushed by agents. See merging/policy.ts. */
export type FileLevel = 0 | 1 | 2;

/** How a transaction ended. Producer ids of up to 48 bits fit. */
export interface Marker {
  producerId: number;
  producerEpoch: number;
  isCommit: boolean;
}
