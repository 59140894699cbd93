// The counts of a state, taken before each command. A command may change only the parts that are its own, nothing at all when it says so, and
// some counts never fall. Takes the same time for every state.
import type { CommandKind } from '../model/command.ts';
import type { SecuritySettings } from '../model/security.ts';
import type { ClusterSettings } from '../model/settings.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { GROUP_BYTES } from '../state/group-bytes.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';

export interface Outline {
  readonly rules: number;
  readonly settings: ClusterSettings;
  readonly bucket: string | null;
  readonly agents: number;
  readonly nextNodeId: number;
  readonly lastMarkedMinute: number;
  readonly clusterMinutes: number;
  readonly topics: number;
  readonly topicsVersion: number;
  readonly partitions: number;
  readonly topicChars: number;
  readonly files: number;
  readonly deadFiles: number;
  readonly fileIds: number;
  readonly nextProducerId: number;
  readonly grants: number;
  readonly marks: number;
  readonly producers: number;
  readonly groups: number;
  readonly groupConfigs: number;
  readonly securityVersion: number;
  readonly securitySettings: SecuritySettings;
  readonly credentials: number;
  readonly acls: number;
  readonly aclChars: number;
  readonly quotas: number;
  readonly transactionalIds: number;
  readonly openTransactions: number;
  readonly transactionPartitions: number;
  readonly pendingOffsets: number;
  readonly transactionChars: number;
  readonly pendingChars: number;
  readonly abortedTransactions: number;
  readonly committedFiles: number;
  readonly storedBytes: bigint;
  readonly uncompressedBytes: bigint;
  readonly records: bigint;
}

export function outlineOf(state: ClusterState): Outline {
  const { security, transactions, totals } = state;
  const { counts } = transactions;
  return {
    rules: state.rules,
    settings: state.settings,
    bucket: state.bucket,
    agents: state.agents.size,
    nextNodeId: state.nextNodeId,
    lastMarkedMinute: state.lastMarkedMinute,
    clusterMinutes: state.clusterMinutes,
    topics: state.topics.size,
    topicsVersion: state.topicsVersion,
    partitions: state.partitionCount,
    topicChars: state.topicChars,
    files: state.files.size,
    deadFiles: state.files.dead,
    fileIds: state.answers.size,
    nextProducerId: state.nextProducerId,
    grants: state.producerIdGrants.size,
    marks: state.producerIdMarks.length,
    producers: state.partitionMemory.producerCount,
    groups: state.groups.size,
    groupConfigs: state.groupConfigs.size,
    securityVersion: security.version,
    securitySettings: security.settings,
    credentials: security.credentials.size,
    acls: security.acls.size,
    aclChars: security.aclChars,
    quotas: security.quotas.size,
    transactionalIds: transactions.byId.size,
    openTransactions: transactions.open.size,
    transactionPartitions: counts.partitions,
    pendingOffsets: counts.offsets,
    transactionChars: counts.chars,
    pendingChars: counts.offsetChars,
    abortedTransactions: counts.aborted,
    committedFiles: totals.files,
    storedBytes: totals.storedBytes,
    uncompressedBytes: totals.uncompressedBytes,
    records: totals.records,
  };
}

const AGENTS = 1;
const MINUTES = 1 << 1;
const SETTINGS = 1 << 2;
const RULES = 1 << 3;
const TOPICS = 1 << 4;
const FILES = 1 << 5;
const FILE_IDS = 1 << 6;
const TOTALS = 1 << 7;
const BUCKET = 1 << 8;
const PRODUCER_IDS = 1 << 9;
const GRANTS = 1 << 10;
const PRODUCERS = 1 << 11;
const GROUPS = 1 << 12;
const GROUP_CONFIGS = 1 << 13;
const SECURITY = 1 << 14;
const TRANSACTIONS = 1 << 15;
const ABORTED = 1 << 16;

