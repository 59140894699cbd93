// Removal of a partition's runs that are beyond retention.ms or retention.bytes, and of its producers that are idle.
import { PRODUCER_EXPIRATION_MS } from '../model/limits.ts';
import type { PartitionBounds } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { FileTable } from '../state/file-table.ts';
import { rowCommittedAtMs, runEndOffset, truncateBefore } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import type { Topic } from '../state/topic.ts';
import { retentionOf } from './topic-configs.ts';

interface Retention {
  ms: number | null;
  bytes: number | null;
}

/** Expires partitions one after the other, until it has removed as many runs as it may. */
export class RunExpiry {
  droppedRuns = 0;
  forgottenProducers = 0;
  readonly truncated: PartitionBounds[] = [];
  readonly #state: ClusterState;
  readonly #nowMs: number;
  readonly #maxRuns: number;

  constructor(state: ClusterState, nowMs: number, maxRuns: number) {
    this.#state = state;
    this.#nowMs = nowMs;
    this.#maxRuns = maxRuns;
  }

  /** It has removed as many runs as it may; there may be more. */
  get isSpent(): boolean {
    return this.droppedRuns >= this.#maxRuns;
  }

  /** Partitions that do not exist are passed over. */
  expireAll(topic: Topic, partitions: Iterable<number>): void {
    const retention = retentionOf(topic.configs);
    for (const number of partitions) {
      const partition = topic.partitions[number];
      if (partition !== undefined && !this.isSpent) {
        this.#expire(topic, number, partition, retention);
      }
    }
  }

  #expire(topic: Topic, number: number, partition: Partition, retention: Retention | null): void {
    this.forgottenProducers += forgetIdleProducers(partition, this.#nowMs);
    const { runs } = partition;
    if (runs === null || retention === null) {
      return;
    }
    const max = Math.min(runs.length, this.#maxRuns - this.droppedRuns);
    const count = countExpired(partition, runs, this.#state.files, retention, this.#nowMs, max);
    if (count === 0) {
      return;
    }
    const logStartOffset = runEndOffset(partition, runs, count - 1);
    truncateBefore(partition, logStartOffset, this.#state.files, this.#nowMs);
    this.droppedRuns += count;
    this.truncated.push({
      topicId: topic.id,
      partition: number,
      logStartOffset,
      highWatermark: partition.highWatermark,
      lastStableOffset: lastStableOffset(partition),
    });
  }
}

/** Whether `expire` may find something in a partition. Takes the same time for every partition. */
export function isExpiryDue(
  state: ClusterState,
  partition: Partition,
  retention: Retention | null,
  nowMs: number,
): boolean {
  const { producers, runs } = partition;
  if (producers?.mayExpire(nowMs - PRODUCER_EXPIRATION_MS) === true) {
    return true;
  }
  return runs !== null && retention !== null && countExpired(partition, runs, state.files, retention, nowMs, 1) > 0;
}

/** How many of the oldest runs, of at most `max`, are beyond a limit. As with Kafka's segments, only whole runs go, and only from the front. */
function countExpired(
  partition: Partition,
  runs: RunIndex,
  files: FileTable,
  retention: Retention,
  nowMs: number,
  max: number,
): number {
  let count = 0;
  let keptBytes = partition.storedBytes;
  while (count < Math.min(max, runs.length)) {
    const bytes = runs.bytes(count);
    const tooOld = retention.ms !== null && agesFromMs(runs, count, files) < nowMs - retention.ms;
    // A run is removed only if the rest still reaches the limit.
    const tooMuch = retention.bytes !== null && keptBytes - bytes >= retention.bytes;
    if (!tooOld && !tooMuch) {
      break;
    }
    keptBytes -= bytes;
    count += 1;
  }
  return count;
}

/**
 * From when a run ages: its largest timestamp, or its commit if that was earlier, so that a record with a future timestamp does not keep
 * the partition for ever.
 */
function agesFromMs(runs: RunIndex, row: number, files: FileTable): number {
  const timestampMs = runs.maxTimestampMs(row);
  const committedAtMs = rowCommittedAtMs(runs, row, files);
  return timestampMs < 0 ? committedAtMs : Math.min(timestampMs, committedAtMs);
}

function forgetIdleProducers(partition: Partition, nowMs: number): number {
  const { producers, transactions } = partition;
  if (producers === null) {
    return 0;
  }
  const forgotten = producers.expire(nowMs - PRODUCER_EXPIRATION_MS, transactions?.open);
  if (producers.size === 0) {
    producers.discard();
    partition.producers = null;
  }
  return forgotten;
}
