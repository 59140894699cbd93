// What the journal says: each entry is replayed when it becomes durable, as a recovery would. Shares no memory with any owner.
// Commands must not break its invariants.
import {
  apply,
  type ClusterState,
  type CommitFile,
  type CommitFileAnswer,
  checkState,
  createState,
  decodeEntry,
  type Id,
  OLDEST_RULES,
  partitionBounds,
} from '@penstock/metadata-core';

/** A state with more files than this is checked after every second command, and so on. */
const FILES_PER_CHECK = 50;

/** A batch that was accepted, at the offset that it got. It may have been deleted or merged since. */
export interface AcceptedBatch {
  topicId: Id;
  partition: number;
  baseOffset: number;
  records: number;
  bytes: number;
  uncompressedBytes: number;
  producerId: number;
  producerEpoch: number;
  baseSequence: number;
  fileId: Id;
  /** The service's time of its commit. */
  acceptedAtMs: number;
}

export class DurableState {
  readonly state: ClusterState;
  readonly batches: AcceptedBatch[] = [];
  #meteredBytes = 0n;
  #grownBytes = 0;
  #lastSeq = 0;
  #uncheckedCommands = 0;

  constructor(clusterId: string) {
    this.state = createState(clusterId, OLDEST_RULES);
  }

  /** The bytes that the journal's entries were metered with. */
  get meteredBytes(): bigint {
    return this.#meteredBytes;
  }

  /** The bytes by which compactions made files grow, which are metered, too. */
  get grownBytes(): number {
    return this.#grownBytes;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  append(seq: number, bytes: Uint8Array): void {
    const { nowMs, commands, meter } = decodeEntry(bytes);
    for (const command of commands) {
      if (command.kind === 'commit-file') {
        const ends = this.#endsBefore(command);
        this.#note(command, apply(this.state, command, nowMs).answer, { ends, nowMs });
      } else {
        const { effects } = apply(this.state, command, nowMs);
        this.#grownBytes += effects.replaced?.meteredBytes ?? 0;
      }
      this.#check();
    }
    this.#meteredBytes += BigInt(meter.uncompressedBytes);
    this.#lastSeq = seq;
  }

  /** Checks all invariants: after each command while there are few files, then less often, so that a command costs the same. */
  #check(): void {
    this.#uncheckedCommands += 1;
    if (this.#uncheckedCommands * FILES_PER_CHECK >= this.state.files.size) {
      checkState(this.state);
      this.#uncheckedCommands = 0;
    }
  }

  /** The high watermark of each run's partition; 0 for one that does not exist. */
  #endsBefore({ topicIds, runTopic, runPartition }: CommitFile): number[] {
    return Array.from(runTopic, (topic, run) => {
      const topicId = topicIds[topic];
      return topicId === undefined
        ? 0
        : Math.max(0, partitionBounds(this.state, topicId, at(runPartition, run)).highWatermark);
    });
  }

  /**
   * Notes what the command added. A batch that had been accepted before, perhaps in the same file, is answered with an offset before the
   * end.
   */
  #note(
    command: CommitFile,
    { errorCode, batchBaseOffset }: CommitFileAnswer,
    { ends, nowMs }: { ends: readonly number[]; nowMs: number },
  ): void {
    if (errorCode !== 0) {
      return;
    }
    const { fileId, topicIds, runTopic, runPartition, runBatches, producers } = command;
    let batch = 0;
    for (const [run, endBefore] of ends.entries()) {
      let end = endBefore;
      for (const endBatch = batch + at(runBatches, run); batch < endBatch; batch += 1) {
        const baseOffset = at(batchBaseOffset, batch);
        const topicId = topicIds[at(runTopic, run)];
        if (baseOffset < end || topicId === undefined) {
          continue;
        }
        end = baseOffset + at(command.batchRecords, batch);
        this.batches.push({
          topicId,
          partition: at(runPartition, run),
          baseOffset,
          records: at(command.batchRecords, batch),
          bytes: at(command.batchBytes, batch),
          uncompressedBytes: at(command.batchUncompressedBytes, batch),
          producerId: producers === null ? -1 : at(producers.id, batch),
          producerEpoch: producers === null ? -1 : at(producers.epoch, batch),
          baseSequence: producers === null ? -1 : at(producers.baseSequence, batch),
          fileId,
          acceptedAtMs: nowMs,
        });
      }
    }
  }
}

function at(numbers: ArrayLike<number>, index: number): number {
  const number = numbers[index];
  if (number === undefined) {
    throw new RangeError(`no number at ${index} of ${numbers.length}`);
  }
  return number;
}
