// The commands that agents, producers and consumers of the simulated cluster cause.
import { randomBytes } from 'node:crypto';
import type { CommitFile, CommitOffsets, Id } from '@penstock/metadata-core';
import {
  AGENTS,
  COMPRESSION,
  FLUSHED_RUN,
  PARTITIONS,
  PARTITIONS_PER_AGENT,
  PARTITIONS_PER_TOPIC,
  PARTITIONS_PER_WINDOW_FILE,
  PRODUCERS,
  type RunSize,
  TOPICS,
  WINDOW_FILES,
  WINDOW_RUN,
} from './scenario.ts';

/** A partition's index across all topics. */
export type PartitionNumber = number;
type Columns = Omit<CommitFile, 'kind' | 'fileId' | 'topicIds' | 'batchMaxTimestampMs' | 'producers'>;

const MAX_SEQUENCE = 2 ** 31;
const PRODUCERS_PER_TOPIC = Math.floor(PRODUCERS / TOPICS);
/** The first topics have one more, to reach the total. */
const TOPICS_WITH_ONE_MORE = PRODUCERS % TOPICS;

export function topicOf(partition: PartitionNumber): number {
  return Math.floor(partition / PARTITIONS_PER_TOPIC);
}

/** The partitions whose records one agent receives, in the order of its files. */
export const partitionsOfAgent: readonly (readonly PartitionNumber[])[] = Array.from({ length: AGENTS }, (_, agent) =>
  Array.from({ length: PARTITIONS_PER_AGENT }, (_, nth) => nth * AGENTS + agent),
);

/** The partitions that share a file of level 2. */
const partitionsOfWindowFile: readonly (readonly PartitionNumber[])[] = Array.from(
  { length: WINDOW_FILES },
  (_, file) => Array.from({ length: PARTITIONS_PER_WINDOW_FILE }, (__, nth) => file * PARTITIONS_PER_WINDOW_FILE + nth),
);

/** Creates a UUIDv7 for a file. */
export function newFileId(nowMs: number): Id {
  const id = randomBytes(16);
  id.writeUIntBE(nowMs, 0, 6);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  return new Uint8Array(id);
}

/** All partitions' runs of one size, one batch each: how a file of these partitions is committed. */
export function columnsOf(partitions: readonly PartitionNumber[], run: RunSize): Columns {
  const count = partitions.length;
  return {
    fileBytes: count * run.bytes,
    runTopic: Uint32Array.from(partitions, topicOf),
    runPartition: Uint32Array.from(partitions, (partition) => partition % PARTITIONS_PER_TOPIC),
    runPosition: Float64Array.from(partitions, (_, nth) => nth * run.bytes),
    runBatches: new Uint32Array(count).fill(1),
    batchBytes: new Uint32Array(count).fill(run.bytes),
    batchRecords: new Uint32Array(count).fill(run.records),
    batchUncompressedBytes: new Float64Array(count).fill(run.bytes * COMPRESSION),
  };
}

export class Traffic {
  readonly #topicIds: Id[];
  readonly #flushed = partitionsOfAgent.map((partitions) => columnsOf(partitions, FLUSHED_RUN));
  readonly #windows = partitionsOfWindowFile.map((partitions) => columnsOf(partitions, WINDOW_RUN));
  /** Records sent by each producer to each partition. */
  readonly #sent = new Float64Array(PARTITIONS * (PRODUCERS_PER_TOPIC + 1));
  readonly #flushes = new Uint32Array(AGENTS);

  constructor(topicIds: Id[]) {
    this.#topicIds = topicIds;
  }

  /** An agent's flush: one batch of one idempotent producer for each of its partitions. */
  flush(agent: number, nowMs: number): CommitFile {
    const columns = this.#flushed[agent];
    const partitions = partitionsOfAgent[agent];
    if (columns === undefined || partitions === undefined) {
      throw new Error(`there is no agent ${agent}`);
    }
    const turn = this.#flushes[agent] ?? 0;
    this.#flushes[agent] = turn + 1;
    const producers = {
      id: new Float64Array(partitions.length),
      epoch: new Int32Array(partitions.length),
      baseSequence: new Int32Array(partitions.length),
    };
    for (const [run, partition] of partitions.entries()) {
      const topic = topicOf(partition);
      const ofTopic = PRODUCERS_PER_TOPIC + (topic < TOPICS_WITH_ONE_MORE ? 1 : 0);
      const producer = (turn + run) % ofTopic;
      const counter = partition * (PRODUCERS_PER_TOPIC + 1) + producer;
      const sent = this.#sent[counter] ?? 0;
      producers.id[run] = 1 + producer * TOPICS + topic;
      producers.baseSequence[run] = sent % MAX_SEQUENCE;
      this.#sent[counter] = sent + FLUSHED_RUN.records;
    }
    return this.#commit(columns, nowMs, producers);
  }

  /** A window of some partitions in one file, as if an agent had flushed it. */
  window(file: number, nowMs: number): CommitFile {
    return this.#commit(this.#windows[file], nowMs, null);
  }

  /** One member's auto-commit: it reads the partitions of one agent. */
  offsets(group: number, member: number, offset: number): CommitOffsets {
    return {
      kind: 'commit-offsets',
      groupId: `group-${group}`,
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets: (partitionsOfAgent[member] ?? []).map((partition) => ({
        topic: topicName(topicOf(partition)),
        partition: partition % PARTITIONS_PER_TOPIC,
        offset,
        leaderEpoch: -1,
        metadata: '',
      })),
    };
  }

  #commit(columns: Columns | undefined, nowMs: number, producers: CommitFile['producers']): CommitFile {
    if (columns === undefined) {
      throw new Error('there is no such file');
    }
    const runs = columns.runTopic.length;
    return {
      kind: 'commit-file',
      ...columns,
      fileId: newFileId(nowMs),
      topicIds: this.#topicIds,
      batchMaxTimestampMs: Float64Array.from({ length: runs }, (_, run) => nowMs - ((run * 7) % 50)),
      producers,
    };
  }
}

export function topicName(topic: number): string {
  return `topic-${topic}`;
}
