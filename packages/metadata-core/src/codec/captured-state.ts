// Freezes a state for a snapshot by keeping references to pages and chunks, and a few numbers per partition.
import type { IdKey } from '../model/ids.ts';
import type { ClusterSettings } from '../model/settings.ts';
import { describeSecurity, type SecurityDescription } from '../queries/security.ts';
import type { ClusterState, ProducerIdGrant } from '../state/cluster-state.ts';
import type { RememberedAnswer } from '../state/commit-answers.ts';
import type { CapturedFiles } from '../state/file-table.ts';
import type { CapturedProducers, ProducerTable } from '../state/producer-table.ts';
import type { CapturedRuns } from '../state/run-index.ts';
import { copyProducer, type TransactionalProducer } from '../state/transactions.ts';
import type { ClusterHead } from './cluster.ts';
import type { CapturedPartitions, CapturedTopic } from './topic-sections.ts';
import type { CapturedTransactions } from './transaction-sections.ts';

/** The frozen data that a snapshot is written from. */
export interface CapturedState {
  head: ClusterHead;
  topics: CapturedTopic[];
  partitions: CapturedPartitions;
  /** By partition, numbered over all topics. */
  runs: (CapturedRuns | undefined)[];
  /** By partition: the tables that are not written yet. */
  producers: Map<number, { table: ProducerTable; captured: CapturedProducers }>;
  files: CapturedFiles;
  answers: readonly RememberedAnswer[];
  /** Ids of committed files by the minute of their timestamps. */
  commitIds: readonly { minute: number; ids: Uint8Array }[];
  grants: readonly (readonly [IdKey, ProducerIdGrant])[];
  security: SecurityDescription;
  transactionalProducers: readonly TransactionalProducer[];
  transactions: readonly CapturedTransactions[];
  laterSettings: ClusterSettings;
  groupConfigs: readonly (readonly [string, ReadonlyMap<string, string>])[];
}

/** Freezes files and producers, which must be released. Excludes groups: see `OpenCapture`. */
export function captureState(state: ClusterState): CapturedState {
  const count = state.partitionCount;
  const partitions: CapturedPartitions = {
    logStartOffset: new Float64Array(count),
    highWatermark: new Float64Array(count),
    cleanedOffset: new Float64Array(count),
    deleteHorizonMs: new Float64Array(count),
    storedBytes: new Float64Array(count),
    runs: new Float64Array(count),
  };
  const runs: CapturedState['runs'] = [];
  const producers: CapturedState['producers'] = new Map();
  const topics: CapturedTopic[] = [];
  const transactions: CapturedTransactions[] = [];
  let number = 0;
  for (const topic of state.topics.values()) {
    const { id, name, configs, createdAtMs, firstProducerId } = topic;
    topics.push({ id, name, configs, createdAtMs, firstProducerId, partitionCount: topic.partitions.length });
    for (const partition of topic.partitions) {
      partitions.logStartOffset[number] = partition.logStartOffset;
      partitions.highWatermark[number] = partition.highWatermark;
      partitions.cleanedOffset[number] = partition.cleanedOffset;
      partitions.deleteHorizonMs[number] = partition.deleteHorizonMs;
      partitions.storedBytes[number] = partition.storedBytes;
      partitions.runs[number] = partition.runs?.length ?? 0;
      runs.push(partition.runs === null || partition.runs.length === 0 ? undefined : partition.runs.capture());
      if (partition.producers !== null) {
        producers.set(number, { table: partition.producers, captured: partition.producers.capture() });
      }
      if (partition.transactions !== null) {
        const { open, aborted } = partition.transactions;
        const openHere = Array.from(open, ([producerId, firstOffset]) => ({ producerId, firstOffset }));
        transactions.push({ partition: number, open: openHere, aborted: aborted.slice() });
      }
      number += 1;
    }
  }
  const { answers, forgottenUpToMs, answeredMs, minutes } = state.answers.image();
  const { clusterId, rules, settings, bucket, nextNodeId, lastMarkedMinute, clusterMinutes, nextProducerId, totals } =
    state;
  return {
    head: {
      clusterId,
      rules,
      settings: { ...settings },
      bucket,
      nextNodeId,
      lastMarkedMinute,
      clusterMinutes,
      nextProducerId,
      producerIdMarks: [...state.producerIdMarks],
      totals: { ...totals },
      agents: [...state.agents.values()].map((agent) => ({ ...agent })),
      forgottenUpToMs,
      answeredMs,
    },
    topics,
    partitions,
    runs,
    producers,
    files: state.files.capture(),
    answers,
    commitIds: minutes,
    grants: [...state.producerIdGrants],
    security: describeSecurity(state),
    transactionalProducers: Array.from(state.transactions.byId.values(), copyProducer),
    transactions,
    laterSettings: settings,
    groupConfigs: [...state.groupConfigs],
  };
}
