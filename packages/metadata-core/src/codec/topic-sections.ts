// Snapshot format of the topics, and of the data that every partition has. Partitions are numbered over all topics, in their order.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { doubleAt } from '../model/checked.ts';
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
      records: doubleAt(partitions.highWatermark, at) - logStartOffset,
      cleanedOffset: doubleAt(partitions.cleanedOffset, at),
      deleteHorizonMs: doubleAt(partitions.deleteHorizonMs, at),
      storedBytes: doubleAt(partitions.storedBytes, at),
      runs: doubleAt(partitions.runs, at),
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
  /** The partitions of all topics. */
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
      partition.logStartOffset = doubleAt(columns.logStartOffset, row);
      partition.highWatermark = partition.logStartOffset + doubleAt(columns.records, row);
      partition.cleanedOffset = doubleAt(columns.cleanedOffset, row);
      partition.deleteHorizonMs = doubleAt(columns.deleteHorizonMs, row);
      partition.storedBytes = doubleAt(columns.storedBytes, row);
      this.#topicOfNext().partitions.push(partition);
      this.partitions.push(partition);
      this.runCounts.push(doubleAt(columns.runs, row));
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
