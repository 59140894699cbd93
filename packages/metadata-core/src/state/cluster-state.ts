// The state of a virtual cluster. Only `apply` changes it.
import type { IdKey } from '../model/ids.ts';
import { NEWEST_RULES, type RulesVersion } from '../model/rules.ts';
import { createSecurity, type Security } from '../model/security.ts';
import { type ClusterSettings, INITIAL_SETTINGS } from '../model/settings.ts';
import { CommitAnswers } from './commit-answers.ts';
import { FileTable } from './file-table.ts';
import type { Group, GroupSize } from './group.types.ts';
import { groupSize, NO_SIZE } from './group-bytes.ts';
import type { GroupConfigs } from './group-configs.ts';
import { OrderedTexts } from './ordered-texts.ts';
import { createPartitionMemory, type PartitionMemory } from './partition-memory.ts';
import type { ProducerIdMark } from './producer-id-marks.ts';
import type { Topic } from './topic.ts';
import { TopicNames } from './topic-names.ts';
import { createTransactions, type Transactions } from './transactions.ts';

export interface AgentRecord {
  agentId: string;
  nodeId: number;
  zone: string;
  version: string;
  advertisedHost: string;
  advertisedPort: number;
  bucket: string;
  registeredAtMs: number;
  leftAtMs: number | null;
  /** The agent key that it registered with. */
  keyId: string;
}

export interface ClusterTotalsState {
  uncompressedBytes: bigint;
  storedBytes: bigint;
  records: bigint;
  files: number;
}

/** An answer to InitProducerId, kept for retries. Immutable, because a snapshot in progress may read it later. */
export interface ProducerIdGrant {
  readonly producerId: number;
  readonly grantedAtMs: number;
}

/** A snapshot in progress. */
export interface OpenCapture {
  /** Keeps a copy of the group, if the snapshot has not written it yet. */
  beforeChange(group: Group): void;
}

export interface ClusterState {
  clusterId: string;
  /** The cluster's rules level: it decides which rules its commands follow. */
  rules: RulesVersion;
  settings: ClusterSettings;
  /** Fixed by the first committed file; null before. */
  bucket: string | null;
  agents: Map<string, AgentRecord>;
  nextNodeId: number;
  /** Whole minutes since the epoch; -1: none yet. */
  lastMarkedMinute: number;
  clusterMinutes: number;
  topics: Map<IdKey, Topic>;
  topicsByName: Map<string, Topic>;
  /** The names of the same topics. Derived, not persisted. */
  topicNames: TopicNames;
  /** Rises whenever topics or partitions are created or deleted. Not persisted. */
  topicsVersion: number;
  /** Sum over the topics. */
  partitionCount: number;
  files: FileTable;
  answers: CommitAnswers;
  nextProducerId: number;
  /** By request id, oldest first. */
  producerIdGrants: Map<IdKey, ProducerIdGrant>;
  /** The entries, oldest first. */
  producerIdMarks: ProducerIdMark[];
  groups: Map<string, Group>;
  /** The ids of the same groups. Derived, not persisted. */
  groupIds: OrderedTexts;
  /** Configs of existing groups and of others. */
  groupConfigs: GroupConfigs;
  security: Security;
  transactions: Transactions;
  totals: ClusterTotalsState;
  /** Snapshots in progress. Not persisted. */
  openCaptures: Set<OpenCapture>;

  // Running accounts of what the state takes (see memory.ts). Derived, not persisted.

  /** Memory of all groups, except those in `changedGroups`. */
  groupMemory: { -readonly [K in keyof GroupSize]: number };
  /** Groups that the present command may have changed. Empty between commands. */
  changedGroups: Set<Group>;
  /** The memory of all partitions. */
  partitionMemory: PartitionMemory;
  /** The characters of all topics' names and configs. */
  topicChars: number;
}

/**
 * An empty virtual cluster.
 * @param rules `OLDEST_RULES` for a journal that is replayed from its first entry, which raises the level
 */
export function createState(clusterId: string, rules = NEWEST_RULES): ClusterState {
  return {
    clusterId,
    rules,
    settings: { ...INITIAL_SETTINGS },
    bucket: null,
    agents: new Map(),
    nextNodeId: 1,
    lastMarkedMinute: -1,
    clusterMinutes: 0,
    topics: new Map(),
    topicsByName: new Map(),
    topicNames: new TopicNames(),
    topicsVersion: 0,
    partitionCount: 0,
    files: new FileTable(),
    answers: new CommitAnswers(),
    nextProducerId: 1,
    producerIdGrants: new Map(),
    producerIdMarks: [],
    groups: new Map(),
    groupIds: new OrderedTexts(),
    groupConfigs: new Map(),
    security: createSecurity(),
    transactions: createTransactions(),
    totals: { uncompressedBytes: 0n, storedBytes: 0n, records: 0n, files: 0 },
    openCaptures: new Set(),
    ...emptyAccounts(),
  };
}

/** The accounts of an empty state. */
export function emptyAccounts(): Pick<
  ClusterState,
  'groupMemory' | 'changedGroups' | 'partitionMemory' | 'topicChars'
> {
  return {
    groupMemory: { ...NO_SIZE },
    changedGroups: new Set(),
    partitionMemory: createPartitionMemory(),
    topicChars: 0,
  };
}

/** Adds a group to the state, if it is not there yet. Call it before or after a change. */
export function placeGroup(state: ClusterState, group: Group): void {
  if (!state.groups.has(group.groupId)) {
    state.groupIds.add(group.groupId);
  }
  state.groups.set(group.groupId, group);
  state.changedGroups.add(group);
}

export function removeGroup(state: ClusterState, group: Group): void {
  state.groups.delete(group.groupId);
  state.groupIds.delete(group.groupId);
  state.changedGroups.add(group);
}

/** Brings the account up to date with the groups that a command has changed. */
export function countChangedGroups(state: ClusterState): void {
  for (const group of state.changedGroups) {
    const size = state.groups.get(group.groupId) === group ? groupSize(group) : NO_SIZE;
    state.groupMemory.members += size.members - group.counted.members;
    state.groupMemory.offsets += size.offsets - group.counted.offsets;
    group.counted = size;
  }
  state.changedGroups.clear();
}

/** Returns the group for a command that may change it, and keeps a copy for open snapshots. */
export function groupToChange(state: ClusterState, groupId: string): Group | undefined {
  const group = state.groups.get(groupId);
  if (group !== undefined) {
    beforeChange(state, group);
  }
  return group;
}

/** Call before changing a group of the state. */
export function beforeChange(state: ClusterState, group: Group): void {
  for (const capture of state.openCaptures) {
    capture.beforeChange(group);
  }
  group.expiresFromMs = 0;
  state.changedGroups.add(group);
}

/** Removes entries of a map that is ordered oldest first, up to the first one that `keeps`. Returns how many. */
export function expireOldest<K, V>(map: Map<K, V>, keeps: (value: V) => boolean): number {
  let expired = 0;
  for (const [key, value] of map) {
    if (keeps(value)) {
      break;
    }
    map.delete(key);
    expired += 1;
  }
  return expired;
}
