// Snapshot format of the topics, and of the data that every partition has. Partitions are numbered over all topics, in their order.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { type Id, idKey } from '../model/ids.ts';
import { MAX_PARTITIONS_PER_CLUSTER } from '../model/limits.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { createPartition } from '../state/partition.ts';
import type { Partition } from '../state/partition.types.ts';
import { type Topic, topicChars } from '../state/topic.ts';
import { Batch, readBatch } from './columns.ts';
import { type Field, id, map, record, signed, text, unsigned } from './field.ts';
import type { Item } from './section.ts';

export interface CapturedTopic {
  id: Id;
  name: string;
  configs: ReadonlyMap<string, string>;
  createdAtMs: number;
  firstProducerId: number;
  partitionCount: number;
}

const topicCodec: Field<CapturedTopic> = record({
  id,
  name: text,
  configs: map(text, text) as Field<ReadonlyMap<string, string>>,
  createdAtMs: signed,
  firstProducerId: unsigned,
  partitionCount: unsigned,
});

export function* topicItems(topics: readonly CapturedTopic[]): Iterable<Item> {
  for (const topic of topics) {
    yield (to) => topicCodec.write(to, topic);
  }
}

const COLUMNS = ['logStartOffset', 'records', 'cleanedOffset', 'deleteHorizonMs', 'storedBytes', 'runs'] as const;

/** Columns over all partitions. */
export interface CapturedPartitions {
  logStartOffset: Float64Array;
  highWatermark: Float64Array;
  cleanedOffset: Float64Array;
  deleteHorizonMs: Float64Array;
  storedBytes: Float64Array;
  runs: Float64Array;
}

export function* partitionItems(partitions: CapturedPartitions): Iterable<Item> {
  const batch = new Batch(COLUMNS);
  const write: Item = (to) => batch.flush(to);
  for (const [at, logStartOffset] of partitions.logStartOffset.entries()) {
    batch.add({
      logStartOffset,
      records: (partitions.highWatermark[at] ?? 0) - logStartOffset,
      cleanedOffset: partitions.cleanedOffset[at] ?? 0,
      deleteHorizonMs: partitions.deleteHorizonMs[at] ?? 0,
      storedBytes: partitions.storedBytes[at] ?? 0,
      runs: partitions.runs[at] ?? 0,
    });
    if (batch.isFull) {
      yield write;
    }
  }
  if (batch.rows > 0) {
    yield write;
  }
}

/** Restores topics. Their partitions come after all topics. */
export class TopicRestorer {
  /** Of all topics. */
  readonly partitions: Partition[] = [];
  readonly runCounts: number[] = [];
  readonly #state: ClusterState;
  /** Topics that do not have all their partitions yet. */
  readonly #waiting: { topic: Topic; partitionCount: number }[] = [];
  #next = 0;

  constructor(state: ClusterState) {
    this.#state = state;
  }

  readTopic(from: ByteReader): void {
    const { configs, partitionCount, ...described } = topicCodec.read(from);
    const topic: Topic = { ...described, configs: new Map(configs), partitions: [] };
    const { topics, topicsByName, topicNames } = this.#state;
    if (topics.has(idKey(topic.id)) || topicsByName.has(topic.name)) {
      throw new CorruptDataError('a topic stands there twice');
    }
    topics.set(idKey(topic.id), topic);
    topicsByName.set(topic.name, topic);
    topicNames.add(topic.name);
    this.#state.topicChars += topicChars(topic);
    this.#state.partitionCount += partitionCount;
    if (this.#state.partitionCount > MAX_PARTITIONS_PER_CLUSTER) {
      throw new CorruptDataError('there are more partitions than a cluster can have');
    }
    this.#waiting.push({ topic, partitionCount });
  }

  readPartitions(from: ByteReader): void {
    const { rows, columns } = readBatch(from, COLUMNS);
    for (let row = 0; row < rows; row += 1) {
      const partition = createPartition(this.#state.partitionMemory);
      partition.logStartOffset = columns.logStartOffset[row] ?? 0;
      partition.highWatermark = partition.logStartOffset + (columns.records[row] ?? 0);
      partition.cleanedOffset = columns.cleanedOffset[row] ?? 0;
      partition.deleteHorizonMs = columns.deleteHorizonMs[row] ?? 0;
      partition.storedBytes = columns.storedBytes[row] ?? 0;
      this.#topicOfNext().partitions.push(partition);
      this.partitions.push(partition);
      this.runCounts.push(columns.runs[row] ?? 0);
    }
  }

  /** @throws CorruptDataError when partitions are missing */
  finish(): void {
    if (this.partitions.length !== this.#state.partitionCount) {
      throw new CorruptDataError('partitions are missing');
    }
  }

  #topicOfNext(): Topic {
    for (; ; this.#next += 1) {
      const waiting = this.#waiting[this.#next];
      if (waiting === undefined) {
        throw new CorruptDataError('a partition belongs to no topic');
      }
      if (waiting.topic.partitions.length < waiting.partitionCount) {
        return waiting.topic;
      }
    }
  }
}
