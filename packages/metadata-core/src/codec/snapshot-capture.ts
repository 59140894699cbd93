// Takes a snapshot of a state while it keeps changing. The capture itself is cheap: references to pages and chunks, and a few numbers per
// partition. Captured runs are never changed in place. Pages of files and producers, and groups, are copied before their first change while
// the snapshot still needs them. What changes most is written first, so that little has to be copied.

import { doubleAt } from '../model/checked.ts';
import type { ClusterState, OpenCapture } from '../state/cluster-state.ts';
import { copyGroup } from '../state/group.ts';
import type { Group } from '../state/group.types.ts';
import type { CapturedProducers } from '../state/producer-table.ts';
import { answerItems, commitIdItems, grantItems } from './answer-sections.ts';
import { type CapturedState, captureState } from './captured-state.ts';
import { agentKeyItems, clusterHeadCodec } from './cluster.ts';
import { groupConfigItems } from './consumer-group.ts';
import { fileItems, fileQueueItems } from './file-sections.ts';
import { groupItems } from './group.ts';
import { laterSettingItems } from './later-settings.ts';
import { producerItems } from './producer-sections.ts';
import { runItems } from './run-sections.ts';
import { PART_BYTES, SectionWriter } from './section.ts';
import { securityItems } from './security-sections.ts';
import { partitionItems, topicItems } from './topic-sections.ts';
import { transactionItems } from './transaction-sections.ts';

export interface SnapshotCapture {
  /** The next part of the snapshot: at most about 1 MiB and a few milliseconds of work. Undefined after the last one. */
  nextPart(): Uint8Array | undefined;
  /** Ends the capture, complete or not. The last part ends it as well. */
  release(): void;
}

/**
 * Freezes what a snapshot of the current state needs. The state stays usable and may change; the parts are those of this moment. The same
 * state always gives the same parts. An open capture costs memory for everything that changes meanwhile: draw its parts, or release it.
 * @param partBytes a part is closed once it has this size; for tests
 */
export function captureSnapshot(state: ClusterState, partBytes = PART_BYTES): SnapshotCapture {
  return new Capture(state, partBytes);
}

class Capture implements SnapshotCapture, OpenCapture {
  readonly #state: ClusterState;
  readonly #captured: CapturedState;
  readonly #parts: Iterator<Uint8Array>;
  /** Groups that are not written yet. */
  readonly #groups: Set<Group>;
  /** Copies of groups that have been changed since the capture. */
  readonly #groupsBefore = new Map<Group, Group>();
  #areFilesHeld = true;
  #isOpen = true;

  constructor(state: ClusterState, partBytes: number) {
    this.#state = state;
    this.#captured = captureState(state);
    this.#groups = new Set(state.groups.values());
    this.#parts = this.#sections(partBytes);
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

  *#sections(partBytes: number): Generator<Uint8Array, undefined> {
    const writer = new SectionWriter(partBytes);
    const { head, topics, partitions, files, answers, commitIds, grants, security, runs } = this.#captured;
    const { transactionalProducers, transactions, laterSettings, groupConfigs } = this.#captured;
    yield* writer.sections('cluster', [(to) => clusterHeadCodec.write(to, head)]);
    yield* writer.sections('agentKeys', agentKeyItems(head.agents));
    yield* writer.sections('security', securityItems(security));
    yield* writer.sections('laterSettings', laterSettingItems(laterSettings));
    yield* writer.sections('topics', topicItems(topics));
    yield* writer.sections('partitions', partitionItems(partitions));
    yield* writer.sections('producers', producerItems(this.#drawProducers()));
    yield* writer.sections('transactions', transactionItems(transactionalProducers, transactions));
    yield* writer.sections('groups', groupItems(this.#drawGroups()));
    yield* writer.sections('groupConfigs', groupConfigItems(groupConfigs));
    yield* writer.sections('files', fileItems(files));
    yield* writer.sections('fileQueues', fileQueueItems(files));
    this.#releaseFiles();
    yield* writer.sections('answers', answerItems(answers));
    yield* writer.sections('commitIds', commitIdItems(commitIds));
    yield* writer.sections('grants', grantItems(grants));
    yield* writer.sections(
      'runs',
      runItems(runs, (partition) => doubleAt(partitions.highWatermark, partition)),
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

  *#drawGroups(): Iterable<Group> {
    for (const group of this.#groups) {
      const asCaptured = this.#groupsBefore.get(group) ?? copyGroup(group);
      this.#groups.delete(group);
      this.#groupsBefore.delete(group);
      yield asCaptured;
    }
  }

  #releaseFiles(): void {
    if (this.#areFilesHeld) {
      this.#areFilesHeld = false;
      this.#state.files.release();
    }
  }
}
