// What commands add to the memory of a cluster, and how they are refused when there is no room for it. The state machine refuses by the limits
// of one cluster (MEMORY_LIMITS), which are the same wherever a journal is replayed; an owner also by what its process has left. Commands that
// free memory, or replace what is there by something that is not larger, are never refused.

import { joinRefused, syncRefused } from './groups/group-changes.ts';
import type { AnswerByKind, Command, CommandKind } from './model/command.ts';
import type { ConsumerGroupHeartbeat } from './model/consumer-groups.types.ts';
import { ErrorCode } from './model/error-code.ts';
import type { CommitOffsets, JoinGroup, SyncGroup } from './model/groups.types.ts';
import { MAX_REMEMBERED_PRODUCERS, MEMORY_LIMITS } from './model/limits.ts';
import { type Outcome, unchanged } from './model/outcome.ts';
import type { AlterConfigs, CreateTopics, TopicResults } from './model/topics.types.ts';
import type { AddToTransaction, CommitTransactionOffsets } from './model/transactions.types.ts';
import type { ClusterState } from './state/cluster-state.ts';
import {
  assignableBytes,
  CHAR_BYTES,
  describedMemberBytes,
  foundTopicsBytes,
  GROUP_BYTES,
  memberBytes,
  OFFSETS_OF_TOPIC_BYTES,
  offsetBytes,
  pendingMemberBytes,
} from './state/group-bytes.ts';
import {
  openTransactionBytes,
  PENDING_OFFSET_BYTES,
  pendingOffsetBytes,
  TRANSACTION_PARTITION_BYTES,
  TRANSACTIONAL_ID_BYTES,
} from './state/memory.ts';

/** `data`: files, runs and producers. Retention and merging bound them, so the state machine has no limit for them. */
export type MemoryAccount = keyof typeof MEMORY_LIMITS | 'data';

/** The most that a command may add, determined without the state. */
export interface MemoryClaim {
  account: MemoryAccount;
  /** An upper bound of the bytes that it adds. */
  mostBytes: number;
}

const ACCOUNT_NAMES: Readonly<Record<keyof typeof MEMORY_LIMITS, string>> = {
  groups: 'consumer groups',
  offsets: 'committed offsets',
  transactions: 'transactions',
  topics: 'names and configs of topics',
};

const ROW_BYTES = 48;
const PRODUCER_BYTES = 117;

/** Null: the command adds nothing that is worth counting. Takes a few nanoseconds per element of the command. */
export function memoryClaim(state: ClusterState, command: Command): MemoryClaim | null {
  switch (command.kind) {
    case 'join-group':
      return { account: 'groups', mostBytes: newGroupBytes(command.groupId) + mostBytesOfJoin(command) };
    case 'sync-group':
      return command.assignments.length === 0 ? null : { account: 'groups', mostBytes: assignedBytes(command) };
    case 'consumer-group-heartbeat':
      return claimOfHeartbeat(state, command);
    case 'commit-offsets':
    case 'commit-transaction-offsets':
      return { account: 'offsets', mostBytes: mostBytesOfOffsets(command) };
    case 'init-transactional-producer':
      return {
        account: 'transactions',
        mostBytes: TRANSACTIONAL_ID_BYTES + transactionalIdChars(command) * CHAR_BYTES,
      };
    case 'add-to-transaction':
      return { account: 'transactions', mostBytes: mostBytesOfTransaction(command) };
    case 'create-topics':
      return { account: 'topics', mostBytes: newTopicBytes(command) };
    case 'alter-configs':
      return { account: 'topics', mostBytes: mostBytesOfConfigs(command) };
    case 'commit-file':
      return {
        account: 'data',
        mostBytes: command.runTopic.length * ROW_BYTES + command.batchBytes.length * PRODUCER_BYTES,
      };
    default:
      return null;
  }
}

/** The bytes that the command would add if it is accepted. 0 or less: it may be applied however full the cluster is. */
export function growthOf(state: ClusterState, command: Command): number {
  switch (command.kind) {
    case 'join-group':
      return growthOfJoin(state, command);
    case 'sync-group':
      return growthOfSync(state, command);
    case 'consumer-group-heartbeat':
      return growthOfHeartbeat(state, command);
    case 'commit-offsets':
      return growthOfOffsets(state, command);
    case 'commit-transaction-offsets':
      return growthOfPendingOffsets(state, command);
    case 'init-transactional-producer':
    case 'add-to-transaction':
      return growthOfTransaction(state, command);
    case 'create-topics':
      return newTopicBytes(command);
    case 'commit-file':
      // A file that was committed gets its answer again.
      return state.answers.find(command.fileId) === undefined ? (memoryClaim(state, command)?.mostBytes ?? 0) : 0;
    case 'alter-configs':
      return growthOfConfigs(state, command);
    default:
      return 0;
  }
}

