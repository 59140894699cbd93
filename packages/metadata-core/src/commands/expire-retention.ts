// ExpireRetention: removes whole runs that are beyond retention.ms or retention.bytes, and other data that expires.
import { ANSWER_MEMORY_MS, PRODUCER_EXPIRATION_MS, TRANSACTIONAL_ID_EXPIRATION_MS } from '../limits.ts';
import { changed, type Outcome, type PartitionBounds, unchanged } from '../outcome.ts';
import type { RulesVersion } from '../rules.ts';
import { type ClusterState, expireOldest } from '../state/cluster-state.ts';
import type { FileTable } from '../state/file-table.ts';
import { type Partition, rowCommittedAtMs, runEndOffset, truncateBefore } from '../state/partition.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import { forgetProducer, type Transactions } from '../state/transactions.ts';
import { retentionOf } from '../topics/topic-configs.ts';
import { forgetLeftAgents } from './agent-left.ts';

interface Retention {
  ms: number | null;
  bytes: number | null;
}

export function expireRetention(state: ClusterState, nowMs: number, rules: RulesVersion): Outcome<'expire-retention'> {
  const truncated: PartitionBounds[] = [];
  let droppedRuns = 0;
  let aged = state.answers.expire(nowMs);
  aged += expireOldest(state.producerIdGrants, ({ grantedAtMs }) => grantedAtMs + ANSWER_MEMORY_MS > nowMs);
  aged += forgetLeftAgents(state, nowMs);
  aged += forgetIdleTransactionalIds(state.transactions, nowMs);
  for (const topic of state.topics.values()) {
    const retention = retentionOf(topic.configs);
    for (const [number, partition] of topic.partitions.entries()) {
      aged += forgetIdleProducers(partition, nowMs);
      const count = retention === null ? 0 : countExpired(partition, state.files, retention, nowMs, rules);
      if (count === 0 || partition.runs === null) {
        continue;
      }
      const logStartOffset = runEndOffset(partition, partition.runs, count - 1);
      truncateBefore(partition, logStartOffset, state.files, nowMs);
      droppedRuns += count;
      truncated.push({
        topicId: topic.id,
        partition: number,
        logStartOffset,
        highWatermark: partition.highWatermark,
        lastStableOffset: lastStableOffset(partition),
      });
    }
  }
  if (droppedRuns === 0) {
    return aged === 0 ? unchanged({ droppedRuns }) : changed({ droppedRuns });
  }
  return changed({ droppedRuns }, { truncated });
}

/** How many of the oldest runs are beyond a limit. As with Kafka's segments, only whole runs are removed, and only from the front. */
function countExpired(
  partition: Partition,
  files: FileTable,
  retention: Retention,
  nowMs: number,
  rules: RulesVersion,
): number {
  const { runs } = partition;
  if (runs === null) {
    return 0;
  }
  let count = 0;
  let keptBytes = partition.storedBytes;
  while (count < runs.length) {
    const bytes = runs.bytes(count);
    const tooOld = retention.ms !== null && agesFromMs(runs, count, files, rules) < nowMs - retention.ms;
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
 * the partition for ever. Before rules version 2 it did.
 */
function agesFromMs(runs: RunIndex, row: number, files: FileTable, rules: RulesVersion): number {
  const timestampMs = runs.maxTimestampMs(row);
  const committedAtMs = rowCommittedAtMs(runs, row, files);
  if (timestampMs < 0) {
    return committedAtMs;
  }
  return rules < 2 ? timestampMs : Math.min(timestampMs, committedAtMs);
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

function forgetIdleTransactionalIds(transactions: Transactions, nowMs: number): number {
  let forgotten = 0;
  for (const [transactionalId, { open, updatedAtMs }] of transactions.byId) {
    if (open === null && updatedAtMs <= nowMs - TRANSACTIONAL_ID_EXPIRATION_MS) {
      forgetProducer(transactions, transactionalId);
      forgotten += 1;
    }
  }
  return forgotten;
}
