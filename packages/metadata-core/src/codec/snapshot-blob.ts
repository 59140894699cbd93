// Reads snapshots of versions 1 and 2: one piece, decoded as a whole. Clusters at rules level 1 still use them, so that the previous
// release can open those clusters.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { idKey } from '../model/ids.ts';
import { OLDEST_RULES } from '../model/rules.ts';
import { createSecurity } from '../model/security.ts';
import { type ClusterMode, type EarlySettings, INITIAL_SETTINGS } from '../model/settings.ts';
import {
  type AgentRecord,
  type ClusterState,
  countChangedGroups,
  emptyAccounts,
  type ProducerIdGrant,
} from '../state/cluster-state.ts';
import { CommitAnswersOfRules1 } from '../state/commit-answers-of-rules-1.ts';
import { FileTable } from '../state/file-table.ts';
import type { Partition } from '../state/partition.types.ts';
import type { PartitionMemory } from '../state/partition-memory.ts';
import { ProducerTable } from '../state/producer-table.ts';
import { RunIndex } from '../state/run-index.ts';
import { type Topic, topicChars } from '../state/topic.ts';
import { TopicNames } from '../state/topic-names.ts';
import { createTransactions } from '../state/transactions.ts';
import { agentsCodec, settingsCodec, totalsCodec } from './cluster.ts';
import { readDelta } from './delta.ts';
import { open } from './envelope.ts';
import { boolean, id, map, nullable, signed, text } from './field.ts';
import { readWholeGroup } from './group.ts';

/** The last version that is written in one piece. */
export const LAST_BLOB_VERSION = 2;

/** @throws CorruptDataError */
export function decodeSnapshotBlob(bytes: Uint8Array): ClusterState {
  return open('snapshot', LAST_BLOB_VERSION, bytes, readState);
}

/** Fields are stored in the order in which they are read here. */
function readState(from: ByteReader, version: number): ClusterState {
  const head = {
    clusterId: text.read(from),
    rules: OLDEST_RULES,
    settings: {
      ...INITIAL_SETTINGS,
      ...(version === 1 ? readSettingsOfVersion1(from) : settingsCodec.read(from)),
    },
    bucket: nullable(text).read(from),
    agents: byKey(agentsCodec.read(from), ({ agentId }: AgentRecord) => agentId),
    nextNodeId: from.unsigned(),
    lastMarkedMinute: from.signed(),
    clusterMinutes: from.unsigned(),
    files: readFiles(from),
  };
  const accounts = emptyAccounts();
  const topics = readList(from, (reader) => readTopic(reader, accounts.partitionMemory));
  const state: ClusterState = {
    ...head,
    topics: byKey(topics, (topic) => idKey(topic.id)),
    topicsByName: byKey(topics, ({ name }) => name),
    topicNames: new TopicNames(topics.map(({ name }) => name)),
    topicsVersion: 0,
    partitionCount: topics.reduce((sum, topic) => sum + topic.partitions.length, 0),
    answers: readAnswers(from),
    nextProducerId: from.unsigned(),
    producerIdGrants: readGrants(from),
    producerIdMarks: [],
    groups: byKey(readList(from, readWholeGroup), ({ groupId }) => groupId),
    groupConfigs: new Map(),
    security: createSecurity(),
    transactions: createTransactions(),
    totals: totalsCodec.read(from),
    openCaptures: new Set(),
    ...accounts,
    topicChars: topics.reduce((sum, topic) => sum + topicChars(topic), 0),
  };
  for (const group of state.groups.values()) {
    state.changedGroups.add(group);
  }
  countChangedGroups(state);
  return state;
}

/** Clusters had no mode then: they were standard ones. */
function readSettingsOfVersion1(from: ByteReader): EarlySettings {
  return {
    autoCreateTopics: boolean.read(from),
    defaultPartitions: from.unsigned(),
    writesRefused: boolean.read(from),
    writesRefusedReason: from.text(),
    mode: 'standard' satisfies ClusterMode,
  };
}

