// CommitFile: assigns offsets to the batches of one data file. Hot: a commit of 288 runs takes tens of microseconds.

import { doubleAt, int32At, wordAt } from '../model/checked.ts';
import type { CommitFile, CommitFileAnswer } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { idKey } from '../model/ids.ts';
import { MAX_OFFSET, MAX_REMEMBERED_PRODUCERS, MIN_BATCH_BYTES, MIN_RECORD_BYTES } from '../model/limits.ts';
import { type AppendedRuns, changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { appendRun } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import { firstYoungId } from '../state/producer-id-marks.ts';
import { APPEND, FENCED, OUT_OF_ORDER, ProducerTable } from '../state/producer-table.ts';
import type { Topic } from '../state/topic.ts';
import { maxUncompressedBatchBytes } from '../topics/topic-configs.ts';
import { TransactionalBatches } from '../transactions/transactional-batches.ts';
import { commitRefusal } from './commit-file-checks.ts';

/** The columns of AppendedRuns that need 64 bits. */
const WIDE_COLUMNS = 7;

export function commitFile(state: ClusterState, command: CommitFile, nowMs: number): Outcome<'commit-file'> {
  const remembered = state.answers.find(command.fileId);
  if (
    remembered !== undefined &&
    remembered.batchBaseOffset.length === command.batchBytes.length &&
    remembered.runLogStartOffset.length === command.runTopic.length
  ) {
    const { batchBaseOffset, batchErrorCode, runLogStartOffset } = remembered;
    return unchanged({ errorCode: 0, errorMessage: '', batchBaseOffset, batchErrorCode, runLogStartOffset });
  }
  const refusal = commitRefusal(state, command, nowMs);
  if (refusal !== null) {
    return unchanged({
      errorCode: refusal.errorCode,
      errorMessage: refusal.message,
      batchBaseOffset: new Float64Array(0),
      batchErrorCode: new Int32Array(0),
      runLogStartOffset: new Float64Array(0),
    });
  }
  state.answers.expire(nowMs);
  // The first file fixes the bucket for good, as the one that all registered agents agree on.
  state.bucket ??= [...state.agents.values()].find((agent) => agent.leftAtMs === null)?.bucket ?? null;
  const commit = new Commit(state, command, nowMs);
  const answer = commit.run();
  state.answers.remember({
    fileId: command.fileId.slice(),
    answeredAtMs: nowMs,
    batchBaseOffset: answer.batchBaseOffset,
    batchErrorCode: answer.batchErrorCode,
    runLogStartOffset: answer.runLogStartOffset,
  });
  const outcome = changed<'commit-file'>(answer, commit.appended.count === 0 ? {} : { appended: commit.appended });
  return commit.lacksMemory ? { ...outcome, lacksMemory: true } : outcome;
}

/** A commit in progress. Accepted batches collect in a run until a refused or duplicate one splits it. */
class Commit {
  readonly appended: AppendedRuns;
  /** A batch was refused because partitions remember as many producers as they may. */
  lacksMemory = false;
  readonly #state: ClusterState;
  readonly #command: CommitFile;
  readonly #nowMs: number;
  /** A producer with this id or a later one, and without state in a partition, never wrote to it. */
  readonly #firstYoungId: number;
  /** Null: no batch is transactional. */
  readonly #transactional: TransactionalBatches | null;
  readonly #file: number;
  readonly #baseOffsets: Float64Array;
  readonly #errorCodes: Int32Array;
  #refused = 0;
  /** Maximum decompressed size of a batch in the current run, including its header. */
  #mostUncompressedBytes = 0;
  // The open run.
  #position = 0;
  #bytes = 0;
  #records = 0;
  #maxTimestampMs = 0;

  constructor(state: ClusterState, command: CommitFile, nowMs: number) {
    this.#state = state;
    this.#command = command;
    this.#nowMs = nowMs;
    this.#firstYoungId = firstYoungId(state.producerIdMarks, nowMs);
    const { transactions } = command;
    this.#transactional = transactions ? new TransactionalBatches(state, transactions, nowMs) : null;
    this.#file = state.files.add(command.fileId, command.fileBytes, nowMs);
    const batches = command.batchBytes.length;
    this.#baseOffsets = new Float64Array(batches);
    this.#errorCodes = new Int32Array(batches);
    this.appended = emptyColumns(command, batches);
  }

  run(): CommitFileAnswer {
    const { runTopic, runPartition, runPosition, runBatches } = this.#command;
    const topics = this.#command.topicIds.map((topicId) => this.#state.topics.get(idKey(topicId)));
    const runLogStartOffset = new Float64Array(runTopic.length);
    let batch = 0;
    for (let run = 0; run < runTopic.length; run += 1) {
      const topicIndex = wordAt(runTopic, run);
      const topic: Topic | undefined = topics[topicIndex];
      const partition = topic?.partitions[wordAt(runPartition, run)];
      const end = batch + wordAt(runBatches, run);
      if (topic === undefined || partition === undefined) {
        const code = topic === undefined ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        for (; batch < end; batch += 1) {
          this.#refuse(batch, code);
        }
        runLogStartOffset[run] = -1;
      } else {
        this.#judgeRun(run, topicIndex, topic, partition, batch, end, doubleAt(runPosition, run));
        batch = end;
        runLogStartOffset[run] = partition.logStartOffset;
      }
    }
    this.#state.files.settle(this.#file, this.#nowMs);
    const { totals } = this.#state;
    totals.files += 1;
    totals.storedBytes += BigInt(this.appended.storedBytes);
    totals.uncompressedBytes += BigInt(this.appended.uncompressedBytes);
    totals.records += BigInt(this.appended.totalRecords);
    return {
      errorCode: ErrorCode.NONE,
      errorMessage: '',
      batchBaseOffset: this.#baseOffsets,
      batchErrorCode: this.#refused === 0 ? new Int32Array(0) : this.#errorCodes,
      runLogStartOffset,
    };
  }

  #judgeRun(
    run: number,
    topicIndex: number,
    topic: Topic,
    partition: Partition,
    from: number,
    end: number,
    runPosition: number,
  ): void {
    const { batchBytes, batchRecords, batchMaxTimestampMs, batchUncompressedBytes } = this.#command;
    let position = runPosition;
    this.#mostUncompressedBytes = MIN_BATCH_BYTES + maxUncompressedBatchBytes(topic.configs, this.#state.settings);
    for (let batch = from; batch < end; batch += 1) {
      const bytes = wordAt(batchBytes, batch);
      const records = wordAt(batchRecords, batch);
      const baseOffset = partition.highWatermark + this.#records;
      if (this.#admit(run, topic, partition, batch, records, baseOffset)) {
        const timestampMs = doubleAt(batchMaxTimestampMs, batch);
        if (this.#records === 0) {
          this.#position = position;
          this.#maxTimestampMs = timestampMs;
        } else if (timestampMs > this.#maxTimestampMs) {
          this.#maxTimestampMs = timestampMs;
        }
        this.#bytes += bytes;
        this.#records += records;
        this.#baseOffsets[batch] = baseOffset;
        this.appended.uncompressedBytes += doubleAt(batchUncompressedBytes, batch);
      } else {
        this.#closeRun(run, topicIndex, partition);
      }
      position += bytes;
    }
    this.#closeRun(run, topicIndex, partition);
  }

  /** Whether the batch is new and in sequence. Otherwise sets its answer. */
  #admit(run: number, topic: Topic, partition: Partition, batch: number, records: number, baseOffset: number): boolean {
    if (baseOffset + records > MAX_OFFSET) {
      this.#refuse(batch, ErrorCode.INVALID_REQUEST);
      return false;
    }
    const claim = this.#claimProblem(batch, records);
    if (claim !== ErrorCode.NONE) {
      this.#refuse(batch, claim);
      return false;
    }
    const { producers } = this.#command;
    const producerId = producers === null ? -1 : doubleAt(producers.id, batch);
    if (producers === null || producerId < 0) {
      return true;
    }
    const epoch = int32At(producers.epoch, batch);
    const sequence = int32At(producers.baseSequence, batch);
    if (epoch < 0 || sequence < 0) {
      this.#refuse(batch, epoch < 0 ? ErrorCode.INVALID_PRODUCER_EPOCH : ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
      return false;
    }
    if (producerId >= Number.MAX_SAFE_INTEGER) {
      this.#refuse(batch, ErrorCode.INVALID_PRODUCER_ID_MAPPING);
      return false;
    }
    const claimRefusal = this.#transactional?.claimRefusal(batch, producerId, epoch) ?? ErrorCode.NONE;
    if (claimRefusal !== ErrorCode.NONE) {
      this.#refuse(batch, claimRefusal);
      return false;
    }
    const row = partition.producers?.find(producerId) ?? -1;
    if (row < 0 && sequence !== 0 && this.#neverWroteTo(topic, producerId)) {
      this.#refuse(batch, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
      return false;
    }
    const verdict = partition.producers?.judge(row, epoch, sequence, records) ?? APPEND;
    switch (verdict) {
      case APPEND: {
        if (row < 0 && partition.memory.producerCount >= MAX_REMEMBERED_PRODUCERS) {
          this.lacksMemory = true;
          this.#refuse(batch, ErrorCode.POLICY_VIOLATION);
          return false;
        }
        const number = wordAt(this.#command.runPartition, run);
        const refusal = this.#transactional?.admit(batch, topic, number, partition, baseOffset) ?? ErrorCode.NONE;
        if (refusal !== ErrorCode.NONE) {
          this.#refuse(batch, refusal);
          return false;
        }
        partition.producers ??= new ProducerTable(partition.memory);
        partition.producers.remember(row, producerId, epoch, sequence, records, baseOffset, this.#nowMs);
        return true;
      }
      case OUT_OF_ORDER:
        this.#refuse(batch, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        return false;
      case FENCED:
        this.#refuse(batch, ErrorCode.INVALID_PRODUCER_EPOCH);
        return false;
      default:
        // A duplicate: it already got this base offset.
        this.#baseOffsets[batch] = verdict;
        return false;
    }
  }

  /**
   * Returns the problem with the sizes that the agent claims for a batch. Batches are refused individually, which must
   * not affect the batches of others.
   */
  #claimProblem(batch: number, records: number): ErrorCode {
    const { batchBytes, batchUncompressedBytes } = this.#command;
    const uncompressed = doubleAt(batchUncompressedBytes, batch);
    if (records * MIN_RECORD_BYTES > uncompressed - MIN_BATCH_BYTES) {
      return ErrorCode.INVALID_RECORD;
    }
    // What compression did not make smaller is limited by max.message.bytes alone.
    const isInflated = uncompressed > wordAt(batchBytes, batch);
    return isInflated && uncompressed > this.#mostUncompressedBytes ? ErrorCode.MESSAGE_TOO_LARGE : ErrorCode.NONE;
  }

  /**
   * Whether a producer without state in a partition is known never to have written to it, so that a sequence other than 0 is a gap: its id
   * is too young for its state to have expired, and was granted after the topic was created. Kafka accepts any first sequence, because
   * there an earlier batch cannot be lost while a later one is on its way. OUT_OF_ORDER_SEQUENCE_NUMBER: the Java client and librdkafka
   * both resend from the missing batch on; after UNKNOWN_PRODUCER_ID librdkafka stops for good.
   */
  #neverWroteTo(topic: Topic, producerId: number): boolean {
    return (
      producerId >= this.#firstYoungId && producerId >= topic.firstProducerId && producerId < this.#state.nextProducerId
    );
  }

  #refuse(batch: number, code: ErrorCode): void {
    this.#baseOffsets[batch] = -1;
    this.#errorCodes[batch] = code;
    this.#refused += 1;
  }

  /** Adds the open run, if any, to the index. */
  #closeRun(run: number, topicIndex: number, partition: Partition): void {
    if (this.#records === 0) {
      return;
    }
    const { appended } = this;
    const baseOffset = appendRun(
      partition,
      this.#file,
      this.#position,
      this.#bytes,
      this.#records,
      this.#maxTimestampMs,
    );
    this.#state.files.addRun(this.#file, this.#bytes);
    const at = appended.count;
    appended.topic[at] = topicIndex;
    appended.partition[at] = wordAt(this.#command.runPartition, run);
    appended.position[at] = this.#position;
    appended.bytes[at] = this.#bytes;
    appended.baseOffset[at] = baseOffset;
    appended.records[at] = this.#records;
    appended.maxTimestampMs[at] = this.#maxTimestampMs;
    appended.logStartOffset[at] = partition.logStartOffset;
    appended.highWatermark[at] = partition.highWatermark;
    if (partition.transactions !== null) {
      appended.lastStableOffset ??= new Float64Array(appended.highWatermark.length).fill(-1);
      appended.lastStableOffset[at] = lastStableOffset(partition);
    }
    appended.count = at + 1;
    appended.storedBytes += this.#bytes;
    appended.totalRecords += this.#records;
    this.#bytes = 0;
    this.#records = 0;
  }
}

/** Columns with room for one run per batch, the most that splits can make. One allocation for all columns, since every commit needs it. */
function emptyColumns(command: CommitFile, batches: number): AppendedRuns {
  const wideBytes = batches * Float64Array.BYTES_PER_ELEMENT;
  const memory = new ArrayBuffer(WIDE_COLUMNS * wideBytes + 2 * batches * Uint32Array.BYTES_PER_ELEMENT);
  const wide = (column: number): Float64Array => new Float64Array(memory, column * wideBytes, batches);
  const narrowStart = WIDE_COLUMNS * wideBytes;
  return {
    fileId: command.fileId,
    fileBytes: command.fileBytes,
    count: 0,
    topicIds: command.topicIds,
    position: wide(0),
    bytes: wide(1),
    baseOffset: wide(2),
    records: wide(3),
    maxTimestampMs: wide(4),
    logStartOffset: wide(5),
    highWatermark: wide(6),
    lastStableOffset: null,
    topic: new Uint32Array(memory, narrowStart, batches),
    partition: new Uint32Array(memory, narrowStart + batches * Uint32Array.BYTES_PER_ELEMENT, batches),
    storedBytes: 0,
    uncompressedBytes: 0,
    totalRecords: 0,
  };
}
