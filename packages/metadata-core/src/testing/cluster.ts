// For tests: a cluster with short helpers for common commands.
import { apply } from '../apply.ts';
import type { AnswerByKind, Command, CommandKind, CommandOf } from '../model/command.ts';
import type { CommitFile, CommitFileAnswer, FileTransaction } from '../model/data.types.ts';
import type { Id } from '../model/ids.ts';
import { MAX_NEW_PARTITIONS_PER_REQUEST, MIN_BATCH_BYTES, MIN_RECORD_BYTES } from '../model/limits.ts';
import type { Effects, Outcome } from '../model/outcome.ts';
import { expiryDue } from '../queries/expiry-due.ts';
import { createState } from '../state/cluster-state.ts';

export const START_MS = 1_790_000_000_000;

/** An id that ends in a number. */
export function id(number: number): Id {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setUint32(12, number);
  return bytes;
}

/** A UUIDv7 with this timestamp that ends in a number. */
export function fileId(number: number, timeMs: number): Id {
  const bytes = id(number);
  for (let at = 5, rest = timeMs; at >= 0; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  bytes[6] = 0x70;
  bytes[8] = 0x80;
  return bytes;
}

export interface TestBatch {
  records: number;
  bytes?: number;
  uncompressedBytes?: number;
  timestampMs?: number;
  /** Producer id, epoch, base sequence. */
  producer?: readonly [id: number, epoch: number, sequence: number];
  transaction?: FileTransaction;
}
export interface TestRun {
  topic?: Id;
  partition?: number;
  batches: readonly TestBatch[];
}

/** By default at least as many as the batch has, and the records need. */
function uncompressedBytesOf({ records, bytes = 100, uncompressedBytes }: TestBatch): number {
  return uncompressedBytes ?? Math.max(150, bytes, MIN_BATCH_BYTES + records * MIN_RECORD_BYTES);
}

/** A well-formed commit of these runs, consecutive in the file. */
export function commitOf(file: Id, runs: readonly TestRun[], topic: Id = id(1)): CommitFile {
  const topicIds: Id[] = [];
  const runTopic = runs.map((run) => {
    const wanted = run.topic ?? topic;
    const at = topicIds.indexOf(wanted);
    return at >= 0 ? at : topicIds.push(wanted) - 1;
  });
  const batches = runs.flatMap((run) => run.batches);
  const size = ({ bytes = 100 }: TestBatch): number => bytes;
  let position = 0;
  const runPosition = runs.map((run) => {
    const start = position;
    position += run.batches.reduce((sum, batch) => sum + size(batch), 0);
    return start;
  });
  const transactions = transactionsOf(batches);
  const idempotent = batches.some(({ producer }) => producer !== undefined);
  return {
    kind: 'commit-file',
    fileId: file,
    fileBytes: Math.max(1, position),
    topicIds,
    runTopic: Uint32Array.from(runTopic),
    runPartition: Uint32Array.from(runs, ({ partition = 0 }) => partition),
    runPosition: Float64Array.from(runPosition),
    runBatches: Uint32Array.from(runs, (run) => run.batches.length),
    batchBytes: Uint32Array.from(batches, size),
    batchRecords: Uint32Array.from(batches, ({ records }) => records),
    batchMaxTimestampMs: Float64Array.from(batches, ({ timestampMs = START_MS }) => timestampMs),
    batchUncompressedBytes: Float64Array.from(batches, uncompressedBytesOf),
    producers: idempotent
      ? {
          id: Float64Array.from(batches, ({ producer }) => producer?.[0] ?? -1),
          epoch: Int32Array.from(batches, ({ producer }) => producer?.[1] ?? -1),
          baseSequence: Int32Array.from(batches, ({ producer }) => producer?.[2] ?? -1),
        }
      : null,
    ...(transactions === null ? {} : { transactions }),
  };
}

function transactionsOf(batches: readonly TestBatch[]): NonNullable<CommitFile['transactions']> | null {
  const producers: FileTransaction[] = [];
  const numbers = batches.map(({ transaction }) => {
    if (transaction === undefined) {
      return 0;
    }
    const known = producers.findIndex(
      ({ transactionalId, addsPartitions }) =>
        transactionalId === transaction.transactionalId && addsPartitions === transaction.addsPartitions,
    );
    return known < 0 ? producers.push(transaction) : known + 1;
  });
  return producers.length === 0 ? null : { batch: Uint32Array.from(numbers), producers };
}

/** A cluster whose clock the test moves. */
export class TestCluster {
  state = createState('test');
  nowMs = START_MS;
  /** Gets the effects of each command. */
  observe: (effects: Effects) => void = () => undefined;
  #files = 0;

  /** Applies a command and returns its complete outcome. */
  outcome<K extends CommandKind>(command: CommandOf<K> & { kind: K }): Outcome<K> {
    const outcome = apply<K>(this.state, command, this.nowMs);
    this.observe(outcome.effects);
    return outcome;
  }

  /** Applies a command and returns only its answer. */
  do<K extends CommandKind>(command: CommandOf<K> & { kind: K }): AnswerByKind[K] {
    return this.outcome<K>(command).answer;
  }

  /** Expires state, as an owner does every 30 seconds. */
  expire(): { changed: boolean; droppedRuns: number } {
    const total = { changed: this.outcome({ kind: 'expire-retention' }).changed, droppedRuns: 0 };
    for (const topics of expiryDue(this.state, () => this.nowMs, 2)) {
      for (let isComplete = topics.length === 0; !isComplete; ) {
        const outcome = this.outcome({ kind: 'expire-runs', topics });
        total.changed ||= outcome.changed;
        total.droppedRuns += outcome.answer.droppedRuns;
        isComplete = outcome.answer.isComplete;
      }
    }
    return total;
  }

  any(command: Command): Outcome<CommandKind> {
    return apply(this.state, command, this.nowMs);
  }

  /** Topic number n has the id `id(n)`. */
  topic(number: number, partitions: number, name = `topic-${number}`, configs: Record<string, string> = {}): Id {
    const topicId = id(number);
    const list = Object.entries(configs).map(([key, value]) => ({ name: key, value }));
    let created = Math.min(partitions, MAX_NEW_PARTITIONS_PER_REQUEST);
    const topics = [{ name, topicId, partitions: created, configs: list }];
    const { results } = this.do({ kind: 'create-topics', topics, validateOnly: false });
    if (results[0]?.errorCode !== 0) {
      throw new Error(`test topic: ${results[0]?.errorMessage}`);
    }
    while (created < partitions) {
      created = Math.min(partitions, created + MAX_NEW_PARTITIONS_PER_REQUEST);
      const grown = [{ name, totalPartitions: created }];
      this.do({ kind: 'create-partitions', topics: grown, validateOnly: false });
    }
    return topicId;
  }

  /** A file id with the current time that was not used before. */
  newFileId(): Id {
    this.#files += 1;
    return fileId(this.#files, this.nowMs);
  }

  /** Like `newFileId`, for a file in landing buckets. */
  newLandedFileId(): Id {
    const file = this.newFileId();
    file[6] = 0x7a;
    file[7] = 0x7d;
    return file;
  }

  commit(runs: readonly TestRun[], file = this.newFileId()): CommitFileAnswer {
    return this.do(commitOf(file, runs));
  }
}