/** Skips the list of free slots: the table uses the lowest one, in whatever order they became free. */
function readFiles(from: ByteReader): FileTable {
  const files = new FileTable();
  const slots = from.count();
  for (let slot = 0; slot < slots; slot += 1) {
    if (boolean.read(from)) {
      files.restore(slot, {
        id: id.read(from),
        bytes: from.unsigned(),
        committedAtMs: from.unsigned(),
        // Clusters at rules level 1 do not merge.
        level: 0,
        liveRuns: from.unsigned(),
        liveBytes: from.unsigned(),
      });
    }
  }
  readList(from, (reader) => reader.unsigned());
  for (const queue of ['waiting', 'leased'] as const) {
    for (let left = from.count(); left > 0; left -= 1) {
      const slot = from.unsigned();
      files.restoreQueued(queue, slot, from.unsigned());
    }
  }
  return files;
}

function readTopic(from: ByteReader, memory: PartitionMemory): Topic {
  return {
    id: id.read(from),
    name: from.text(),
    partitions: readList(from, (reader) => readPartition(reader, memory)),
    configs: map(text, text).read(from),
    createdAtMs: signed.read(from),
    firstProducerId: 0,
  };
}

function readPartition(from: ByteReader, memory: PartitionMemory): Partition {
  const logStartOffset = from.unsigned();
  const highWatermark = logStartOffset + from.unsigned();
  const storedBytes = from.unsigned();
  const runs = readRuns(from, highWatermark, memory);
  return {
    memory,
    logStartOffset,
    highWatermark,
    // Clusters at rules level 1 do not compact.
    cleanedOffset: 0,
    deleteHorizonMs: 0,
    storedBytes,
    runs,
    producers: boolean.read(from) ? readProducers(from, memory) : null,
    transactions: null,
  };
}

/** The number of runs plus 1 (0: there never was one), their lengths, then each run's place and timestamp. */
function readRuns(from: ByteReader, highWatermark: number, memory: PartitionMemory): RunIndex | null {
  const count = from.unsigned() - 1;
  if (count < 0) {
    return null;
  }
  // Five columns of at least a byte each.
  if (count * 5 > from.remaining) {
    throw new CorruptDataError('a run index is longer than the data');
  }
  const records = Array.from({ length: count }, () => from.unsigned());
  const runs = new RunIndex(count, memory);
  let baseOffset = highWatermark - records.reduce((sum, length) => sum + length, 0);
  let file = 0;
  let timestampMs = 0;
  for (const length of records) {
    file += from.signed();
    const position = from.unsigned();
    const bytes = from.unsigned();
    timestampMs = readDelta(from, timestampMs);
    runs.append(baseOffset, file, position, bytes, timestampMs);
    baseOffset += length;
  }
  return runs;
}

function readProducers(from: ByteReader, memory: PartitionMemory): ProducerTable {
  const producers = new ProducerTable(memory);
  for (let left = from.count(); left > 0; left -= 1) {
    const producerId = from.unsigned();
    const epoch = from.unsigned();
    const batches = readList(from, (reader) => ({
      firstSequence: reader.unsigned(),
      lastSequence: reader.unsigned(),
      baseOffset: reader.unsigned(),
    }));
    producers.restore({ producerId, epoch, batches, lastSeenMs: from.unsigned() });
  }
  return producers;
}

function readAnswers(from: ByteReader): CommitAnswersOfRules1 {
  const answers = readList(from, (reader) => ({
    fileId: id.read(reader),
    answeredAtMs: reader.unsigned(),
    batchBaseOffset: readOffsets(reader),
    batchErrorCode: Int32Array.from(readList(reader, (codes) => codes.unsigned())),
    runLogStartOffset: readOffsets(reader),
  }));
  return CommitAnswersOfRules1.restore({ answers, forgottenUpToMs: from.signed() });
}

/** Each offset is stored as the difference from the one before. */
function readOffsets(from: ByteReader): Float64Array {
  const offsets = new Float64Array(from.count());
  let value = 0;
  for (let at = 0; at < offsets.length; at += 1) {
    value += from.signed();
    offsets[at] = value;
  }
  return offsets;
}

function readGrants(from: ByteReader): Map<string, ProducerIdGrant> {
  const grants = new Map<string, ProducerIdGrant>();
  for (let left = from.count(); left > 0; left -= 1) {
    const key = idKey(id.read(from));
    grants.set(key, { producerId: from.unsigned(), grantedAtMs: from.unsigned() });
  }
  return grants;
}

function readList<T>(from: ByteReader, item: (from: ByteReader) => T): T[] {
  return Array.from({ length: from.count() }, () => item(from));
}

function byKey<K, V>(values: readonly V[], key: (value: V) => K): Map<K, V> {
  return new Map(values.map((value) => [key(value), value]));
}