/** About the bytes that a command holds until it is journaled, if it has much of what callers choose. */
export function payloadBytes(command: Command): number {
  switch (command.kind) {
    case 'join-group':
      return mostBytesOfJoin(command);
    case 'sync-group':
      return assignedBytes(command);
    case 'consumer-group-heartbeat':
      return describedBytes(command, undefined);
    case 'commit-offsets':
    case 'commit-transaction-offsets':
      return mostBytesOfOffsets(command);
    case 'create-topics':
      return newTopicBytes(command);
    default:
      return 0;
  }
}

/** Bytes on an account of the cluster. */
export function heldBytes(state: ClusterState, account: keyof typeof MEMORY_LIMITS): number {
  switch (account) {
    case 'groups':
      return state.groupMemory.members;
    case 'offsets':
      return state.groupMemory.offsets + pendingOffsetBytes(state.transactions);
    case 'transactions':
      return openTransactionBytes(state.transactions);
    case 'topics':
      return state.topicChars * CHAR_BYTES;
  }
}

/** An account of limited memory: the bytes that a cluster holds. */
export interface HeldAccount {
  name: keyof typeof MEMORY_LIMITS | 'producers';
  heldBytes: number;
  limitBytes: number;
}

/** Takes the same time however much there is. */
export function heldAccounts(state: ClusterState): HeldAccount[] {
  const names = Object.keys(MEMORY_LIMITS) as (keyof typeof MEMORY_LIMITS)[];
  return [
    ...names.map((name) => ({ name, heldBytes: heldBytes(state, name), limitBytes: MEMORY_LIMITS[name] })),
    {
      name: 'producers',
      heldBytes: state.partitionMemory.producerCount * PRODUCER_BYTES,
      limitBytes: MAX_REMEMBERED_PRODUCERS * PRODUCER_BYTES,
    },
  ];
}

/** The outcome of a command for which the cluster has no room. Null: it has. */
export function memoryRefusal(state: ClusterState, command: Command): Outcome<CommandKind> | null {
  const claim = memoryClaim(state, command);
  if (claim === null || claim.account === 'data') {
    return null;
  }
  const { account, mostBytes } = claim;
  const limit = MEMORY_LIMITS[account];
  const held = heldBytes(state, account);
  if (held + mostBytes <= limit) {
    return null;
  }
  const bytes = growthOf(state, command);
  if (bytes <= 0 || held + bytes <= limit) {
    return null;
  }
  const answer = refusedForMemory(
    command,
    `The virtual cluster holds ${mib(held)} of ${mib(limit)} MiB of ${ACCOUNT_NAMES[account]}, and has no room for more.`,
  );
  return answer === null ? null : { ...unchanged(answer), lacksMemory: true };
}

/**
 * The answer to a command that is refused because there is no memory for it. Null: its protocol has no answer for that.
 * @param reason for people
 */
export function refusedForMemory(command: Command, reason: string): AnswerByKind[CommandKind] | null {
  switch (command.kind) {
    case 'join-group':
      return { waiting: false, ...joinRefused(ErrorCode.GROUP_MAX_SIZE_REACHED, command.memberId) };
    case 'sync-group':
      return { waiting: false, ...syncRefused(ErrorCode.GROUP_MAX_SIZE_REACHED) };
    case 'consumer-group-heartbeat':
      return {
        errorCode: ErrorCode.GROUP_MAX_SIZE_REACHED,
        errorMessage: reason,
        memberId: '',
        memberEpoch: 0,
        heartbeatIntervalMs: 0,
        sessionTimeoutMs: 0,
        assignment: null,
        isAssignmentDue: false,
      };
    case 'commit-offsets':
    case 'commit-transaction-offsets':
      return { errorCode: ErrorCode.INVALID_COMMIT_OFFSET_SIZE, offsetErrorCodes: [] };
    case 'init-transactional-producer':
      return { errorCode: ErrorCode.POLICY_VIOLATION, producerId: -1, producerEpoch: -1 };
    case 'add-to-transaction':
      return { errorCode: ErrorCode.POLICY_VIOLATION, partitionErrorCodes: [] };
    case 'create-topics':
    case 'alter-configs':
      return refusedTopics(command, reason);
    default:
      return null;
  }
}