/** The parts whose counts a command may change. */
const OWN_PARTS: Readonly<Record<CommandKind, number>> = {
  'register-agent': AGENTS,
  'agent-left': AGENTS,
  'minute-mark': MINUTES,
  'set-clock-back': MINUTES,
  'update-settings': SETTINGS,
  'set-offsets-retention': SETTINGS,
  'set-max-uncompressed-batch-bytes': SETTINGS,
  'raise-rules-level': RULES,
  'create-topics': TOPICS,
  'delete-topics': TOPICS | FILES | PRODUCERS | TRANSACTIONS | ABORTED,
  'create-partitions': TOPICS,
  'alter-configs': TOPICS,
  'commit-file': FILES | FILE_IDS | TOTALS | BUCKET | PRODUCERS | TRANSACTIONS,
  'replace-runs': FILES | TOTALS | ABORTED,
  'delete-records': FILES | ABORTED,
  'init-producer-id': PRODUCER_IDS | GRANTS,
  'expire-retention': FILE_IDS | GRANTS | AGENTS | TRANSACTIONS,
  'expire-runs': FILES | PRODUCERS | ABORTED,
  'take-deletions': 0,
  'confirm-deletions': FILES,
  'join-group': GROUPS,
  'group-deadline': 0,
  'sync-group': 0,
  'leave-group': 0,
  'expire-members': 0,
  'commit-offsets': GROUPS,
  'delete-offsets': 0,
  'delete-groups': GROUPS | TRANSACTIONS,
  'expire-offsets': GROUPS,
  'consumer-group-heartbeat': GROUPS,
  'install-target-assignment': 0,
  'resolve-group-regexes': 0,
  'alter-group-configs': GROUP_CONFIGS,
  'init-transactional-producer': TRANSACTIONS | ABORTED | PRODUCER_IDS,
  'add-to-transaction': TRANSACTIONS,
  'commit-transaction-offsets': TRANSACTIONS,
  'end-transaction': TRANSACTIONS | ABORTED | PRODUCER_IDS | GROUPS,
  'abort-transaction': TRANSACTIONS | ABORTED,
  'expire-transactions': TRANSACTIONS | ABORTED,
  'alter-client-metrics': SETTINGS,
  'alter-user-scram-credentials': SECURITY,
  'create-acls': SECURITY,
  'delete-acls': SECURITY,
  'alter-client-quotas': SECURITY,
  'update-security-settings': SECURITY,
};

/** Checks the counts between any two commands. */
export function requireSane(state: ClusterState, nowMs: number): void {
  const { transactions, security, partitionMemory, groupMemory, totals } = state;
  const { counts } = transactions;
  holds(nowMs >= 0 && nowMs <= Number.MAX_SAFE_INTEGER, 'the time of a command is after the epoch', nowMs);
  equal(state.changedGroups.size, 0, 'changed groups are counted between commands');
  equal(state.topicsByName.size, state.topics.size, 'as many topics have a name as have an id');
  atLeast(state.partitionCount, state.topics.size, 'a topic has a partition');
  atLeast(state.topicsVersion, 0, 'the version of the topics is not negative');
  atLeast(state.topicChars, state.topics.size, 'a topic has a name');
  atLeast(state.nextNodeId, 1, 'node ids begin at 1');
  atMost(state.agents.size, state.nextNodeId - 1, 'an agent has a node id of its own');
  atLeast(state.lastMarkedMinute, -1, 'the last marked minute is one, or none');
  atLeast(state.clusterMinutes, 0, 'marked minutes are not negative');
  atLeast(state.nextProducerId, 1, 'producer ids begin at 1');
  atMost(state.nextProducerId, Number.MAX_SAFE_INTEGER, 'producer ids are exact');
  atMost(state.producerIdGrants.size, state.nextProducerId - 1, 'a grant has a producer id of its own');
  atMost(state.producerIdMarks.length, state.nextProducerId - 1, 'a mark has a producer id of its own');
  atMost(state.files.dead, state.files.size, 'a dead file is known');
  atLeast(state.answers.size, 0, 'remembered file ids are not negative');
  atLeast(totals.files, 0, 'committed files are not negative');
  atLeast(totals.storedBytes, 0n, 'the total of stored bytes is not negative');
  atLeast(totals.uncompressedBytes, 0n, 'the total of uncompressed bytes is not negative');
  atLeast(totals.records, 0n, 'the total of records is not negative');
  atLeast(partitionMemory.runs, 0, 'the bytes of run indexes are not negative');
  atLeast(partitionMemory.producers, 0, 'the bytes of producer tables are not negative');
  atLeast(partitionMemory.producerCount, 0, 'the producers of partitions are not negative');
  atLeast(groupMemory.members, state.groups.size * GROUP_BYTES, 'each group is on the account of groups');
  atLeast(groupMemory.offsets, 0, 'the bytes of committed offsets are not negative');
  atMost(transactions.open.size, transactions.byId.size, 'an open transaction has a transactional id');
  atMost(transactions.byId.size, state.nextProducerId - 1, 'a transactional id has a producer id of its own');
  atLeast(counts.partitions, 0, 'the partitions of transactions are not negative');
  atLeast(counts.offsets, 0, 'pending offsets are not negative');
  atLeast(counts.aborted, 0, 'aborted transactions are not negative');
  atLeast(counts.chars, transactions.byId.size, 'a transactional id has characters');
  atLeast(counts.offsetChars, 0, 'the characters of pending offsets are not negative');
  atLeast(security.version, 0, 'the version of access control is not negative');
  atLeast(security.aclChars, security.acls.size === 0 ? 0 : 1, 'ACLs have names');
}

