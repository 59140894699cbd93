// Commands about records: commit of data files, truncation, retention, deletion of files, producer ids.
import type { Id } from '../ids.ts';

/**
 * A data file was written. Columns, not rows; parallel columns have equal lengths. Runs are ordered as they lie in the file; the
 * batches of run r are the next runBatches[r] entries of the batch columns and are adjacent from runPosition[r] on.
 * All numbers are integers; pass 64-bit values of the wire through `toSafeInteger`.
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
}
export interface ProducerColumns {
  id: Float64Array;
  epoch: Int32Array;
  baseSequence: Int32Array;
}
export interface CommitFileAnswer {
  /** Of the whole commit; when not 0 nothing was stored and the columns are empty. */
  errorCode: number;
  errorMessage: string;
  /** Per batch; -1 where it was refused. A duplicate has its original offset. Exact integers up to 2^53. */
  batchBaseOffset: Float64Array;
  /** Per batch; empty: all 0. */
  batchErrorCode: Int32Array;
  /** Per run; -1 where the partition is unknown. */
  runLogStartOffset: Float64Array;
}

/**
 * Consecutive runs of partitions were written once more, as one run each, into a new file. Columns, one entry per new run, as they lie in
 * the file; those of one partition in the order of their offsets. It says all that the swap needs, whoever planned it.
 */
export interface ReplaceRuns {
  kind: 'replace-runs';
  /** UUIDv7; also the idempotency key. */
  fileId: Id;
  fileBytes: number;
  /** Of the new file: 1 or 2. */
  level: number;
  /** The files that the replaced runs lie in. */
  sourceFileIds: Id[];
  /** The distinct topics; targetTopic indexes this list. */
  topicIds: Id[];
  targetTopic: Uint32Array;
  targetPartition: Uint32Array;
  /** The offsets that a run covers: from its base offset up to, without, its end offset. */
  targetBaseOffset: Float64Array;
  targetEndOffset: Float64Array;
  targetPosition: Float64Array;
  targetBytes: Float64Array;
  /** Records were left out: the latest of each key is there. Null: the bytes are those of the replaced runs. */
  compaction: CompactionColumns | null;
}
/** One entry per new run. */
export interface CompactionColumns {
  /** What the replaced runs have together. */
  targetSourceBytes: Float64Array;
  /** The largest timestamp of the records that are left, -1 without any. Null: unknown, that of the replaced runs holds. */
  targetMaxTimestampMs: Float64Array | null;
}
export interface ReplaceRunsAnswer {
  /** `stale`: the index has changed since, and this can never be applied. `invalid`: no job leads to such a command, or its id is too old. */
  outcome: 'applied' | 'stale' | 'invalid';
  /** Why it was not applied; else empty. */
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
}

/**
 * Every call gets a new producer id at epoch 0, as a Kafka broker does for producers without a transactional id; only a repeated
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

/** Drops runs beyond retention.ms / retention.bytes, and what else ages: answers, producers' sequences, agents that left. */
export interface ExpireRetention {
  kind: 'expire-retention';
}
export interface ExpireRetentionAnswer {
  droppedRuns: number;
}

/** Leases files that nothing refers to any more, for 5 minutes. */
export interface TakeDeletions {
  kind: 'take-deletions';
  maxFiles: number;
}
export interface TakeDeletionsAnswer {
  fileIds: Id[];
}

/** The objects are gone. Files that are not queued for deletion are ignored. */
export interface ConfirmDeletions {
  kind: 'confirm-deletions';
  fileIds: Id[];
}
export interface ConfirmDeletionsAnswer {
  confirmed: number;
}