function refusedTopics({ topics }: CreateTopics | AlterConfigs, errorMessage: string): TopicResults {
  const errorCode = ErrorCode.POLICY_VIOLATION;
  return { results: topics.map(({ name }) => ({ name, topicId: null, errorCode, errorMessage, topic: null })) };
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function newGroupBytes(groupId: string): number {
  return GROUP_BYTES + groupId.length * CHAR_BYTES;
}

function mostBytesOfJoin(command: JoinGroup): number {
  const { memberId, newMemberId, protocols } = command;
  // In a group of the new protocol, the topics of the first protocol are kept apart from it, too.
  const topics = (protocols[0]?.metadata.length ?? 0) * CHAR_BYTES;
  return joinedBytes(command, memberId === '' ? newMemberId : memberId, new Uint8Array(0)) + topics;
}

function joinedBytes(command: JoinGroup, memberId: string, assignment: Uint8Array): number {
  return memberBytes({ ...command, memberId, assignment });
}

function growthOfJoin(state: ClusterState, command: JoinGroup): number {
  const group = state.groups.get(command.groupId);
  const { memberId, newMemberId, groupInstanceId } = command;
  const isNew = memberId === '';
  if (group === undefined) {
    return isNew ? newGroupBytes(command.groupId) + bytesOfNewMember(command) : 0;
  }
  const { consumer, members, staticMembers, pendingMembers } = group;
  if (consumer !== null && consumer.members.size > 0) {
    const known = consumer.members.get(memberId);
    const before = known === undefined ? 0 : describedMemberBytes(known);
    return isNew || known !== undefined ? mostBytesOfJoin(command) - before : 0;
  }
  const replaced = groupInstanceId === null ? undefined : members.get(staticMembers.get(groupInstanceId) ?? '');
  const before = members.get(memberId) ?? (isNew ? replaced : undefined);
  if (before !== undefined) {
    return joinedBytes(command, isNew ? newMemberId : memberId, before.assignment) - memberBytes(before);
  }
  if (pendingMembers.has(memberId)) {
    return joinedBytes(command, memberId, new Uint8Array(0)) - pendingMemberBytes(memberId);
  }
  // A request with an unknown member id is refused.
  return isNew ? bytesOfNewMember(command) : 0;
}

function bytesOfNewMember(command: JoinGroup): number {
  const { newMemberId, groupInstanceId, requireKnownMemberId } = command;
  return groupInstanceId === null && requireKnownMemberId
    ? pendingMemberBytes(newMemberId)
    : joinedBytes(command, newMemberId, new Uint8Array(0));
}

function assignedBytes({ assignments }: SyncGroup): number {
  let bytes = 0;
  for (const { assignment } of assignments) {
    bytes += assignment.length;
  }
  return bytes;
}

function growthOfSync(state: ClusterState, command: SyncGroup): number {
  const group = state.groups.get(command.groupId);
  if (group === undefined || group.state !== 'CompletingRebalance' || group.leaderId !== command.memberId) {
    return 0;
  }
  let before = 0;
  for (const { assignment } of group.members.values()) {
    before += assignment.length;
  }
  return assignedBytes(command) - before;
}

function claimOfHeartbeat(state: ClusterState, command: ConsumerGroupHeartbeat): MemoryClaim | null {
  const { memberEpoch, subscribedTopics, subscribedRegex } = command;
  const subscribes = subscribedTopics !== null || subscribedRegex !== null;
  if (memberEpoch < 0 || (memberEpoch > 0 && !subscribes)) {
    return null;
  }
  const found = subscribes ? assignableBytes(state.partitionCount) + state.topics.size * FOUND_TOPIC_BYTES : 0;
  return { account: 'groups', mostBytes: newGroupBytes(command.groupId) + describedBytes(command, undefined) + found };
}

const FOUND_TOPIC_BYTES = foundTopicsBytes(['']);

function describedBytes(
  { memberId, newMemberId, instanceId, rackId, clientId, clientHost, principal, ...command }: ConsumerGroupHeartbeat,
  before: { subscribedTopics: readonly string[]; subscribedRegex: string | null } | undefined,
): number {
  return describedMemberBytes({
    memberId: memberId === '' ? newMemberId : memberId,
    instanceId,
    rackId,
    clientId,
    clientHost,
    principal,
    subscribedTopics: command.subscribedTopics ?? before?.subscribedTopics ?? [],
    subscribedRegex: command.subscribedRegex ?? before?.subscribedRegex ?? null,
    classic: null,
  });
}

function growthOfHeartbeat(state: ClusterState, command: ConsumerGroupHeartbeat): number {
  const { groupId, memberId, memberEpoch, instanceId, subscribedTopics, subscribedRegex } = command;
  if (memberEpoch < 0) {
    return 0;
  }
  const group = state.groups.get(groupId);
  const consumer = group?.consumer ?? null;
  const holder = instanceId === null ? memberId : (consumer?.staticMembers.get(instanceId) ?? memberId);
  const before = consumer?.members.get(holder);
  if (before === undefined && memberEpoch > 0) {
    return 0;
  }
  let partitions = 0;
  for (const name of new Set(subscribedTopics ?? [])) {
    partitions += state.topicsByName.get(name)?.partitions.length ?? 0;
  }
  let foundTopics = 0;
  if (subscribedRegex !== null && subscribedRegex !== '' && consumer?.regexes.has(subscribedRegex) !== true) {
    partitions = state.partitionCount;
    foundTopics = state.topics.size;
  }
  for (const count of consumer?.topics.values() ?? []) {
    partitions -= count;
  }
  return (
    (group === undefined ? newGroupBytes(groupId) : 0) +
    describedBytes(command, before) -
    (before === undefined ? 0 : describedMemberBytes(before)) +
    assignableBytes(Math.max(0, partitions)) +
    foundTopics * FOUND_TOPIC_BYTES
  );
}

function mostBytesOfOffsets({ groupId, offsets }: Pick<CommitOffsets, 'groupId' | 'offsets'>): number {
  let bytes = newGroupBytes(groupId);
  for (const { metadata } of offsets) {
    bytes += PENDING_OFFSET_BYTES + OFFSETS_OF_TOPIC_BYTES + metadata.length * CHAR_BYTES;
  }
  return bytes;
}

function growthOfOffsets(state: ClusterState, { groupId, offsets }: CommitOffsets): number {
  const group = state.groups.get(groupId);
  let bytes = group === undefined ? newGroupBytes(groupId) : 0;
  const newTopics = new Set<string>();
  for (const offset of offsets) {
    const partitions = group?.offsets.get(offset.topic);
    if (partitions === undefined) {
      newTopics.add(offset.topic);
    }
    const before = partitions?.get(offset.partition);
    bytes += offsetBytes(offset) - (before === undefined ? 0 : offsetBytes(before));
  }
  return bytes + newTopics.size * OFFSETS_OF_TOPIC_BYTES;
}

function growthOfPendingOffsets(state: ClusterState, command: CommitTransactionOffsets): number {
  const { transactionalId, groupId, offsets } = command;
  const pending = state.transactions.byId.get(transactionalId)?.open?.groups.get(groupId);
  let bytes = pending === undefined ? PENDING_OFFSET_BYTES : 0;
  for (const { topic, partition, metadata } of offsets) {
    const before = pending?.get(topic)?.get(partition);
    bytes += (metadata.length - (before?.metadata.length ?? 0)) * CHAR_BYTES;
    bytes += before === undefined ? PENDING_OFFSET_BYTES : 0;
  }
  // An offset that replaces a committed one adds nothing in the end, so groups that read and write in transactions can continue.
  const replaced = growthOfOffsets(state, { ...command, kind: 'commit-offsets' });
  return Math.min(bytes, replaced);
}

function transactionalIdChars(command: { transactionalId: string; clientId: string; agentId: string }): number {
  return command.transactionalId.length + command.clientId.length + command.agentId.length;
}

function mostBytesOfTransaction({ partitions, groupIds }: AddToTransaction): number {
  let bytes = partitions.length * TRANSACTION_PARTITION_BYTES;
  for (const groupId of groupIds) {
    bytes += groupId.length * CHAR_BYTES;
  }
  return bytes;
}

function growthOfTransaction(
  state: ClusterState,
  command: AddToTransaction | (Command & { kind: 'init-transactional-producer' }),
): number {
  const known = state.transactions.byId.get(command.transactionalId);
  if (command.kind === 'init-transactional-producer') {
    return known === undefined ? TRANSACTIONAL_ID_BYTES + transactionalIdChars(command) * CHAR_BYTES : 0;
  }
  const groupIds = command.groupIds.filter((groupId) => known?.open?.groups.has(groupId) !== true);
  return known === undefined ? 0 : mostBytesOfTransaction({ ...command, groupIds });
}

function newTopicBytes({ topics }: CreateTopics): number {
  let chars = 0;
  for (const { name, configs } of topics) {
    chars += name.length;
    for (const config of configs) {
      chars += config.name.length + config.value.length;
    }
  }
  return chars * CHAR_BYTES;
}

function mostBytesOfConfigs({ topics }: AlterConfigs): number {
  let chars = 0;
  for (const { ops } of topics) {
    for (const { kind, name, value } of ops) {
      chars += kind === 'delete' ? 0 : name.length + value.length;
    }
  }
  return chars * CHAR_BYTES;
}

function growthOfConfigs(state: ClusterState, { topics }: AlterConfigs): number {
  let chars = 0;
  for (const { name, ops } of topics) {
    const configs = state.topicsByName.get(name)?.configs;
    for (const op of ops) {
      const before = configs?.get(op.name);
      const beforeChars = before === undefined ? 0 : op.name.length + before.length;
      if (op.kind === 'set' || op.kind === 'append') {
        chars += op.name.length + op.value.length - (op.kind === 'set' ? beforeChars : 0);
      } else if (op.kind === 'delete') {
        chars -= beforeChars;
      }
    }
  }
  return chars * CHAR_BYTES;
}