/** Compares the counts after a command with those before. */
export function requireOwnPartsOnly(before: Outline, state: ClusterState, kind: CommandKind, isChanged: boolean): void {
  const { security, transactions, totals } = state;
  const { counts } = transactions;
  const own = isChanged ? OWN_PARTS[kind] : 0;
  if ((own & AGENTS) === 0) {
    equal(state.agents.size, before.agents, 'agents stay');
    equal(state.nextNodeId, before.nextNodeId, 'the next node id stays');
  }
  if ((own & MINUTES) === 0) {
    equal(state.lastMarkedMinute, before.lastMarkedMinute, 'the last marked minute stays');
    equal(state.clusterMinutes, before.clusterMinutes, 'the marked minutes stay');
  }
  if ((own & SETTINGS) === 0) {
    equal(state.settings, before.settings, 'the settings stay');
  }
  if ((own & RULES) === 0) {
    equal(state.rules, before.rules, 'the rules level stays');
  }
  if ((own & TOPICS) === 0) {
    equal(state.topics.size, before.topics, 'topics stay');
    equal(state.topicsVersion, before.topicsVersion, 'the version of the topics stays');
    equal(state.partitionCount, before.partitions, 'partitions stay');
    equal(state.topicChars, before.topicChars, 'names and configs of topics stay');
  }
  if ((own & FILES) === 0) {
    equal(state.files.size, before.files, 'files stay');
    equal(state.files.dead, before.deadFiles, 'dead files stay');
  }
  if ((own & FILE_IDS) === 0) {
    equal(state.answers.size, before.fileIds, 'remembered file ids stay');
  }
  if ((own & TOTALS) === 0) {
    equal(totals.files, before.committedFiles, 'the total of files stays');
    equal(totals.storedBytes, before.storedBytes, 'the total of stored bytes stays');
    equal(totals.uncompressedBytes, before.uncompressedBytes, 'the total of uncompressed bytes stays');
    equal(totals.records, before.records, 'the total of records stays');
  }
  if ((own & BUCKET) === 0) {
    equal(state.bucket, before.bucket, 'the bucket stays');
  }
  if ((own & PRODUCER_IDS) === 0) {
    equal(state.nextProducerId, before.nextProducerId, 'the next producer id stays');
    equal(state.producerIdMarks.length, before.marks, 'the marks of producer ids stay');
  }
  if ((own & GRANTS) === 0) {
    equal(state.producerIdGrants.size, before.grants, 'the grants of producer ids stay');
  }
  if ((own & PRODUCERS) === 0) {
    equal(state.partitionMemory.producerCount, before.producers, 'the producers of partitions stay');
  }
  if ((own & GROUPS) === 0) {
    equal(state.groups.size, before.groups, 'groups stay');
  }
  if ((own & GROUP_CONFIGS) === 0) {
    equal(state.groupConfigs.size, before.groupConfigs, 'the configs of groups stay');
  }
  if ((own & SECURITY) === 0) {
    equal(security.version, before.securityVersion, 'the version of access control stays');
    equal(security.settings, before.securitySettings, 'the settings of access control stay');
    equal(security.credentials.size, before.credentials, 'credentials stay');
    equal(security.acls.size, before.acls, 'ACLs stay');
    equal(security.aclChars, before.aclChars, 'the characters of ACLs stay');
    equal(security.quotas.size, before.quotas, 'quotas stay');
  }
  if ((own & TRANSACTIONS) === 0) {
    equal(transactions.byId.size, before.transactionalIds, 'transactional ids stay');
    equal(transactions.open.size, before.openTransactions, 'open transactions stay');
    equal(counts.partitions, before.transactionPartitions, 'the partitions of transactions stay');
    equal(counts.offsets, before.pendingOffsets, 'pending offsets stay');
    equal(counts.chars, before.transactionChars, 'the characters of transactions stay');
    equal(counts.offsetChars, before.pendingChars, 'the characters of pending offsets stay');
  }
  if ((own & ABORTED) === 0) {
    equal(counts.aborted, before.abortedTransactions, 'aborted transactions stay');
  }
  requireNoneFell(before, state);
}

/** Checks the counts that only ever grow. */
function requireNoneFell(before: Outline, state: ClusterState): void {
  const { security, totals } = state;
  atLeast(state.rules, before.rules, 'the rules level never falls');
  atLeast(state.nextNodeId, before.nextNodeId, 'node ids are given once');
  atLeast(state.clusterMinutes, before.clusterMinutes, 'a marked minute stays marked');
  atLeast(state.topicsVersion, before.topicsVersion, 'the version of the topics never falls');
  atLeast(state.nextProducerId, before.nextProducerId, 'producer ids are granted once');
  atLeast(security.version, before.securityVersion, 'the version of access control never falls');
  atLeast(totals.files, before.committedFiles, 'the total of files never falls');
  atLeast(totals.storedBytes, before.storedBytes, 'the total of stored bytes never falls');
  atLeast(totals.uncompressedBytes, before.uncompressedBytes, 'the total of uncompressed bytes never falls');
  atLeast(totals.records, before.records, 'the total of records never falls');
  holds(before.bucket === null || state.bucket === before.bucket, 'the bucket is fixed for good', state.bucket);
}
