// Queries about consumer groups of the new protocol, and about background work that is due for them.

import { classicAssignment } from '../consumer-groups/classic-assignment.ts';
import { preferredAssignor } from '../consumer-groups/compute-target.ts';
import { isGroupId } from '../groups/join-checks.ts';
import { ErrorCode } from '../model/error-code.ts';
import { type IdKey, idFromKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { consumerGroupStateName, NO_TARGET } from '../state/consumer-group.ts';
import type { ConsumerMember, ConsumerProtocol, OwnedPartitions } from '../state/group.types.ts';
import { consumerTimings, effectiveGroupConfig, GROUP_CONFIGS } from '../state/group-configs.ts';
import type {
  ConsumerGroupWork,
  DescribedConsumerGroup,
  DescribedGroup,
  DescribedGroupConfigs,
  NamedPartitions,
} from './queries.types.ts';

/** In the order of the ids. */
export function describeConsumerGroups(state: ClusterState, groupIds: readonly string[]): DescribedConsumerGroup[] {
  return groupIds.map((groupId) => {
    const group = state.groups.get(groupId);
    if (!isGroupId(groupId)) {
      return refused(groupId, ErrorCode.INVALID_GROUP_ID, '');
    }
    if (!group?.consumer) {
      const what = group === undefined ? 'not found' : 'is not a consumer group';
      return refused(groupId, ErrorCode.GROUP_ID_NOT_FOUND, `Group ${groupId} ${what}.`);
    }
    return describe(state, groupId, group.consumer);
  });
}

function refused(groupId: string, errorCode: ErrorCode, errorMessage: string): DescribedConsumerGroup {
  return {
    errorCode,
    errorMessage,
    groupId,
    state: '',
    groupEpoch: 0,
    assignmentEpoch: 0,
    assignorName: '',
    members: [],
  };
}

function describe(state: ClusterState, groupId: string, consumer: ConsumerProtocol): DescribedConsumerGroup {
  return {
    errorCode: ErrorCode.NONE,
    errorMessage: '',
    groupId,
    state: consumerGroupStateName(consumer),
    groupEpoch: consumer.epoch,
    assignmentEpoch: consumer.assignmentEpoch,
    assignorName: preferredAssignor(consumer),
    members: [...consumer.members.values()].map((member) => ({
      memberId: member.memberId,
      instanceId: member.instanceId,
      rackId: member.rackId,
      memberEpoch: member.epoch,
      clientId: member.clientId,
      clientHost: member.clientHost,
      subscribedTopics: [...member.subscribedTopics],
      subscribedRegex: member.subscribedRegex,
      assignment: named(state, assignedLists(member.assigned)),
      targetAssignment: named(state, consumer.target.get(member.memberId) ?? NO_TARGET),
      isClassic: member.classic !== null,
    })),
  };
}

/** The group as the classic calls describe groups: assignments as classic consumers get them. */
export function describeAsClassic(state: ClusterState, groupId: string, consumer: ConsumerProtocol): DescribedGroup {
  return {
    errorCode: ErrorCode.NONE,
    errorMessage: '',
    groupId,
    groupType: 'Consumer',
    state: consumerGroupStateName(consumer),
    protocolType: 'consumer',
    protocolName: preferredAssignor(consumer),
    members: [...consumer.members.values()].map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.instanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      metadata: new Uint8Array(0),
      assignment: classicAssignment(state, member),
    })),
  };
}

function assignedLists(assigned: OwnedPartitions): Map<IdKey, number[]> {
  return new Map([...assigned].map(([topic, numbers]) => [topic, [...numbers.keys()].sort((a, b) => a - b)]));
}

/** By name. A deleted topic has none. */
function named(state: ClusterState, topics: ReadonlyMap<IdKey, readonly number[]>): NamedPartitions[] {
  return [...topics]
    .map(([topic, partitions]) => ({
      topicId: idFromKey(topic),
      topicName: state.topics.get(topic)?.name ?? '',
      partitions: [...partitions],
    }))
    .sort((a, b) => (a.topicName < b.topicName ? -1 : 1));
}

/**
 * The background work that is due for a group of the new protocol; null for any other group.
 * @param isRegexCurrent whether what was resolved before is still true of the topics and ACLs
 */
export function consumerGroupWork(
  state: ClusterState,
  groupId: string,
  isRegexCurrent: boolean,
): ConsumerGroupWork | null {
  const consumer = state.groups.get(groupId)?.consumer;
  if (!consumer) {
    return null;
  }
  const { assignmentIntervalMs } = consumerTimings(state.groupConfigs, groupId);
  const isAssigning = consumer.members.size > 0 && consumer.epoch > consumer.assignmentEpoch;
  const regexes = [...consumer.regexSubscribers.keys()].filter(
    (regex) => !isRegexCurrent || !consumer.regexes.has(regex),
  );
  return {
    assignFromMs: isAssigning ? consumer.assignedAtMs + assignmentIntervalMs : null,
    regexes: regexes.length === 0 ? [] : withFirstSubscribers(consumer, regexes),
  };
}

/** One pass over the members, however many expressions they have. */
function withFirstSubscribers({ members }: ConsumerProtocol, regexes: readonly string[]): ConsumerGroupWork['regexes'] {
  const first = new Map<string | null, ConsumerMember>();
  for (const member of members.values()) {
    if (!first.has(member.subscribedRegex)) {
      first.set(member.subscribedRegex, member);
    }
  }
  return regexes.map((regex) => {
    const { principal, clientHost } = first.get(regex) ?? { principal: '', clientHost: '' };
    return { regex, principal, clientHost };
  });
}

/** Configs of these groups, in effect. */
export function describeGroupConfigs(state: ClusterState, groupIds: readonly string[]): DescribedGroupConfigs[] {
  return groupIds.map((groupId) => {
    const set = state.groupConfigs.get(groupId);
    const configs = [...GROUP_CONFIGS.keys()].map((name) => ({
      name,
      value: effectiveGroupConfig(set, name),
      isDefault: set?.has(name) !== true,
    }));
    return { groupId, configs };
  });
}
