// The types of commands about records: committing data files, truncation, retention, deletion of files, producer ids.
import type { Id } from './ids.ts';

/**
 * Commits a data file. Columns, not rows; parallel columns have equal lengths. Runs are in the order of the file. The batches of run r are
 * the next runBatches[r] entries of the batch columns, and are adjacent from runPosition[r] on. All numbers are integers; pass 64-bit
 * values of the wire through `toSafeInteger`.
 */
export interface CommitFile {
  kind: 'commit-file';
  /** UUIDv7; also the idempotency key. */
  fileId: Id;
  fileBytes: number;
  /** The distinct topics; runTopic indexes this list. */
  topicIds: Id[];
  runTopic: Uint32Array;
  runPartition: Uint32Array;
  runPosition: Float64Array;
  runBatches: Uint32Array;
  /** Whole batch, header included, as stored. */
  batchBytes: Uint32Array;
  batchRecords: Uint32Array;
  batchMaxTimestampMs: Float64Array;
  batchUncompressedBytes: Float64Array;
  /** Producer columns: null when no batch has a producer id; -1 where one has none. */
  producers: ProducerColumns | null;
  /** Null or absent: no batch is transactional. Otherwise there are producer columns. */
  transactions?: TransactionColumns | null;
}
export interface ProducerColumns {
  id: Float64Array;
  epoch: Int32Array;
  baseSequence: Int32Array;
}
export interface TransactionColumns {
  /** Per batch: 0 when it is not transactional, else n for the n-th of the producers. */
  batch: Uint32Array;
  producers: FileTransaction[];
}
export interface FileTransaction {
  transactionalId: string;
  /** Its batches open the transaction and add their partitions (KIP-890). Otherwise the partitions must be part of it. */
  addsPartitions: boolean;
}
export interface CommitFileAnswer {
  /** The error of the whole commit. When not 0, nothing was stored and the columns are empty. */
  errorCode: number;
  errorMessage: string;
  /** Per batch; -1 where it was refused. A duplicate gets its original offset. Exact integers up to 2^53. */
  batchBaseOffset: Float64Array;
  /** Per batch; empty: all 0. */
  batchErrorCode: Int32Array;
  /** Per run; -1 where the partition is unknown. */
  runLogStartOffset: Float64Array;
}

/**
 * Replaces consecutive runs of each partition with one run in a new, merged file. Columns with one entry per new run,
 * in file order; those of one partition are in offset order. Contains everything that the swap needs, independent of
 * its planner.
 */
export interface ReplaceRuns {
  kind: 'replace-runs';
  /** UUIDv7; also the idempotency key. */
  fileId: Id;
  fileBytes: number;
  /** The new file's level: 1 or 2. */
  level: number;
  /** The files that hold the replaced runs. */
  sourceFileIds: Id[];
  /** The distinct topics; targetTopic indexes this list. */
  topicIds: Id[];
  targetTopic: Uint32Array;
  targetPartition: Uint32Array;
  /** The offsets that a run covers: from its base offset (inclusive) to its end offset (exclusive). */
  targetBaseOffset: Float64Array;
  targetEndOffset: Float64Array;
  targetPosition: Float64Array;
  targetBytes: Float64Array;
  /** Set when only the latest record of each key was kept. Null: the bytes are those of the replaced runs. */
  compaction: CompactionColumns | null;
}
/** One entry per new run. */
export interface CompactionColumns {
  /** The total bytes of the replaced runs. */
  targetSourceBytes: Float64Array;
  /** The largest timestamp of the remaining records, -1 if there are none. Null: unknown, so that of the replaced runs applies. */
  targetMaxTimestampMs: Float64Array | null;
  /** When the first of the remaining tombstones and ends of transactions may be removed, 0 if there are none. Null: unknown. */
  targetDeleteHorizonMs: Float64Array | null;
  /** Batches of aborted transactions were left out. */
  isAbortedRemoved?: true;
}
export interface ReplaceRunsAnswer {
  /** `stale`: the index has changed since. `invalid`: no job leads to this command, or its id is too old. */
  outcome: 'applied' | 'stale' | 'invalid';
  /** Set when a stale command can never be applied, because none of the runs is left. Otherwise truncation may make it fit. */
  isFinal?: true;
  /** Why it was not applied; otherwise empty. */
  reason: string;
}

export interface DeleteRecords {
  kind: 'delete-records';
  /** beforeOffset -1: the high watermark. */
  partitions: { topicId: Id; partition: number; beforeOffset: number }[];
}
export interface DeleteRecordsAnswer {
  states: PartitionStateAnswer[];
}
export interface PartitionStateAnswer {
  errorCode: number;
  logStartOffset: number;
  highWatermark: number;
  lastStableOffset: number;
}

/**
 * Every call gets a new producer id at epoch 0, as from a Kafka broker for producers without a transactional id; only a repeated
 * `requestId` gets the same answer again (for 15 minutes).
 */
export interface InitProducerId {
  kind: 'init-producer-id';
  producerId: number;
  producerEpoch: number;
  requestId: Id;
}
export interface InitProducerIdAnswer {
  errorCode: number;
  producerId: number;
  producerEpoch: number;
}

/** Forgets answers, grants, agents that left and idle transactional ids. */
export interface ExpireRetention {
  kind: 'expire-retention';
}
export type ExpireRetentionAnswer = Record<never, never>;

/** Removes runs beyond retention.ms / retention.bytes, and producers' sequences that have expired, of these partitions. */
export interface ExpireRuns {
  kind: 'expire-runs';
  topics: { topicId: Id; partitions: number[] }[];
}
export interface ExpireRunsAnswer {
  droppedRuns: number;
  /** False: it removed as many runs as one command may. Send it again for the rest. */
  isComplete: boolean;
}

/** Leases dead files, which nothing refers to any more, for 5 minutes. */
export interface TakeDeletions {
  kind: 'take-deletions';
  maxFiles: number;
}
export interface TakeDeletionsAnswer {
  fileIds: Id[];
}

/** Confirms that objects were deleted. Files that are not queued for deletion are ignored. */
export interface ConfirmDeletions {
  kind: 'confirm-deletions';
  fileIds: Id[];
}
export interface ConfirmDeletionsAnswer {
  confirmed: number;
}
