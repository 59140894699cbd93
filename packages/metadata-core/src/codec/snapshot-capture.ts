// Takes a snapshot of a state that goes on changing. What is captured at once is cheap: references to pages and chunks, and a few numbers
// per partition. Runs are never changed once they are written; pages of files and producers, and groups, are copied before their first
// change while the snapshot still needs them. What changes most is written first, so that little has to be copied.
import type { IdKey } from '../ids.ts';
import type { ClusterState, OpenCapture, ProducerIdGrant } from '../state/cluster-state.ts';
import type { RememberedAnswer } from '../state/commit-answers.ts';
import type { CapturedFiles } from '../state/file-table.ts';
import { copyGroup, type Group } from '../state/group.ts';
import type { CapturedProducers, ProducerTable } from '../state/producer-table.ts';
import type { CapturedRuns } from '../state/run-index.ts';
import { answerItems, grantItems } from './answer-sections.ts';
import { type ClusterHead, clusterHeadCodec } from './cluster.ts';
import { fileItems, fileQueueItems } from './file-sections.ts';
import { groupItems } from './group.ts';
import { producerItems } from './producer-sections.ts';
import { runItems } from './run-sections.ts';
import { type Item, SectionWriter } from './section.ts';
import { type CapturedPartitions, type CapturedTopic, partitionItems, topicItems } from './topic-sections.ts';

export interface SnapshotCapture {
  /** The next part of the snapshot, at most about 1 MiB and a few milliseconds of work; undefined: there are no more. */
  nextPart(): Uint8Array | undefined;
  /** Ends the capture, finished or not. After the last part it has ended by itself. */
  release(): void;
}

/**
 * Freezes what a snapshot of the state as it is now needs. The state stays usable and changing; the parts are those of this moment. The
 * same state always gives the same parts. An open capture costs memory for what changes meanwhile: draw its parts, or release it.
 * @param sectionBytes a part is closed once it is so long; for tests
 */
export function captureSnapshot(state: ClusterState, sectionBytes?: number): SnapshotCapture {
  return new Capture(state, new SectionWriter(sectionBytes));
}

class Capture implements SnapshotCapture, OpenCapture {
  readonly #state: ClusterState;
  readonly #captured: Captured;
  readonly #parts: Iterator<Uint8Array>;
  /** Groups that are not written yet. */
  readonly #groups: Set<Group>;
  /** How those looked that have been changed since. */
  readonly #groupsBefore = new Map<Group, Group>();
  #areFilesHeld = true;
  #isOpen = true;

  constructor(state: ClusterState, writer: SectionWriter) {
    this.#state = state;
    this.#captured = capture(state);
    this.#groups = new Set(state.groups.values());
    this.#parts = this.#write(writer);
    state.openCaptures.add(this);
  }

  nextPart(): Uint8Array | undefined {
    if (!this.#isOpen) {
      return undefined;
    }
    const { done, value } = this.#parts.next();
    if (done === true) {
      this.release();
      return undefined;
    }
    return value;
  }

  release(): void {
    if (!this.#isOpen) {
      return;
    }
    this.#isOpen = false;
    this.#state.openCaptures.delete(this);
    this.#releaseFiles();
    for (const { table } of this.#captured.producers.values()) {
      table.release();
    }
    this.#captured.producers.clear();
    this.#groups.clear();
    this.#groupsBefore.clear();
  }

  beforeChange(group: Group): void {
    if (this.#groups.has(group) && !this.#groupsBefore.has(group)) {
      this.#groupsBefore.set(group, copyGroup(group));
    }
  }

  *#write(writer: SectionWriter): Generator<Uint8Array, undefined> {
    const { head, topics, partitions, files, answers, grants, runs } = this.#captured;
    yield* writer.sections('cluster', [(to) => clusterHeadCodec.write(to, head)]);
    yield* writer.sections('topics', topicItems(topics));
    yield* writer.sections('partitions', partitionItems(partitions));
    yield* writer.sections('producers', producerItems(this.#drawProducers()));
    yield* writer.sections('groups', this.#drawGroups());
    yield* writer.sections('files', fileItems(files));
    yield* writer.sections('fileQueues', fileQueueItems(files));
    this.#releaseFiles();
    yield* writer.sections('answers', answerItems(answers));
    yield* writer.sections('grants', grantItems(grants));
    yield* writer.sections(
      'runs',
      runItems(runs, (partition) => partitions.highWatermark[partition] ?? 0),
    );
    yield writer.end();
    return undefined;
  }

  /** Each table is released as soon as it is written. */
  *#drawProducers(): Iterable<readonly [number, CapturedProducers]> {
    const { producers } = this.#captured;
    for (const [partition, { table, captured }] of producers) {
      yield [partition, captured];
      producers.delete(partition);
      table.release();
    }
  }

  *#drawGroups(): Iterable<Item> {
    for (const group of this.#groups) {
      const asCaptured = this.#groupsBefore.get(group) ?? copyGroup(group);
      this.#groups.delete(group);
      this.#groupsBefore.delete(group);
      yield* groupItems(asCaptured);
    }
  }

  #releaseFiles(): void {
    if (this.#areFilesHeld) {
      this.#areFilesHeld = false;
      this.#state.files.release();
    }
  }
}

interface Captured {
  head: ClusterHead;
  topics: CapturedTopic[];
  partitions: CapturedPartitions;
  /** By partition, counted over all topics. */
  runs: (CapturedRuns | undefined)[];
  /** By partition; those that are not written yet. */
  producers: Map<number, { table: ProducerTable; captured: CapturedProducers }>;
  files: CapturedFiles;
  answers: readonly RememberedAnswer[];
  grants: readonly (readonly [IdKey, ProducerIdGrant])[];
}

function capture(state: ClusterState): Captured {
  const count = state.partitionCount;
  const partitions: CapturedPartitions = {
    logStartOffset: new Float64Array(count),
    highWatermark: new Float64Array(count),
    storedBytes: new Float64Array(count),
    runs: new Float64Array(count),
  };
  const runs: Captured['runs'] = [];
  const producers: Captured['producers'] = new Map();
  const topics: CapturedTopic[] = [];
  let number = 0;
  for (const topic of state.topics.values()) {
    const { id, name, configs, createdAtMs } = topic;
    topics.push({ id, name, configs, createdAtMs, partitionCount: topic.partitions.length });
    for (const partition of topic.partitions) {
      partitions.logStartOffset[number] = partition.logStartOffset;
      partitions.highWatermark[number] = partition.highWatermark;
      partitions.storedBytes[number] = partition.storedBytes;
      partitions.runs[number] = partition.runs?.length ?? 0;
      runs.push(partition.runs === null || partition.runs.length === 0 ? undefined : partition.runs.capture());
      if (partition.producers !== null) {
        producers.set(number, { table: partition.producers, captured: partition.producers.capture() });
      }
      number += 1;
    }
  }
  const { answers, forgottenUpToMs } = state.answers.image();
  const { clusterId, settings, bucket, nextNodeId, lastMarkedMinute, clusterMinutes, nextProducerId, totals } = state;
  return {
    head: {
      clusterId,
      settings: { ...settings },
      bucket,
      nextNodeId,
      lastMarkedMinute,
      clusterMinutes,
      nextProducerId,
      totals: { ...totals },
      agents: [...state.agents.values()].map((agent) => ({ ...agent })),
      answersForgottenUpToMs: forgottenUpToMs,
    },
    topics,
    partitions,
    runs,
    producers,
    files: state.files.capture(),
    answers,
    grants: [...state.producerIdGrants],
  };
}
