// Restores a state from a snapshot's parts, one by one: no part has to be kept, and each takes a few milliseconds at most.

import { ByteReader } from '../bytes/byte-reader.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { type ClusterState, countChangedGroups, createState, placeGroup } from '../state/cluster-state.ts';
import { CommitAnswers } from '../state/commit-answers.ts';
import type { Group } from '../state/group.types.ts';
import { readAnswer, readCommitIds, readGrants } from './answer-sections.ts';
import { clusterHeadCodec, readAgentKey } from './cluster.ts';
import { readGroupConfigs } from './consumer-group.ts';
import { readFileQueue, readFiles } from './file-sections.ts';
import { readGroupItem } from './group.ts';
import { readLaterSetting } from './later-settings.ts';
import { readProducers } from './producer-sections.ts';
import { readRuns } from './run-sections.ts';
import { readItems, SECTION_KINDS, SectionChecker } from './section.ts';
import { readSecurity } from './security-sections.ts';
import { TopicRestorer } from './topic-sections.ts';
import { readTransactions } from './transaction-sections.ts';

export class SnapshotReader {
  readonly #state = createState('');
  readonly #topics = new TopicRestorer(this.#state);
  readonly #checker = new SectionChecker();
  /** Bytes that do not make a whole section yet. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #hasEnded = false;
  #group: Group | null = null;
  #answers = new CommitAnswers();

  /**
   * Takes the next part, in order. Parts that were split elsewhere than they were written are reassembled first.
   * @throws CorruptDataError
   */
  push(part: Uint8Array): void {
    if (part.length === 0) {
      return;
    }
    if (this.#pendingBytes > 0) {
      this.#pending.push(part);
      this.#pendingBytes += part.length;
    }
    this.#readSections(this.#pendingBytes > 0 ? this.#joined() : part);
  }

  /** Returns the state. @throws CorruptDataError when parts are missing */
  finish(): ClusterState {
    if (!this.#hasEnded || this.#pendingBytes > 0) {
      throw new CorruptDataError('snapshot: the data ends too early');
    }
    this.#topics.finish();
    countChangedGroups(this.#state);
    return this.#state;
  }

  #joined(): Uint8Array {
    const [only] = this.#pending;
    if (only !== undefined && this.#pending.length === 1) {
      return only;
    }
    const all = new Uint8Array(this.#pendingBytes);
    let at = 0;
    for (const part of this.#pending) {
      all.set(part, at);
      at += part.length;
    }
    this.#pending = [all];
    return all;
  }

  /** Reads all complete sections of these bytes and keeps the rest. */
  #readSections(bytes: Uint8Array): void {
    let rest = bytes;
    for (;;) {
      const length = this.#checker.lengthOf(rest);
      if (length === undefined || rest.length < length) {
        break;
      }
      this.#readSection(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    this.#pending = rest.length === 0 ? [] : [rest];
    this.#pendingBytes = rest.length;
  }

  #readSection(section: Uint8Array): void {
    if (this.#hasEnded) {
      throw new CorruptDataError('snapshot: there is more after its end');
    }
    const { kind, items } = this.#checker.open(section);
    guarded(() => this.#readKind(kind, new ByteReader(items)));
  }

  #readKind(kind: number, from: ByteReader): void {
    const state = this.#state;
    const { partitions, runCounts } = this.#topics;
    switch (kind) {
      case SECTION_KINDS.cluster:
        this.#readHead(from);
        break;
      case SECTION_KINDS.agentKeys:
        readItems(from, () => readAgentKey(from, state.agents));
        break;
      case SECTION_KINDS.security:
        readItems(from, () => readSecurity(from, state.security));
        break;
      case SECTION_KINDS.laterSettings:
        readItems(from, () => readLaterSetting(from, state.settings));
        break;
      case SECTION_KINDS.topics:
        readItems(from, () => this.#topics.readTopic(from));
        break;
      case SECTION_KINDS.partitions:
        readItems(from, () => this.#topics.readPartitions(from));
        break;
      case SECTION_KINDS.producers:
        readItems(from, () => readProducers(from, partitions));
        break;
      case SECTION_KINDS.transactions:
        readItems(from, () => readTransactions(from, state.transactions, partitions));
        break;
      case SECTION_KINDS.groups:
        readItems(from, () => {
          this.#group = readGroupItem(from, this.#group);
          placeGroup(state, this.#group);
        });
        break;
      case SECTION_KINDS.groupConfigs:
        readItems(from, () => readGroupConfigs(from, state.groupConfigs));
        break;
      case SECTION_KINDS.files:
        readItems(from, () => readFiles(from, state.files));
        break;
      case SECTION_KINDS.fileQueues:
        readItems(from, () => readFileQueue(from, state.files));
        break;
      case SECTION_KINDS.answers:
        readItems(from, () => readAnswer(from, this.#answers));
        break;
      case SECTION_KINDS.commitIds:
        readItems(from, () => readCommitIds(from, this.#answers));
        break;
      case SECTION_KINDS.grants:
        readItems(from, () => readGrants(from, state.producerIdGrants));
        break;
      case SECTION_KINDS.runs:
        readItems(from, () => readRuns(from, partitions, runCounts));
        break;
      case SECTION_KINDS.end:
        this.#hasEnded = true;
        break;
      default:
        throw new CorruptDataError(`snapshot: no section has the kind ${kind}: was this written by a later version?`);
    }
  }

  #readHead(from: ByteReader): void {
    const { agents, forgottenUpToMs, answeredMs, settings, ...head } = clusterHeadCodec.read(from);
    from.end();
    Object.assign(this.#state, head);
    Object.assign(this.#state.settings, settings);
    this.#state.agents = new Map(agents.map((agent) => [agent.agentId, agent]));
    this.#answers = CommitAnswers.restore({ forgottenUpToMs, answeredMs: [...answeredMs], answers: [], minutes: [] });
    this.#state.answers = this.#answers;
  }
}

/** Reports any error while reading as corrupt data. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CorruptDataError) {
      throw cause;
    }
    throw new CorruptDataError('snapshot: its parts contradict each other', { cause });
  }
}
